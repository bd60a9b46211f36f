"""What looks at intervals one by one: `where`, `lasting`, and dynamics that lose a variable."""

from collections.abc import Sequence

from phenesthe.graph.filters import Lasting, Project, Where
from phenesthe.kernels.arrays import OPEN, Intervals
from phenesthe.kernels.spans import measure
from phenesthe.kernels.states import mark_lasting
from phenesthe.operators import tables
from phenesthe.operators.events import project
from phenesthe.operators.node import Node, list_starts
from phenesthe.operators.rows import Rows
from phenesthe.operators.table import open_table
from phenesthe.operators.unchanged import Part, UnchangedUntil, touch
from phenesthe.operators.work import Work


def compute_where(op: Where, work: Work, operands: Sequence[Rows]) -> Rows:
    table = work.conditions.solve(open_table(operands[0]), op.condition)
    return work.keys.sort(table.as_rows(op.variables))


def compute_project(op: Project, work: Work, operands: Sequence[Rows]) -> Rows:
    return project(work, operands[0], op.variables)


def compute_lasting(op: Lasting, work: Work, operands: Sequence[Rows]) -> Rows:
    (rows,) = operands
    intervals = Intervals(rows.ts, rows.ts, rows.te)
    return rows.take(mark_lasting(intervals, op.operator, op.ticks, work.q))


class LastingNode(Node[Lasting]):
    """An interval that holds on is decided once it is older than D."""

    evaluate = staticmethod(compute_lasting)

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

    def find_pending(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Part]:
        """Undecided are those of which a later end could still make either."""
        view = views[0]
        at = cuts.of(self.keys, view)
        least = self.operator.ticks - (1 if self.operator.operator in (">=", "<") else 0)
        undecided = tables.mark_spanning(view, at)
        undecided[undecided] = measure(at[undecided], view.ts[undecided]) < max(least, 0)
        return [list_starts(view, undecided)]


class WhereNode(Node[Where]):
    evaluate = staticmethod(compute_where)


class ProjectNode(Node[Project]):
    evaluate = staticmethod(compute_project)
