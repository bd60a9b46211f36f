"""Φ•: what is true at single instants. Nothing before the cut plays a part after it."""

from collections.abc import Sequence

from phenesthe.graph.formulas import And, Exists, Formula, Leaf, Or, follows_timeline
from phenesthe.graph.instant import Instant
from phenesthe.operators import tables
from phenesthe.operators.held import Edge
from phenesthe.operators.node import Node
from phenesthe.operators.rows import Rows
from phenesthe.operators.unchanged import Part, UnchangedUntil, touch_all
from phenesthe.operators.work import Work, World


def compute_instant(op: Instant, work: Work, operands: Sequence[Rows]) -> Rows:
    found = work.rows(op.formula)
    extra = {name: found.extra[name] for name in op.extras}
    return Rows(found.variables, found.columns, found.ts, found.ts, extra)


class InstantNode(Node[Instant]):
    evaluate = staticmethod(compute_instant)
    can_rest = True

    def __init__(self, operator: Instant, edges: Sequence[Edge], world: World) -> None:
        super().__init__(operator, edges, world)
        self.is_guarded = operator.formula.scope.is_guarded
        self.follows_timeline = follows_timeline(operator.formula)
        self.is_linear = not self.contexts and self._is_linear(operator.formula)
        self.wakes = not self.is_guarded

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

    def find_span(self) -> int | None:
        return None if self.contexts else 0

    def wake(self, last: int, q: int, views: list[Rows]) -> list[Part]:
        """What no event limits may be true at every instant that has passed."""
        return [] if self.is_guarded else [touch_all(last)]

    def compute(self, cuts: UnchangedUntil, views: list[Rows], selected: list[Rows]) -> Rows:
        """An instant after the cut is decided by what is true at it."""
        first = max(self.work.world.first, cuts.find_least() + 1)
        rows = self.work.run(selected, first)
        return rows.take(tables.mark_distinct(self.keys, rows)) if rows.extra else rows
