"""Set operations on states: what lies up to the cut is summed up by the piece that spans it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from phenesthe.kernels.arrays import Intervals
from phenesthe.kernels.states import coalesce, intersect_states, subtract_states
from phenesthe.operators import tables
from phenesthe.operators.cuts import Cuts, Part, touch
from phenesthe.operators.meeting import bring_together
from phenesthe.operators.node import Node
from phenesthe.operators.operator import Operator
from phenesthe.operators.remembering import PENDING, Bounds, Need, keep
from phenesthe.operators.rows import Rows, as_intervals, concatenate, from_intervals, spread
from phenesthe.operators.work import Work

_HOLDING = Need(
    "the start of the interval that still holds, for each binding",
    "binding",
    "everything before that start is final",
)
_INTERSECTION = Need(
    "the intervals of each side that still hold",
    "binding",
    "the pieces of intervals that ended before the window are final",
)
_COMPLEMENT = Need(
    "the intervals of both sides that still hold, and the start of the piece that holds",
    "binding",
    "pieces that ended before the window are final",
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Union(Operator):
    """Intervals of one binding that share an instant become one.

    With one operand: a state without some of its variables.
    """

    word = "union"

    def compute(self, work: Work, given: Sequence[Rows]) -> Rows:
        rows = concatenate(given)
        bindings, key = work.keys.bind(self.variables, rows)
        return from_intervals(bindings, coalesce(Intervals(key, rows.ts, rows.te)))

    def bound(self, lates: Sequence[int]) -> Bounds:
        kept = keep(self.origin, _HOLDING, [one.origin for one in self.operands], lates)
        return Bounds(max(lates), kept)

    def get_node(self) -> "type[UnionNode]":
        return UnionNode


class UnionNode(Node[Union]):
    """An interval that spans the cut may rest on many that ended before it.

    Of those nothing but the start remains, and that is the start of the own interval.
    """

    reason = "its interval holds on; its start is all that is needed of what lies before"

    def compute(self, cuts: Cuts, views: list[Rows], given: list[Rows]) -> Rows:
        before = tables.sum_up(self.rows, cuts.of(self.keys, self.rows))
        parts = [tables.arrange(rows, self.variables) for rows in given]
        return self.work.run([tables.join([before, *parts])])


@dataclass(frozen=True, kw_only=True, eq=False)
class Intersection(Operator):
    word = "intersection"

    def compute(self, work: Work, given: Sequence[Rows]) -> Rows:
        result = given[0]
        for right in given[1:]:
            known = {*result.variables, *right.variables}
            names = tuple([name for name in self.variables if name in known])
            bindings, one, other = bring_together(work, result, right, names)
            result = from_intervals(bindings, intersect_states(one, other))
        return result

    def bound(self, lates: Sequence[int]) -> Bounds:
        kept = keep(self.origin, _INTERSECTION, [one.origin for one in self.operands], lates)
        return Bounds(max(lates), kept)

    def get_node(self) -> type[Node["Intersection"]]:
        # A piece after the cut comes of intervals that reach beyond it.
        return Node


@dataclass(frozen=True, kw_only=True, eq=False)
class Complement(Operator):
    word = "complement"

    def compute(self, work: Work, given: Sequence[Rows]) -> Rows:
        """Every binding of the left, also those the right knows nothing of."""
        left, right = given
        bindings, key = work.keys.bind(left.variables, left)
        own, own_key = work.keys.bind(right.variables, right)
        to_row, own_row = work.keys.match(own.variables, bindings, own)
        pair, row = spread(own_row, own.count, own_key)
        taken = Intervals(to_row[pair], right.ts[row], right.te[row])
        return from_intervals(bindings, subtract_states(as_intervals(left, key), taken, work.q))

    def bound(self, lates: Sequence[int]) -> Bounds:
        kept = keep(self.origin, _COMPLEMENT, [one.origin for one in self.operands], lates)
        # Also whether a last one is the last: the right side begins after it.
        return Bounds(max(PENDING, *lates), kept)

    def get_node(self) -> "type[ComplementNode]":
        return ComplementNode


class ComplementNode(Node[Complement]):
    """A piece ends the instant before the right begins, so a change at the cut can move an end
    that lies one instant before it."""

    reason = "its piece holds on; its start is all that is needed of what lies before"

    def delay(self, cuts: Cuts) -> Cuts:
        return cuts.shift(1)

    def compute(self, cuts: Cuts, views: list[Rows], given: list[Rows]) -> Rows:
        """The left begins, for the rest of its way, where the own piece over the cut begins.

        Without such a piece the instant after the cut is not left over from before, or nothing is
        before it: the left begins there.
        """
        left = tables.arrange(given[0], self.variables)
        at = cuts.of(self.keys, left)
        own = self.rows.take(tables.mark_spanning(self.rows, cuts.of(self.keys, self.rows)))
        found = tables.match(self.keys, left, own)
        started = left.ts <= at
        ts = np.where(started, at + 1, left.ts)
        known = started & (found >= 0)
        ts[known] = own.ts[found[known]]
        return self.work.run([Rows(left.variables, left.columns, ts, left.te), given[1]])

    def wake(self, last: int, q: int, views: list[Rows]) -> list[Part]:
        """A piece that would have begun after the last query."""
        return touch(views[1].take(views[1].te == last), last)
