"""Relations that ask for the same instant, `within D`: known ends may be up to D apart.

| relation | condition |
|---|---|
| `meets` | abs(b − a′) ≤ D, a < b, a′ < b′ |
| `starts` | abs(a − b) ≤ D, a′ < b′ |
| `finishes` | b < a, abs(a′ − b′) ≤ D |
| `equals` | abs(a − b) ≤ D, abs(a′ − b′) ≤ D |

An end that is open is near to none. Each is a range of the other side's rows in one order and a
bound on one value, but `equals`, which bounds a value on two sides.
"""

from typing import Literal, TypeAlias, assert_never

import numpy as np

from phenesthe.kernels.arrays import OPEN, Array, Intervals, Mask, Pairs
from phenesthe.kernels.lookup import Lookup, look_up
from phenesthe.kernels.order import sort_intervals
from phenesthe.kernels.spans import Length, add, as_spans, measure, subtract, take_lengths

ExactRelation: TypeAlias = Literal["meets", "starts", "finishes", "equals"]


def find_nearly(
    name: ExactRelation, left: Intervals, right: Intervals, within: Length
) -> Intervals:
    """The results, as those of the relation itself. `within` may be one for each key."""
    lengths = take_lengths(within, left.key), take_lengths(within, right.key)
    match name:
        case "meets":
            one, other = pair_nearly(name, left, right, lengths[0])
            # An open left meets nothing; its range is empty.
            return sort_intervals(left.key[one], left.ts[one], right.te[other])
        case "starts" | "finishes":
            found = right.take(mark_nearly(name, left, right, *lengths)[1])
        case "equals":
            found = left.take(mark_nearly(name, left, right, *lengths)[0])
        case _:
            assert_never(name)
    return sort_intervals(found.key, found.ts, found.te)


def pair_nearly(name: ExactRelation, left: Intervals, right: Intervals, within: Length) -> Pairs:
    """The rows of one key in the relation; those of `equals` cost all that start near.

    `within` may be one for each row of the left.
    """
    match name:
        case "meets":
            return _look_up_met(left, right, within).pair_below(~right.te, ~left.te)
        case "starts":
            found = _look_up_near(right.key, right.ts, left.key, left.ts, within)
            return found.pair_below(~right.te, ~left.te)
        case "finishes":
            found = _look_up_near(right.key, right.te, left.key, left.te, within)
            return found.pair_below(right.ts, left.ts)
        case "equals":
            known = np.flatnonzero(left.te < OPEN)
            one = left.take(known)
            limit = take_lengths(within, known)
            row, other = _look_up_near(right.key, right.ts, one.key, one.ts, limit).pair()
            near = np.maximum(one.te[row], right.te[other])
            far = as_spans(take_lengths(limit, row))
            same = measure(near, np.minimum(one.te[row], right.te[other])) <= far
            same &= near < OPEN
            return known[row[same]], other[same]
        case _:
            assert_never(name)


def pair_nearly_by_right(
    name: ExactRelation, left: Intervals, right: Intervals, within: Length
) -> Pairs:
    """As `pair_nearly`, at the cost of all that is near; `within` is that of each right row."""
    key, at = right.key, right.te if name == "finishes" else right.ts
    time = left.te if name in ("meets", "finishes") else left.ts
    other, one = _look_up_near(left.key, time, key, at, within).pair()
    a, a_end, b, b_end = left.ts[one], left.te[one], right.ts[other], right.te[other]
    match name:
        case "meets":
            kept = (a < b) & (a_end < b_end)
        case "starts":
            kept = a_end < b_end
        case "finishes":
            kept = b < a
        case "equals":
            last = np.maximum(a_end, b_end)
            limit = as_spans(take_lengths(within, other))
            kept = (last < OPEN) & (measure(last, np.minimum(a_end, b_end)) <= limit)
        case _:
            assert_never(name)
    return one[kept], other[kept]


def mark_nearly(
    name: ExactRelation,
    left: Intervals,
    right: Intervals,
    within: Length,
    within_right: Length | None = None,
) -> tuple[Mask, Mask]:
    """Which rows of each side are in some pair, without the pairs.

    Where lengths vary, those of the rows of either side: in one key they are the same.
    """
    if within_right is None:
        within_right = within
    match name:
        case "meets":
            last = np.minimum(_add(right.ts, within_right), right.te - 1)
            first = subtract(right.ts, within_right)
            ends = _look_up(left.key, left.te, right.key, first, last)
            return (
                _look_up_met(left, right, within).mark_below(~right.te, ~left.te),
                ends.mark_below(left.ts, right.ts),
            )
        case "starts":
            return (
                _look_up_near(right.key, right.ts, left.key, left.ts, within).mark_below(
                    ~right.te, ~left.te
                ),
                _look_up_near(left.key, left.ts, right.key, right.ts, within_right).mark_below(
                    left.te, right.te
                ),
            )
        case "finishes":
            return (
                _look_up_near(right.key, right.te, left.key, left.te, within).mark_below(
                    right.ts, left.ts
                ),
                _look_up_near(left.key, left.te, right.key, right.te, within_right).mark_below(
                    ~left.ts, ~right.ts
                ),
            )
        case "equals":
            return _mark_same(left, right, within), _mark_same(right, left, within_right)
        case _:
            assert_never(name)


def _look_up_met(left: Intervals, right: Intervals, within: Length) -> Lookup:
    """For each left the rights that start near its end, and after its start."""
    first = np.maximum(subtract(left.te, within), left.ts + 1)
    last = np.where(left.te < OPEN, _add(left.te, within), left.ts)
    return _look_up(right.key, right.ts, left.key, first, last)


def _look_up_near(key: Array, time: Array, wanted: Array, at: Array, within: Length) -> Lookup:
    # Nothing is near to an open end: the range ends before it begins.
    last = np.where(at < OPEN, _add(at, within), at - 1)
    first = np.where(at < OPEN, subtract(at, within), at)
    return _look_up(key, time, wanted, first, last)


def _look_up(key: Array, time: Array, wanted: Array, first: Array, last: Array) -> Lookup:
    # Nothing lies beyond the first and the last: a time far off would only stretch the codes.
    first = np.maximum(first, time.min(initial=OPEN))
    last = np.minimum(last, time.max(initial=0))
    found = look_up(key, time, wanted, first, last, "[]")
    return Lookup(found.rows, found.low, np.where(first <= last, found.high, found.low))


def _mark_same(left: Intervals, right: Intervals, within: Length) -> Mask:
    """The rows with a row of the other side whose start and end are near to theirs."""
    there = np.flatnonzero(right.te < OPEN)
    known = left.te < OPEN
    others = right.take(there)
    found = _look_up_near(others.key, others.ts, left.key, left.ts, within)
    low, high = subtract(left.te, within), _add(left.te, within)
    known[known] = found.mark_between(others.te, low, high)[known]
    return known


def _add(times: Array, span: Length) -> Array:
    """Never open: an open end is near to none."""
    return np.minimum(add(times, span), OPEN - 1)
