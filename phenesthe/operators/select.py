"""A phenomenon of which not all is asked for: constants, `_`, or a variable twice."""

from collections.abc import Sequence
from dataclasses import dataclass

from phenesthe.operators import tables
from phenesthe.operators.cuts import Cuts
from phenesthe.operators.formulas import Leaf
from phenesthe.operators.held import Edge
from phenesthe.operators.node import Node
from phenesthe.operators.operator import Operator
from phenesthe.operators.remembering import ROW_BY_ROW, Bounds, keep
from phenesthe.operators.rows import Rows
from phenesthe.operators.work import Work, World


@dataclass(frozen=True, kw_only=True, eq=False)
class Select(Operator):
    """Intervals of a state that lose a variable here may overlap, and become a state by `Union`."""

    word = "select"

    leaf: Leaf

    def compute(self, work: Work, given: Sequence[Rows]) -> Rows:
        return work.rows(self.leaf)

    def bound(self, lates: Sequence[int]) -> Bounds:
        is_told = self.origin.word == "exists"
        own = keep(self.origin, ROW_BY_ROW, [self.origin], lates)
        return Bounds(lates[0], own if is_told else ())

    def get_node(self) -> "type[SelectNode]":
        return SelectNode


class SelectNode(Node[Select]):
    def __init__(self, operator: Select, edges: Sequence[Edge], world: World) -> None:
        super().__init__(operator, edges, world)
        self.is_linear = self.kind == "event"

    def compute(self, cuts: Cuts, views: list[Rows], given: list[Rows]) -> Rows:
        rows = self.work.run(given)
        return rows.take(tables.mark_distinct(self.keys, rows)) if rows.extra else rows
