"""Sums and means over the reports of a vessel not long before each one."""

import numpy as np

from phenesthe.kernels.arrays import Array, Mask, number_rows
from phenesthe.kernels.sphere import Floats

#: Sines and cosines are counted in millionths, so that sums are exact and the same whichever
#: vessels are looked at together.
_PARTS = 1_000_000


def find_recent(t: Array, is_cut: Mask, span: int) -> Array:
    """For each row the first one of the same part of a track that is at most `span` before it."""
    part_first = np.maximum.accumulate(np.where(is_cut, number_rows(len(t)), 0))
    # One clock for all parts, which jumps by more than the span from one to the next.
    step = np.where(is_cut, span + 1, np.diff(t, prepend=t[:1]))
    clock = np.cumsum(step)
    return np.maximum(np.searchsorted(clock, clock - span), part_first)


def sum_recent(values: Array, first: Array) -> Array:
    """The sums over the rows from `first` up to each one, itself not included."""
    total = np.concatenate(([0], np.cumsum(values)))
    return total[:-1] - total[first]


def find_mean_courses(
    t: Array, course: Floats, has_course: Mask, is_cut: Mask, span: int
) -> tuple[Floats, Mask]:
    """The direction of the sum of the courses not long before, and whether there are any."""
    first = find_recent(t, is_cut, span)
    angle = np.radians(np.where(has_course, course, 0.0))
    parts = np.where(has_course, _PARTS, 0)
    east = sum_recent(np.rint(parts * np.sin(angle)).astype(np.int64), first)
    north = sum_recent(np.rint(parts * np.cos(angle)).astype(np.int64), first)
    mean: Floats = np.degrees(np.arctan2(east, north))
    return mean, sum_recent(has_course.astype(np.int64), first) > 0
