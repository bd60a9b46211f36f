"""What a formula is true on: columns of codes with times, sorted, and how two of them meet."""

from collections.abc import Mapping, Sequence
from dataclasses import field

import numpy as np
import numpy.typing as npt

from phenesthe.frozen import dataclass
from phenesthe.graph.operator import Operand
from phenesthe.kernels.arrays import Array, Event, Instants, Intervals, Mask, Runs, number_rows
from phenesthe.kernels.order import (
    CODES,
    find_last_known,
    is_rising,
    mark_new,
    order_rows,
    rank_codes,
    sort_codes,
    sort_with_codes,
)
from phenesthe.kernels.search import expand_ranges
from phenesthe.operators.domains import Domains
from phenesthe.vocabulary import Names, ValueType

#: Keys beyond this are renumbered, so that key and time together still fit into 64 bits.
_MAX_KEY = 2**31
Numbers = npt.NDArray[np.int64] | npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Instants (`te` is `ts`) or intervals with the bindings they belong to.

    Sorted by the columns, then time, each row once. `extra` are values that only conditions look
    at; they take no part in the order, and with them rows may repeat.
    """

    variables: Names
    columns: tuple[Array, ...]
    ts: Array
    te: Array
    extra: Mapping[str, Numbers] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ts)

    def column(self, name: str) -> Array:
        return self.columns[self.variables.index(name)]

    def take(self, rows: Array | Mask) -> "Rows":
        if rows.dtype == np.bool_:
            # Numbers are quicker than marks for the second column already.
            if np.count_nonzero(rows) == len(rows):
                return self
            rows = rows.nonzero()[0]
        ts = self.ts.take(rows)
        te = ts if self.te is self.ts else self.te.take(rows)
        columns = tuple([column.take(rows) for column in self.columns])
        extra = {name: values.take(rows) for name, values in self.extra.items()}
        return Rows(self.variables, columns, ts, te, extra)


@dataclass(frozen=True, slots=True, eq=False)
class Bindings:
    """Distinct combinations of values, sorted; a key is a row number of these."""

    variables: Names
    columns: tuple[Array, ...]
    count: int

    def column(self, name: str) -> Array:
        return self.columns[self.variables.index(name)]

    def take(self, rows: Array | Mask) -> "Bindings":
        columns = tuple([column[rows] for column in self.columns])
        count = int(np.count_nonzero(rows)) if rows.dtype == np.bool_ else len(rows)
        return Bindings(self.variables, columns, count)


@dataclass(frozen=True, slots=True, eq=False)
class Dense:
    """An event that is true on whole runs of instants; the keys of the runs number the bindings."""

    bindings: Bindings
    event: Event


class Keys:
    """Turns columns of codes into one integer a row."""

    def __init__(self, domains: Domains, types: Mapping[str, ValueType]) -> None:
        self.domains = domains
        self.types = types

    def pack(self, names: Names, *tables: Rows | Bindings) -> list[Array]:
        """One key per row, comparable between the tables, in the order of the columns."""
        if not names:
            return [np.zeros(_length(table), dtype=np.int64) for table in tables]
        first, *others = names
        keys = [table.column(first) for table in tables]
        span = self.domains[self.types[first]].size
        for name in others:
            size = self.domains[self.types[name]].size
            if span * size > _MAX_KEY:
                keys, span = _renumber(keys)
            keys = [
                key * size + table.column(name) for key, table in zip(keys, tables, strict=True)
            ]
            span *= size
        return _renumber(keys)[0] if span > _MAX_KEY else keys

    def sort(self, rows: Rows, *, distinct: bool = True) -> Rows:
        """Rows in any order, as they must be."""
        if len(rows) < 2:
            return rows
        key, sizes = _pack_alone(rows)
        is_event = rows.te is rows.ts
        if is_event and not is_rising(key) and is_rising(rows.ts):
            return _sort_by_key(rows, key, sizes, distinct=distinct)
        order = order_rows(key, rows.ts) if is_event else order_rows(key, rows.ts, rows.te)
        if not is_identity(order):
            rows = rows.take(order)
        if distinct and not rows.extra:
            key = key[order]
            new = mark_new(key, rows.ts) if is_event else mark_new(key, rows.ts, rows.te)
            if not new.all():
                rows = rows.take(new)
        return rows

    def bind(self, names: Names, rows: Rows | Bindings) -> tuple[Bindings, Array]:
        """The distinct bindings of the named columns, and the number of its own for every row."""
        (key,) = self.pack(names, rows)
        if len(key) and bool(np.all(key[1:] >= key[:-1])):
            new = mark_new(key)
            first, number = np.flatnonzero(new), np.cumsum(new) - 1
        else:
            first, number = rank_codes(key)
        columns = tuple([rows.column(name)[first] for name in names])
        return Bindings(names, columns, len(first)), number

    def join(self, left: Bindings, right: Bindings, order: Names) -> tuple[Bindings, Array, Array]:
        """Bindings of both sides that agree, with the row of each side they come from."""
        shared = tuple([name for name in left.variables if name in right.variables])
        one, other = self.match(shared, left, right)
        names = tuple([n for n in order if n in left.variables or n in right.variables])
        columns = tuple(
            [left.column(n)[one] if n in left.variables else right.column(n)[other] for n in names]
        )
        joined = Bindings(names, columns, len(one))
        (key,) = self.pack(names, joined)
        sort = sort_codes(key)
        return joined.take(sort), one[sort], other[sort]

    def match(
        self, names: Names, left: Rows | Bindings, right: Rows | Bindings
    ) -> tuple[Array, Array]:
        """All pairs of rows that agree on the named columns, by left row."""
        left_key, right_key = self.pack(names, left, right)
        order = sort_codes(right_key)
        sorted_key = right_key[order]
        one, other = expand_ranges(
            np.searchsorted(sorted_key, left_key),
            np.searchsorted(sorted_key, left_key, side="right"),
        )
        return one, order[other]


def name_rows(operand: Operand, rows: Rows) -> Rows:
    """The rows of an operator under the names that they have where it is used."""
    named = zip(operand.names, rows.columns, strict=True)
    chosen = [(name, column) for name, column in named if name]
    return Rows(
        tuple([name for name, _ in chosen]),
        tuple([column for _, column in chosen]),
        rows.ts,
        rows.te,
        {new: rows.extra[old] for old, new in operand.extras},
    )


def spread(rows_of: Array, count: int, number: Array) -> tuple[Array, Array]:
    """Give every row to all the joined bindings that its own binding takes part in.

    `rows_of[j]` is the binding of joined binding j, `number[i]` that of row i. Returns pairs
    (joined binding, row), by joined binding.
    """
    order = sort_codes(number)
    sizes = np.bincount(number, minlength=count)
    end = np.cumsum(sizes)
    start = end - sizes
    joined, at = expand_ranges(start[rows_of], end[rows_of])
    return joined, order[at]


def as_instants(rows: Rows, key: Array) -> Instants:
    return Instants(key, rows.ts)


def as_intervals(rows: Rows, key: Array) -> Intervals:
    return Intervals(key, rows.ts, rows.te)


def as_event(event: Event, joined: Array, row: Array) -> Event:
    """An event's rows given to joined bindings."""
    if isinstance(event, Instants):
        return Instants(joined, event.t[row])
    return Runs(joined, event.first[row], event.last[row])


