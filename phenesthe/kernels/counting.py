"""How many intervals cover an instant: from border to border, by running sums."""

from dataclasses import dataclass

import numpy as np

from phenesthe.kernels.arrays import Array, Intervals, join_columns
from phenesthe.kernels.order import Coding, make_coding, mark_new


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """`level[i]` intervals cover the time from border i to border i + 1.

    Borders are codes of (key, time), each once; with the last one of a key nothing covers what
    follows.
    """

    coding: Coding
    border: Array
    level: Array


def count_covering(intervals: Intervals) -> Levels:
    """Intervals in any order, those of one key may overlap. O(n log n).

    A border is an instant, and what ends there and what begins there meet: the level is that of the
    time between two borders, where no interval begins or ends. An open one ends at OPEN.
    """
    begins, ends = (intervals.key, intervals.ts), (intervals.key, intervals.te)
    coding = make_coding(begins, ends, spare=1)
    # The last bit of a code tells an end.
    border = join_columns(coding.encode(*begins), coding.encode(*ends))
    border <<= 1
    border[len(intervals) :] |= 1
    border.sort()
    # In place, as all of this: for many rows new memory costs more than what is done with it.
    level = border & 1
    level *= -2
    level += 1
    np.cumsum(level, out=level)
    border >>= 1
    last = np.roll(mark_new(border), -1)
    return Levels(coding, border[last], level[last])


def find_counts(intervals: Intervals) -> tuple[Intervals, Array]:
    """Where as many intervals hold as the number beside says, which is never 0.

    Neighbours with one number are one; those with different numbers share an instant.
    """
    levels = count_covering(intervals)
    return _join_equal(levels, levels.level)


def find_at_least(intervals: Intervals, least: int) -> Intervals:
    """The union of the intersections of every so many intervals.

    Where some give way to others with no time between, the union goes on: the running sum does not
    fall, since it knows no single instants.
    """
    levels = count_covering(intervals)
    found, _ = _join_equal(levels, (levels.level >= least).astype(np.int64))
    return found


def _join_equal(levels: Levels, level: Array) -> tuple[Intervals, Array]:
    """The last level of a key is 0, which tells it apart from the next one."""
    changes = mark_new(level)
    if len(level):
        changes[0] = level[0] != 0
    border, level = levels.border[changes], level[changes]
    key, time = levels.coding.decode(border)
    begins = np.flatnonzero(level)
    number = level.take(begins)
    key, ts = key.take(begins), time.take(begins)
    begins += 1
    return Intervals(key, ts, time.take(begins)), number
