"""A Spark session: started here, reached on a cluster, or somebody else's."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from phenesthe.engines.spark.failures import PRESENT_LOG, EngineError, explained
from phenesthe.engines.spark.java import NoJava, find_java
from phenesthe.engines.spark.jvm import launch_jvm, stop_jvm
from phenesthe.engines.spark.machine import write_size
from phenesthe.engines.spark.masters import check_master, hide_token, is_connect_url
from phenesthe.engines.spark.noise import silence_python_side
from phenesthe.engines.spark.scratch import Scratch
from phenesthe.engines.spark.settings import (
    RUNTIME,
    choose_python,
    is_local,
    list_settings,
    set_environment,
)
from phenesthe.engines.spark.ship import is_connect, ship_package
from phenesthe.engines.spark.start import choose_start
from phenesthe.interrupts import was_interrupted
from phenesthe.options import name_option

if TYPE_CHECKING:
    from py4j.java_gateway import JavaGateway
    from pyspark import SparkConf
    from pyspark.sql import SparkSession


@dataclass(frozen=True, slots=True)
class Session:
    """A running session and what is worth knowing of it."""

    spark: "SparkSession"
    #: One line: version, master, memory, Python.
    text: str
    #: What the JVM printed, if it is ours.
    log: Path | None = None


@contextmanager
def open_session(
    master: str | None = None,
    *,
    say: Callable[[str], None] = lambda _: None,
    settings: Mapping[str, str] | None = None,
    is_small: bool = False,
    making: Path | None = None,
) -> Iterator[Session]:
    """Spark on this machine, at `master`, or the session that this process already has.

    `say` is told in one line what was chosen. `settings` are Spark's, and win over everything.
    `is_small` says that little is going to be done, `making` where an archive of Java's classes is
    to be written at the end. Then a session started here is stopped with its JVM; the log stays if
    an error names it.
    """
    import_pyspark()
    if _ours and master in (None, *_ours):
        yield next(iter(_ours.values()))
        return
    if master is None and is_connect_url(os.environ.get("SPARK_REMOTE", "")):
        master = os.environ["SPARK_REMOTE"]
    with ExitStack() as stack:
        stack.enter_context(silence_python_side())
        running = _find_running(master)
        if running is not None:
            session = adopt(running)
        elif master is not None and is_connect_url(master):
            session = stack.enter_context(_connect(master, settings or {}))
        else:
            started = _start(master, settings or {}, is_small=is_small, making=making)
            session = stack.enter_context(started)
        say(session.text)
        stack.callback(_ours.clear)
        stack.callback(PRESENT_LOG.set, None)
        _ours[master] = session
        PRESENT_LOG.set(session.log)
        yield session


#: The session that is open, by the master that was asked for: who asks again gets the same.
_ours: "dict[str | None, Session]" = {}


def adopt(spark: "SparkSession") -> Session:
    """Somebody else's session: it keeps its settings, and it is not ours to stop."""
    if is_connect(spark):
        text = f"Spark {spark.version} through Spark Connect"
    else:
        text = f"Spark {spark.version}, {spark.sparkContext.master}"
    _equip_workers(spark)
    return Session(spark=spark, text=f"{text}, the session that was running")


def import_pyspark() -> None:
    """PySpark, or an error with the remedy."""
    try:
        import pyspark.sql  # noqa: F401
    except ImportError as problem:
        raise EngineError(
            f"Spark cannot be loaded: {problem}",
            f"`{sys.executable} -m pip install 'pyspark>=4.1' 'pandas>=2.2,<3'`; "
            f"`{name_option('engine', 'local', python='Program.run')}` needs no Spark",
        ) from None


def _find_running(master: str | None) -> "SparkSession | None":
    from pyspark import SparkContext
    from pyspark.sql import SparkSession
    from pyspark.sql.utils import is_remote

    if is_remote():
        return SparkSession.getActiveSession()
    context = SparkContext._active_spark_context
    if context is None:
        return None
    if master is not None and master != context.master:
        raise EngineError(
            f"this process already runs Spark on {context.master}, so it cannot use {master}",
            "stop that session first, or leave the master out",
        )
    return SparkSession.builder.getOrCreate()


