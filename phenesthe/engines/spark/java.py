"""Java: where it is and how old it is, found out before Spark would fail for lack of it.

Needs nothing that could be missing, so that `phenesthe doctor` can use it.
"""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from phenesthe.options import name_option

#: Spark 4 runs on nothing older.
NEEDED = 17

INSTALL = (
    "`sudo apt install openjdk-17-jre-headless` (Debian, Ubuntu), `brew install openjdk@17` "
    "(macOS) or `conda install -c conda-forge openjdk=17`"
)

_VERSION = re.compile(r'version "?(?P<all>(?P<first>\d+)(?:\.(?P<second>\d+))?[^"\s]*)')
_PATIENCE = 30.0


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that Spark can use."""

    path: Path
    #: In its own words, such as `17.0.15`.
    version: str
    #: How it was found: `JAVA_HOME` or `PATH`.
    source: str


@dataclass(frozen=True, slots=True)
class NoJava:
    """Why there is none for Spark, and the remedy."""

    message: str
    hint: str


def find_java() -> Java | NoJava:
    """The Java that Spark would start; as in its own scripts, JAVA_HOME alone decides if it is set.

    Nothing but `java -version` is run.
    """
    home = os.environ.get("JAVA_HOME")
    if home:
        path, source = Path(home, "bin", "java.exe" if os.name == "nt" else "java"), "JAVA_HOME"
        if not path.is_file():
            return NoJava(
                f"JAVA_HOME is {home}, but there is no {path}",
                f"unset JAVA_HOME, or let it name a Java {NEEDED} or newer; {_name_other()}",
            )
    elif (found := shutil.which("java")) is not None:
        path, source = Path(found), "PATH"
    else:
        return NoJava(
            "Spark needs Java, and there is none", f"install it: {INSTALL}; {_name_other()}"
        )
    said = _ask_version(path)
    if (match := _VERSION.search(said)) is None:
        # Not only what does not start: the stub on macOS starts and says that there is no Java.
        return NoJava(
            f"{path} (from {source}) is no Java that runs: {said.strip().partition(chr(10))[0]}",
            f"install one: {INSTALL}; {_name_other()}",
        )
    # Java 8 called itself 1.8.
    major = int(match["second"] if match["first"] == "1" and match["second"] else match["first"])
    if major < NEEDED:
        return NoJava(
            f"Spark needs Java {NEEDED} or newer, and {path} (from {source}) is {match['all']}",
            f"install a newer one, and let JAVA_HOME name it: {INSTALL}; {_name_other()}",
        )
    return Java(path=path, version=match["all"], source=source)


def _name_other() -> str:
    return f"`{name_option('engine', 'local', python='Program.run')}` needs no Java"


def _ask_version(path: Path) -> str:
    try:
        done = subprocess.run(
            [path, "-version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return "it does not answer"
    except OSError as problem:
        return problem.strerror or str(problem)
    return done.stderr + done.stdout
