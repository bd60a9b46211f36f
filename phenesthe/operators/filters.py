"""What looks at intervals one by one: `where`, `lasting`, and dynamics that lose a variable."""

from collections.abc import Sequence
from dataclasses import dataclass

from phenesthe.kernels.arrays import OPEN, Intervals
from phenesthe.kernels.spans import measure
from phenesthe.kernels.states import mark_lasting
from phenesthe.operators import tables
from phenesthe.operators.cuts import Cuts, Part, touch
from phenesthe.operators.events import project
from phenesthe.operators.formulas import Formula
from phenesthe.operators.node import Node, list_starts
from phenesthe.operators.operator import Operator
from phenesthe.operators.remembering import (
    PENDING,
    ROW_BY_ROW,
    Bounds,
    Need,
    find_limit,
    keep,
)  # fmt: skip
from phenesthe.operators.rows import Rows
from phenesthe.operators.table import open_table
from phenesthe.operators.work import Work
from phenesthe.vocabulary import ComparisonOperator


@dataclass(frozen=True, kw_only=True, eq=False)
class Where(Operator):
    """States and dynamics: which bindings they hold for is all that changes."""

    word = "where"

    condition: Formula

    def compute(self, work: Work, given: Sequence[Rows]) -> Rows:
        table = work.conditions.solve(open_table(given[0]), self.condition)
        return work.keys.sort(table.as_rows(self.variables))

    def bound(self, lates: Sequence[int]) -> Bounds:
        return Bounds(lates[0], keep(self.origin, ROW_BY_ROW, [self.operands[0].origin], lates))

    def get_node(self) -> type[Node["Where"]]:
        return Node


@dataclass(frozen=True, kw_only=True, eq=False)
class Project(Operator):
    """A dynamic without some of its variables: a union of sets."""

    word = "project"

    def compute(self, work: Work, given: Sequence[Rows]) -> Rows:
        return project(work, given[0], self.variables)

    def bound(self, lates: Sequence[int]) -> Bounds:
        return Bounds(lates[0], keep(self.origin, ROW_BY_ROW, [self.operands[0].origin], lates))

    def get_node(self) -> type[Node["Project"]]:
        return Node


@dataclass(frozen=True, kw_only=True, eq=False)
class Lasting(Operator):
    word = "lasting"

    operator: ComparisonOperator
    ticks: int

    def compute(self, work: Work, given: Sequence[Rows]) -> Rows:
        (rows,) = given
        intervals = Intervals(rows.ts, rows.ts, rows.te)
        return rows.take(mark_lasting(intervals, self.operator, self.ticks, work.q))

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

    def get_node(self) -> "type[LastingNode]":
        return LastingNode


class LastingNode(Node[Lasting]):
    """An interval that holds on is decided once it is older than D."""

    reason = "it holds on, or how long it lasts is not decided yet"

    def wake(self, last: int, q: int, views: list[Rows]) -> list[Part]:
        held = views[0].take((views[0].te == OPEN) & (views[0].ts <= last))
        if not len(held):
            return []
        intervals = Intervals(held.ts, held.ts, held.te)
        operator, ticks = self.operator.operator, self.operator.ticks
        before = mark_lasting(intervals, operator, ticks, last)
        turned = held.take(before != mark_lasting(intervals, operator, ticks, q))
        return touch(turned, last)

    def find_pending(self, cuts: Cuts, views: list[Rows]) -> list[Part]:
        """Undecided are those of which a later end could still make either."""
        view = views[0]
        at = cuts.of(self.keys, view)
        least = self.operator.ticks - (1 if self.operator.operator in (">=", "<") else 0)
        undecided = tables.mark_spanning(view, at)
        undecided[undecided] = measure(at[undecided], view.ts[undecided]) < max(least, 0)
        return [list_starts(view, undecided)]
