"""The program files of a workspace."""

import os
from collections.abc import Iterable
from pathlib import Path

from phenesthe.check.modules import MAX_FILES

#: How many folders are looked into: the workspace may be a whole disk.
_MAX_FOLDERS = 20_000
_SKIPPED = frozenset(("node_modules", "build", "dist", "__pycache__"))


def find_files(folders: Iterable[Path]) -> list[Path]:
    """The `.phe` files below some folders, in the order of their names, at most `MAX_FILES`.

    Hidden folders and those that tools fill are skipped, and links to folders, which may lead
    back up.
    """
    found: dict[str, Path] = {}
    left = _MAX_FOLDERS
    for folder in folders:
        # A folder that cannot be read is passed over.
        for place, below, names in os.walk(folder):
            left -= 1
            if left < 0:
                return list(found.values())
            below[:] = sorted(n for n in below if not n.startswith(".") and n not in _SKIPPED)
            for name in sorted(names):
                if not name.endswith(".phe") or name.startswith("."):
                    continue
                file = Path(place, name)
                found.setdefault(os.path.realpath(file), file)
                if len(found) >= MAX_FILES:
                    return list(found.values())
    return list(found.values())


def is_file(path: Path) -> bool:
    """What cannot be looked at, for its name is too long say, is none."""
    try:
        return path.is_file()
    except OSError:
        return False
