"""How many at once: what holds over the cut holds on with the same number."""

from collections.abc import Sequence

import numpy as np

from phenesthe.arrow import wrap
from phenesthe.graph.counting import Counting
from phenesthe.kernels.arrays import Intervals
from phenesthe.kernels.counting import find_at_least, find_counts
from phenesthe.operators import tables
from phenesthe.operators.node import Node
from phenesthe.operators.rows import Rows, from_intervals
from phenesthe.operators.unchanged import UnchangedUntil
from phenesthe.operators.work import Work


def compute_counting(op: Counting, work: Work, operands: Sequence[Rows]) -> Rows:
    (rows,) = operands
    number = op.number
    names = tuple([name for name in op.variables if name != number])
    bindings, key = work.keys.bind(names, rows)
    # Of one value of what is counted the intervals share no instant, so each is one more.
    intervals = Intervals(key, rows.ts, rows.te)
    if op.least is not None:
        return from_intervals(bindings, find_at_least(intervals, op.least))
    assert number is not None
    found, numbers = find_counts(intervals)
    counted = from_intervals(bindings, found)
    codes = work.world.domains.give_codes("int", wrap(numbers))
    columns = dict(zip((*names, number), (*counted.columns, codes), strict=True))
    arranged = tuple([columns[name] for name in op.variables])
    return work.keys.sort(Rows(op.variables, arranged, found.ts, found.te))


class CountingNode(Node[Counting]):
    """Whatever holds after the cut is asked for, so every number after it is right.

    Up to the first border after it that is the number there was: the own interval over the cut
    goes on from where it began.
    """

    evaluate = staticmethod(compute_counting)

    reason = "the number it is part of holds on"

    def compute(self, cuts: UnchangedUntil, views: list[Rows], selected: list[Rows]) -> Rows:
        found = self.work.run(selected)
        own = self.rows.take(tables.mark_spanning(self.rows, cuts.of(self.keys, self.rows)))
        if not len(own):
            return found
        number = tables.match(self.keys, found, own)
        early = tables.mark_spanning(found, cuts.of(self.keys, found)) & (number >= 0)
        ts = np.where(early, own.ts[number], found.ts)
        return Rows(found.variables, found.columns, ts, found.te)
