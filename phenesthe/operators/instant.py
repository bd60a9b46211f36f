"""Φ•: what is true at single instants. Nothing before the cut plays a part after it."""

from collections.abc import Sequence
from dataclasses import dataclass

from phenesthe.operators import tables
from phenesthe.operators.bound_formulas import bound_formula
from phenesthe.operators.cuts import Cuts, Part, touch_all
from phenesthe.operators.formulas import And, Exists, Formula, Leaf, Or
from phenesthe.operators.held import Edge
from phenesthe.operators.node import Node
from phenesthe.operators.operator import Operator
from phenesthe.operators.remembering import Bounds
from phenesthe.operators.rows import Rows
from phenesthe.operators.work import Work, World


@dataclass(frozen=True, kw_only=True, eq=False)
class Instant(Operator):
    """`and`, `or`, `not`, `in`, `start`, `end`, `where` over events: one formula of them."""

    word = "events"

    formula: Formula

    def compute(self, work: Work, given: Sequence[Rows]) -> Rows:
        found = work.rows(self.formula)
        extra = {name: found.extra[name] for name in self.extras}
        return Rows(found.variables, found.columns, found.ts, found.ts, extra)

    def bound(self, lates: Sequence[int]) -> Bounds:
        return bound_formula(self.formula, lates)

    def get_node(self) -> "type[InstantNode]":
        return InstantNode


class InstantNode(Node[Instant]):
    def __init__(self, operator: Instant, edges: Sequence[Edge], world: World) -> None:
        super().__init__(operator, edges, world)
        self.is_guarded = operator.formula.scope.is_guarded
        self.follows_timeline = not self.is_guarded
        self.is_linear = self._is_linear(operator.formula)

    def _is_linear(self, formula: Formula) -> bool:
        """True on more events as on each of them alone: one event, and conditions on it."""
        match formula:
            case Leaf():
                return self.edges[formula.operand].node.kind == "event"
            case And():
                events = [part for part in formula.operands if not part.scope.is_condition]
                return len(events) == 1 and self._is_linear(events[0])
            case Or():
                return all(self._is_linear(part) for part in formula.operands)
            case Exists():
                return self._is_linear(formula.operand)
            case _:
                return False

    def wake(self, last: int, q: int, views: list[Rows]) -> list[Part]:
        """What no event limits may be true at every instant that has passed."""
        return [] if self.is_guarded else [touch_all(last)]

    def compute(self, cuts: Cuts, views: list[Rows], given: list[Rows]) -> Rows:
        """An instant after the cut is decided by what is true at it."""
        first = max(self.work.world.first, cuts.find_least() + 1)
        rows = self.work.run(given, first)
        return rows.take(tables.mark_distinct(self.keys, rows)) if rows.extra else rows
