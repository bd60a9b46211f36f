"""A directory with one table per input or fact.

`NAME.parquet`, `NAME.csv`, `NAME.jsonl`, or a folder `NAME/` of Parquet files, in which names that
begin with `_` or `.` are not read (Spark puts its marks there).
"""

import csv
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from phenesthe.check.program import Signature
from phenesthe.files.special import name_special
from phenesthe.io.account import Account
from phenesthe.io.columns import Reason
from phenesthe.io.errors import DataError, describe_failure
from phenesthe.io.fit import Batch, fit_rows
from phenesthe.io.lakes import check_lake_here
from phenesthe.io.names import Names, choose_wanted, list_choices, list_fields
from phenesthe.io.objects import read_objects
from phenesthe.io.places import refuse_special_file, refuse_table
from phenesthe.io.read_csv import read_csv, read_header
from phenesthe.io.rejects import Rejects, reject_row
from phenesthe.io.rows import ObjectRows, Records, TextRows, TypedRows, list_records
from phenesthe.syntax.tree import Unit

_UNREADABLE = (pa.ArrowException, OSError, csv.Error)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """What reading a table needs beside the table."""

    unit: Unit
    rejects: Rejects
    names: Mapping[str, Names]
    wanted: Mapping[str, Collection[str]]
    warnings: list[str] = field(default_factory=list)
    account: Account = field(default_factory=Account)

    def read(self, signature: Signature, path: Path) -> list[Batch]:
        """The rows of a file or a folder of Parquet files that fit."""
        special = name_special(path)
        if special is not None:
            raise refuse_special_file(str(path), special)
        with refusing(path):
            if path.is_dir():
                return self._read_parquet(signature, self.list_files(path))
            match path.suffix:
                case ".parquet":
                    return self._read_parquet(signature, [path])
                case ".csv":
                    return [self._read_csv(signature, path)]
                case ".jsonl":
                    return list(self._read_objects(signature, path))
        raise refuse_table(str(path), signature.name)

    def list_files(self, folder: Path) -> list[Path]:
        paths = list_parquet_files(folder)
        if not paths:
            self.warnings.append(f"no Parquet files in `{folder}`")
        return paths

    def fit_table(self, signature: Signature, table: Any, label: str) -> Batch:
        """The rows of a table in memory that fit."""
        wanted = self.look_at_columns(signature, table.column_names, label)
        names = self.names[signature.name]
        rows = TypedRows(table, label)
        return fit_rows(signature, rows, self.unit, self.rejects, names=names, wanted=wanted)

    def look_at_columns(
        self,
        signature: Signature,
        present: list[str],
        label: str,
        *,
        has_op: bool = False,
    ) -> Collection[str] | None:
        """The arguments to read. Says early which columns are not there, and what is like them."""
        names = self.names[signature.name]
        wanted = self.wanted.get(signature.name)
        chosen = choose_wanted(signature, wanted, has_op=has_op or names["op"] in present)
        for name, column in names.items():
            if column not in present and column != name:
                raise refuse_column(signature, label, names, column, present)
        for name in list_fields(signature, chosen):
            column = names[name]
            if present.count(column) > 1:
                raise DataError(f"`{label}` has two columns `{column}`", "rename one of them")
            if column not in present:
                self.warnings.append(
                    f"`{label}` has no column `{column}`; {list_choices(column, present)} "
                    f"(--map {signature.name}.{name}=COLUMN reads another)"
                )
        return chosen

    def _read_parquet(self, signature: Signature, paths: list[Path]) -> list[Batch]:
        from pyarrow.parquet import ParquetFile

        names = self.names[signature.name]
        # One file with operations is enough to compare the rows of all.
        has_op = len(paths) > 1 and any(names["op"] in list_columns(path) for path in paths)
        batches = []
        for path in paths:
            with refusing(path), ParquetFile(path) as file:
                present = file.schema_arrow.names
                chosen = self.look_at_columns(signature, present, str(path), has_op=has_op)
                needed = list_needed(signature, names, chosen)
                table = file.read(columns=[one for one in present if one in needed])
            rows = TypedRows(table, str(path))
            batches.append(
                fit_rows(signature, rows, self.unit, self.rejects, names=names, wanted=chosen)
            )
        return batches

    def _read_csv(self, signature: Signature, path: Path) -> Batch:
        header = read_header(path)
        wanted = self.look_at_columns(signature, header, str(path))
        records = partial(list_records, str(path))
        return self.fit_csv(signature, path, str(path), header, wanted, records)

    def fit_csv(
        self,
        signature: Signature,
        source: Path | pa.Buffer,
        label: str,
        header: list[str],
        wanted: Collection[str] | None,
        records: Records,
    ) -> Batch:
        """The rows of a file, or of a part of one with its header, that fit."""
        names = self.names[signature.name]
        needed = list_needed(signature, names, wanted)
        # Something has to be read to count the rows.
        chosen = [one for one in header if one in needed] or header[:1]
        found = read_csv(source, chosen, records)
        if found.broken:
            self._set_broken_aside(signature, label, len(header), found.broken, records)
        for line, text in found.long:
            reject_row(
                self.rejects,
                Reason.LINE_TOO_LONG,
                file=label,
                place="line",
                number=line,
                name=signature.name,
                row=text,
            )
        rows = TextRows(found.table, label, records, len(header))
        return fit_rows(signature, rows, self.unit, self.rejects, names=names, wanted=wanted)

    def _set_broken_aside(
        self,
        signature: Signature,
        label: str,
        width: int,
        broken: list[tuple[int, str]],
        records: Records,
    ) -> None:
        lines = [line for line, found in records() if found != width]
        agreed = len(lines) == len(broken)
        for place, (number, text) in enumerate(broken):
            reject_row(
                self.rejects,
                Reason.WRONG_NUMBER_OF_COLUMNS,
                file=label,
                place="line",
                number=lines[place] if agreed else number,
                name=signature.name,
                row=text,
            )

    def _read_objects(self, signature: Signature, path: Path) -> Iterator[Batch]:
        names = self.names[signature.name]
        moved = find_moved(names)
        read = False
        for objects, lines in read_objects(path, self.rejects, name=signature.name):
            rows = ObjectRows(objects, lines, str(path))
            read, moved = True, {column for column in moved if not rows.has(column)}
            yield fit_rows(signature, rows, self.unit, self.rejects, names=names)
        if read and moved:
            raise refuse_column(signature, str(path), names, min(moved), ())


