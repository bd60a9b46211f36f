"""Stays of vessels in cells, and which of them are close.

Ships lie side by side for days. So not positions are compared but stays, each of a quarter of an
hour or so in one cell: where all positions of two stays are close, or none are, their bounds say
so, and only the positions of other pairs are looked at one by one.
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from phenesthe.ais.earth import place_points
from phenesthe.arrow import to_bools, to_floats, to_ints
from phenesthe.kernels.arrays import Array, Mask, Pairs
from phenesthe.kernels.order import mark_new
from phenesthe.kernels.search import expand_ranges

#: Three rows: points on the unit sphere. The square of a distance between two needs no sine.
Points: TypeAlias = npt.NDArray[np.float64]

#: Slots of a stay at most. Longer ones spare more, but their bounds are wider.
_LENGTH = 32
_BOUNDS = (np.minimum, np.maximum)


@dataclass(frozen=True, slots=True, eq=False)
class Stays:
    """Sorted by group, those at home before guests; a group is a cell for `_LENGTH` slots."""

    group: Array
    is_guest: Mask
    vessel: Array
    first: Array
    last: Array
    #: The bounds of the points of each stay.
    low: Points
    high: Points
    #: All points, and which one is the first of each stay; the others follow it.
    points: Points
    begin: Array


def collect_stays(slots: pa.Table) -> Stays:
    cell, slot = to_ints(slots["cell"]), to_ints(slots["slot"])
    vessel, is_guest = to_ints(slots["vessel"]), to_bools(slots["is_guest"])
    order = np.lexsort((slot, is_guest, vessel, cell))
    cell, slot, vessel, is_guest = cell[order], slot[order], vessel[order], is_guest[order]
    points = place_points(*(to_floats(slots[name])[order] for name in ("lon", "lat")))
    is_new = mark_new(cell, vessel, is_guest.astype(np.int64), slot // _LENGTH)
    is_new[1:] |= np.diff(slot) != 1
    begin = np.flatnonzero(is_new)
    by_group = np.lexsort((is_guest[begin], slot[begin] // _LENGTH, cell[begin]))
    end = (np.append(begin[1:], len(slot))[: len(begin)] - 1)[by_group]
    low, high = (bound.reduceat(points, begin, axis=1)[:, by_group] for bound in _BOUNDS)
    begin = begin[by_group]
    group = np.cumsum(mark_new(cell[begin], slot[begin] // _LENGTH), dtype=np.int64)
    return Stays(
        group, is_guest[begin], vessel[begin], slot[begin], slot[end], low, high, points, begin
    )


def list_candidates(stays: Stays) -> tuple[Array, Array, Array]:
    """Stays at home, and from which to before which other stay each has to be compared."""
    home = np.flatnonzero(~stays.is_guest)
    return home, home + 1, np.searchsorted(stays.group, stays.group[home], side="right")


def compare_stays(
    stays: Stays, one: Array, other: Array, limit: float
) -> tuple[Array, Array, Array, Array]:
    """The stays of pairs that are close, with first and last slots; `limit` is a squared distance.

    A pair may come several times, for slots in a row too.
    """
    first = np.maximum(stays.first[one], stays.first[other])
    last = np.minimum(stays.last[one], stays.last[other])
    above, below = (
        stays.low[:, one] - stays.high[:, other],
        stays.low[:, other] - stays.high[:, one],
    )
    nearest = (np.maximum(np.maximum(above, below), 0) ** 2).sum(axis=0)
    furthest = (np.minimum(above, below) ** 2).sum(axis=0)
    meets = (first <= last) & (stays.vessel[one] != stays.vessel[other]) & (nearest <= limit)
    sure = np.flatnonzero(meets & (furthest <= limit))
    doubtful = np.flatnonzero(meets & (furthest > limit))
    pair, slot = _compare_points(
        stays, one[doubtful], other[doubtful], (first[doubtful], last[doubtful]), limit
    )
    pair = doubtful[pair]
    rows = np.concatenate((sure, pair))
    return (
        one[rows],
        other[rows],
        np.concatenate((first[sure], slot)),
        np.concatenate((last[sure], slot)),
    )


def _compare_points(stays: Stays, one: Array, other: Array, bounds: Pairs, limit: float) -> Pairs:
    """Which of the pairs are close at which slots."""
    pair, slot = expand_ranges(bounds[0], bounds[1] + 1)
    left = stays.points[:, (stays.begin - stays.first)[one[pair]] + slot]
    right = stays.points[:, (stays.begin - stays.first)[other[pair]] + slot]
    is_close = ((left - right) ** 2).sum(axis=0) <= limit
    return pair[is_close], slot[is_close]
