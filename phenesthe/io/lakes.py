"""Folders that are more than their files: tables with a log of which of the files count.

Delta, Iceberg and Hudi leave files there that were deleted or replaced, for whoever reads an older
version. Read as a folder of Parquet files such a table has rows that are gone, and rows twice.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

from phenesthe.io.errors import DataError
from phenesthe.io.places import Entry

#: The folder inside a table that holds its log. Of Iceberg's, which others may have, see below.
_LOGS = {"_delta_log": "Delta", ".hoodie": "Hudi"}
_ICEBERG, _ICEBERG_LOG = "metadata", ".metadata.json"
#: Folders that a listing may leave out because of their names.
HIDDEN = tuple(_LOGS)


def check_lake(folder: str, list_folder: Callable[[str], Iterable[Entry]]) -> None:
    """Raise `DataError` for a table with a log. `list_folder` tells what a folder holds."""
    inside = {one.name: one for one in list_folder(folder) if one.is_folder}
    for log, kind in _LOGS.items():
        if log in inside:
            raise _refuse(folder, kind, log)
    if _ICEBERG in inside:
        files = list_folder(inside[_ICEBERG].path)
        if any(one.name.endswith(_ICEBERG_LOG) for one in files):
            raise _refuse(folder, "Iceberg", _ICEBERG)


def check_lake_here(folder: Path) -> None:
    """The same for a folder of this machine."""

    def list_folder(place: str) -> Iterable[Entry]:
        return [Entry(str(one), one.name, one.is_dir()) for one in Path(place).iterdir()]

    check_lake(str(folder), list_folder)


def _refuse(folder: str, kind: str, log: str) -> DataError:
    article = "an" if kind == "Iceberg" else "a"
    return DataError(
        f"`{folder}` is {article} {kind} table: only its log, `{log}`, says which of its files "
        "count, and it is not read here",
        "write what the table holds now to a folder of plain Parquet files and give that, or give "
        f"`Program.run` a Spark frame that reads it as {kind}",
    )
