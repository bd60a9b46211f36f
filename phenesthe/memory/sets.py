"""Set operations on states: what lies up to the cut is summed up by the piece that spans it."""

import numpy as np

from phenesthe.kernels.states import intersect_states
from phenesthe.memory import tables
from phenesthe.memory.cuts import Cuts, Part
from phenesthe.memory.node import Node
from phenesthe.memory.pointwise import touch
from phenesthe.stage.meeting import bring_together
from phenesthe.stage.rows import Rows, from_intervals
from phenesthe.stage.states import merge, subtract


class Coalesce(Node):
    """`union`, and a state without some of its variables.

    An interval that spans the cut may rest on many that ended before it. Of those nothing but the
    start remains, and that is the start of the own interval.
    """

    reason = "its interval holds on; its start is all that is needed of what lies before"

    def compute(self, cuts: Cuts, views: list[Rows], given: list[Rows]) -> Rows:
        parts = [tables.arrange(rows, self.variables) for rows in given]
        before = tables.sum_up(self.rows, cuts.of(self.keys, self.rows))
        return merge(self.ev, tables.join([before, *parts]), self.variables)


class Intersect(Node):
    """`intersection`: a piece after the cut comes of intervals that reach beyond it."""

    def compute(self, cuts: Cuts, views: list[Rows], given: list[Rows]) -> Rows:
        result = given[0]
        for right in given[1:]:
            new = [name for name in right.variables if name not in result.variables]
            names = (*result.variables, *new)
            bindings, one, other = bring_together(self.ev, result, right, names)
            result = from_intervals(bindings, intersect_states(one, other))
        result = tables.arrange(result, self.variables)
        return tables.sort(self.keys, result)


class Subtract(Node):
    """`complement`.

    A piece ends the instant before the right begins, so a change at the cut can move an end that
    lies one instant before it.
    """

    reason = "its piece holds on; its start is all that is needed of what lies before"

    def delay(self, cuts: Cuts) -> Cuts:
        return cuts.shift(1)

    def compute(self, cuts: Cuts, views: list[Rows], given: list[Rows]) -> Rows:
        """The left begins, for the rest of its way, where the own piece over the cut begins.

        Without such a piece the instant after the cut is not left over from before, or nothing is
        before it: the left begins there.
        """
        left, right = given
        left = tables.arrange(left, self.variables)
        at = cuts.of(self.keys, left)
        own = self.rows.take(tables.mark_spanning(self.rows, cuts.of(self.keys, self.rows)))
        found = tables.match(self.keys, left, own)
        started = left.ts <= at
        ts = np.where(started, at + 1, left.ts)
        known = started & (found >= 0)
        ts[known] = own.ts[found[known]]
        self.ev.prepare({}, {})
        return subtract(self.ev, Rows(left.variables, left.columns, ts, left.te), right)

    def wake(self, last: int, q: int, views: list[Rows]) -> list[Part]:
        """A piece that would have begun after the last query."""
        return touch(views[1].take(views[1].te == last), last)
