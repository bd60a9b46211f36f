"""What the engine asks of Spark. What the user has set in any of Spark's own ways wins."""

import os
import site
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import phenesthe
from phenesthe.engines.spark.machine import measure_memory
from phenesthe.engines.spark.start import Start

_GIB = 2**30
_AS_EVER = Start()

#: Rows of an Arrow batch on its way to a worker. A stage joins its batches again: few are cheaper.
BATCH_ROWS = 65_536

#: Taken while a session runs, so they can be set on one that somebody else has started.
RUNTIME = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(BATCH_ROWS),
    # A crash of a worker then says in which function.
    "spark.sql.execution.pyspark.udf.faulthandler.enabled": "true",
    # `v` and `V` are two arguments.
    "spark.sql.caseSensitive": "true",
    # Times without a zone are UTC, whatever the machine.
    "spark.sql.session.timeZone": "UTC",
}

_START = {
    "spark.app.name": "phenesthe",
    "spark.ui.enabled": "false",
    # Progress is read from the same status, which otherwise lags behind while no task ends.
    "spark.ui.liveUpdate.period": "0",
    "spark.python.worker.reuse": "true",
    **RUNTIME,
}

_EMBEDDED = {
    # A laptop's own name often leads nowhere, or to a network that has just gone away.
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
}


def list_settings(*, local: bool, cores: int, heap: int, folder: Path | None) -> dict[str, str]:
    """Settings of a session that is about to start, all of them only where the user has none.

    Results that do not fit in half of the driver's memory are refused with a message, before the
    JVM would run out of it.
    """
    settings = {**_START, "spark.driver.maxResultSize": str(heap // 2)}
    if folder is not None:
        # Spark would make the folder in the person's working directory.
        settings["spark.sql.warehouse.dir"] = str(folder / "warehouse")
    if local and folder is not None:
        # Shuffled rows go with everything else, also if this process is killed.
        settings["spark.local.dir"] = str(folder / "local")
    if local:
        settings |= _EMBEDDED
        settings["spark.sql.shuffle.partitions"] = str(2 * cores)
        package = Path(phenesthe.__file__).resolve().parent.parent
        if str(package) not in {*site.getsitepackages(), site.getusersitepackages()}:
            # Imported from a working copy: the workers must find the same.
            settings["spark.executorEnv.PYTHONPATH"] = str(package)
    return settings


def choose_driver_memory() -> str:
    """A quarter of the machine, since the Python workers need memory too; 1 to 4 GiB."""
    total = measure_memory() or 4 * _GIB
    return f"{max(1, min(4, total // 4 // _GIB))}g"


def is_local(master: str | None) -> bool:
    """Whether the workers run on this machine, children of this process."""
    return master is not None and (master == "local" or master.startswith("local["))


def choose_python(master: str, named: str | None) -> str | None:
    """The Python of the workers; None leaves it to Spark, which takes `python3`.

    Local workers must be this one, which has the package. On a cluster the user knows what there
    is: PYSPARK_PYTHON, or else the setting `spark.pyspark.python`.
    """
    return sys.executable if is_local(master) else os.environ.get("PYSPARK_PYTHON") or named


@contextmanager
def set_environment(folder: Path | None = None, start: Start = _AS_EVER) -> Iterator[None]:
    """Variables for the time of a session; then Spark's are as they were.

    SPARK_DRIVER_MEMORY is the weakest way of saying how much memory the driver has, so a file of
    defaults or PYSPARK_SUBMIT_ARGS wins by itself, as it does over SPARK_SUBMIT_OPTS: what the JVM
    makes for a moment it makes in the folder. PySpark sets others on the way.
    """
    before = _list_variables()
    os.environ.setdefault("SPARK_DRIVER_MEMORY", choose_driver_memory())
    if folder is not None:
        ours = (f'"-Djava.io.tmpdir={folder}"', *start.java_options)
        options = os.environ.get("SPARK_SUBMIT_OPTS", "")
        os.environ["SPARK_SUBMIT_OPTS"] = " ".join((*ours, options)).rstrip()
    if start.launcher_options:
        os.environ.setdefault("SPARK_LAUNCHER_OPTS", " ".join(start.launcher_options))
    try:
        yield
    finally:
        for name in _list_variables():
            del os.environ[name]
        os.environ.update(before)


def _list_variables() -> dict[str, str]:
    return {
        name: value for name, value in os.environ.items() if name.startswith(("SPARK_", "PYSPARK_"))
    }