@contextmanager
def _start(
    master: str | None, settings: Mapping[str, str], *, is_small: bool, making: Path | None
) -> Iterator[Session]:
    """A driver in a JVM of our own, on this machine or for a cluster."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    if master is not None:
        check_master(master)
    if isinstance(java := find_java(), NoJava):
        raise EngineError(java.message, java.hint)
    start = choose_start(master, java, is_small=is_small, making=making)
    scratch = Scratch("phenesthe-spark-")
    logged = scratch.folder / "spark.log"
    keep_log = False
    # Anything but an ordinary end or error, an interrupt above all, is in the midst of something.
    abruptly = True
    with set_environment(scratch.folder, start), _keep_interrupt() as restore_interrupt:
        try:
            with explained("starting Spark", log=logged):
                with scratch.holding_temporary():
                    gateway = launch_jvm(master, logged, scratch.number)
                conf = _configure(gateway, master, start.settings, settings, scratch.folder)
                context = SparkContext(conf=conf, gateway=gateway)
                restore_interrupt()
                # It prints a stack when a JVM goes away; there are better ways to tell.
                context._accumulatorServer.handle_error = lambda *_: None  # type: ignore[method-assign]
                spark = SparkSession(context)
            log = logged if gateway.proc is not None else None
            _equip_workers(spark, log)
            yield Session(spark=spark, text=_describe(spark), log=log)
            abruptly = False
        except Exception as problem:
            abruptly = was_interrupted(problem)
            keep_log = isinstance(problem, EngineError) and problem.log is not None
            raise
        finally:
            stop_jvm(abruptly=abruptly, patience=start.patience)
            scratch.remove(keep=logged if keep_log else None)


@contextmanager
def _keep_interrupt() -> Iterator[Callable[[], None]]:
    """A context in which the given function undoes what PySpark does to Ctrl-C.

    Its handler asks the JVM to cancel all jobs over the very connection it may have interrupted.
    A plain KeyboardInterrupt is enough: the session's end stops the JVM and its jobs.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    handler = signal.getsignal(signal.SIGINT)

    def restore() -> None:
        signal.signal(signal.SIGINT, handler)

    try:
        yield restore
    finally:
        restore()


def _configure(
    gateway: "JavaGateway",
    master: str | None,
    chosen_for: Mapping[str, str],
    settings: Mapping[str, str],
    folder: Path,
) -> "SparkConf":
    """What the JVM has from the user's files and variables, and ours where it has nothing."""
    from pyspark import SparkConf

    conf = SparkConf(_jvm=gateway.jvm)
    if master is not None:
        conf.setMaster(master)
    chosen = conf.setIfMissing("spark.master", "local[*]").get("spark.master", "")
    runtime = gateway.jvm.java.lang.Runtime.getRuntime()
    ours = list_settings(
        local=is_local(chosen),
        cores=runtime.availableProcessors(),
        heap=runtime.maxMemory(),
        folder=folder,
    )
    for name, value in {**ours, **chosen_for}.items():
        conf.setIfMissing(name, value)
    for name, value in settings.items():
        conf.set(name, value)
    python = choose_python(chosen, conf.get("spark.pyspark.python"))
    if python is not None:
        os.environ["PYSPARK_PYTHON"] = python
    return conf


def _describe(spark: "SparkSession") -> str:
    context = spark.sparkContext
    master = context.master or ""
    if master == "local[*]":
        master = f"local[{context.defaultParallelism}]"
    assert context._jvm is not None
    heap = context._jvm.java.lang.Runtime.getRuntime().maxMemory()
    return (
        f"Spark {spark.version}, {master}, driver {write_size(heap)}, "
        f"Python {sys.version.split()[0]}"
    )


def _equip_workers(spark: "SparkSession", log: Path | None = None) -> None:
    """Workers elsewhere get the package; those of this machine find it where we do."""
    if is_connect(spark) or not is_local(spark.sparkContext.master):
        with explained("sending the package to Spark's workers", log=log):
            ship_package(spark)


@contextmanager
def _connect(url: str, settings: Mapping[str, str]) -> Iterator[Session]:
    """A session on a Spark Connect server; no Java is needed here."""
    from pyspark.sql import SparkSession

    try:
        import pyspark.sql.connect.session  # noqa: F401
    except ImportError as problem:
        raise EngineError(
            f"Spark Connect cannot be loaded: {problem}",
            f"`{sys.executable} -m pip install 'pyspark[connect]'`",
        ) from None
    check_master(url)
    with set_environment():
        with explained(f"connecting to {hide_token(url)}"):
            spark = SparkSession.builder.remote(url).getOrCreate()
            text = f"Spark {spark.version} through Spark Connect, Python {sys.version.split()[0]}"
        try:
            for name, value in {**RUNTIME, **settings}.items():
                # A server may forbid some; results do not depend on them.
                with suppress(Exception):
                    spark.conf.set(name, value)
            _equip_workers(spark)
            yield Session(spark=spark, text=text)
        except KeyboardInterrupt:
            with suppress(Exception):
                spark.interruptAll()
            raise
        finally:
            with suppress(Exception):
                spark.stop()
