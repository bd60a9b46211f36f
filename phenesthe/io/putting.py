"""How what is written gets to its place: at once when it is whole, or when something else is."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from os import PathLike
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Protocol

from phenesthe.disk.replace import replacing_file, replacing_folder
from phenesthe.files.special import name_special_target
from phenesthe.io.errors import DataError, describe_failure
from phenesthe.options import name_option

_IN_MEMORY = 8 * 2**20


class Putting(Protocol):
    """Contexts with something to write, which is whole when they end well."""

    def file(self, path: Path, *, overwrite: bool = True) -> AbstractContextManager[IO[bytes]]: ...

    def folder(self, path: Path, *, overwrite: bool = True) -> AbstractContextManager[Path]: ...

    def stdout(self) -> AbstractContextManager[IO[bytes]]: ...


class AtOnce:
    """Everything is there as soon as it is whole."""

    @contextmanager
    def file(self, path: Path, *, overwrite: bool = True) -> Iterator[IO[bytes]]:
        with refusing(path), _open_new(path, overwrite) as file:
            yield file

    @contextmanager
    def folder(self, path: Path, *, overwrite: bool = True) -> Iterator[Path]:
        with refusing(path), replacing_folder(path, overwrite=overwrite) as folder:
            yield folder

    @contextmanager
    def stdout(self) -> Iterator[IO[bytes]]:
        with SpooledTemporaryFile(max_size=_IN_MEMORY) as spool:
            yield spool
            spool.seek(0)
            send(spool)


AT_ONCE = AtOnce()


def _open_new(path: Path, overwrite: bool) -> AbstractContextManager[IO[bytes]]:
    # The null device must stay what it is, and nothing can be beside it.
    if is_nowhere(path):
        return open(path, "wb")
    refuse_no_file(path)
    return replacing_file(path, overwrite=overwrite)


def refuse_no_file(path: Path) -> None:
    """A pipe or a device is not replaced by a file: who reads it would wait for ever."""
    found = name_special_target(path)
    if found is not None and not is_nowhere(path):
        raise DataError(
            f"cannot write `{path}`: it is {found}, not a file",
            "give the name of a file",
        )


def is_nowhere(path: Path) -> bool:
    """Whether what is written there is thrown away."""
    return os.path.abspath(path) == os.devnull


def send(file: IO[bytes]) -> None:
    """All of a file to stdout."""
    shutil.copyfileobj(file, sys.stdout.buffer, 2**20)
    sys.stdout.buffer.flush()


@contextmanager
def refusing(path: Path) -> Iterator[None]:
    """A context in which what the system refuses is an error that names the target."""
    try:
        yield
    except FileExistsError:
        raise refuse_existing(path) from None
    except OSError as problem:
        raise DataError(f"cannot write `{path}`: {describe_failure(problem)}") from problem


def refuse_existing(path: str | PathLike[str]) -> DataError:
    overwrite = name_option("overwrite", python="overwrite=True")
    return DataError(f"`{path}` exists; use {overwrite}", "or write to another place")
