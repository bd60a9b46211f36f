"""A directory with one table per input or fact.

`NAME.parquet`, `NAME.csv`, `NAME.jsonl`, the last two also packed (`.gz`), or a folder `NAME/` of
Parquet files, in which names that begin with `_` or `.` are not read (Spark puts its marks there).
"""

import csv
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from phenesthe.check.program import Signature
from phenesthe.diagnostics.shorten import shorten
from phenesthe.files.csv_form import Count, CsvForm, count_among, list_lines
from phenesthe.files.opening import opening_parquet
from phenesthe.files.special import name_special
from phenesthe.frozen import dataclass
from phenesthe.io.account import Account
from phenesthe.io.columns import Reason
from phenesthe.io.errors import DataError, describe_failure
from phenesthe.io.fit import Batch, fit_rows
from phenesthe.io.foreign import refuse_packed
from phenesthe.io.lakes import check_lake_here
from phenesthe.io.names import Names, choose_wanted, list_choices, list_fields
from phenesthe.io.objects import KEY_LINES, list_keys, read_objects
from phenesthe.io.places import find_extension, refuse_special_file, refuse_table
from phenesthe.io.read_csv import look_at_file, read_csv
from phenesthe.io.rejects import Rejects, reject_row
from phenesthe.io.rows import ObjectRows, Records, Rows, TextRows, TypedRows, list_records
from phenesthe.io.spelling import Spelt, fold, has_values, spell
from phenesthe.io.time_format import Clock
from phenesthe.options import name_mapping

_UNREADABLE = (pa.ArrowException, OSError, EOFError, zlib.error, csv.Error)

