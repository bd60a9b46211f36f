"""A phenomenon of which not all is asked for: constants, `_`, or a variable twice."""

from collections.abc import Sequence

from phenesthe.graph.select import Select
from phenesthe.operators import tables
from phenesthe.operators.cuts import Cuts
from phenesthe.operators.held import Edge
from phenesthe.operators.node import Node
from phenesthe.operators.rows import Rows
from phenesthe.operators.work import Work, World


def compute_select(op: Select, work: Work, given: Sequence[Rows]) -> Rows:
    return work.rows(op.leaf)


class SelectNode(Node[Select]):
    evaluate = staticmethod(compute_select)

    def __init__(self, operator: Select, edges: Sequence[Edge], world: World) -> None:
        super().__init__(operator, edges, world)
        self.is_linear = self.kind == "event"

    def compute(self, cuts: Cuts, views: list[Rows], given: list[Rows]) -> Rows:
        rows = self.work.run(given)
        return rows.take(tables.mark_distinct(self.keys, rows)) if rows.extra else rows
