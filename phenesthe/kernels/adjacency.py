"""The contiguous pairs of `before` (and of `then`, see `sequence`).

(l, r) is contiguous when a′ < b, no left end and no right start lies in (a′, b). In other words: b
is after a′ and not after the next left end, and the right start before b is not after a′. The first
is a range of the rights by start, the second a bound on a value of each right.
"""

import numpy as np

from phenesthe.kernels.arrays import NEVER, OPEN, Array, Intervals, Mask, Pairs
from phenesthe.kernels.lookup import Lookup, look_up
from phenesthe.kernels.order import mark_new, order_rows
from phenesthe.kernels.spans import Length, add, subtract


def pair_adjacent(
    left: Intervals,
    right: Intervals,
    within: Length | None = None,
    left_group: Array | None = None,
    right_group: Array | None = None,
) -> Pairs:
    """The contiguous rows (l, r) of each key, with b − a′ ≤ D if asked, by l.

    D may be one for each row of the left. `key` is what both sides share. Where a side has
    variables of its own, contiguity is a matter of the full binding: `left_group` and `right_group`
    are finer codes, and (l, r) looks only at the rows of l's group and of r's group. Rows may come
    in any order.

    O((n + m) log(n + m) + (n + pairs) log m), however many combinations of groups there are;
    without groups O((n + m) log(n + m) + pairs).
    """
    lookup = look_up_starts(left, right, within, left_group)
    if left_group is None and right_group is None:
        # Only the earliest start of a range has no other start between it and a′.
        found = np.flatnonzero(lookup.mark())
        key, starts = right.key[lookup.rows], right.ts[lookup.rows]
        low = lookup.low[found]
        query, row = Lookup(lookup.rows, low, find_tie_ends(key, starts)[low]).pair()
        return found[query], row
    previous = find_previous(right.key if right_group is None else right_group, right.ts)
    # `previous ≤ a′` is `previous < a′ + 1`; where a′ is open this wraps, but the range is empty.
    return lookup.pair_below(previous, left.te + 1)


def mark_adjacent(
    left: Intervals,
    right: Intervals,
    within: int | None = None,
    left_group: Array | None = None,
    right_group: Array | None = None,
) -> tuple[Mask, Mask]:
    """Which rows are in some pair of `pair_adjacent`, without the pairs. O((n + m) log(n + m)).

    The earliest right in the range of a left is contiguous with it: a start of its own group in
    between would be in the range too, and earlier. So a left has a partner as soon as its range is
    not empty; and a right as soon as some left ends before it, not before the start before it.
    """
    is_left = look_up_starts(left, right, within, left_group).mark()
    earliest = find_previous(right.key if right_group is None else right_group, right.ts)
    if within is not None:
        earliest = np.maximum(earliest, subtract(right.ts, within))
    # No end is earlier than the first: a time far off would only stretch the codes.
    earliest = np.maximum(earliest, left.te.min(initial=OPEN))
    return is_left, look_up(left.key, left.te, right.key, earliest, right.ts, "[)").mark()


def look_up_starts(
    left: Intervals, right: Intervals, within: Length | None, group: Array | None
) -> Lookup:
    """For each left the rights that start after its end and not after its group's next end."""
    bound = find_following(left.key if group is None else group, left.te)
    if within is not None:
        bound = np.minimum(bound, add(left.te, within))
    # No start is later than the last: a time far off would only stretch the codes.
    bound = np.minimum(bound, right.ts.max(initial=NEVER))
    return look_up(right.key, right.ts, left.key, left.te, bound, "(]")


def find_tie_ends(key: Array, time: Array) -> Array:
    """For each sorted row the number of the first row after those equal to it."""
    new = mark_new(key, time)
    return np.append(np.flatnonzero(new), len(new))[np.cumsum(new)]


def find_following(group: Array, time: Array) -> Array:
    """For each row the next greater time of its group, OPEN if there is none."""
    return find_neighbouring(group, time, 1, OPEN)


def find_previous(group: Array, time: Array) -> Array:
    """For each row the next smaller time of its group, NEVER if there is none."""
    return find_neighbouring(group, time, -1, NEVER)


def find_neighbouring(group: Array, time: Array, step: int, otherwise: int) -> Array:
    rows = order_rows(group, time)
    new = mark_new(group[rows], time[rows])
    distinct = rows[new]
    neighbour = np.roll(distinct, -step)
    value = np.where(group[neighbour] == group[distinct], time[neighbour], otherwise)
    if len(value):
        # Around the corner lies the other end of the column, not a neighbour.
        value[-1 if step > 0 else 0] = otherwise
    result = np.empty(len(time), dtype=np.int64)
    result[rows] = value[np.cumsum(new) - 1]
    return result
