"""Reporting the items of ranges: the part of a join after `searchsorted`."""

from typing import Literal

import numpy as np

from phenesthe.kernels.arrays import OPEN, Array, Pairs, join_columns, number_rows
from phenesthe.kernels.space import check_space


def expand_ranges(low: Array, high: Array) -> Pairs:
    """All (i, j) with low[i] ≤ j < high[i], by i, then j. Costs what it returns."""
    count = np.maximum(high - low, 0)
    end = np.cumsum(count)
    if len(end):
        check_space(int(end[-1]))
    before = end - count
    query = np.repeat(number_rows(len(low)), count)
    return query, number_rows(len(query)) - np.repeat(before - low, count)


class MinimumTree:
    """The minima of all aligned blocks of 1, 2, 4, … values."""

    def __init__(self, values: Array) -> None:
        self.levels = [values]
        while len(values) > 1:
            if len(values) % 2:
                values = np.append(values, OPEN)
            values = np.minimum(values[::2], values[1::2])
            self.levels.append(values)

    def find_minima(self, low: Array, high: Array) -> Array:
        """The least value of each range low ≤ j < high, OPEN for an empty one.

        O(n log m) for n ranges over m values, less for short ranges.
        """
        least = np.full(len(low), OPEN, dtype=np.int64)
        query = np.flatnonzero(low < high)
        low, high = low[query], high[query]
        for values in self.levels:
            if not len(query):
                break
            odd = low % 2 == 1
            least[query[odd]] = np.minimum(least[query[odd]], values[low[odd]])
            odd = high % 2 == 1
            least[query[odd]] = np.minimum(least[query[odd]], values[high[odd] - 1])
            low, high = (low + 1) // 2, high // 2
            left = low < high
            query, low, high = query[left], low[left], high[left]
        return least

    def report_below(self, low: Array, high: Array, limit: Array) -> Pairs:
        """All (i, j) with low[i] ≤ j < high[i] and values[j] < limit[i], by i, then j.

        Blocks without a small enough value are never opened: O((n + reported) log m), and a range
        pays only for the levels below its own length.
        """
        query = np.flatnonzero(low < high)
        #: The level whose blocks are at least as long as the range, so that two of them cover it.
        level_of = np.frexp((high - low - 1)[query].astype(np.float64))[1]
        by_level = np.argsort(level_of, kind="stable")
        query, level_of = query[by_level], level_of[by_level]
        open_query = np.empty(0, dtype=np.int64)
        open_block = np.empty(0, dtype=np.int64)
        for level in range(int(level_of[-1]) if len(level_of) else 0, -1, -1):
            entering = query[slice(*np.searchsorted(level_of, (level, level + 1)))]
            first, last = low[entering] >> level, (high[entering] - 1) >> level
            two = first < last
            open_query = join_columns(open_query, open_query, entering, entering[two])
            open_block = join_columns(2 * open_block, 2 * open_block + 1, first, last[two])
            inside = (open_block << level < high[open_query]) & (
                (open_block + 1) << level > low[open_query]
            )
            open_query, open_block = open_query[inside], open_block[inside]
            small = self.levels[level][open_block] < limit[open_query]
            open_query, open_block = open_query[small], open_block[small]
            # Each of these blocks has a value that is reported.
            check_space(len(open_query))
        rows = np.lexsort((open_block, open_query))
        return open_query[rows], open_block[rows]


class CountTree:
    """How many values of a range are less than another: one bit of their ranks on each level.

    On each level the values whose bit is 0 come first, in their order; `zeros[j]` counts those
    before place j.
    """

    def __init__(self, values: Array) -> None:
        self.sorted = np.sort(values)
        rank = np.searchsorted(self.sorted, values)
        self.levels: list[tuple[int, Array]] = []
        # One more than there are values must be a rank too.
        for bit in reversed(range(len(values).bit_length())):
            is_one = (rank >> bit) & 1 == 1
            zeros = np.concatenate([[0], np.cumsum(~is_one)])
            self.levels.append((bit, zeros))
            rank = np.concatenate([rank[~is_one], rank[is_one]])

    def count_below(
        self, low: Array, high: Array, limit: Array, side: Literal["left", "right"]
    ) -> Array:
        """Of the values of each range low ≤ j < high those less than the limit, or not more."""
        rank = np.searchsorted(self.sorted, limit, side=side)
        found = np.zeros(len(low), dtype=np.int64)
        high = np.maximum(low, high)
        for bit, zeros in self.levels:
            low_zeros, high_zeros = zeros[low], zeros[high]
            is_one = (rank >> bit) & 1 == 1
            found += np.where(is_one, high_zeros - low_zeros, 0)
            low = np.where(is_one, zeros[-1] + low - low_zeros, low_zeros)
            high = np.where(is_one, zeros[-1] + high - high_zeros, high_zeros)
        return found
