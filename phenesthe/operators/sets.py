"""Set operations on states: what lies up to the cut is summed up by the piece that spans it."""

from collections.abc import Sequence

import numpy as np

from phenesthe.graph.sets import Complement, Intersection, Union
from phenesthe.kernels.arrays import Intervals
from phenesthe.kernels.order import order_rows
from phenesthe.kernels.states import coalesce, cut_states, intersect_states
from phenesthe.operators import tables
from phenesthe.operators.meeting import bring_together
from phenesthe.operators.node import Node
from phenesthe.operators.pairs import has_own, intersect
from phenesthe.operators.rows import Rows, as_intervals, concatenate, from_intervals
from phenesthe.operators.unchanged import Part, UnchangedUntil, touch
from phenesthe.operators.work import Work


def compute_union(op: Union, work: Work, operands: Sequence[Rows]) -> Rows:
    rows = concatenate(operands)
    bindings, key = work.keys.bind(op.variables, rows)
    return from_intervals(bindings, coalesce(Intervals(key, rows.ts, rows.te)))


class UnionNode(Node[Union]):
    """An interval that spans the cut may rest on many that ended before it.

    Of those nothing but the start remains, and that is the start of the own interval.
    """

    evaluate = staticmethod(compute_union)

    reason = "its interval holds on; its start is all that is needed of what lies before"

    def compute(self, cuts: UnchangedUntil, views: list[Rows], selected: list[Rows]) -> Rows:
        before = tables.sum_up(self.rows, cuts.of(self.keys, self.rows))
        parts = [tables.arrange(rows, self.variables) for rows in selected]
        return self.work.run([tables.join([before, *parts])])


def compute_intersection(op: Intersection, work: Work, operands: Sequence[Rows]) -> Rows:
    result = operands[0]
    for right in operands[1:]:
        known = {*result.variables, *right.variables}
        names = tuple([name for name in op.variables if name in known])
        if has_own(result, right):
            result = intersect(work.keys, names, result, right)
        else:
            bindings, one, other = bring_together(work, result, right, names)
            result = from_intervals(bindings, intersect_states(one, other))
    return result


def compute_complement(op: Complement, work: Work, operands: Sequence[Rows]) -> Rows:
    """Every binding of the left, also those the right knows nothing of."""
    left, right = operands
    key, other = work.keys.pack(right.variables, left, right)
    order = order_rows(other, right.ts)
    taken = Intervals(other, right.ts, right.te).take(order)
    row, ts, te = cut_states(
        as_intervals(left, key), taken, work.q, keep_borders=op.name == "without"
    )
    columns = tuple([column[row] for column in left.columns])
    return Rows(left.variables, columns, ts, te)


class ComplementNode(Node[Complement]):
    """A piece ends the instant before the right begins, so a change at the cut can move an end
    that lies one instant before it. With `without` a piece can begin at the cut that was only an
    instant long before."""

    evaluate = staticmethod(compute_complement)

    reason = "its piece holds on; its start is all that is needed of what lies before"

    def delay(self, cuts: UnchangedUntil) -> UnchangedUntil:
        return cuts.shift(1)

    def compute(self, cuts: UnchangedUntil, views: list[Rows], selected: list[Rows]) -> Rows:
        """The left begins, for the rest of its way, where the own piece over the cut begins.

        Without such a piece the instant after the cut is not left over from before, or nothing is
        before it: the left begins there.
        """
        left = tables.arrange(selected[0], self.variables)
        at = cuts.of(self.keys, left)
        own = self.rows.take(tables.mark_spanning(self.rows, cuts.of(self.keys, self.rows)))
        found = tables.match(self.keys, left, own)
        started = left.ts <= at
        ts = np.where(started, at + 1, left.ts)
        known = started & (found >= 0)
        ts[known] = own.ts[found[known]]
        return self.work.run([Rows(left.variables, left.columns, ts, left.te), selected[1]])

    def wake(self, last: int, q: int, views: list[Rows]) -> list[Part]:
        """A piece that would have begun after the last query."""
        return touch(views[1].take(views[1].te == last), last)


class IntersectionNode(Node[Intersection]):
    """A piece after the cut comes of intervals that reach beyond it."""

    evaluate = staticmethod(compute_intersection)
