"""Which neighbouring instants of a `repeat` satisfy its pair condition.

What a condition says of one row alone narrows down the rows of that side, in one pass. Only what is
left goes to pairs: to all of them where instants have few rows, and else in an order in which few
need to be looked at (`sweeps`). A pair counts when the condition as it is written holds of it.
"""

from collections.abc import Collection, Sequence

import numpy as np

from phenesthe.graph.formulas import And, Column, Comparison, Exists, Formula, Known, Not, Or, Value
from phenesthe.kernels.arrays import Array, Mask, number_rows
from phenesthe.kernels.neighbours import (
    Neighbours,
    Verdict,
    connect,
    find_first,
    find_neighbours,
    meet,
)  # fmt: skip
from phenesthe.kernels.repeat import Occurrences
from phenesthe.operators import arithmetic
from phenesthe.operators.conditions import Conditions, missing_rows
from phenesthe.operators.monotone import LARGEST, list_columns
from phenesthe.operators.rows import Numbers, Rows
from phenesthe.operators.sweeps import Sweep, find_sweeps
from phenesthe.operators.table import Table
from phenesthe.operators.values import Evaluation, previous
from phenesthe.vocabulary import Names

#: How many pairs of rows are looked at together.
PAIRS = 1_000_000


def mark_connected(
    conditions: Conditions,
    condition: Formula,
    shared: Names,
    rows: Rows,
    occurrences: Occurrences,
    candidates: Array,
) -> Mask:
    """The instants of which some row satisfies with some row of the instant before.

    `candidates` are those whose gap to the one before holds; `shared` are the variables that all
    rows of a key agree on.
    """
    pairs = _Pairs(conditions, shared, rows)
    parts = condition.operands if isinstance(condition, And) else (condition,)
    rest = [part for part in parts if len(pairs.find_sides(part)) > 1]
    marks: dict[bool, list[Mask]] = {False: [], True: []}
    for part in parts:
        sides = pairs.find_sides(part)
        if len(sides) < 2:
            marks[True in sides].append(pairs.mark_rows(part))
        elif isinstance(part, Comparison):
            # A comparison with what is undefined is false.
            for column in set(list_columns(part)):
                if column.name in pairs.known and (mark := pairs.mark_defined(column)) is not None:
                    marks[column.is_previous].append(mark)
    before, own = (
        _reduce(marks[is_previous]) if marks[is_previous] else None for is_previous in (True, False)
    )
    neighbours = find_neighbours(occurrences, candidates, before, own)
    connects = np.zeros(len(occurrences.instants), dtype=np.bool_)
    if not rest:
        connects[neighbours.instant] = True
        return connects
    left = rest[0] if len(rest) == 1 else And(condition.scope, tuple(rest))
    crowded = neighbours.mark_crowded()
    if crowded.any():
        sweeps = find_sweeps(left, shared, pairs.known)
        if sweeps is not None:
            regular = crowded & pairs.mark_regular(left, neighbours)
            for sweep in sweeps:
                _sweep(pairs, left, sweep, neighbours.take(regular), connects)
            neighbours = neighbours.take(~regular)
    meetings = meet(neighbours.instant, neighbours.previous, neighbours.current)
    connect(meetings, lambda one, two: pairs.holds([left], two, one), connects, PAIRS)
    return connects


def _sweep(
    pairs: "_Pairs", condition: Formula, sweep: Sweep, neighbours: Neighbours, connects: Mask
) -> None:
    sides = neighbours.current, neighbours.previous
    keys = sides[sweep.is_previous].sort(pairs.find_values(sweep.key))

    def holds(parts: Sequence[Formula]) -> Verdict:
        if sweep.is_previous:
            return lambda one, two: pairs.holds(parts, one, two)
        return lambda one, two: pairs.holds(parts, two, one)

    for way in sweep.ways:
        left = ~connects[neighbours.instant]
        side, there = sides[not sweep.is_previous].take(left), keys.take(left)
        found = meet(neighbours.instant[left], side, there)
        low, high = found.low, found.high
        if way.rising:
            low = find_first(found, holds(way.rising))
            found = found.between(low, high)
        if not way.has_more:
            # If what ceases to be true is not so for the first, it is for none.
            high = np.minimum(low + 1, high)
        elif way.falling:
            high = find_first(found, _negate(holds(way.falling)))
        found = found.between(low, high)
        connect(found, holds([condition]), connects, PAIRS)


