"""Set operations on states, and their duration filter."""

import numpy as np

from phenesthe.kernels.arrays import OPEN, Array, Intervals, Mask, Pairs, join_columns
from phenesthe.kernels.order import encode, order_rows
from phenesthe.kernels.search import expand_ranges
from phenesthe.kernels.space import check_space
from phenesthe.kernels.spans import (
    Length,
    Operator,
    compare,
    compare_all_later,
    measure,
    take_lengths,
)


def coalesce(intervals: Intervals) -> Intervals:
    """Intervals in any order as a state: those that share an instant become one."""
    rows = order_rows(intervals.key, intervals.ts)
    if not len(rows):
        return intervals
    key, ts, te = intervals.key[rows], intervals.ts[rows], intervals.te[rows]
    start, end = encode((key, ts), (key, te))
    is_first = np.ones(len(key), dtype=np.bool_)
    is_first[1:] = start[1:] > np.maximum.accumulate(end)[:-1]
    first = np.flatnonzero(is_first)
    return Intervals(key[first], ts[first], np.maximum.reduceat(te, first))


def pair_overlapping(left: Intervals, right: Intervals) -> Pairs:
    """Rows that have more than one instant in common, at the cost of the searches and the output.

    Either side may overlap within a key, as when a join key leaves out some of its variables.
    Of two such intervals one starts inside the other; equal starts count as the right's.
    """
    left_start, left_end, right_start, right_end = encode(
        (left.key, left.ts), (left.key, left.te), (right.key, right.ts), (right.key, right.te)
    )
    from_left = np.searchsorted(right_start, left_start), np.searchsorted(right_start, left_end)
    from_right = (
        np.searchsorted(left_start, right_start, side="right"),
        np.searchsorted(left_start, right_end),
    )
    # Both together are the result.
    check_space(sum([int((high - low).sum()) for low, high in (from_left, from_right)]))
    one, inside_one = expand_ranges(*from_left)
    other, inside_other = expand_ranges(*from_right)
    return join_columns(one, inside_other), join_columns(inside_one, other)


def intersect_states(left: Intervals, right: Intervals) -> Intervals:
    """`intersection`: what two disjoint families have in common, pair by pair, is disjoint too."""
    one, other = pair_overlapping(left, right)
    key = left.key[one]
    ts = np.maximum(left.ts[one], right.ts[other])
    rows = order_rows(key, ts)
    te = np.minimum(left.te[one], right.te[other])
    return Intervals(key[rows], ts[rows], te[rows])


def cut_states(
    left: Intervals, right: Intervals, q: int, *, keep_borders: bool = False
) -> tuple[Array, Array, Array]:
    """`complement` row by row: (left row, ts, te) of each piece, by left row, then time.

    With their borders, pieces go up to where the right begins and from where it ends: `without`.

    The left may come in any order and overlap within a key (the right may have fewer variables);
    the right is a state. Costs the searches and one piece per overlapping pair.
    """
    left_start, left_end, right_start, right_end = encode(
        (left.key, left.ts), (left.key, left.te), (right.key, right.ts), (right.key, right.te)
    )
    low = np.searchsorted(right_end, left_start)
    high = np.searchsorted(right_start, left_end, side="right")
    # Between and around k intervals lie k + 1 pieces: piece j ends where the right's j starts.
    row, cut = expand_ranges(low, high + 1)
    ts, te = left.ts[row], left.te[row]
    is_cut_before, is_cut_after = cut > low[row], cut < high[row]
    apart = 0 if keep_borders else 1
    cut_end = right.te[cut[is_cut_before] - 1]
    ts[is_cut_before] = np.minimum(cut_end, OPEN - apart) + apart
    te[is_cut_after] = right.ts[cut[is_cut_after]] - apart
    kept = (ts < te) & (ts <= q)
    return row[kept], ts[kept], te[kept]


def subtract_states(
    left: Intervals, right: Intervals, q: int, *, keep_borders: bool = False
) -> Intervals:
    """`complement`, or `without`."""
    row, ts, te = cut_states(left, right, q, keep_borders=keep_borders)
    return Intervals(left.key[row], ts, te)


def mark_lasting(intervals: Intervals, operator: Operator, duration: Length, q: int) -> Mask:
    """Which intervals `lasting OP D` keeps: an open one if every end after q satisfies it."""
    lasting = compare(measure(intervals.te, intervals.ts), operator, duration)
    is_open = intervals.te == OPEN
    lengths = take_lengths(duration, is_open)
    lasting[is_open] = compare_all_later(intervals.ts[is_open], q, operator, lengths)
    return lasting
