"""A relation with an event that is true nearly always: computed anew at every query."""

from collections.abc import Sequence
from typing import Any

from phenesthe.memory.cuts import BEGINNING, Cuts, Part, touch_all
from phenesthe.memory.node import Edge, Node
from phenesthe.memory.ranges import Operand
from phenesthe.stage.rows import Dense, Rows
from phenesthe.syntax.tree import Formula


class Whole(Node):
    """Which of its instants matter depends on the other side, as far back as that reaches.

    So nothing of its operands may go, and every instant that passes may change it.
    """

    looks_back = True
    reason = "an unguarded `not` in a relation needs everything since the beginning"

    def __init__(self, formula: Formula, operands: Sequence[Operand], **given: Any) -> None:
        edges: list[Edge] = []
        for side in operands:
            edges.extend([side.edge] if side.edge else [])
            edges.extend(side.leaves.edges if side.leaves else [])
        super().__init__(edges=edges, **given)
        self.formula, self.operands = formula, tuple(operands)

    def delay(self, cuts: Cuts) -> Cuts:
        return Cuts(BEGINNING, ())

    def wake(self, last: int, q: int, views: list[Rows]) -> list[Part]:
        return [touch_all(BEGINNING)]

    def compute(self, cuts: Cuts, views: list[Rows], given: list[Rows]) -> Rows:
        chosen = dict(zip(map(id, self.edges), given, strict=True))
        ready: list[tuple[Formula, Rows | Dense]] = []
        for side in self.operands:
            if side.leaves is not None:
                side.leaves.prepare(self, cuts)
                ready.append((side.formula, self.ev.formula(side.formula)))
        ready += [(side.formula, chosen[id(side.edge)]) for side in self.operands if side.edge]
        self.ev.prepare({}, {})
        for formula, rows in ready:
            self.ev.give(formula, rows)
        return self.ev.rows(self.formula)
