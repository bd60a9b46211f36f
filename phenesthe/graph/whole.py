"""A relation with an event that is true nearly always: computed anew at every query."""

from collections.abc import Sequence

from phenesthe.frozen import dataclass
from phenesthe.graph.bound_formulas import bound_formula, get_origin
from phenesthe.graph.formulas import Formula
from phenesthe.graph.lengths import Length
from phenesthe.graph.operator import Operator
from phenesthe.graph.remembering import ENDLESS, Bounds, Need, keep
from phenesthe.vocabulary import PlainRelation


@dataclass(frozen=True, kw_only=True, eq=False)
class DenseRelated(Operator):
    """`name` is no inverse; one side is dense, and of it only what can be in a pair is listed."""

    word = "relation with a negation"
    name: PlainRelation
    left: Formula
    right: Formula
    apart: Length
    within: Length | None

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
