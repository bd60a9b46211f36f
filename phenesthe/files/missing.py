"""What to say of a path where nothing is: the nearest that is there."""

import os
from itertools import islice
from pathlib import Path

from phenesthe.diagnostics.suggest import closest

#: So many entries of a folder are compared; in a larger one the listing helps nobody either.
_MOST_ENTRIES = 1000


def describe_missing(path: Path, what: str = "file") -> str:
    """In one line: which part of the path is missing, and what was perhaps meant."""
    folder = path.parent
    if not folder.is_dir():
        return f"there is no {what} `{path}`: there is no folder `{folder}`"
    meant = find_similar(path)
    return f"there is no {what} `{path}`" + (f"; did you mean `{meant}`?" if meant else "")


def find_similar(path: Path) -> Path | None:
    """Something in the same folder whose name is much like that of `path`."""
    try:
        with os.scandir(path.parent) as entries:
            names = [entry.name for entry in islice(entries, _MOST_ENTRIES)]
    except OSError:
        return None
    folded = {name.casefold(): name for name in names}
    # A name that only lacks its ending, or has another one, is as good as a slip of a letter.
    stems = {Path(name).stem: name for name in sorted(names, reverse=True)}
    found = (
        folded.get(path.name.casefold())
        or closest(path.name, names)
        or stems.get(path.stem)
        or stems.get(path.name)
    )
    return path.with_name(found) if found else None


def describe_folder(path: Path) -> str:
    """What to say of a folder in the place of a program."""
    programs = sorted(one.name for one in islice(path.glob("*.phe"), _MOST_ENTRIES))
    if not programs:
        return f"`{path}` is a folder without `.phe` files; give a `.phe` file"
    more = ", …" if len(programs) > 1 else ""
    return f"`{path}` is a folder; give a `.phe` file in it: `{path / programs[0]}`{more}"
