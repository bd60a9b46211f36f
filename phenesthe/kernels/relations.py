"""The temporal relations of Φ⁼, between intervals and instants (rows with ts = te).

With a = a′ the conditions for intervals say of an instant just what the table says of instants. And
with OPEN greater than every known time they hold of an open end exactly when they hold however it
closes, but for `finishes` and `equals` of two open ends, which are undecided: those are left out.

Each relation is a range of the right rows in one order and a bound on one value:

| relation | rows by | range | value |
|---|---|---|---|
| `meets` | b | b = a′ | |
| `overlaps` | b | a < b < a′ | b′ > a′ |
| `starts` | b | b = a | b′ > a′ |
| `finishes` | b′ | b′ = a′ | b < a |
| `contains` | b | a < b < a′ | b′ < a′ |

Sides may overlap within a key and come in any order. An inverse is a call with its sides swapped.
"""

from typing import Literal, TypeAlias, assert_never

import numpy as np

from phenesthe.kernels.adjacency import find_previous, mark_adjacent, pair_adjacent
from phenesthe.kernels.arrays import Array, Intervals, Mask, Pairs
from phenesthe.kernels.lookup import Lookup, look_up, look_up_equal
from phenesthe.kernels.order import encode, mark_new, order_rows, sort_intervals
from phenesthe.kernels.spans import Length

Relation: TypeAlias = Literal[
    "before", "meets", "overlaps", "starts", "finishes", "equals", "contains"
]


def pair_related(
    name: Relation,
    left: Intervals,
    right: Intervals,
    within: Length | None = None,
    left_group: Array | None = None,
    right_group: Array | None = None,
) -> Pairs:
    """The rows of one key in the relation, by left row: O((n + m + pairs) log(n + m)).

    `within` and the groups are those of `pair_adjacent`; only `before` looks at them.
    """
    match name:
        case "before":
            return pair_adjacent(left, right, within, left_group, right_group)
        case "meets":
            return look_up_equal(right.key, right.ts, left.key, left.te).pair()
        case "overlaps":
            return look_up_inside(left, right).pair_below(~right.te, ~left.te)
        case "starts":
            lookup = look_up_equal(right.key, right.ts, left.key, left.ts)
            return lookup.pair_below(~right.te, ~left.te)
        case "finishes":
            lookup = look_up_equal(right.key, right.te, left.key, left.te)
            return lookup.pair_below(right.ts, left.ts)
        case "equals":
            return look_up_same(left, right).pair()
        case "contains":
            return look_up_inside(left, right).pair_below(right.te, left.te)
        case _:
            assert_never(name)


def mark_related(
    name: Relation,
    left: Intervals,
    right: Intervals,
    within: int | None = None,
    left_group: Array | None = None,
    right_group: Array | None = None,
) -> tuple[Mask, Mask]:
    """Which rows of each side are in some pair, without the pairs: O((n + m) log(n + m))."""
    match name:
        case "before":
            return mark_adjacent(left, right, within, left_group, right_group)
        case "meets":
            return (
                look_up_equal(right.key, right.ts, left.key, left.te).mark(),
                look_up_equal(left.key, left.te, right.key, right.ts).mark(),
            )
        case "overlaps":
            ends = look_up(left.key, left.te, right.key, right.ts, right.te, "()")
            return (
                look_up_inside(left, right).mark_below(~right.te, ~left.te),
                ends.mark_below(left.ts, right.ts),
            )
        case "starts":
            return (
                look_up_equal(right.key, right.ts, left.key, left.ts).mark_below(
                    ~right.te, ~left.te
                ),
                look_up_equal(left.key, left.ts, right.key, right.ts).mark_below(left.te, right.te),
            )
        case "finishes":
            return (
                look_up_equal(right.key, right.te, left.key, left.te).mark_below(right.ts, left.ts),
                look_up_equal(left.key, left.te, right.key, right.te).mark_below(
                    ~left.ts, ~right.ts
                ),
            )
        case "equals":
            return look_up_same(left, right).mark(), look_up_same(right, left).mark()
        case "contains":
            return (
                look_up_inside(left, right).mark_below(right.te, left.te),
                mark_contained(left, right),
            )
        case _:
            assert_never(name)


def find_related(
    name: Relation, left: Intervals, right: Intervals, within: Length | None = None
) -> Intervals:
    """The dynamic `left REL right` of operands with the same variables.

    Results that are one of the operands' own intervals cost no pairs. `before`, `meets` and
    `overlaps` join starts of the left with ends of the right: pairs with the same start and the
    same end are one result, yet `before` and `meets` go through all of their pairs, and `overlaps`
    through one per left start and right interval.
    """
    match name:
        case "before" | "meets":
            one, other = pair_related(name, left, right, within)
        case "overlaps":
            one, other = pair_overlapping_starts(left, right)
        case "starts" | "finishes":
            found = right.take(mark_related(name, left, right)[1])
            return sort_intervals(found.key, found.ts, found.te)
        case "equals" | "contains":
            found = left.take(mark_related(name, left, right)[0])
            return sort_intervals(found.key, found.ts, found.te)
        case _:
            assert_never(name)
    return sort_intervals(left.key[one], left.ts[one], right.te[other])


def pair_overlapping_starts(left: Intervals, right: Intervals, group: Array | None = None) -> Pairs:
    """For each right, of the lefts that overlap it with one start only the one that ends first.

    If any left [a, a′] with b < a′ also has a′ < b′, then the one with the least such a′ has.
    With a `group` of the left so for each group.
    """
    group = left.key if group is None else group
    rows = order_rows(group, left.ts)
    start = np.empty(len(left), dtype=np.int64)
    start[rows] = np.cumsum(mark_new(group[rows], left.ts[rows]))
    lower = np.maximum(left.ts + 1, find_previous(start, left.te))
    lookup = look_up(right.key, right.ts, left.key, lower, left.te, "[)")
    return lookup.pair_below(~right.te, ~left.te)


def look_up_inside(left: Intervals, right: Intervals) -> Lookup:
    """For each left the rights that start strictly inside it."""
    return look_up(right.key, right.ts, left.key, left.ts, left.te, "()")


def look_up_same(left: Intervals, right: Intervals) -> Lookup:
    """For each left with a known end the rights with the same start and the same end."""
    wanted, start = encode((left.key, left.ts), (right.key, right.ts))
    return look_up_equal(start, right.te, wanted, left.te)


def mark_contained(left: Intervals, right: Intervals) -> Mask:
    """Which rights lie strictly inside some left: how far do those reach that start before it?"""
    rows = order_rows(left.key, left.ts)
    key = left.key[rows]
    start, end, inner_start, inner_end = encode(
        (key, left.ts[rows]), (key, left.te[rows]), (right.key, right.ts), (right.key, right.te)
    )
    at = np.searchsorted(start, inner_start) - 1
    found = at >= 0
    found[found] = np.maximum.accumulate(end)[at[found]] > inner_end[found]
    return found
