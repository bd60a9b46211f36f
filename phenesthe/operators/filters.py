"""What looks at rows one by one: `where`, `let`, `lasting`, and dynamics that lose a variable."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from phenesthe.graph.filters import Lasting, Let, Project, Where
from phenesthe.kernels.arrays import OPEN, Intervals
from phenesthe.kernels.spans import as_spans, measure
from phenesthe.kernels.states import mark_lasting
from phenesthe.operators import tables
from phenesthe.operators.events import project
from phenesthe.operators.held import Edge
from phenesthe.operators.lengths import read_lengths
from phenesthe.operators.node import Node, list_starts
from phenesthe.operators.rows import Rows
from phenesthe.operators.table import open_table
from phenesthe.operators.unchanged import Part, UnchangedUntil, touch
from phenesthe.operators.values import assign
from phenesthe.operators.work import Work, World


def compute_where(op: Where, work: Work, operands: Sequence[Rows]) -> Rows:
    table = work.conditions.solve(open_table(operands[0]), op.condition)
    return work.keys.sort(table.as_rows(op.variables))


def compute_let(op: Let, work: Work, operands: Sequence[Rows]) -> Rows:
    table = open_table(operands[0])
    for name, value in op.values:
        table = assign(work.world.domains, op.types, table, name, value)
    extra = {name: table.extra[name] for name in op.extras}
    return work.keys.sort(replace(table, extra=extra).as_rows(op.variables))


def compute_project(op: Project, work: Work, operands: Sequence[Rows]) -> Rows:
    return project(work, operands[0], op.variables)


def compute_lasting(op: Lasting, work: Work, operands: Sequence[Rows]) -> Rows:
    (rows,) = operands
    intervals = Intervals(rows.ts, rows.ts, rows.te)
    length = read_lengths(work.keys, rows, op.ticks)
    return rows.take(mark_lasting(intervals, op.operator, length, work.q))


class LastingNode(Node[Lasting]):
    """An interval that holds on is decided once it is older than D."""

    evaluate = staticmethod(compute_lasting)

    reason = "it holds on, or how long it lasts is not decided yet"

    def wake(self, last: int, q: int, views: list[Rows]) -> list[Part]:
        held = views[0].take((views[0].te == OPEN) & (views[0].ts <= last))
        if not len(held):
            return []
        intervals = Intervals(held.ts, held.ts, held.te)
        operator = self.operator.operator
        ticks = read_lengths(self.keys, held, self.operator.ticks)
        before = mark_lasting(intervals, operator, ticks, last)
        turned = held.take(before != mark_lasting(intervals, operator, ticks, q))
        return touch(turned, last)

    def find_pending(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Part]:
        """Undecided are those of which a later end could still make either."""
        view = views[0]
        at = cuts.of(self.keys, view)
        undecided = tables.mark_spanning(view, at)
        least = read_lengths(self.keys, view.take(undecided), self.operator.ticks)
        if self.operator.operator in (">=", "<"):
            least = max(least - 1, 0) if isinstance(least, int) else least - 1
        undecided[undecided] = measure(at[undecided], view.ts[undecided]) < as_spans(least)
        return [list_starts(view, undecided)]


class WhereNode(Node[Where]):
    evaluate = staticmethod(compute_where)

    reason = "when it ends is not known yet"

    def find_pending(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Part]:
        return _await_ends(self, cuts, views[0]) if self.operator.awaits_end else []


class LetNode(Node[Let]):
    evaluate = staticmethod(compute_let)
    can_rest = True

    reason = "when it ends is not known yet"

    def __init__(self, operator: Let, edges: Sequence[Edge], world: World) -> None:
        super().__init__(operator, edges, world)
        self.is_linear = self.kind == "event"

    def find_span(self) -> int | None:
        return None if self.contexts else 0

    def compute(self, cuts: UnchangedUntil, views: list[Rows], selected: list[Rows]) -> Rows:
        rows = self.work.run(selected)
        return rows.take(tables.mark_distinct(self.keys, rows)) if rows.extra else rows

    def find_pending(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Part]:
        return _await_ends(self, cuts, views[0]) if self.operator.awaits_end else []


def _await_ends(node: Node[Any], cuts: UnchangedUntil, view: Rows) -> list[Part]:
    """What ends after the cut, or may yet end at another time, counts from where it began."""
    return [list_starts(view, tables.mark_spanning(view, cuts.of(node.keys, view)))]


class ProjectNode(Node[Project]):
    evaluate = staticmethod(compute_project)
