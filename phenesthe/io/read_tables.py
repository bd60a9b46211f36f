"""A directory with one table per input or fact.

`NAME.parquet`, `NAME.csv`, `NAME.jsonl`, or a folder `NAME/` of Parquet files, in which names that
begin with `_` or `.` are not read (Spark puts its marks there).

CSV is UTF-8 with a header, commas and double quotes. An empty field is null; a quoted empty field
is the empty text, which is a value of a `str` argument only.
"""

import csv
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from phenesthe.check.program import Signature
from phenesthe.io.columns import Reason
from phenesthe.io.errors import DataError, describe_failure
from phenesthe.io.fit import Batch, fit_rows
from phenesthe.io.names import Names, choose_wanted, list_choices, list_fields
from phenesthe.io.objects import read_objects
from phenesthe.io.rejects import Rejects, reject_row
from phenesthe.io.rows import ObjectRows, TextRows, TypedRows, list_records
from phenesthe.syntax.tree import Unit

EXTENSIONS = (".parquet", ".csv", ".jsonl")
_UNREADABLE = (pa.ArrowException, OSError, csv.Error)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """What reading a table needs beside the table."""

    unit: Unit
    rejects: Rejects
    names: Mapping[str, Names]
    wanted: Mapping[str, Collection[str]]
    warnings: list[str] = field(default_factory=list)

    def read(self, signature: Signature, path: Path) -> list[Batch]:
        """The rows of a file or a folder of Parquet files that fit."""
        try:
            if path.is_dir():
                paths = list_parquet_files(path)
                if not paths:
                    self.warnings.append(f"no Parquet files in `{path}`")
                return self._read_parquet(signature, paths)
            match path.suffix:
                case ".parquet":
                    return self._read_parquet(signature, [path])
                case ".csv":
                    return [self._read_csv(signature, path)]
                case ".jsonl":
                    return list(self._read_objects(signature, path))
        except _UNREADABLE as problem:
            raise refuse_file(path, problem) from problem
        raise DataError(
            f"cannot read `{path}` as the table of `{signature.name}`",
            "give a .parquet, .csv or .jsonl file, or a folder of Parquet files",
        )

    def fit_table(self, signature: Signature, table: Any, label: str) -> Batch:
        """The rows of a table in memory that fit."""
        wanted = self._look_at_columns(signature, table.column_names, label)
        names = self.names[signature.name]
        rows = TypedRows(table, label)
        return fit_rows(signature, rows, self.unit, self.rejects, names=names, wanted=wanted)

    def _read_parquet(self, signature: Signature, paths: list[Path]) -> list[Batch]:
        from pyarrow.parquet import ParquetFile, read_schema

        names = self.names[signature.name]
        # One file with operations is enough to compare the rows of all.
        has_op = len(paths) > 1 and any(names["op"] in read_schema(path).names for path in paths)
        batches = []
        for path in paths:
            with ParquetFile(path) as file:
                present = file.schema_arrow.names
                chosen = self._look_at_columns(signature, present, str(path), has_op=has_op)
                needed = {names[one] for one in (*list_fields(signature, chosen), "arrival", "op")}
                table = file.read(columns=[one for one in present if one in needed])
            rows = TypedRows(table, str(path))
            batches.append(
                fit_rows(signature, rows, self.unit, self.rejects, names=names, wanted=chosen)
            )
        return batches

    def _read_csv(self, signature: Signature, path: Path) -> Batch:
        header = read_header(path)
        names = self.names[signature.name]
        wanted = self._look_at_columns(signature, header, str(path))
        needed = {names[one] for one in (*list_fields(signature, wanted), "arrival", "op")}
        # Something has to be read to count the rows.
        chosen = [one for one in header if one in needed] or header[:1]
        table, broken = read_csv(path, chosen)
        if broken:
            self._set_broken_aside(signature, path, len(header), broken)
        rows = TextRows(table, str(path), str(path), len(header))
        return fit_rows(signature, rows, self.unit, self.rejects, names=names, wanted=wanted)

    def _set_broken_aside(
        self, signature: Signature, path: Path, width: int, broken: list[tuple[int, str]]
    ) -> None:
        lines = [line for line, found in list_records(str(path)) if found != width]
        agreed = len(lines) == len(broken)
        for place, (number, text) in enumerate(broken):
            reject_row(
                self.rejects,
                Reason.WRONG_NUMBER_OF_COLUMNS,
                file=str(path),
                place="line",
                number=lines[place] if agreed else number,
                name=signature.name,
                row=text,
            )

    def _read_objects(self, signature: Signature, path: Path) -> Iterator[Batch]:
        names = self.names[signature.name]
        moved = {column for name, column in names.items() if name != column}
        read = False
        for objects, lines in read_objects(path, self.rejects, name=signature.name):
            rows = ObjectRows(objects, lines, str(path))
            read, moved = True, {column for column in moved if not rows.has(column)}
            yield fit_rows(signature, rows, self.unit, self.rejects, names=names)
        if read and moved:
            raise refuse_column(signature, str(path), names, min(moved), ())

    def _look_at_columns(
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


def list_parquet_files(folder: Path) -> list[Path]:
    """All of a folder, in the order of their names, in folders inside it too."""
    return [
        path
        for path in sorted(folder.rglob("*.parquet"))
        if path.is_file()
        and not any(part.startswith(("_", ".")) for part in path.relative_to(folder).parts)
    ]


def read_header(path: Path) -> list[str]:
    with open(path, newline="", encoding="utf-8-sig", errors="replace") as file:
        header = next(csv.reader(file), None)
    if not header:
        raise DataError(
            f"`{path}` has no header", "write the names of the columns into its first line"
        )
    return header


def read_csv(path: Path, columns: list[str]) -> tuple[Any, list[tuple[int, str]]]:
    """The columns as bytes, and the number and text of each record that has too few or many."""
    from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions
    from pyarrow.csv import read_csv as read

    convert = ConvertOptions(
        include_columns=columns,
        column_types=dict.fromkeys(columns, pa.binary()),
        strings_can_be_null=True,
        null_values=[""],
        quoted_strings_can_be_null=False,
    )
    try:
        parse = ParseOptions(newlines_in_values=True)
        return read(path, convert_options=convert, parse_options=parse), []
    except pa.ArrowInvalid:
        if next(list_records(str(path)), None) is None:  # a header without a newline
            return pa.table({one: pa.nulls(0, pa.binary()) for one in columns}), []
    broken: list[tuple[int, str]] = []

    def skip(record: Any) -> str:
        broken.append((record.number, record.text))
        return "skip"

    parse = ParseOptions(newlines_in_values=True, invalid_row_handler=skip)
    # In one thread, which alone counts records and meets them in order.
    alone = ReadOptions(use_threads=False)
    return read(path, read_options=alone, convert_options=convert, parse_options=parse), broken


def refuse_file(path: Path, problem: Exception) -> DataError:
    return DataError(
        f"cannot read `{path}`: {describe_failure(problem)}",
        "check that the file is complete, is what its extension says, and may be read",
    )


def refuse_column(
    signature: Signature, label: str, names: Names, column: str, present: Collection[str]
) -> DataError:
    argument = next(name for name, one in names.items() if one == column)
    return DataError(
        f"`--map {signature.name}.{argument}={column}`: `{label}` has no column `{column}`",
        list_choices(column, present) if present else None,
    )
