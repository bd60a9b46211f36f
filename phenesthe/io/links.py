"""Where what a user names leads."""

from os import PathLike
from pathlib import Path

from phenesthe.disk.links import follow
from phenesthe.io.errors import DataError, describe_failure


def find_real(path: str | PathLike[str]) -> Path:
    """The path without links; there need not be anything."""
    try:
        return follow(path)
    except OSError as problem:
        raise DataError(
            f"cannot use `{path}`: {describe_failure(problem)}", "let it lead to a file or folder"
        ) from None
