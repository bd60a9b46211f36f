"""A relation with an event that is true nearly always: computed anew at every query."""

from collections.abc import Sequence

from phenesthe.graph.whole import DenseRelated
from phenesthe.kernels.nearly import find_nearly
from phenesthe.kernels.relations import find_related
from phenesthe.operators.meeting import list_candidates
from phenesthe.operators.node import Node
from phenesthe.operators.rows import Rows, from_intervals
from phenesthe.operators.sequences import end_later, start_earlier
from phenesthe.operators.unchanged import BEGINNING, Part, UnchangedUntil, touch_all
from phenesthe.operators.work import Work


def compute_dense_related(op: DenseRelated, work: Work, operands: Sequence[Rows]) -> Rows:
    left, right = work.formula(op.left), work.formula(op.right)
    # The side that is listed is moved, and the other one chosen to fit.
    if isinstance(right, Rows):
        right = start_earlier(right, op.apart - 1)
    elif isinstance(left, Rows):
        left = end_later(left, op.apart - 1)
    near = op.within or 0
    bindings, one, other = list_candidates(work, op.name, left, right, op.variables, near)
    if (op.name == "starts" or op.name == "finishes") and op.within is not None:
        return from_intervals(bindings, find_nearly(op.name, one, other, op.within))
    return from_intervals(bindings, find_related(op.name, one, other, op.reach))


class DenseRelatedNode(Node[DenseRelated]):
    """Which of its instants matter depends on the other side, as far back as that reaches.

    So nothing of its operands may go, and every instant that passes may change it.
    """

    evaluate = staticmethod(compute_dense_related)

    looks_back = True
    reason = "an unguarded `not` in a relation needs everything since the beginning"

    def delay(self, cuts: UnchangedUntil) -> UnchangedUntil:
        return UnchangedUntil(BEGINNING, ())

    def wake(self, last: int, q: int, views: list[Rows]) -> list[Part]:
        return [touch_all(BEGINNING)]
