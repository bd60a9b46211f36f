"""With what the JVM of an embedded Spark is started: flags and settings by what the job is.

Most of a short run is Java loading classes and compiling them, more than it runs. So a run over
small inputs is compiled once and quickly, and its garbage is collected by one thread; a long one
keeps Java's own choice. Where the user has a word on Java or on the master, all of it is theirs.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from phenesthe.engines.spark.class_archive import find_archive
from phenesthe.engines.spark.java import Java

#: Other Javas than HotSpot may not know what follows.
_LENIENT = "-XX:+IgnoreUnrecognizedVMOptions"
_SHORT = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
#: Spark's compiler of queries, and its planning again between two shuffles, cost more than they
#: bring. One task is enough for what Spark itself shuffles.
_SMALL = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
}
#: Seconds for a JVM to go away by itself; one that writes an archive takes longer.
_PATIENCE, _LONG_PATIENCE = 10.0, 300.0

#: Ways to tell every Java something.
_VARIABLES = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "SPARK_SUBMIT_OPTS")
#: What somebody writes who has a word on the JVM or on the master, in a variable or in a file.
_WORDS = (
    "JavaOptions", "java-options", "SUBMIT_OPTS", "JAVA_OPTIONS", "JAVA_TOOL",
    "--master", "spark.master", "MASTER", "--properties-file", "deploy",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Start:
    """`settings` hold where the user has none."""

    java_options: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    patience: float = _PATIENCE
    #: Of the JVM that only finds out how to start the other one.
    launcher_options: tuple[str, ...] = ()


def choose_start(
    master: str | None, java: Java, *, is_small: bool, making: Path | None = None
) -> Start:
    """`making` is where the JVM writes an archive of its classes when it ends."""
    if master is not None or has_own_options():
        return Start()
    short = _SHORT if is_small else ()
    archive = None if making is not None else find_archive(java)
    options = [_LENIENT, *short]
    if making is not None:
        options.append(f'"-XX:ArchiveClassesAtExit={making}"')
    elif archive is not None:
        options.append(f'"-XX:SharedArchiveFile={archive}"')
    return Start(
        tuple(options),
        _SMALL if is_small else {},
        _PATIENCE if making is None else _LONG_PATIENCE,
        (_LENIENT, *_SHORT),
    )


def has_own_options() -> bool:
    """Whether the user may have told Java something, or Spark which master to use."""
    if any(os.environ.get(name) for name in (*_VARIABLES, "MASTER")):
        return True
    told = [os.environ.get("PYSPARK_SUBMIT_ARGS", "")]
    for file in _list_files():
        try:
            told.append(file.read_text(errors="replace"))
        except FileNotFoundError:
            continue
        except OSError:
            return True
    return any(word in text for text in told for word in _WORDS)


def _list_files() -> list[Path]:
    """Where Spark looks for settings before it starts."""
    folder = os.environ.get("SPARK_CONF_DIR")
    if not folder and (home := os.environ.get("SPARK_HOME")):
        folder = str(Path(home, "conf"))
    if not folder:
        from importlib.util import find_spec

        found = find_spec("pyspark")
        if found is None or found.origin is None:
            return []
        folder = str(Path(found.origin).parent / "conf")
    return [Path(folder, name) for name in ("spark-defaults.conf", "spark-env.sh")]
