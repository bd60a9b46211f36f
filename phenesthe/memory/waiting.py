"""What a run has written, kept in the folder of its state: put to its place after the state is
committed, and again if the same run is made again.

A target is as it was until then, and what is lost on the way there, or later, is still here.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from phenesthe.disk.replace import put_copy
from phenesthe.disk.steps import reach_disk, reach_disk_whole
from phenesthe.io.errors import DataError
from phenesthe.io.putting import is_nowhere, refusing, send
from phenesthe.memory.folder import name_anew

_BLOCK = 2**20
#: In the place of a path: what was not written anywhere, but given back. No path is like this.
GIVEN_BACK = "given back"


@dataclass(frozen=True, slots=True)
class Target:
    """A place of a run, and what it is to hold: what has this name in the folder."""

    name: str
    #: None: stdout. `GIVEN_BACK`: to whoever asked in Python.
    path: str | None
    overwrite: bool
    digest: str


@dataclass(slots=True)
class Waiting:
    """A folder to write to instead of the targets. See `phenesthe.io.putting.Putting`."""

    place: Path
    #: In the order in which they became whole.
    targets: list[Target] = field(default_factory=list)
    _begun: int = 0

    @contextmanager
    def file(self, path: Path, *, overwrite: bool = True) -> Iterator[IO[bytes]]:
        with self._write(path, overwrite) as file:
            yield file

    @contextmanager
    def folder(self, path: Path, *, overwrite: bool = True) -> Iterator[Path]:
        with self._refusing():
            name = self._begin()
            (self.place / name).mkdir()
            yield self.place / name
            reach_disk_whole(self.place / name)
            self._end(name, path, overwrite)

    @contextmanager
    def stdout(self) -> Iterator[IO[bytes]]:
        with self._write(None, overwrite=True) as file:
            yield file

    def give_back(self, pieces: Iterable[Any]) -> None:
        """Keep what whoever asked gets, to give it again if the same run is made again."""
        with self._refusing():
            name = self._begin()
            with open(self.place / name, "xb") as file:
                for piece in pieces:
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())
        self._add(name, GIVEN_BACK, overwrite=True)

    @contextmanager
    def _write(self, path: Path | None, overwrite: bool) -> Iterator[IO[bytes]]:
        with self._refusing():
            name = self._begin()
            with open(self.place / name, "xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            self._end(name, path, overwrite)

    def _refusing(self) -> AbstractContextManager[None]:
        """What is full, say, is the disk of the state, wherever the target is."""
        return refusing(self.place.parent)

    def _begin(self) -> str:
        self.place.mkdir(exist_ok=True)
        self._begun += 1
        return str(self._begun)

    def _end(self, name: str, path: Path | None, overwrite: bool) -> None:
        self._add(name, None if path is None else str(path.absolute()), overwrite)

    def _add(self, name: str, where: str | None, overwrite: bool) -> None:
        digest = find_digest(self.place / name)
        assert digest is not None
        self.targets.append(Target(name, where, overwrite, digest))

    def finish(self) -> None:
        """Tell on stdout what is for it: that cannot wait for the state, for it may break off."""
        if self.targets:
            reach_disk(self.place)
        tell(self.place, self.targets)


def tell(place: Path, targets: Sequence[Target]) -> None:
    """Send what is for stdout."""
    for target in targets:
        if target.path is None:
            _check(place, target)
            with open(place / target.name, "rb") as file:
                send(file)


def publish(place: Path, targets: Sequence[Target], *, is_fresh: bool = False) -> list[str]:
    """Put everything to its place, unless it is there; the paths that something was put to.

    What is not fresh may have been written into since.
    """
    put = []
    for target in targets:
        if target.path in (None, GIVEN_BACK) or is_nowhere(Path(target.path)):
            continue
        if find_digest(Path(target.path)) == target.digest:
            continue
        if not is_fresh:
            _check(place, target)
        with refusing(Path(target.path)):
            put_copy(place / target.name, Path(target.path), overwrite=target.overwrite)
        put.append(target.path)
    return put


def read_given_back(place: Path, targets: Sequence[Target]) -> bytes | None:
    """What was given back; None if nothing was."""
    for target in targets:
        if target.path == GIVEN_BACK:
            _check(place, target)
            with refusing(place / target.name):
                return (place / target.name).read_bytes()
    return None


def _check(place: Path, target: Target) -> None:
    """Somebody who writes into a file that was put to its place may write into this one."""
    copy = place / target.name
    if find_digest(copy) != target.digest:
        lost = f"wrote to `{target.path}`" if target.path else "wrote to stdout"
        if target.path == GIVEN_BACK:
            lost = "gave back"
        raise DataError(
            f"what the last run {lost} is not there any more, and the copy of it in the "
            f"state, `{copy}`, is not as it was written",
            f"go on with other rows, or {name_anew()}",
        )


def find_digest(path: Path) -> str | None:
    """What is in a file, or in the files of a folder, in short; None where there is none."""
    if not path.is_dir():
        return _hash_file(path) if path.is_file() else None
    digest = sha256()
    for one in sorted(path.rglob("*")):
        if one.is_file():
            digest.update(f"{one.relative_to(path)}\0{_hash_file(one)}\n".encode())
    return digest.hexdigest()


def _hash_file(path: Path) -> str:
    digest = sha256()
    with open(path, "rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
