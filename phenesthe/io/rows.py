"""Rows as they come: a typed table, a table of text, or JSON objects.

Each kind can fit a column to a type, say where a row stands, and show it as it was read.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeAlias

import numpy as np
import pyarrow as pa

from phenesthe.arrow import wrap
from phenesthe.files.clean_csv import clean_text
from phenesthe.files.text import Encoding, decode_loosely, open_text
from phenesthe.frozen import dataclass
from phenesthe.io.columns import Fit, Numbers, add_problems
from phenesthe.io.rejects import Place
from phenesthe.io.text import decode_text, fit_text, fit_text_times
from phenesthe.io.time_format import Clock
from phenesthe.io.typed import fit_typed, fit_typed_times, unpack
from phenesthe.io.values import MISSING, fit_value_times, fit_values
from phenesthe.vocabulary import ValueType

_SHOWN_AT_ONCE = 10_000

#: The numbers of the places of some rows.
Locate: TypeAlias = Callable[[Numbers], Numbers]


class Rows(Protocol):
    """What `fit.py` needs to know of rows. An unknown column is None.

    `fit` is for arguments. `optional` says that a row may be without the column, where rows can
    differ in that.
    """

    @property
    def file(self) -> str: ...
    @property
    def place(self) -> Place: ...
    @property
    def count(self) -> int: ...
    @property
    def is_apart(self) -> bool:
        """Whether arguments have places of their own, so that none can be taken for another."""
        ...

    def has(self, column: str) -> bool: ...
    def fit(self, column: str, declared: ValueType) -> Fit | None: ...
    def fit_word(self, column: str) -> Fit | None: ...
    def fit_times(self, column: str, clock: Clock, *, optional: bool = False) -> Fit | None: ...
    def locate(self, rows: Numbers) -> Numbers: ...
    def keep_places(self) -> Locate:
        """The same as `locate`, without holding on to the rows themselves."""
        ...

    def show(self, rows: Numbers) -> Iterator[Mapping[str, Any]]: ...


@dataclass(frozen=True, slots=True)
class TypedRows:
    """A Parquet file or a table in memory."""

    table: Any
    file: str
    place: Place = "position"
    is_apart: ClassVar[bool] = False

    @property
    def count(self) -> int:
        return int(self.table.num_rows)

    def has(self, column: str) -> bool:
        return column in self.table.column_names

    def fit(self, column: str, declared: ValueType) -> Fit | None:
        return fit_typed(self.table[column], declared) if self.has(column) else None

    def fit_word(self, column: str) -> Fit | None:
        return self.fit(column, "str")

    def fit_times(self, column: str, clock: Clock, *, optional: bool = False) -> Fit | None:  # noqa: ARG002
        if not self.has(column):
            return None
        return fit_typed_times(self.table[column], clock.unit, clock.form)

    def locate(self, rows: Numbers) -> Numbers:
        return count_positions(rows)

    def keep_places(self) -> Locate:
        return count_positions

    def show(self, rows: Numbers) -> Iterator[Mapping[str, Any]]:
        for taken in _take_parts(self.table, rows):
            names = taken.column_names
            shown = [_show_column(column) for column in taken.columns]
            yield from (dict(zip(names, row, strict=True)) for row in zip(*shown, strict=True))
            if not names:
                yield from ({} for _ in range(taken.num_rows))


@dataclass(frozen=True, slots=True)
class TextRows:
    """A CSV file: columns of bytes, null where a field is empty and not quoted.

    Lines are counted only when a row has to be shown, by reading the records again.
    """

    table: Any
    file: str
    records: "Records"
    #: The number of fields that makes a record one of the table.
    width: int
    encoding: Encoding = "utf-8"
    place: Place = "line"
    is_apart: ClassVar[bool] = False
    _lines: list[Numbers] = field(default_factory=list)

    @property
    def count(self) -> int:
        return int(self.table.num_rows)

    def has(self, column: str) -> bool:
        return column in self.table.column_names

    def fit(self, column: str, declared: ValueType) -> Fit | None:
        if not self.has(column):
            return None
        text = decode_text(self.table[column], self.encoding)
        return add_problems(fit_text(text.values, declared), text.problems)

    def fit_word(self, column: str) -> Fit | None:
        return self.fit(column, "str")

    def fit_times(self, column: str, clock: Clock, *, optional: bool = False) -> Fit | None:  # noqa: ARG002
        if not self.has(column):
            return None
        text = decode_text(self.table[column], self.encoding)
        return add_problems(fit_text_times(text.values, clock.unit, clock.form), text.problems)

    def locate(self, rows: Numbers) -> Numbers:
        return self.keep_places()(rows)

    def keep_places(self) -> Locate:
        return partial(_find_lines, self.records, self.width, self.count, self._lines)

    def show(self, rows: Numbers) -> Iterator[Mapping[str, Any]]:
        for taken in _take_parts(self.table, rows):
            for row in taken.to_pylist():
                yield {name: self._show(value) for name, value in row.items()}

    def _show(self, value: bytes | None) -> str | None:
        return None if value is None else decode_loosely(value, self.encoding)


#: The first line and the number of fields of each record of a CSV file but the header.
Records: TypeAlias = Callable[[], Iterator[tuple[int, int]]]


def count_positions(rows: Numbers) -> Numbers:
    return rows + 1


def _find_lines(
    records: Records, width: int, count: int, found: list[Numbers], rows: Numbers
) -> Numbers:
    """The lines of some rows. `found` keeps those of all, which are looked for once."""
    if not found:
        starts = (line for line, fields in records() if fields == width)
        found.append(np.fromiter(starts, dtype=np.int64))
    lines = found[0]
    # Two readers may see a broken quote differently; then a row counts as one line.
    return lines[rows] if len(lines) == count else rows + 2


def list_records(path: Path, separator: str) -> Iterator[tuple[int, int]]:
    with open_text(path) as file:
        lines = clean_text(file, lambda _line, _text: None, separator)
        yield from measure_records(lines, separator)


def measure_records(lines: Iterable[str], separator: str) -> Iterator[tuple[int, int]]:
    """The first of the lines belongs to the header."""
    csv.field_size_limit(2**31 - 1)
    reader = csv.reader(lines, delimiter=separator)
    next(reader, None)
    last = reader.line_num
    for record in reader:
        if record:
            yield last + 1, len(record)
        last = reader.line_num


@dataclass(frozen=True, slots=True)
class ObjectRows:
    """JSON objects with their lines. A key that is not there is null where it may be."""

    objects: Sequence[Mapping[str, Any]]
    lines: Sequence[int]
    file: str
    #: The names of the values in `args`; None where every argument is a key of its own.
    arguments: Sequence[str] | None = None
    place: Place = "line"

    @property
    def count(self) -> int:
        return len(self.objects)

    def has(self, column: str) -> bool:
        return any(column in one for one in self.objects)

    @property
    def is_apart(self) -> bool:
        return self.arguments is not None

    def fit(self, column: str, declared: ValueType) -> Fit | None:
        if self.arguments is None:
            return fit_values([one.get(column, MISSING) for one in self.objects], declared)
        place = self.arguments.index(column)
        return fit_values([one["args"][place] for one in self.objects], declared)

    def fit_word(self, column: str) -> Fit | None:
        return fit_values([one.get(column) for one in self.objects], "str")

    def fit_times(self, column: str, clock: Clock, *, optional: bool = False) -> Fit | None:
        other = None if optional else MISSING
        values = [one.get(column, other) for one in self.objects]
        return fit_value_times(values, clock.unit, clock.form)

    def locate(self, rows: Numbers) -> Numbers:
        return np.fromiter((self.lines[row] for row in rows), dtype=np.int64, count=len(rows))

    def keep_places(self) -> Locate:
        return np.array(self.lines, dtype=np.int64).take

    def show(self, rows: Numbers) -> Iterator[Mapping[str, Any]]:
        return (self.objects[row] for row in rows)


def _take_parts(table: Any, rows: Numbers) -> Iterable[Any]:
    """The rows asked for, some thousand at a time, so that showing them stays small."""
    for start in range(0, len(rows), _SHOWN_AT_ONCE):
        part = rows[start : start + _SHOWN_AT_ONCE]
        yield table.take(wrap(part)) if table.num_columns else table.slice(0, len(part))


def _show_column(column: Any) -> list[Any]:
    """Python has no times before the year 1 and none of nanoseconds: Arrow writes them.

    A file may call text what is none.
    """
    column = unpack(column)
    given = column.type
    if pa.types.is_timestamp(given):
        column = column.cast(pa.int64()).cast(pa.timestamp(given.unit)).cast(pa.string())
    elif pa.types.is_date(given):
        column = column.cast(pa.string())
    try:
        return list(column.to_pylist())
    except UnicodeDecodeError:
        found = column.cast(pa.large_binary()).to_pylist()
        return [None if one is None else one.decode(errors="replace") for one in found]
