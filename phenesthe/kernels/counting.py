"""How many intervals cover an instant: from border to border, by running sums."""

from dataclasses import dataclass

import numpy as np

from phenesthe.kernels.arrays import Array, Intervals, join_columns
from phenesthe.kernels.order import encode, mark_new, sort_codes


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """`level[i]` intervals cover the time from `time[i]` to `time[i + 1]`.

    Sorted by (key, time), each once; with the last time of a key nothing covers what follows.
    """

    key: Array
    time: Array
    level: Array


def count_covering(intervals: Intervals) -> Levels:
    """Intervals in any order, those of one key may overlap. O(n log n).

    A border is an instant, and what ends there and what begins there meet: the level is that of the
    time between two borders, where no interval begins or ends. An open one ends at OPEN.
    """
    key = join_columns(intervals.key, intervals.key)
    time = join_columns(intervals.ts, intervals.te)
    step = np.repeat(np.array([1, -1]), len(intervals))
    (code,) = encode((key, time))
    rows = sort_codes(code)
    last = np.roll(mark_new(code[rows]), -1)
    borders = rows[last]
    return Levels(key[borders], time[borders], np.cumsum(step[rows])[last])


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
    changes = np.flatnonzero(np.diff(level, prepend=0))
    key, time, level = levels.key[changes], levels.time[changes], level[changes]
    begins = np.flatnonzero(level)
    return Intervals(key[begins], time[begins], time[begins + 1]), level[begins]
