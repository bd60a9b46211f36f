"""Rows of two operands under the bindings they agree on, with their numbers."""

from dataclasses import dataclass

import numpy as np

from phenesthe.kernels.arrays import Array, Intervals, Mask
from phenesthe.operators.rows import Keys, Rows, spread


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The rows of one operand, once for every common binding; `row` are their numbers."""

    intervals: Intervals
    row: Array
    count: int

    def mark(self, found: Mask) -> Mask:
        """Which rows are found under some binding."""
        marks = np.zeros(self.count, dtype=np.bool_)
        marks[self.row[found]] = True
        return marks


def pair_up(keys: Keys, left: Rows, right: Rows) -> tuple[Side, Side]:
    left_own, left_key = keys.bind(left.variables, left)
    right_own, right_key = keys.bind(right.variables, right)
    new = [name for name in right.variables if name not in left.variables]
    _, one, other = keys.join(left_own, right_own, (*left.variables, *new))
    return (
        _spread(left, one, left_own.count, left_key),
        _spread(right, other, right_own.count, right_key),
    )


def _spread(rows: Rows, own_of: Array, count: int, key: Array) -> Side:
    joined, row = spread(own_of, count, key)
    return Side(Intervals(joined, rows.ts[row], rows.te[row]), row, len(rows))
