"""One aggregate for each row of a table: a column of values, and where there is none.

Texts and truth values are codes. What is undefined has any value.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, assert_never

import numpy as np
import numpy.typing as npt

from phenesthe.graph.aggregates import Measure
from phenesthe.kernels import aggregates, row_ranges
from phenesthe.kernels.arrays import Array, Intervals, Mask
from phenesthe.kernels.exact_sums import (
    Sums,
    Terms,
    round_sums,
    split_floats,
    split_ints,
    sum_floats,
    sum_ints,
    sum_ranges,
    to_ints,
)  # fmt: skip
from phenesthe.kernels.order import order_rows
from phenesthe.operators.arithmetic import as_floats
from phenesthe.operators.rows import Rows
from phenesthe.operators.table import Table
from phenesthe.operators.work import Work
from phenesthe.vocabulary import ValueType

Column: TypeAlias = npt.NDArray[Any]
Result: TypeAlias = tuple[Column, Mask]


@dataclass(frozen=True, slots=True, eq=False)
class Sorted:
    """Rows by (key, time), for `first` and `last` by value then: of each the value as its type has
    it, and its rank.

    `order` are their numbers among the rows as they came.
    """

    order: Array
    key: Array
    t: Array
    values: Column
    rank: Array
    codes: Array


@dataclass(frozen=True, slots=True, eq=False)
class Begun:
    """Of each interval whether something is known of it up to a time, and the numbers then."""

    known: Mask
    until: Array
    count: Array
    sums: Sums

    def take(self, rows: Array) -> "Begun":
        return Begun(self.known[rows], self.until[rows], self.count[rows], self.sums.take(rows))


def measure(
    work: Work,
    one: Measure,
    types: Mapping[str, ValueType],
    table: Table,
    rows: Rows,
    begun: Begun | None = None,
) -> Result:
    """`begun` are numbers of rows that are not among these any more."""
    assert table.ts is not None
    assert table.te is not None
    wanted, key = work.keys.pack(one.shared, table.as_bindings(one.shared), rows)
    if one.function == "total":
        order = order_rows(key, rows.ts)
        held = Intervals(key[order], rows.ts[order], rows.te[order])
        since = table.ts if begun is None else np.where(begun.known, begun.until, table.ts)
        found = aggregates.sum_shared(wanted, since, table.te, held, work.q)
        found = found if begun is None else found + begun.count
        return found, np.zeros(len(table), dtype=np.bool_)
    known = sort_rows(work, one, types, rows, key)
    match one.span:
        case "over":
            low, high = row_ranges.find_over(known.key, known.t, wanted, table.ts, one.ticks)
        case "past":
            low, high = row_ranges.find_past(known.key, known.t, wanted, table.ts, one.ticks)
        case None:
            since = table.ts if begun is None else np.where(begun.known, begun.until + 1, table.ts)
            low, high = row_ranges.find_within(known.key, known.t, wanted, since, table.te)
        case _:
            assert_never(one.span)
    return _compute(one, known, low, high, begun)


def sort_rows(
    work: Work, one: Measure, types: Mapping[str, ValueType], rows: Rows, key: Array
) -> Sorted:
    if not one.of:
        order = order_rows(key, rows.ts)
        key = key.take(order)
        return Sorted(order, key, rows.ts.take(order), key, key, key)
    if one.function == "count":
        (codes,) = work.keys.pack(one.of, rows)
        order = order_rows(key, rows.ts)
        codes = codes.take(order)
        return Sorted(order, key.take(order), rows.ts.take(order), codes, codes, codes)
    codes, kind = rows.column(one.of[0]), types[one.of[0]]
    domain = work.world.domains[kind]
    if one.function in ("first", "last"):
        # Codes in the order of the values do as well as values.
        order = order_rows(key, rows.ts, domain.rank(codes))
    else:
        order = order_rows(key, rows.ts)
    codes = codes.take(order)
    values: Column = codes if kind in ("str", "bool") else domain.numbers(codes)
    rank = domain.rank(codes) if one.function in ("min", "max") else codes
    return Sorted(order, key.take(order), rows.ts.take(order), values, rank, codes)


def _compute(one: Measure, known: Sorted, low: Array, high: Array, begun: Begun | None) -> Result:
    count = aggregates.count_rows(low, high)
    if begun is not None:
        count = count + begun.count
    nothing: Mask = count == 0
    always: Mask = np.zeros(len(low), dtype=np.bool_)
    match one.function:
        case "count":
            if one.of:
                return aggregates.count_distinct(known.codes, low, high), always
            return count, always
        case "sum":
            return _sum(known, low, high, begun), always
        case "avg":
            return aggregates.average(as_floats(_sum(known, low, high, begun)), count), nothing
        case "min":
            return _pick(known, aggregates.find_least(known.rank, low, high), low, high)
        case "max":
            return _pick(known, aggregates.find_greatest(known.rank, low, high), low, high)
        case "first":
            return _take(known, aggregates.find_first(low, high))
        case "last":
            instant = aggregates.list_instants(known.key, known.t)
            return _take(known, aggregates.find_last(instant, low, high))
        case "total":
            raise AssertionError("a total is of intervals")
        case _:
            assert_never(one.function)


def get_terms(known: Sorted) -> Terms:
    is_float = known.values.dtype == np.float64
    return split_floats(known.values) if is_float else split_ints(known.values)


def _sum(known: Sorted, low: Array, high: Array, begun: Begun | None) -> Column:
    is_float = known.values.dtype == np.float64
    if begun is None:
        add = sum_floats if is_float else sum_ints
        return add(known.values, low, high)
    sums = begun.sums.add(sum_ranges(get_terms(known), low, high))
    return round_sums(sums) if is_float else to_ints(sums)


def _pick(known: Sorted, row: Array, low: Array, high: Array) -> Result:
    """The least or greatest: none where a NaN is among them, as everywhere in arithmetic."""
    found, nothing = _take(known, row)
    if known.values.dtype == np.float64:
        nothing = nothing | aggregates.mark_any(np.isnan(known.values), low, high)
    return found, nothing


def _take(known: Sorted, row: Array) -> Result:
    nothing: Mask = row < 0
    if not len(known.values):
        return np.zeros(len(row), dtype=known.values.dtype), nothing
    return known.values[np.where(nothing, 0, row)], nothing
