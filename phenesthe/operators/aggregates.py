"""Rows with what is aggregated of others: those of their interval, or of some time before."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from phenesthe.graph.aggregates import Aggregated, list_measured
from phenesthe.kernels.arrays import OPEN, Mask
from phenesthe.operators import tables
from phenesthe.operators.measures import Column, measure
from phenesthe.operators.node import Node, list_starts
from phenesthe.operators.rows import Rows
from phenesthe.operators.table import Table, open_table
from phenesthe.operators.unchanged import Part, UnchangedUntil, touch
from phenesthe.operators.values import assign, name_measured
from phenesthe.operators.work import Work


def compute_aggregated(op: Aggregated, work: Work, operands: Sequence[Rows]) -> Rows:
    table = open_table(operands[0])
    if op.condition is not None:
        table = _measure_all(op, work, table, operands, list_measured(op.condition))
        table = work.conditions.solve(table, op.condition)
    for name, value in op.values:
        table = _measure_all(op, work, table, operands, list_measured(value))
        table = assign(work.world.domains, op.types, table, name, value)
    extra = {name: table.extra[name] for name in op.extras}
    return work.keys.sort(replace(table, extra=extra).as_rows(op.variables))


def _measure_all(
    op: Aggregated, work: Work, table: Table, operands: Sequence[Rows], numbers: Iterable[int]
) -> Table:
    """With two columns for each aggregate: its values, and where there is none."""
    extra: dict[str, Column] = dict(table.extra)
    for number in numbers:
        one = op.measures[number]
        found = measure(work, one, op.types, table, operands[one.rows.operand])
        extra.update(zip(name_measured(number), found, strict=True))
    return replace(table, extra=extra)


class AggregatedNode(Node[Aggregated]):
    """What is asked of a row changes with every row it looks at, from the row's beginning on."""

    evaluate = staticmethod(compute_aggregated)

    looks_back = True
    reason = "what is asked of it is not known yet, and counts from where it began"

    def select(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Mask]:
        masks = [self.reach(view, cuts) for view in views]
        chosen = views[0].take(masks[0])
        since = UnchangedUntil(cuts.default, [*cuts.parts, list_starts(chosen, chosen.ts < OPEN)])
        for one in self.operator.measures:
            earlier = since if one.span is None else cuts.shift(one.ticks)
            at = one.rows.operand
            masks[at] = self.reach(views[at], earlier)
        return masks

    def compute(self, cuts: UnchangedUntil, views: list[Rows], selected: list[Rows]) -> Rows:
        rows = self.work.run(selected)
        return rows.take(tables.mark_distinct(self.keys, rows)) if rows.extra else rows

    def wake(self, last: int, q: int, views: list[Rows]) -> list[Part]:
        """Time that two intervals share passes while both hold on."""
        if all(one.function != "total" for one in self.operator.measures):
            return []
        return touch(views[0].take((views[0].te == OPEN) & (views[0].ts <= last)), last)

    def find_pending(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Part]:
        if self.kind == "event":
            return []
        return [list_starts(views[0], tables.mark_spanning(views[0], cuts.of(self.keys, views[0])))]
