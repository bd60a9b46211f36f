"""Two operands of which one has variables of its own: rows meet in the variables they share.

The combinations of their bindings are far more than there are rows, so none is made before it is
known that something comes of it.
"""

from typing import Literal, TypeAlias

import numpy as np

from phenesthe.frozen import dataclass
from phenesthe.kernels.arrays import Array, Intervals, Pairs
from phenesthe.kernels.order import order_rows
from phenesthe.kernels.relations import Relation
from phenesthe.kernels.states import pair_overlapping
from phenesthe.operators.rows import Keys, Rows
from phenesthe.vocabulary import Names

#: What a pair of rows gives: one of the two, or from the start of the left to the end of the right.
Given: TypeAlias = Literal["left", "right", "both"]

GIVEN: dict[Relation, Given] = {
    "before": "both", "meets": "both", "overlaps": "both", "starts": "right", "finishes": "right",
    "equals": "left", "contains": "left",
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """The keys of the intervals are what both share, the groups the whole binding of each."""

    left: Intervals
    right: Intervals
    left_group: Array
    right_group: Array


def has_own(left: Rows, right: Rows) -> bool:
    return set(left.variables) != set(right.variables)


def meet(keys: Keys, left: Rows, right: Rows) -> tuple[Intervals, Intervals]:
    shared = tuple([name for name in left.variables if name in right.variables])
    one, other = keys.pack(shared, left, right)
    return Intervals(one, left.ts, left.te), Intervals(other, right.ts, right.te)


def meet_in_groups(keys: Keys, left: Rows, right: Rows) -> Sides:
    one, other = meet(keys, left, right)
    (left_group,), (right_group,) = (keys.pack(side.variables, side) for side in (left, right))
    return Sides(one, other, left_group, right_group)


def combine(keys: Keys, names: Names, given: Given, left: Rows, right: Rows, pairs: Pairs) -> Rows:
    """What comes of pairs of rows: under the bindings of both."""
    one, other = pairs
    ts = right.ts[other] if given == "right" else left.ts[one]
    te = left.te[one] if given == "left" else right.te[other]
    return keys.sort(_bind(names, left, right, pairs, ts, te))


def _bind(names: Names, left: Rows, right: Rows, pairs: Pairs, ts: Array, te: Array) -> Rows:
    one, other = pairs
    columns = [
        left.column(name)[one] if name in left.variables else right.column(name)[other]
        for name in names
    ]
    return Rows(names, tuple(columns), ts, te)


def intersect(keys: Keys, names: Names, left: Rows, right: Rows) -> Rows:
    """What any two of their rows have in common."""
    sides = meet(keys, left, right)
    # By what they share, rows are in another order than by their whole bindings.
    rows = [order_rows(side.key, side.ts) for side in sides]
    one, other = pair_overlapping(*[side.take(at) for side, at in zip(sides, rows, strict=True)])
    one, other = rows[0][one], rows[1][other]
    ts = np.maximum(left.ts[one], right.ts[other])
    te = np.minimum(left.te[one], right.te[other])
    return keys.sort(_bind(names, left, right, (one, other), ts, te))
