"""How much there is to read, by the sizes of files: enough to say that a run will be short."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from phenesthe.io.address import is_address
from phenesthe.runs.request import Places, Request

#: Bytes of the files of a short run, a .gz file counting as what may be in it.
SMALL = 32 * 2**20
_PACKED = 10


def is_small(request: Request) -> bool:
    match request.source:
        case Places(input=path, facts=facts):
            return are_small([path] if facts is None else [path, facts])
        case _:
            return False


def are_small(places: Iterable[str]) -> bool:
    """False too where nobody here can know it. Whether it can be read is not said here."""
    left = SMALL
    for place in places:
        if is_address(place):
            return False
        try:
            for file in _list_files(Path(place)):
                size = file.stat().st_size
                left -= size * _PACKED if file.suffix == ".gz" else size
                if left < 0:
                    return False
        except OSError:
            return False
    return True


def _list_files(place: Path) -> Iterator[Path]:
    if not place.is_dir():
        yield place
    for folder, _, names in os.walk(place):
        yield from (Path(folder, name) for name in names)
