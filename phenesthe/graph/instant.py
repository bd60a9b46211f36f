"""Φ•: what is true at single instants. Nothing before the cut plays a part after it."""

from collections.abc import Sequence
from dataclasses import dataclass

from phenesthe.graph.bound_formulas import bound_formula
from phenesthe.graph.formulas import Formula
from phenesthe.graph.operator import Operator
from phenesthe.graph.remembering import Bounds


@dataclass(frozen=True, kw_only=True, eq=False)
class Instant(Operator):
    """`and`, `or`, `not`, `in`, `start`, `end`, `where` over events: one formula of them."""

    word = "events"
    formula: Formula

    def bound(self, lates: Sequence[int]) -> Bounds:
        return bound_formula(self.formula, lates)
