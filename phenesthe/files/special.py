"""What stands where a file should: a pipe that nobody writes to would be waited for, for ever."""

import errno
import os
import stat
from os import PathLike

from phenesthe.disk.links import LOOP, is_loop

#: What a shell makes of `<(…)`, and standard input: whoever gives these writes to them.
_GIVEN = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
_SPECIAL = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def name_special(path: str | PathLike[str]) -> str | None:
    """What it is, if it is neither a file nor a folder; None also where there is nothing."""
    if os.fspath(path).startswith(_GIVEN):
        return None
    return LOOP if is_loop(path) else name_special_target(path)


def name_special_target(path: str | PathLike[str]) -> str | None:
    """The same of a place to write to, where a file would take the place of what is there."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return None
    return _SPECIAL.get(stat.S_IFMT(mode))


def refuse_special(path: str | PathLike[str]) -> None:
    """Raises OSError, as opening it would if it could not be read."""
    found = name_special(path)
    if found is not None:
        raise OSError(errno.EINVAL, f"It is {found}, not a file", os.fspath(path))
