"""Relations between operands with variables of their own: results for combinations of bindings.

`key` is what both sides share; a group is the whole binding of a side. The combinations of groups
under a key are never listed: rows of a key are paired, each pair of rows being a result, and rows
that would only repeat the result of another row of their group are left out first.

O((n + m + results) log(n + m)), but where intervals of one binding overlap (a dynamic has such):
results that they have in common are then found once for each.
"""

from typing import assert_never

import numpy as np

from phenesthe.kernels.adjacency import find_previous
from phenesthe.kernels.arrays import OPEN, Array, Intervals, Pairs
from phenesthe.kernels.lookup import look_up
from phenesthe.kernels.order import encode, mark_new, order_rows
from phenesthe.kernels.relations import Relation, pair_overlapping_starts, pair_related
from phenesthe.kernels.spans import Length


def combine_related(
    name: Relation,
    left: Intervals,
    right: Intervals,
    left_group: Array,
    right_group: Array,
    within: Length | None = None,
) -> Pairs:
    """Rows in the relation, at least one pair for each result of their groups."""
    match name:
        case "before":
            return pair_related(name, left, right, within, left_group, right_group)
        case "overlaps":
            return pair_overlapping_starts(left, right, left_group)
        case "starts":
            # The one that ends first is before the end of the right, if any is.
            rows = choose_first(left_group, left.ts, left.te)
        case "finishes":
            rows = choose_first(left_group, left.te, ~left.ts)
        case "contains":
            return _pair_first_contained(left, right, right_group)
        case "meets" | "equals":
            return pair_related(name, left, right)
        case _:
            assert_never(name)
    one, other = pair_related(name, left.take(rows), right)
    return rows[one], other


def choose_first(group: Array, time: Array, value: Array) -> Array:
    """Of the rows of a group with one time that with the least value."""
    rows = order_rows(group, time, value)
    return rows[mark_new(group[rows], time[rows])]


def _pair_first_contained(left: Intervals, right: Intervals, group: Array) -> Pairs:
    """For each left, of each group of the right that it contains one of the first that it contains.

    A right that has another of its group inside is contained only if that is too. Without such
    rows a group's starts and ends rise together, so that the first to start inside a left is the
    first to end: the others need not be looked at.
    """
    rows = choose_innermost(group, right)
    there = right.take(rows)
    earlier = find_previous(group[rows], there.ts)
    # No start is earlier than the first: a time far off would only stretch the codes.
    earlier = np.maximum(earlier, left.ts.min(initial=OPEN))
    other, one = look_up(left.key, left.ts, there.key, earlier, there.ts, "[)").pair_below(
        ~left.te, ~there.te
    )
    return one, rows[other]


def choose_innermost(group: Array, intervals: Intervals) -> Array:
    """The rows with no other row of their group inside them, by group, then start."""
    rows = choose_first(group, intervals.ts, intervals.te)
    (end,) = encode((group[rows], intervals.te[rows]))
    # Codes of a later group are greater, so the least end from here on begins anew with each.
    least = np.minimum.accumulate(end[::-1])[::-1]
    following = np.append(least[1:], OPEN)
    return rows[end < following]