#: Characters of a list of columns.
_MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Chosen:
    """The columns of a table: where each argument is, and the arguments to read (None: all)."""

    names: Names
    wanted: Collection[str] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """What reading a table needs beside the table."""

    clock: Clock
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
            match find_extension(path.name):
                case ".parquet":
                    return self._read_parquet(signature, [path])
                case ".csv" | ".csv.gz":
                    return [self._read_csv(signature, path)]
                case ".jsonl" | ".jsonl.gz":
                    return list(self._read_objects(signature, path))
        raise refuse_table(str(path), signature.name)

    def list_files(self, folder: Path) -> list[Path]:
        paths = list_parquet_files(folder)
        if not paths:
            self.warnings.append(f"no Parquet files in `{folder}`")
        return paths

    def fit_table(self, signature: Signature, table: Any, label: str) -> Batch:
        """The rows of a table in memory that fit."""
        chosen = self.look_at_columns(signature, table.column_names, label)
        return self._fit(signature, TypedRows(table, label), chosen)

    def spell(self, signature: Signature, present: Iterable[str]) -> Spelt:
        """The columns of a table as it spells them."""
        name = signature.name
        return spell(signature, self.names[name], present, self.wanted.get(name))

    def look_at_columns(
        self,
        signature: Signature,
        present: list[str],
        label: str,
        *,
        has_op: bool = False,
    ) -> Chosen:
        """What to read. Says early which columns are not there, and what is like them."""
        spelt = self.spell(signature, present)
        names = spelt.names
        wanted = self.wanted.get(signature.name)
        chosen = choose_wanted(signature, wanted, has_op=has_op or names["op"] in present)
        for name, column in names.items():
            if column not in present and column != name:
                raise refuse_column(signature, label, names, column, present)
        fields = list_fields(signature, chosen)
        spelt.check(signature, (*fields, "arrival", "op"), label)
        is_text = label.lower().endswith((".csv", ".csv.gz"))
        if is_text and fields and not any(names[name] in present for name in fields):
            raise refuse_other_table(signature, label, names, fields, present)
        for name in fields:
            column = names[name]
            if present.count(column) > 1:
                raise DataError(f"`{label}` has two columns `{column}`", "rename one of them")
            if column not in present:
                self.warnings.append(
                    f"`{label}` has no column `{column}`; {list_choices(column, present)} "
                    f"({name_mapping({f'{signature.name}.{name}': 'COLUMN'})} reads another)"
                )
        self.say_taken(signature, spelt, fields)
        return Chosen(names, chosen)

    def say_taken(self, signature: Signature, spelt: Spelt, fields: Iterable[str]) -> None:
        """Tell which columns were taken for others, once for all files of a table."""
        text = spelt.describe(signature, (*fields, "arrival", "op"))
        if text is not None and text not in self.warnings:
            self.warnings.append(text)

    def count_known(self, signature: Signature) -> Count:
        """Counts the columns of a header that a table must have."""
        names = self.names[signature.name]
        return count_among([names[one] for one in list_fields(signature, None)], fold)

    def _fit(self, signature: Signature, rows: Rows, chosen: Chosen) -> Batch:
        return fit_rows(
            signature, rows, self.clock, self.rejects, names=chosen.names, wanted=chosen.wanted
        )

    def _read_parquet(self, signature: Signature, paths: list[Path]) -> list[Batch]:
        # One file with operations is enough to compare the rows of all.
        has_op = len(paths) > 1 and any(
            self.has_op(signature, list_columns(path)) for path in paths
        )
        batches = []
        for path in paths:
            with refusing(path), opening_parquet(path) as file:
                present = file.schema_arrow.names
                chosen = self.look_at_columns(signature, present, str(path), has_op=has_op)
                needed = list_needed(signature, chosen.names, chosen.wanted)
                table = file.read(columns=[one for one in present if one in needed])
            batches.append(self._fit(signature, TypedRows(table, str(path)), chosen))
        return batches

    def has_op(self, signature: Signature, present: Collection[str]) -> bool:
        """Whether a table tells what its rows take back."""
        return self.spell(signature, present).names["op"] in present

    def _read_csv(self, signature: Signature, path: Path) -> Batch:
        form = self.look_at_csv(signature, path)
        chosen = self.look_at_columns(signature, form.header, str(path))
        records = partial(list_records, path, form.separator)
        return self.fit_csv(signature, path, str(path), form, chosen, records)

    def look_at_csv(self, signature: Signature, path: Path) -> CsvForm:
        """What a CSV file is; says what its text is taken for if it is not UTF-8."""
        refuse_packed(path)
        form = look_at_file(path, self.count_known(signature))
        if form.encoding == "windows-1252":
            self.warnings.append(f"`{path}` is not UTF-8; its text is taken for Windows-1252")
        return form

    def fit_csv(
        self,
        signature: Signature,
        source: Path | pa.Buffer,
        label: str,
        form: CsvForm,
        chosen: Chosen,
        records: Records,
    ) -> Batch:
        """The rows of a file, or of a part of one with its header, that fit."""
        needed = list_needed(signature, chosen.names, chosen.wanted)
        # Something has to be read to count the rows.
        header = list(dict.fromkeys(form.header))
        columns = [one for one in header if one in needed] or header[:1]
        found = read_csv(source, columns, form, records)
        if found.broken:
            self._set_broken_aside(signature, label, len(form.header), found.broken, records)
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
        rows = TextRows(found.table, label, records, len(form.header), form.encoding)
        return self._fit(signature, rows, chosen)

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
        refuse_packed(path)
        names = self.look_at_keys(signature, list_keys(list_lines(path, KEY_LINES)), str(path))
        moved = find_moved(names)
        read = False
        for objects, lines in read_objects(path, self.rejects, name=signature.name):
            rows = ObjectRows(objects, lines, str(path))
            read, moved = True, {column for column in moved if not rows.has(column)}
            yield self._fit(signature, rows, Chosen(names, None))
        if read and moved:
            raise refuse_column(signature, str(path), names, min(moved), ())

    def look_at_keys(self, signature: Signature, keys: Collection[str], label: str) -> Names:
        """The names of the columns of JSON objects, the first of which have these."""
        spelt = self.spell(signature, keys)
        fields = list_fields(signature, None)
        spelt.check(signature, fields, label)
        self.say_taken(signature, spelt, fields)
        return spelt.names


def refuse_other_table(
    signature: Signature, label: str, names: Names, fields: Sequence[str], present: Sequence[str]
) -> DataError:
    """What has none of the columns is another table, has no header, or is no table at all."""
    wanted = ", ".join(f"`{names[name]}`" for name in fields)
    there = shorten(", ".join(f"`{one}`" for one in present), _MOST_SHOWN)
    if there.lstrip("`").lower().startswith(("<!doctype", "<html", "<?xml")):
        return DataError(
            f"`{label}` is a web page (HTML or XML), not a table of `{signature.name}`",
            "look at it in a browser: the download may have failed; then download the table again",
        )
    if has_values(present):
        # `--map` would take its first row for names, and lose it.
        return DataError(
            f"`{label}` does not name its columns: its first line is a row, {there}",
            "write a line with the names of the columns above it, parted as the rows are, such as "
            f"`{','.join(names[name] for name in fields)}`",
        )
    return DataError(
        f"`{label}` is not a table of `{signature.name}`: it has none of the columns {wanted}; it "
        f"has {there or 'none'}",
        "its first line must name the columns; other names can be told with "
        + name_mapping({f"{signature.name}.{fields[0]}": "COLUMN"}),
    )


def list_columns(path: Path) -> list[str]:
    with refusing(path), opening_parquet(path) as file:
        return list(file.schema_arrow.names)


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
    given = name_mapping({f"{signature.name}.{argument}": column})
    return DataError(
        f"`{given}`: `{label}` has no column `{column}`",
        list_choices(column, present) if present else None,
    )
