"""The pairs of rows of neighbouring instants on which the condition of a `repeat` decides.

Neighbours connect when some pair of their rows satisfies it. Crowded instants have many pairs, and
mostly one of the first satisfies: so the pairs are looked at in rounds, and an instant that is
connected is left out of the next one.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from phenesthe.kernels.arrays import Array, Mask, number_rows
from phenesthe.kernels.order import order_rows
from phenesthe.kernels.repeat import Occurrences
from phenesthe.kernels.search import expand_ranges

#: So many pairs for each row are few.
FEW = 4


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Of each pair of neighbouring instants, `rows[low:high]`."""

    rows: Array
    low: Array
    high: Array

    def take(self, chosen: Array | Mask) -> "Places":
        return Places(self.rows, self.low[chosen], self.high[chosen])

    def mark_all(self, mask: Mask) -> Mask:
        """Of which ranges every row is marked."""
        before = np.concatenate(([0], np.cumsum(~mask[self.rows])))
        found: Mask = before[self.high] == before[self.low]
        return found

    def sort(self, values: npt.NDArray[Any]) -> "Places":
        """With the rows of each range in the order of their values; ranges do not overlap."""
        number, at = expand_ranges(self.low, self.high)
        rows = self.rows[at]
        # Ranks, since values may be of any type.
        rank = np.unique(values[rows], return_inverse=True)[1].astype(np.int64, copy=False)
        size = self.high - self.low
        end = np.cumsum(size)
        return Places(rows[order_rows(number, rank)], end - size, end)


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """Neighbouring instants: the number of the later one, the rows before, its own rows."""

    instant: Array
    previous: Places
    current: Places

    def __len__(self) -> int:
        return len(self.instant)

    def take(self, chosen: Array | Mask) -> "Neighbours":
        return Neighbours(
            self.instant[chosen], self.previous.take(chosen), self.current.take(chosen)
        )

    def mark_crowded(self) -> Mask:
        """Where there are far more pairs than rows."""
        one = self.previous.high - self.previous.low
        other = self.current.high - self.current.low
        return one * other > FEW * (one + other)


@dataclass(frozen=True, slots=True, eq=False)
class Meetings:
    """Rows, each with those of the other side that it is to be looked at with.

    Row i decides on `instant[i]`, together with `others[low[i]:high[i]]`.
    """

    instant: Array
    row: Array
    others: Array
    low: Array
    high: Array

    def take(self, chosen: Array | Mask) -> "Meetings":
        return Meetings(
            self.instant[chosen], self.row[chosen], self.others, self.low[chosen], self.high[chosen]
        )

    def between(self, low: Array, high: Array) -> "Meetings":
        return replace(self, low=low, high=high)


def find_neighbours(
    occurrences: Occurrences, candidates: Array, previous: Mask | None, current: Mask | None
) -> Neighbours:
    """`candidates` are the instants whose gap to the one before holds.

    Of the rows of each side those that are marked; instants with none are left out.
    """
    offset = occurrences.offset
    rows = number_rows(int(offset[-1]))
    if len(occurrences.instants) == len(rows):
        # One row an instant, so that an instant is marked or it is not.
        for mask, earlier in ((previous, 1), (current, 0)):
            if mask is not None:
                candidates = candidates[mask[candidates - earlier]]
        return Neighbours(
            candidates,
            Places(rows, candidates - 1, candidates),
            Places(rows, candidates, candidates + 1),
        )
    before = _place(offset, candidates - 1, rows, previous)
    own = _place(offset, candidates, rows, current)
    found = Neighbours(candidates, before, own)
    return found.take((before.low < before.high) & (own.low < own.high))


def _place(offset: Array, at: Array, rows: Array, among: Mask | None) -> Places:
    if among is not None:
        rows = rows[among]
        offset = np.concatenate(([0], np.cumsum(among)))[offset]
    return Places(rows, offset[at], offset[at + 1])


def meet(instant: Array, side: Places, other: Places) -> Meetings:
    """Every row of one side, with all of the other."""
    number, at = expand_ranges(side.low, side.high)
    return Meetings(
        instant[number], side.rows[at], other.rows, other.low[number], other.high[number]
    )


#: Which pairs (row, other) satisfy a condition.
Verdict = Callable[[Array, Array], Mask]


def connect(meetings: Meetings, holds: Verdict, connects: Mask, budget: int) -> None:
    """Mark the instants of which some pair satisfies, looking at most at `budget` at a time.

    Each round takes twice as many others for each row as the one before, so that where pairs that
    satisfy are not rare, this costs about what there are rows.
    """
    size = 1
    while len(meetings.row):
        until = np.minimum(meetings.low + size, meetings.high)
        total = np.cumsum(until - meetings.low)
        begin = 0
        while begin < len(total):
            done = int(total[begin - 1]) if begin else 0
            end = max(int(np.searchsorted(total, done + budget, side="right")), begin + 1)
            part = slice(begin, end)
            number, at = expand_ranges(meetings.low[part], until[part])
            found = holds(meetings.row[part][number], meetings.others[at])
            connects[meetings.instant[part][number[found]]] = True
            begin = end
        left = (until < meetings.high) & ~connects[meetings.instant]
        meetings = meetings.between(until, meetings.high).take(left)
        size = min(2 * size, budget)


def find_first(meetings: Meetings, holds: Verdict) -> Array:
    """For each row the first place of its others for which `holds`, `high` if there is none.

    `holds` must be false up to some place, and true from there on: a binary search.
    """
    low, high = meetings.low.copy(), meetings.high.copy()
    open_ = np.flatnonzero(low < high)
    while len(open_):
        middle = (low[open_] + high[open_]) // 2
        found = holds(meetings.row[open_], meetings.others[middle])
        high[open_[found]] = middle[found]
        low[open_[~found]] = middle[~found] + 1
        open_ = open_[low[open_] < high[open_]]
    return low
