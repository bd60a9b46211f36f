"""What looks at intervals one by one: `where`, `lasting`, and dynamics that lose a variable."""

from collections.abc import Sequence
from dataclasses import dataclass

from phenesthe.graph.formulas import Formula
from phenesthe.graph.operator import Operator
from phenesthe.graph.remembering import (
    PENDING,
    ROW_BY_ROW,
    Bounds,
    Need,
    find_limit,
    keep,
)  # fmt: skip
from phenesthe.vocabulary import ComparisonOperator


@dataclass(frozen=True, kw_only=True, eq=False)
class Where(Operator):
    """States and dynamics: which bindings they hold for is all that changes."""

    word = "where"
    condition: Formula

    def bound(self, lates: Sequence[int]) -> Bounds:
        return Bounds(lates[0], keep(self.origin, ROW_BY_ROW, [self.operands[0].origin], lates))


@dataclass(frozen=True, kw_only=True, eq=False)
class Project(Operator):
    """A dynamic without some of its variables: a union of sets."""

    word = "project"

    def bound(self, lates: Sequence[int]) -> Bounds:
        return Bounds(lates[0], keep(self.origin, ROW_BY_ROW, [self.operands[0].origin], lates))


@dataclass(frozen=True, kw_only=True, eq=False)
class Lasting(Operator):
    word = "lasting"
    operator: ComparisonOperator
    ticks: int

    def bound(self, lates: Sequence[int]) -> Bounds:
        limit = find_limit(self.origin, "lasting", self.ticks)
        keeps = "the intervals that still hold"
        if self.operator in ("<", "<=", "=="):
            reason = "an interval that has lasted longer is out for good"
            need = Need(keeps, "duration", reason, limit=limit)
        else:
            reason = "undecided for that long, and then in the result for as long as it holds"
            need = Need(keeps, "binding", reason, limit=limit)
        kept = keep(self.origin, need, [self.operands[0].origin], lates)
        return Bounds(max(PENDING, lates[0]), kept)
