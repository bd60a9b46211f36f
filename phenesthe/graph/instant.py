"""Φ•: what is true at single instants. Nothing before the cut plays a part after it."""

from collections.abc import Mapping, Sequence

from phenesthe.frozen import dataclass
from phenesthe.graph.bound_formulas import bound_formula
from phenesthe.graph.formulas import Formula, find_contexts
from phenesthe.graph.operator import Operator
from phenesthe.graph.remembering import Bounds
from phenesthe.vocabulary import Names


@dataclass(frozen=True, kw_only=True, eq=False)
class Instant(Operator):
    """`and`, `or`, `not`, `in`, `start`, `end`, `where` over events: one formula of them."""

    word = "events"
    formula: Formula

    @property
    def contexts(self) -> Mapping[int, Names]:
        return find_contexts([self.formula])

    def bound(self, lates: Sequence[int]) -> Bounds:
        return bound_formula(self.formula, lates)