def list_columns(path: Path) -> list[str]:
    from pyarrow.parquet import read_schema

    with refusing(path):
        return list(read_schema(path).names)


def list_parquet_files(folder: Path) -> list[Path]:
    """All of a folder, in the order of their names, in folders inside it too."""
    found = []
    for path in sorted(folder.rglob("*.parquet")):
        if any(part.startswith(("_", ".")) for part in path.relative_to(folder).parts):
            continue
        special = name_special(path)
        if special is not None:
            raise refuse_special_file(str(path), special)
        if path.is_file():
            found.append(path)
    inside = {parent for path in found for parent in path.parents if folder in parent.parents}
    for place in (folder, *sorted(inside)):
        check_lake_here(place)
    return found


def list_needed(signature: Signature, names: Names, wanted: Collection[str] | None) -> set[str]:
    """The columns that rows are judged by; `arrival` and `op` may be absent."""
    return {names[one] for one in (*list_fields(signature, wanted), "arrival", "op")}


@contextmanager
def refusing(path: Path) -> Iterator[None]:
    """A context in which a file that cannot be read is an error that names it."""
    try:
        yield
    except _UNREADABLE as problem:
        raise refuse_file(path, problem) from problem


def refuse_file(path: Path, problem: Exception) -> DataError:
    return DataError(
        f"cannot read `{path}`: {describe_failure(problem)}",
        "check that the file is complete, is what its extension says, and may be read",
    )


def find_moved(names: Names) -> set[str]:
    """The columns that `--map` says there are."""
    return {column for name, column in names.items() if name != column}


def refuse_column(
    signature: Signature, label: str, names: Names, column: str, present: Collection[str]
) -> DataError:
    argument = next(name for name, one in names.items() if one == column)
    return DataError(
        f"`--map {signature.name}.{argument}={column}`: `{label}` has no column `{column}`",
        list_choices(column, present) if present else None,
    )
