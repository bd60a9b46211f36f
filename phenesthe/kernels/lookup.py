"""Joins by time: for each row of one side a range of the other side's rows in the order of time."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from phenesthe.kernels.arrays import OPEN, Array, Mask, Pairs
from phenesthe.kernels.order import encode, order_rows
from phenesthe.kernels.search import CountTree, MinimumTree, expand_ranges

#: Which ends of a range belong to it.
Bounds: TypeAlias = Literal["[]", "[)", "(]", "()"]


@dataclass(frozen=True, slots=True, eq=False)
class Lookup:
    """`rows[low[i]:high[i]]` are the rows found for query i.

    Values and limits below are given in the order in which the sides came.
    """

    rows: Array
    low: Array
    high: Array

    def pair(self) -> Pairs:
        """(query, row) of everything found. Costs what it returns."""
        query, at = expand_ranges(self.low, self.high)
        return query, self.rows[at]

    def pair_below(self, values: Array, limit: Array) -> Pairs:
        """(query, row) where the row's value is less than the query's limit.

        O((queries + pairs) log(rows)): what is found and not wanted costs nothing.
        """
        tree = MinimumTree(values[self.rows])
        query, at = tree.report_below(self.low, self.high, limit)
        return query, self.rows[at]

    def mark(self) -> Mask:
        """Which queries found something."""
        return self.low < self.high

    def mark_below(self, values: Array, limit: Array) -> Mask:
        """Which queries found a value less than their limit. O((queries + rows) log(rows))."""
        tree = MinimumTree(values[self.rows])
        return tree.find_minima(self.low, self.high) < limit

    def mark_between(self, values: Array, lower: Array, upper: Array) -> Mask:
        """Which queries found a value from `lower` to `upper`. O((queries + rows) log(rows))."""
        tree = CountTree(values[self.rows])
        below = tree.count_below(self.low, self.high, lower, side="left")
        return tree.count_below(self.low, self.high, upper, side="right") > below


def look_up(
    key: Array, time: Array, wanted: Array, lower: Array, upper: Array, bounds: Bounds
) -> Lookup:
    """For each query the rows with its key `wanted` and `time` from `lower` to `upper`."""
    rows = order_rows(key, time)
    there, low, high = encode((key[rows], time[rows]), (wanted, lower), (wanted, upper))
    return Lookup(
        rows,
        np.searchsorted(there, low, side="left" if bounds[0] == "[" else "right"),
        np.searchsorted(there, high, side="right" if bounds[1] == "]" else "left"),
    )


def look_up_equal(key: Array, time: Array, wanted: Array, at: Array) -> Lookup:
    """For each query the rows with its key and its time; an open time is equal to none."""
    found = look_up(key, time, wanted, at, at, "[]")
    return Lookup(found.rows, found.low, np.where(at < OPEN, found.high, found.low))