def _list_free(part: Formula | Value) -> Names:
    match part:
        case And() | Or() | Not() | Exists() | Known():
            return part.scope.free
        case _:
            return ()


def _reduce(marks: Sequence[Mask]) -> Mask:
    found: Mask = np.logical_and.reduce(marks)
    return found


def _negate(holds: Verdict) -> Verdict:
    return lambda one, other: ~holds(one, other)


class _Pairs:
    """Rows of φ, any two of which can be looked at together."""

    def __init__(self, conditions: Conditions, shared: Names, rows: Rows) -> None:
        self.conditions, self.shared, self.rows = conditions, shared, rows
        self.codes = dict(zip(rows.variables, rows.columns, strict=True))
        self.known = {*self.codes, *rows.extra}

    def find_sides(self, part: Formula) -> Collection[bool]:
        """Whether it speaks of the previous row, of the other one, or of both."""
        columns = set(list_columns(part))
        if not all(column.name in self.known for column in columns):
            return {False, True}
        return {column.is_previous for column in columns if column.name not in self.shared}

    def mark_rows(self, part: Formula) -> Mask:
        """Of which rows a part that speaks of one of them holds."""
        return self._mark(self._open([part], None, None), part)

    def mark_defined(self, column: Column) -> Mask | None:
        """None where all values are."""
        values = self.find_values(column)
        if values.dtype != np.float64:
            return None
        undefined = np.isnan(values)
        return ~undefined if undefined.any() else None

    def mark_regular(self, condition: Formula, neighbours: Neighbours) -> Mask:
        """Where no number is so large that sums and products might run over, or undefined."""
        found = np.ones(len(neighbours), dtype=np.bool_)
        for column in set(list_columns(condition)):
            if column.name in self.known:
                values = self.find_values(column)
                if values.dtype == np.float64:
                    regular = np.abs(values) <= LARGEST
                    if not regular.all():
                        found &= neighbours.previous.mark_all(regular)
                        found &= neighbours.current.mark_all(regular)
        return found

    def find_values(self, value: Value) -> arithmetic.Column:
        """Of each row, for a value that speaks of one."""
        table = self._open([value], None, None)
        found = Evaluation(self.conditions.domains, self.conditions.types, table)
        return np.broadcast_to(found.compute(value), (len(self.rows),))

    def holds(self, parts: Sequence[Formula], current: Array, before: Array) -> Mask:
        table = self._open(parts, current, before)
        return _reduce([self._mark(table, part) for part in parts])

    def _mark(self, table: Table, part: Formula) -> Mask:
        """Which rows meet a condition; comparisons need no row to be put anywhere for that."""
        match part:
            case Comparison():
                return self.conditions.compare(table, part)
            case And() if all(isinstance(one, Comparison) for one in part.operands):
                return _reduce([self._mark(table, one) for one in part.operands])
            case _:
                return ~missing_rows(len(table), self.conditions.solve(table, part).origin)

    def _open(
        self, parts: Sequence[Formula | Value], current: Array | None, before: Array | None
    ) -> Table:
        """What the parts look at; without row numbers all rows."""
        codes: dict[str, Array] = {}
        extra: dict[str, Numbers] = {}
        columns = {column for part in parts for column in list_columns(part)}
        # In which order parts can be looked at follows from names, and `prev(X)` has that of X.
        columns |= {Column(name) for part in parts for name in _list_free(part)}
        for column in columns:
            rows = before if column.is_previous else current
            name = previous(column.name) if column.is_previous else column.name
            if column.name in self.codes:
                values = self.codes[column.name]
                codes[name] = values if rows is None else values.take(rows)
            elif column.name in self.rows.extra:
                numbers = self.rows.extra[column.name]
                extra[name] = numbers if rows is None else numbers.take(rows)
        return Table(codes, extra, number_rows(len(self.rows if current is None else current)))
