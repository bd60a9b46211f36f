"""Where results go, checked before the work."""

import os
from collections.abc import Collection
from os import PathLike
from pathlib import Path
from typing import Literal, TypeAlias

from phenesthe.disk.beside import clear_leftovers
from phenesthe.io.errors import DataError
from phenesthe.io.links import find_real
from phenesthe.io.putting import is_nowhere, refuse_existing, refuse_no_file

Form: TypeAlias = Literal["jsonl", "csv", "parquet", "directory"]
#: Where people expect `stdout` to lead, or `-`.
_STREAMS = ("-", "stdout", "stderr")
_FORMS: dict[str, Form] = {".jsonl": "jsonl", ".csv": "csv", ".parquet": "parquet", "": "directory"}


def find_form(target: str | PathLike[str]) -> Form:
    """By the extension. An existing folder, or a `/` at the end, means a directory."""
    path = Path(target)
    if is_nowhere(path):
        return "jsonl"
    if path.is_dir() or os.fspath(target).endswith(("/", os.sep)):
        return "directory"
    form = _FORMS.get(path.suffix)
    if form == "directory":
        _refuse_strange_folder(os.fspath(target))
    if form is None:
        raise DataError(
            f"cannot write `{path}`: results are not written as `{path.suffix}`",
            f"end it in .jsonl, .csv or .parquet, or write `{path}/` for a folder of tables",
        )
    return form


def _refuse_strange_folder(target: str) -> None:
    """A folder of such a name is hardly what anybody wants."""
    if target in _STREAMS:
        raise DataError(
            f"cannot write to `{target}`: it would be a folder of this name",
            f"give no output to have the results on stdout, or write `./{target}/` for a folder",
        )
    sort, colon, rest = target.partition(":")
    if colon and len(sort) > 1 and sort.isidentifier():
        raise DataError(
            f"cannot write `{target}`: there is no output of the kind `{sort}:`, and a folder of "
            "this name can hardly be meant",
            f"write `{rest.strip('/') or 'out'}/` for a folder of Parquet tables, which other "
            "programs can read",
        )


def check_target(
    target: str | PathLike[str], *, overwrite: bool, besides: Collection[str] = ()
) -> Form:
    """The form of the output. Raises `DataError` if it could not be put there.

    Called before the work, so that nobody waits for a result that has no place. A folder is only
    overwritten when it holds nothing but Parquet files, and files with names in `besides`:
    `--overwrite` must not delete a project.
    """
    refuse_no_file(Path(target))
    form, path = find_form(target), Path(target)
    if is_nowhere(path):
        return form
    if not path.parent.is_dir():
        raise DataError(
            f"cannot write `{path}`: there is no folder `{path.parent}`",
            f"create it: mkdir -p {path.parent}",
        )
    if os.statvfs(path.parent).f_flag & os.ST_RDONLY:
        raise DataError(
            f"cannot write `{path}`: the file system of `{path.parent}` is read-only",
            "choose another place",
        )
    if not os.access(path.parent, os.W_OK):
        raise DataError(
            f"cannot write `{path}`: no permission to write into `{path.parent}`",
            "choose another place, or change its permissions",
        )
    # It may be one that a run was killed in the middle of replacing.
    clear_leftovers(find_real(path).parent)
    if not os.path.lexists(path) or (form == "directory" and _is_empty_folder(path)):
        return form
    if not overwrite:
        raise refuse_existing(path)
    if form == "directory":
        strange = _find_foreign_file(path, besides)
        if strange is not None:
            raise DataError(
                f"`{path}` is not overwritten: it holds `{strange}`, which is no table of results",
                "give a folder of its own to the results",
            )
    return form


def check_beside(target: str | PathLike[str], *, overwrite: bool) -> None:
    """As `check_target`, of a file that is written beside the output."""
    path = Path(target)
    refuse_no_file(path)
    if not overwrite and os.path.lexists(path) and not is_nowhere(path):
        raise refuse_existing(path)


def _is_empty_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink() and not any(path.iterdir())


def _find_foreign_file(path: Path, besides: Collection[str]) -> str | None:
    if not path.is_dir() or path.is_symlink():
        return path.name
    others = (one for one in path.iterdir() if one.name not in besides)
    return next((one.name for one in others if not _is_table(one)), None)


def _is_table(path: Path) -> bool:
    """A Parquet file, or a folder of them as Spark writes it."""
    if path.suffix != ".parquet" or path.is_symlink():
        return False
    if path.is_file():
        return True
    names = [one.name for one in path.iterdir() if one.is_file()]
    return (
        len(names) == len(list(path.iterdir()))
        and any(name.endswith(".parquet") for name in names)
        and all(name.endswith(".parquet") or name.startswith((".", "_")) for name in names)
    )
