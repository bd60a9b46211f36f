"""The plain relations of Allen's algebra between states, for `σ REL τ as MODE` (RTEC_A).

Both sides are disjoint within a key, so of everything that an interval can be related to by its
start or by its end there is at most one, and all thirteen relations come from a few searches that
they share. A participant is found from the side on which its partner is unique and marked on the
other; pairs are never listed.
"""

from functools import cached_property
from typing import Literal, TypeAlias, assert_never

import numpy as np

from phenesthe.kernels.arrays import OPEN, Array, Intervals, Mask
from phenesthe.kernels.order import encode
from phenesthe.kernels.spans import Length, as_spans, measure, take_lengths

AllenRelation: TypeAlias = Literal[
    "before", "meets", "overlaps", "starts", "finishes", "during", "equals",
    "after", "met_by", "overlapped_by", "started_by", "finished_by", "contains",
]  # fmt: skip
Participants: TypeAlias = tuple[Mask, Mask]


class PlainRelations:
    """Two states with the same keys; one object serves any number of relations between them.

    Open ends compare as later than everything known and never as equal to each other, so what is
    found holds however they close.
    """

    def __init__(self, left: Intervals, right: Intervals) -> None:
        self.left, self.right = left, right
        self.left_start, self.left_end, self.right_start, self.right_end = encode(
            (left.key, left.ts), (left.key, left.te), (right.key, right.ts), (right.key, right.te)
        )

    def mark(self, name: AllenRelation, within: Length | None = None) -> Participants:
        """The intervals of the left and of the right that are in some pair.

        `within` bounds the distance of `before` and `after`; it may be one for each key.
        """
        left_start, left_end = self.left_start, self.left_end
        match name:
            case "before":
                return self.mark_before(within)
            case "after":
                return self.mark_after(within)
            case "meets":
                return self.mark_partners(find_equal(self.right_start, left_end))
            case "met_by":
                return self.mark_partners(find_equal(self.right_end, left_start))
            case "overlaps":
                partner = find_around(self.right_start, self.right_end, left_end)
                return self.mark_partners(partner, left_start < pick(self.right_start, partner))
            case "overlapped_by":
                return self.mark_partners(
                    self.around_start, pick(self.right_end, self.around_start) < left_end
                )
            case "during":
                return self.mark_partners(
                    self.around_start, pick(self.right_end, self.around_start) > left_end
                )
            case "contains":
                partner = find_around(left_start, left_end, self.right_start)
                inside = (partner >= 0) & (pick(left_end, partner) > self.right_end)
                return scatter(partner[inside], len(self.left)), inside
            case "starts":
                return self.mark_partners(
                    self.same_start, left_end < pick(self.right_end, self.same_start)
                )
            case "started_by":
                return self.mark_partners(
                    self.same_start, left_end > pick(self.right_end, self.same_start)
                )
            case "equals":
                same = left_end == pick(self.right_end, self.same_start)
                return self.mark_partners(self.same_start, same & (self.left.te < OPEN))
            case "finishes":
                return self.mark_partners(
                    self.same_end, left_start > pick(self.right_start, self.same_end)
                )
            case "finished_by":
                return self.mark_partners(
                    self.same_end, left_start < pick(self.right_start, self.same_end)
                )
            case _:
                assert_never(name)

    @cached_property
    def same_start(self) -> Array:
        """For each left the right with the same start, or −1."""
        return find_equal(self.right_start, self.left_start)

    @cached_property
    def same_end(self) -> Array:
        """For each left with a known end the right with the same end, or −1."""
        return np.where(self.left.te < OPEN, find_equal(self.right_end, self.left_end), -1)

    @cached_property
    def around_start(self) -> Array:
        """For each left the right that has its start strictly inside, or −1."""
        return find_around(self.right_start, self.right_end, self.left_start)

    def mark_partners(self, partner: Array, condition: Mask | None = None) -> Participants:
        """The lefts that have a partner and satisfy the condition, and those partners."""
        is_left = partner >= 0
        if condition is not None:
            is_left &= condition
        return is_left, scatter(partner[is_left], len(self.right))

    def mark_before(self, within: Length | None) -> Participants:
        """The nearest later start and the nearest earlier end decide, with or without `within`."""
        later = np.searchsorted(self.right_start, self.left_end, side="right")
        earlier = np.searchsorted(self.left_end, self.right_start) - 1
        return (
            mark_near(self.right.key, self.right.ts, later, self.left.key, self.left.te, within),
            mark_near(self.left.key, self.left.te, earlier, self.right.key, self.right.ts, within),
        )

    def mark_after(self, within: Length | None) -> Participants:
        earlier = np.searchsorted(self.right_end, self.left_start) - 1
        later = np.searchsorted(self.left_start, self.right_end, side="right")
        return (
            mark_near(self.right.key, self.right.te, earlier, self.left.key, self.left.ts, within),
            mark_near(self.left.key, self.left.ts, later, self.right.key, self.right.te, within),
        )


def find_equal(there: Array, wanted: Array) -> Array:
    """The row of each wanted code among sorted codes, or −1."""
    at = np.searchsorted(there, wanted)
    return np.where(pick(there, at) == wanted, at, -1)


def find_around(start: Array, end: Array, wanted: Array) -> Array:
    """The row of sorted disjoint intervals that has each wanted code strictly inside, or −1.

    An interval of an earlier key ends below every code of this one, so no key is compared.
    """
    at = np.searchsorted(start, wanted) - 1
    return np.where((at >= 0) & (pick(end, at) > wanted), at, -1)


def pick(values: Array, at: Array) -> Array:
    """`values[at]`, with −1 (no code) where there is no such row."""
    there = (at >= 0) & (at < len(values))
    return np.where(there, values[np.where(there, at, 0)], -1) if len(values) else at * 0 - 1


def scatter(rows: Array, count: int) -> Mask:
    marks = np.zeros(count, dtype=np.bool_)
    marks[rows] = True
    return marks


def mark_near(
    key: Array, time: Array, at: Array, wanted: Array, from_time: Array, within: Length | None
) -> Mask:
    """Which queries have the row `at` in their key, and in reach."""
    near = (at >= 0) & (at < len(key))
    near[near] = key[at[near]] == wanted[near]
    if within is not None:
        there, here = time[at[near]], from_time[near]
        limit = as_spans(take_lengths(within, wanted[near]))
        near[near] = measure(np.maximum(there, here), np.minimum(there, here)) <= limit
    return near
