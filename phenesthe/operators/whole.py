"""A relation with an event that is true nearly always: computed anew at every query."""

from collections.abc import Sequence
from dataclasses import dataclass

from phenesthe.kernels.relations import find_related
from phenesthe.operators.bound_formulas import bound_formula, get_origin
from phenesthe.operators.cuts import BEGINNING, Cuts, Part, touch_all
from phenesthe.operators.formulas import Formula
from phenesthe.operators.meeting import list_candidates
from phenesthe.operators.node import Node
from phenesthe.operators.operator import Operator
from phenesthe.operators.remembering import ENDLESS, Bounds, Need, keep
from phenesthe.operators.rows import Rows, from_intervals
from phenesthe.operators.work import Work
from phenesthe.vocabulary import PlainRelation


@dataclass(frozen=True, kw_only=True, eq=False)
class DenseRelated(Operator):
    """`name` is no inverse; one side is dense, and of it only what can be in a pair is listed."""

    word = "relation with a negation"

    name: PlainRelation
    left: Formula
    right: Formula
    within: int | None

    def compute(self, work: Work, given: Sequence[Rows]) -> Rows:
        left, right = work.formula(self.left), work.formula(self.right)
        bindings, one, other = list_candidates(work, self.name, left, right, self.variables)
        return from_intervals(bindings, find_related(self.name, one, other, self.within))

    def bound(self, lates: Sequence[int]) -> Bounds:
        sides = [self.left, self.right]
        bounds = [bound_formula(side, lates) for side in sides]
        parts = [one.late for one in bounds]
        need = Need(
            "everything since the beginning of the timeline",
            "unbounded",
            "a negation that no event limits is true at nearly every instant",
            "join the negation with the event at which to look: `ais(V, _) and not …`",
            cause=get_origin(self.left if self.left.scope.is_dense else self.right),
        )
        origins = [get_origin(side) for side in sides]
        own = keep(self.origin, need, origins, parts)
        kept = [kept for one in bounds for kept in one.kept]
        return Bounds(ENDLESS, (*kept, *own))

    def get_node(self) -> "type[DenseRelatedNode]":
        return DenseRelatedNode


class DenseRelatedNode(Node[DenseRelated]):
    """Which of its instants matter depends on the other side, as far back as that reaches.

    So nothing of its operands may go, and every instant that passes may change it.
    """

    looks_back = True
    reason = "an unguarded `not` in a relation needs everything since the beginning"

    def delay(self, cuts: Cuts) -> Cuts:
        return Cuts(BEGINNING, ())

    def wake(self, last: int, q: int, views: list[Rows]) -> list[Part]:
        return [touch_all(BEGINNING)]
