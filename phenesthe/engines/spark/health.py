"""What Spark and the local engine need of this machine, and the command that mends what is missing.

Looks at versions, variables and free space, and starts nothing but `java -version` and the Python
of the workers. It imports nothing that could be missing.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from phenesthe.engines.spark.java import NoJava, find_java
from phenesthe.engines.spark.machine import (
    list_local_dirs,
    measure_disk,
    measure_memory,
    write_size,
)
from phenesthe.engines.spark.settings import choose_driver_memory, is_local
from phenesthe.options import name_option

_GIB = 2**30
_LITTLE_MEMORY = 4 * _GIB
_LITTLE_DISK = 5 * _GIB

#: Package, the oldest that will do, the first that is too new; as pyproject.toml says.
PACKAGES = (
    ("numpy", "1.26", None),
    ("pandas", "2.2", "3"),
    ("pyais", "3.1", None),
    ("pyarrow", "18", None),
    ("pygls", "2", None),
    ("pygments", "2.17", None),
    ("pyspark", "4.1", None),
    ("rapidfuzz", "3.9", None),
    ("rich", "13.7", None),
    ("shapely", "2.0", None),
    ("textx", "4.0", None),
    ("tzdata", "2024.1", None),
)
#: Not needed where `--engine local` is all that runs.
_ONLY_SPARK = ("pandas", "pyspark")
#: What PySpark loads for `--master sc://…`.
_CONNECT = ("grpcio", "grpcio-status", "googleapis-common-protos", "zstandard")


class State(Enum):
    OK = "ok"
    #: Works, but not well, or not everywhere.
    POOR = "poor"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: what was found, and the remedy where that is not enough."""

    state: State
    what: str
    found: str
    remedy: str | None = None
    #: Whether only Spark needs it.
    only_spark: bool = True


def examine(master: str | None = None) -> Iterator[Finding]:
    """Everything that can be known without starting Spark."""
    for name, oldest, beyond in PACKAGES:
        yield examine_package(name, oldest, beyond)
    if master is not None and master.startswith("sc://"):
        yield _examine_connect()
        return
    yield _examine_java()
    yield from _examine_home()
    yield from _examine_worker_python(master)
    yield _examine_memory()
    yield from _examine_disk()


def examine_package(name: str, oldest: str, beyond: str | None) -> Finding:
    wanted = f"{name}>={oldest}" + (f",<{beyond}" if beyond else "")
    need = f"{oldest} or newer" + (f", older than {beyond}" if beyond else "")
    remedy = f"{sys.executable} -m pip install '{wanted}'"
    only_spark = name in _ONLY_SPARK
    try:
        found = version(name)
    except PackageNotFoundError:
        return Finding(State.MISSING, name, f"not installed; needed is {need}", remedy, only_spark)
    number = _read_version(found)
    if number < _read_version(oldest) or (beyond and number >= _read_version(beyond)):
        return Finding(State.MISSING, name, f"{found}; needed is {need}", remedy, only_spark)
    return Finding(State.OK, name, found, only_spark=only_spark)


def _read_version(text: str) -> tuple[int, ...]:
    """The numbers in front; a release candidate counts as its release."""
    return tuple(int(part) for part in re.split(r"[^\d.]", text)[0].split(".") if part)


def _examine_connect() -> Finding:
    missing = []
    for name in _CONNECT:
        try:
            version(name)
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        remedy = f"{sys.executable} -m pip install 'pyspark[connect]'"
        return Finding(State.MISSING, "Spark Connect", f"{', '.join(missing)} missing", remedy)
    return Finding(State.OK, "Spark Connect", "what it needs is installed")


def _examine_java() -> Finding:
    java = find_java()
    if isinstance(java, NoJava):
        return Finding(State.MISSING, "Java", java.message, java.hint)
    return Finding(State.OK, "Java", f"{java.version}, {java.path} (from {java.source})")


def _examine_home() -> Iterator[Finding]:
    """SPARK_HOME makes PySpark start another Spark than its own."""
    home = os.environ.get("SPARK_HOME")
    if not home:
        return
    jars = sorted(Path(home, "jars").glob("spark-core_*.jar"))
    match = re.search(r"spark-core_[\d.]+-(.+)\.jar", jars[0].name) if jars else None
    remedy = "unset SPARK_HOME"
    if match is None:
        yield Finding(State.MISSING, "SPARK_HOME", f"{home} has no Spark in it", remedy)
        return
    try:
        ours = version("pyspark")
    except PackageNotFoundError:
        return
    if match[1] == ours:
        yield Finding(State.OK, "SPARK_HOME", f"{home}, Spark {match[1]}")
    else:
        text = f"{home} is Spark {match[1]}, and PySpark is {ours}"
        yield Finding(State.MISSING, "SPARK_HOME", text, remedy)


def _examine_worker_python(master: str | None) -> Iterator[Finding]:
    """PYSPARK_PYTHON; on this machine the workers are this Python whatever it says."""
    named = os.environ.get("PYSPARK_PYTHON")
    if not named:
        return
    what = "PYSPARK_PYTHON"
    here = master is None or is_local(master)
    state = State.POOR if here else State.MISSING
    where = "; only clusters use it" if here else ""
    remedy = f"let PYSPARK_PYTHON name a Python {sys.version_info[0]}.{sys.version_info[1]}"
    found = _ask_python(named)
    if found is None:
        # A cluster may have it where this machine has not.
        yield Finding(State.POOR, what, f"{named} does not start here{where}", remedy)
    elif found[:2] != sys.version_info[:2]:
        text = f"{named} is Python {found[0]}.{found[1]}, and this is {_write_python()}{where}"
        yield Finding(state, what, text, remedy)
    else:
        yield Finding(State.OK, what, f"{named}, Python {found[0]}.{found[1]}{where}")


def _ask_python(program: str) -> tuple[int, int] | None:
    code = "import sys; print(*sys.version_info[:2])"
    try:
        done = subprocess.run([program, "-c", code], capture_output=True, text=True, timeout=30)
        first, second = done.stdout.split()
        return int(first), int(second)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None


def _write_python() -> str:
    return sys.version.split()[0]


def _examine_memory() -> Finding:
    total = measure_memory()
    if total is None:
        return Finding(State.OK, "memory", "unknown")
    driver = os.environ.get("SPARK_DRIVER_MEMORY") or choose_driver_memory()
    text = f"{write_size(total)}; Spark's driver takes {driver}, its workers what they need"
    if total < _LITTLE_MEMORY:
        remedy = (
            f"run large data elsewhere, with {name_option('master', 'local[1]')}, or with "
            f"{name_option('engine', 'local')}"
        )
        return Finding(State.POOR, "memory", text, remedy)
    return Finding(State.OK, "memory", text)


def _examine_disk() -> Iterator[Finding]:
    for folder in list_local_dirs():
        free = measure_disk(folder)
        if free is None:
            continue
        text = f"{write_size(free)} free in {folder}, where Spark keeps shuffled rows"
        if free < _LITTLE_DISK:
            remedy = "let SPARK_LOCAL_DIRS name a folder with more space"
            yield Finding(State.POOR, "disk", text, remedy)
        else:
            yield Finding(State.OK, "disk", text)
