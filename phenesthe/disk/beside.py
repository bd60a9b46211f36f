"""What is going to take the place of a file or folder is made beside it, under a name of ours.

| name | is |
|---|---|
| `.NAME.phenesthe-new-…` | what is being made, or what it has just replaced |
| `.NAME.phenesthe-old-…` | what NAME was, where the two cannot change places in one step |

Whoever makes one holds a lock on it. One that nobody holds was left behind by a process that was
killed: the next that writes to the folder removes it, or puts it back where NAME is missing.
"""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Literal

from phenesthe.disk.steps import lock, making_in, tidying

_OURS = re.compile(r"\.(?P<name>.+)\.phenesthe-(?P<sort>new|old)-[0-9a-f]{12}", re.DOTALL)
#: Bytes of a name that are shown; with what we add, systems take no more than 255.
_SHOWN = 200


def name_beside(name: str, sort: Literal["new", "old"] = "new") -> str:
    """A name that nothing has, for what is going to take the place of `name`, or had it."""
    shown = os.fsdecode(os.fsencode(name)[:_SHOWN])
    return f".{shown}.phenesthe-{sort}-{os.urandom(6).hex()}"


def find_old(name: str, others: list[str]) -> str | None:
    """Of names in a folder, one that holds what `name` was."""
    for other in others:
        match = _OURS.fullmatch(other)
        if match and match["sort"] == "old" and match["name"] == name:
            return other
    return None


@contextmanager
def making_file(real: Path, source: Path | None = None) -> Iterator[tuple[Path, BinaryIO]]:
    """A new file beside one, ours as long as the block lasts; it goes if nobody moved it away.

    With a source it is that file under another name, or a copy where that cannot be.
    """
    clear_leftovers(real.parent)
    beside = real.with_name(name_beside(real.name))
    try:
        with making_in(real.parent):
            file = open(beside, "rb" if source and _link(source, beside) else "xb")  # noqa: SIM115
            lock(file.fileno())
        with file:
            if source and file.writable():
                with source.open("rb") as data:
                    shutil.copyfileobj(data, file, 2**20)
            yield beside, file
    finally:
        beside.unlink(missing_ok=True)


def _link(source: Path, target: Path) -> bool:
    """Whether a file has another name now; not where it would be on another disk, say."""
    try:
        os.link(source, target)
    except OSError:
        return False
    return True


def fill_folder(folder: Path, source: Path) -> None:
    """Everything that is in another folder, under another name, or as a copy."""
    for place, _, names in os.walk(source):
        there = folder / Path(place).relative_to(source)
        there.mkdir(exist_ok=True)
        for name in names:
            if not _link(Path(place, name), there / name):
                shutil.copyfile(Path(place, name), there / name)


@contextmanager
def making_folder(real: Path) -> Iterator[Path]:
    """The same with a folder."""
    clear_leftovers(real.parent)
    beside = real.with_name(name_beside(real.name))
    number: int | None = None
    try:
        with making_in(real.parent):
            beside.mkdir()
            number = os.open(beside, os.O_RDONLY)
            lock(number)
        yield beside
    finally:
        if number is not None:
            os.close(number)
        shutil.rmtree(beside, ignore_errors=True)


def clear_leftovers(folder: Path) -> None:
    """Remove what processes that were killed have left in a folder, as far as it can be done."""
    with suppress(OSError):
        found = [match for one in os.scandir(folder) if (match := _OURS.fullmatch(one.name))]
        if not found:
            return
        with tidying(folder) as is_free:
            for match in found if is_free else ():
                with suppress(OSError):
                    _clear(folder / match.string, folder / match["name"], match["sort"])


def _clear(path: Path, real: Path, sort: str) -> None:
    number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if not lock(number):
            return
        if sort == "old" and not os.path.lexists(real):
            if len(os.fsencode(real.name)) < _SHOWN:
                os.rename(path, real)
        elif path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    finally:
        os.close(number)