def from_intervals(bindings: Bindings, found: Intervals) -> Rows:
    columns = tuple([column[found.key] for column in bindings.columns])
    return Rows(bindings.variables, columns, found.ts, found.te)


def from_instants(bindings: Bindings, found: Instants) -> Rows:
    columns = tuple([column[found.key] for column in bindings.columns])
    return Rows(bindings.variables, columns, found.t, found.t)


def concatenate(parts: Sequence[Rows]) -> Rows:
    """Rows of the same variables, one after the other, in no order."""
    first = parts[0]
    ts = np.concatenate([part.ts for part in parts])
    is_event = all(part.te is part.ts for part in parts)
    te = ts if is_event else np.concatenate([part.te for part in parts])
    columns = tuple(
        [np.concatenate([part.column(name) for part in parts]) for name in first.variables]
    )
    return Rows(first.variables, columns, ts, te)


def _sort_by_key(rows: Rows, key: Array, sizes: list[int], *, distinct: bool) -> Rows:
    """Instants that come by time need no more than a stable order of keys.

    Where a key says all about the columns, they are made of the sorted keys, which is quicker than
    to bring the values of each together.
    """
    order, key = sort_with_codes(key)
    ts = rows.ts.take(order)
    columns = _unpack(key, sizes) if sizes else [column.take(order) for column in rows.columns]
    extra = {name: values.take(order) for name, values in rows.extra.items()}
    found = Rows(rows.variables, tuple(columns), ts, ts, extra)
    if distinct and not extra:
        found = found.take(mark_new(key, ts))
    return found


def _unpack(key: Array, sizes: list[int]) -> list[Array]:
    columns = []
    for size in reversed(sizes[1:]):
        upper = key // size
        column = upper * size
        np.subtract(key, column, out=column)
        columns.append(column)
        key = upper
    return [key, *reversed(columns)]


def _pack_alone(rows: Rows) -> tuple[Array, list[int]]:
    """One key per row, in the order of the columns; as long as it fits, with times as well.

    And how many values each column may have, or nothing if keys do not say all about columns.
    """
    low = int(np.minimum.reduce(rows.ts))
    most = max(CODES // (max(find_last_known(rows.ts) - low, 0) + 2), 1)
    key, span = np.zeros(len(rows), dtype=np.int64), 1
    sizes: list[int] = []
    is_whole = True
    for column in rows.columns:
        size = int(np.maximum.reduce(column)) + 1
        is_whole = is_whole and int(np.minimum.reduce(column)) >= 0
        if span * size > most:
            (key,), span = _renumber([key])
            is_whole = False
        key = key * size + column if span > 1 else column
        span *= size
        sizes.append(size)
    if span > most:
        return _renumber([key])[0][0], []
    return key, sizes if is_whole else []


def _length(table: Rows | Bindings) -> int:
    return len(table) if isinstance(table, Rows) else table.count


def _renumber(keys: list[Array]) -> tuple[list[Array], int]:
    """The same keys, in the same order, as ranks."""
    first, ranks = rank_codes(np.concatenate(keys))
    cuts = np.cumsum([len(key) for key in keys])[:-1]
    return list(np.split(ranks, cuts)), max(len(first), 1)


def is_identity(order: Array) -> bool:
    count = len(order)
    if count and not (order[0] == 0 and order[count // 2] == count // 2 and order[-1] == count - 1):
        return False
    return bool(np.array_equal(order, number_rows(count)))
