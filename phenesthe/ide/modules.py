"""Which modules can be imported."""

import os
from itertools import islice
from pathlib import Path

from phenesthe.check.find_modules import is_folder
from phenesthe.resources import LIBRARY

#: How many entries of folders are looked at, and how deep: a file may lie in a whole disk.
_MAX_ENTRIES = 1000
_MAX_DEPTH = 4


def list_modules(file: Path, path: tuple[Path, ...]) -> dict[str, Path]:
    """Every module by its name: beside a file, on the search path and in the library."""
    found: dict[str, Path] = {}
    for place in (file.parent, *path, LIBRARY):
        for name, target in _look_into(place).items():
            if target != file:
                found.setdefault(name, target)
    return found


def _look_into(place: Path) -> dict[str, Path]:
    found: dict[str, Path] = {}
    left = _MAX_ENTRIES
    pending: list[tuple[str, ...]] = [()]
    while pending:
        folder = pending.pop(0)
        try:
            with os.scandir(place.joinpath(*folder)) as listing:
                entries = sorted(islice(listing, left), key=lambda entry: entry.name)
        except OSError:
            continue
        left -= len(entries)
        for entry in entries:
            name = entry.name.removesuffix(".phe")
            if not (name.isascii() and name.isidentifier() and name[0].islower()):
                continue
            if name != entry.name:
                found[".".join((*folder, name))] = place.joinpath(*folder, entry.name)
            elif len(folder) < _MAX_DEPTH and is_folder(entry):
                pending.append((*folder, name))
    return found
