"""Where a path leads. Behind a link that leads back to itself there is nothing."""

import errno
import os
from os import PathLike
from pathlib import Path

LOOP = "a link that leads back to itself"


def is_loop(path: str | PathLike[str]) -> bool:
    try:
        os.stat(path)
    except OSError as problem:
        return problem.errno == errno.ELOOP
    except ValueError:  # no path at all
        return False
    return False


def follow(path: str | PathLike[str]) -> Path:
    """The path without links. Raises OSError where they go round, which `Path.resolve` does with
    an exception of its own, and in later versions of Python not at all.
    """
    if is_loop(path):
        raise OSError(errno.ELOOP, f"It is {LOOP}", os.fspath(path))
    return Path(os.path.realpath(path))
