"""An alternative for every value its context has: nothing that it ever held on may go."""

from collections.abc import Sequence

from phenesthe.graph.extended import Extended
from phenesthe.operators.node import Node
from phenesthe.operators.rows import Rows
from phenesthe.operators.table import open_table
from phenesthe.operators.work import Work


def compute_extended(op: Extended, work: Work, operands: Sequence[Rows]) -> Rows:
    table = work.conditions.solve(open_table(operands[0]), op.values)
    return work.keys.sort(table.as_rows(op.variables))


class ExtendedNode(Node[Extended]):
    evaluate = staticmethod(compute_extended)

    reason = "a value of what is beside it may come later, and it holds for that too"
