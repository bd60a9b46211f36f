"""What an aggregate of an interval that still holds was up to a time: its rows need not be kept.

Counts, sums and totals are numbers, however many rows they are of. Of other aggregates one row or
one row for each value says all, and that is kept instead.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from phenesthe.graph.aggregates import Measure
from phenesthe.kernels import aggregates, row_ranges
from phenesthe.kernels.arrays import Array, Intervals, Mask
from phenesthe.kernels.exact_sums import Sums, sum_ranges
from phenesthe.kernels.order import encode, mark_new, order_rows
from phenesthe.operators import tables
from phenesthe.operators.measures import Begun, Sorted, get_terms, sort_rows
from phenesthe.operators.rows import Keys, Rows
from phenesthe.operators.work import Work
from phenesthe.vocabulary import ValueType


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """Of each interval, as an instant at its start, what was up to `until`: rows, or ticks."""

    rows: Rows
    until: Array
    count: Array
    sums: Sums

    def remap(self, types: Mapping[str, str], codes: Mapping[str, Array]) -> "Fold":
        return replace(self, rows=tables.remap(self.rows, types, codes))

    def find(self, keys: Keys, intervals: Rows) -> Begun:
        """For each interval what is known of it already; of one that is new nothing."""
        count = len(intervals)
        if not count or not len(self.rows):
            nothing = np.zeros(count, dtype=np.int64)
            return Begun(np.zeros(count, dtype=np.bool_), nothing, nothing, Sums.zeros(count))
        own, other = keys.pack(self.rows.variables, self.rows, intervals)
        code, wanted = encode((own, self.rows.ts), (other, intervals.ts))
        by = np.argsort(code, kind="stable")
        place = by[np.minimum(np.searchsorted(code[by], wanted), len(code) - 1)]
        known = code[place] == wanted
        taken = self.sums.take(place)
        sums = Sums(
            taken.low,
            np.where(known[:, None], taken.limbs, 0),
            np.where(known[:, None], taken.special, 0),
        )
        return Begun(known, self.until[place], np.where(known, self.count[place], 0), sums)


def make_fold(rows: Rows) -> Fold:
    """Of nothing yet."""
    nothing = np.empty(0, dtype=np.int64)
    return Fold(_as_instants(rows.take(nothing)), nothing, nothing, Sums.zeros(0))


def is_folded(one: Measure) -> bool:
    """Whether numbers say all about the rows."""
    return one.function in ("sum", "avg", "total") or (one.function == "count" and not one.of)


def go_on(
    work: Work,
    one: Measure,
    types: Mapping[str, ValueType],
    fold: Fold,
    intervals: Rows,
    until: Array,
    rows: Rows,
) -> Fold:
    """The fold of these intervals, further: up to `until`, of each.

    Of several intervals that began together one is enough.
    """
    (own,) = work.keys.pack(intervals.variables, intervals)
    _, first = np.unique(encode((own, intervals.ts))[0], return_index=True)
    intervals, until = intervals.take(first), until[first]
    begun = fold.find(work.keys, intervals)
    wanted, key = work.keys.pack(one.shared, intervals, rows)
    if one.function == "total":
        since = np.where(begun.known, begun.until, intervals.ts)
        until = np.maximum(since, until)
        order = order_rows(key, rows.ts)
        held = Intervals(key[order], rows.ts[order], rows.te[order])
        count = begun.count + aggregates.sum_shared(wanted, since, until, held, work.q)
        return Fold(_as_instants(intervals), until, count, begun.sums)
    since = np.where(begun.known, begun.until, intervals.ts - 1)
    until = np.maximum(since, until)
    known = sort_rows(work, one, types, rows, key)
    low, high = row_ranges.find_within(known.key, known.t, wanted, since + 1, until)
    sums = begun.sums
    if one.of:
        sums = sums.add(sum_ranges(get_terms(known), low, high)).trim()
    count = begun.count + aggregates.count_rows(low, high)
    return Fold(_as_instants(intervals), until, count, sums)


def choose_rows(
    work: Work,
    one: Measure,
    types: Mapping[str, ValueType],
    intervals: Rows,
    until: Array,
    rows: Rows,
) -> Mask:
    """The rows up to `until` that say all about those of each interval up to then."""
    wanted, key = work.keys.pack(one.shared, intervals, rows)
    known = sort_rows(work, one, types, rows, key)
    low, high = row_ranges.find_within(known.key, known.t, wanted, intervals.ts, until)
    chosen = np.zeros(len(rows), dtype=np.bool_)
    for found in _list_chosen(one, known, low, high):
        chosen[known.order[found[found >= 0]]] = True
    return chosen


def _list_chosen(one: Measure, known: Sorted, low: Array, high: Array) -> list[Array]:
    match one.function:
        case "count":
            return [_find_latest(known, low, high)]
        case "min":
            # A NaN is the greatest: where there is one there is no least.
            return [
                aggregates.find_least(known.rank, low, high),
                aggregates.find_greatest(known.rank, low, high),
            ]
        case "max":
            return [aggregates.find_greatest(known.rank, low, high)]
        case "first":
            return [aggregates.find_first(low, high)]
        case "last":
            instant = aggregates.list_instants(known.key, known.t)
            return [aggregates.find_last(instant, low, high)]
        case _:
            raise AssertionError(f"numbers say all: {one.function}")


def _find_latest(known: Sorted, low: Array, high: Array) -> Array:
    """Of each value the last row, which is in every interval that has one of its rows."""
    inside = np.zeros(len(known.key) + 1, dtype=np.int64)
    is_any = low < high
    np.add.at(inside, low[is_any], 1)
    np.add.at(inside, high[is_any], -1)
    rows = np.flatnonzero(np.cumsum(inside[:-1]) > 0)
    by = rows[np.lexsort((-rows, known.codes[rows], known.key[rows]))]
    return by[mark_new(known.key[by], known.codes[by])]


def _as_instants(rows: Rows) -> Rows:
    return Rows(rows.variables, rows.columns, rows.ts, rows.ts)
