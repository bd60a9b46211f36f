"""An archive of the classes that Spark loads, which a JVM maps instead of loading them again.

Made once by `phenesthe doctor --warm-up`, in the user's cache folder. Its name says of what it is,
and the JVM itself looks whether Java and the jars are still those; what does not fit is not used,
without a word. A file under its name is whole: it is made under another one, and the name says its
length too, because a JVM that maps half an archive dies of it.
"""

import hashlib
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from uuid import uuid4

import phenesthe
from phenesthe.disk.steps import reach_disk
from phenesthe.engines.spark.java import Java

_PREFIX, _MAKING = "spark-classes-", ".making-"
#: Seconds after which nobody is at work any more with what is being made.
_FORGOTTEN = 3600.0


def find_cache() -> Path:
    """Where a program of this user may keep what it can make again."""
    if (named := os.environ.get("XDG_CACHE_HOME")) and Path(named).is_absolute():
        return Path(named, "phenesthe")
    library = Path("Library", "Caches") if sys.platform == "darwin" else Path(".cache")
    return Path.home() / library / "phenesthe"


def find_archive(java: Java) -> Path | None:
    """The archive for this Java, this Spark and this version of ours, if there is one.

    What it holds is run: one that others may write to is not taken.
    """
    if (stem := name_archive(java)) is None:
        return None
    try:
        for file in sorted(find_cache().glob(f"{stem}-*.jsa")):
            status = file.lstat()
            is_ours = stat.S_ISREG(status.st_mode) and status.st_uid == os.getuid()
            is_closed = not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
            if is_ours and is_closed and file.name == f"{stem}-{status.st_size}.jsa":
                return file
    except (OSError, RuntimeError):
        # Somebody removes it just now, or nobody knows where this user is at home.
        pass
    return None


def name_archive(java: Java) -> str | None:
    """All of its name but the length; None where it is not known which Spark would start."""
    if (place := _place(java)) is None:
        return None
    try:
        spark = version("pyspark")
    except PackageNotFoundError:
        return None
    return f"{_PREFIX}{place}-{java.version}-{spark}-{phenesthe.__version__}"


def _place(java: Java) -> str | None:
    """Which Java and which jars, in a few letters."""
    found = find_spec("pyspark")
    home = os.environ.get("SPARK_HOME") or (found and found.origin and Path(found.origin).parent)
    if not home:
        return None
    told = "\n".join(str(Path(one).resolve()) for one in (java.path, home))
    return hashlib.sha256(os.fsencode(told)).hexdigest()[:12]


@contextmanager
def making_archive(java: Java) -> Iterator[Path]:
    """A name for a JVM to write its archive to; at the end it gets its own, if it is there.

    The archives of other versions at the same place go. Who makes one at the same time has another
    name to write to, and the last one stays.
    """
    folder, stem = find_cache(), name_archive(java)
    assert stem is not None
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    _tidy(folder)
    making = folder / f"{_MAKING}{uuid4().hex}"
    try:
        yield making
        if making.is_file() and (size := making.stat().st_size):
            name = f"{stem}-{size}.jsa"
            making.chmod(0o400)
            reach_disk(making)
            os.replace(making, folder / name)
            for other in folder.glob(f"{_PREFIX}{_place(java)}-*"):
                if other.name != name:
                    other.unlink(missing_ok=True)
    finally:
        with suppress(OSError):
            making.unlink()


def _tidy(folder: Path) -> None:
    """Remove what processes that were killed have left."""
    for one in folder.glob(f"{_MAKING}*"):
        with suppress(OSError):
            if time.time() - one.stat().st_mtime > _FORGOTTEN:
                one.unlink()
