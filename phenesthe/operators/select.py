"""A phenomenon of which not all is asked for: constants, `_`, or a variable twice."""

from collections.abc import Sequence

from phenesthe.graph.select import Select
from phenesthe.operators import tables
from phenesthe.operators.held import Edge
from phenesthe.operators.node import Node
from phenesthe.operators.rows import Rows
from phenesthe.operators.unchanged import UnchangedUntil
from phenesthe.operators.work import Work, World


def compute_select(op: Select, work: Work, operands: Sequence[Rows]) -> Rows:
    return work.rows(op.leaf)


class SelectNode(Node[Select]):
    evaluate = staticmethod(compute_select)
    can_rest = True

    def __init__(self, operator: Select, edges: Sequence[Edge], world: World) -> None:
        super().__init__(operator, edges, world)
        self.is_linear = self.kind == "event"

    def find_span(self) -> int | None:
        return None if self.contexts else 0

    def compute(self, cuts: UnchangedUntil, views: list[Rows], selected: list[Rows]) -> Rows:
        rows = self.work.run(selected)
        return rows.take(tables.mark_distinct(self.keys, rows)) if rows.extra else rows
