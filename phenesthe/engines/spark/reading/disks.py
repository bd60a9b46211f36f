"""Where a place is: on this machine, on a file system that Spark reaches, or behind a server."""

from os import PathLike, fspath
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Protocol

from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from phenesthe.engines.spark.reading.paths import (
    check_name,
    drop_scheme,
    escape,
    find_scheme,
    make_absolute,
)
from phenesthe.engines.spark.ship import is_connect
from phenesthe.io.errors import DataError
from phenesthe.io.lakes import HIDDEN
from phenesthe.io.links import find_real
from phenesthe.io.load import list_entries, make_entry
from phenesthe.io.places import Entry, refuse_absence

if TYPE_CHECKING:
    from py4j.java_gateway import JavaObject


class Disk(Protocol):
    """A file system as reading needs it."""

    def look(self, place: str) -> Entry:
        """What is there. Raises `DataError` if nothing is."""

    def list_folder(self, folder: str) -> list[Entry]:
        """What a folder holds."""

    def find_here(self, path: str) -> Path | None:
        """The path on this machine, if it is on this machine."""

    def address(self, path: str) -> str:
        """The path as Spark is told it."""


def open_disk(spark: SparkSession, place: str | PathLike[str]) -> Disk:
    text = fspath(place)
    if is_connect(spark):
        return BehindServer(spark)
    files = HadoopFiles(spark)
    scheme = find_scheme(text) or files.find_default()
    return ThisMachine() if scheme == "file" else files


class ThisMachine:
    def look(self, place: str) -> Entry:
        path = Path(drop_scheme(place))
        if not find_real(path).exists():
            raise refuse_absence(place)
        return make_entry(path)

    def list_folder(self, folder: str) -> list[Entry]:
        return list_entries(Path(folder))

    def find_here(self, path: str) -> Path | None:
        return Path(path)

    def address(self, path: str) -> str:
        return f"file://{escape(str(make_absolute(Path(check_name(path)))))}"


class HadoopFiles:
    """Hadoop's file systems, which Spark reads through. There is no DataFrame that lists files."""

    def __init__(self, spark: SparkSession) -> None:
        assert spark._jvm is not None
        self._jvm = spark._jvm
        self._conf: JavaObject = spark._jsparkSession.sessionState().newHadoopConf()

    def find_default(self) -> str:
        """The scheme of a path that has none."""
        found = self._jvm.org.apache.hadoop.fs.FileSystem.getDefaultUri(self._conf)
        return str(found.getScheme())

    def open(self, place: str) -> "tuple[JavaObject, JavaObject]":
        """A path as Hadoop has it, and the file system it is on."""
        path = self._jvm.org.apache.hadoop.fs.Path(place)
        return path, path.getFileSystem(self._conf)

    def find_beside(self, path: "JavaObject", name: str) -> "JavaObject":
        """The path of another name in the same folder."""
        return self._jvm.org.apache.hadoop.fs.Path(path.getParent(), name)

    def look(self, place: str) -> Entry:
        path, files = self.open(place)
        if not files.exists(path):
            raise refuse_absence(place)
        return _read_status(files.getFileStatus(path), place)

    def list_folder(self, folder: str) -> list[Entry]:
        path, files = self.open(folder)
        return [
            _read_status(one, f"{folder.rstrip('/')}/{one.getPath().getName()}")
            for one in files.listStatus(path)
        ]

    def find_here(self, path: str) -> Path | None:  # noqa: ARG002
        return None

    def address(self, path: str) -> str:
        return escape(path)


def _read_status(status: "JavaObject", shown: str) -> Entry:
    name = status.getPath().getName()
    return Entry(shown, name, bool(status.isDirectory()), int(status.getLen()))


class BehindServer:
    """What a Spark Connect server sees. It lists files, but neither empty ones nor folders."""

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        self._sizes: dict[str, int] = {}

    def look(self, place: str) -> Entry:
        reader = self._spark.read.format("binaryFile").option("recursiveFileLookup", "true")
        try:
            found = reader.load(escape(place)).select("path", "length").collect()
        except AnalysisException as problem:
            if problem.getCondition() != "PATH_NOT_FOUND":
                raise
            if Path(place).exists():
                raise DataError(
                    f"Spark's server does not see `{place}`",
                    "put it where the server reads, or give tables that are in memory",
                ) from None
            raise refuse_absence(place) from None
        self._sizes = {drop_scheme(path): size for path, size in found}
        root = drop_scheme(place).rstrip("/")
        is_folder = root not in self._sizes
        return Entry(place, PurePosixPath(place).name, is_folder, self._sizes.get(root, 0))

    def list_folder(self, folder: str) -> list[Entry]:
        """Of the folder that was looked at."""
        root = drop_scheme(folder).rstrip("/")
        found: dict[str, Entry] = {}
        for path, size in self._sizes.items():
            # A relative place is shown absolute by the server, so the end of the root decides.
            _, _, inside = path.partition(f"{root}/")
            name, slash, _ = inside.partition("/")
            if name:
                shown = f"{folder.rstrip('/')}/{name}"
                found[name] = Entry(shown, name, bool(slash), 0 if slash else size)
        for name in HIDDEN:
            shown = f"{folder.rstrip('/')}/{name}"
            if self._is_there(shown):
                found[name] = Entry(shown, name, True)
        return list(found.values())

    def _is_there(self, place: str) -> bool:
        """For names that begin as those do which Spark leaves out of its lists."""
        try:
            self._spark.read.format("binaryFile").load(escape(place)).schema  # noqa: B018
        except AnalysisException as problem:
            if problem.getCondition() != "PATH_NOT_FOUND":
                raise
            return False
        return True

    def find_here(self, path: str) -> Path | None:  # noqa: ARG002
        return None

    def address(self, path: str) -> str:
        return escape(path)
