"""Rows with what is aggregated of others: those of their interval, or of some time before."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from phenesthe.graph.aggregates import Aggregated, Measure, list_measured
from phenesthe.kernels.arrays import OPEN, Array, Mask
from phenesthe.operators import tables
from phenesthe.operators.folds import Fold, choose_rows, go_on, is_folded, make_fold
from phenesthe.operators.held import Edge
from phenesthe.operators.measures import Begun, Column, measure
from phenesthe.operators.node import Node, list_starts
from phenesthe.operators.rows import Rows
from phenesthe.operators.table import Table, open_table
from phenesthe.operators.unchanged import Part, UnchangedUntil, touch
from phenesthe.operators.values import assign, name_measured
from phenesthe.operators.work import Work, World
from phenesthe.vocabulary import ValueType


def compute_aggregated(op: Aggregated, work: Work, operands: Sequence[Rows]) -> Rows:
    return _compute(op, work, operands, {})


def _compute(
    op: Aggregated, work: Work, operands: Sequence[Rows], begun: Mapping[int, Begun]
) -> Rows:
    """`begun` are numbers of rows of the first operand, by aggregate."""
    table = open_table(operands[0])
    if op.condition is not None:
        table = _measure_all(op, work, table, operands, begun, list_measured(op.condition))
        table = work.conditions.solve(table, op.condition)
    for name, value in op.values:
        table = _measure_all(op, work, table, operands, begun, list_measured(value))
        table = assign(work.world.domains, op.types, table, name, value)
    extra = {name: table.extra[name] for name in op.extras}
    return work.keys.sort(replace(table, extra=extra).as_rows(op.variables))


def _measure_all(
    op: Aggregated,
    work: Work,
    table: Table,
    operands: Sequence[Rows],
    begun: Mapping[int, Begun],
    numbers: Iterable[int],
) -> Table:
    """With two columns for each aggregate: its values, and where there is none."""
    extra: dict[str, Column] = dict(table.extra)
    for number in numbers:
        one = op.measures[number]
        known = begun[number].take(table.origin) if number in begun else None
        found = measure(work, one, op.types, table, operands[one.rows.operand], known)
        extra.update(zip(name_measured(number), found, strict=True))
    return replace(table, extra=extra)


class AggregatedNode(Node[Aggregated]):
    """What is asked of a row changes with every row it looks at, from the row's beginning on."""

    evaluate = staticmethod(compute_aggregated)

    looks_back = True
    reason = "what is asked of it is not known yet, and counts from where it began"

    def __init__(self, operator: Aggregated, edges: Sequence[Edge], world: World) -> None:
        super().__init__(operator, edges, world)
        #: By aggregate, of the intervals that span the frontier.
        self.folds: dict[int, Fold] = {
            number: make_fold(tables.make_empty(tuple(filter(None, edges[0].names)), (), "event"))
            for number, one in enumerate(operator.measures)
            if is_folded(one) and self._is_lasting(one)
        }

    def _is_lasting(self, one: Measure) -> bool:
        """Whether an interval looks at the same rows as long as it holds: what is computed of it
        before may become something else."""
        return one.span is None and {*one.shared} <= {*self.edges[0].names}

    def select(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Mask]:
        masks = [self.reach(view, cuts) for view in views]
        chosen = views[0].take(masks[0])
        since = UnchangedUntil(cuts.default, [*cuts.parts, list_starts(chosen, chosen.ts < OPEN)])
        for one in self.operator.measures:
            earlier = since if one.span is None else cuts.shift(one.ticks)
            at = one.rows.operand
            masks[at] = self.reach(views[at], earlier)
        return masks

    def select_lasting(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Mask]:
        """Of intervals that span the frontier the rows before it become numbers, or few."""
        if self.kind == "event":
            return self.select(cuts, views)
        masks, whole = [self.reach(view, cuts) for view in views], self.select(cuts, views)
        spanning = views[0].take(tables.mark_spanning(views[0], cuts.of(self.keys, views[0])))
        for number, one in enumerate(self.operator.measures):
            at = one.rows.operand
            # As far as nothing changes for any row that meets the same rows.
            until = cuts.project(one.shared).of(self.keys, spanning)
            given = (self.work, one, self.operator.types)
            if not self._is_lasting(one):
                masks[at] = whole[at]
            elif number in self.folds:
                fold = self.folds[number]
                self.folds[number] = go_on(*given, fold, spanning, until, views[at])
            else:
                masks[at] = masks[at] | choose_rows(*given, spanning, until, views[at])
        return masks

    def list_codes(self) -> Iterator[tuple[ValueType, Array]]:
        yield from super().list_codes()
        for fold in self.folds.values():
            for name, column in zip(fold.rows.variables, fold.rows.columns, strict=True):
                yield self.keys.types[name], column

    def remap(self, codes: Mapping[str, Array]) -> None:
        super().remap(codes)
        types = self.keys.types
        self.folds = {number: one.remap(types, codes) for number, one in self.folds.items()}

    def compute(self, cuts: UnchangedUntil, views: list[Rows], selected: list[Rows]) -> Rows:
        self.work.begin(selected)
        begun = {number: one.find(self.keys, selected[0]) for number, one in self.folds.items()}
        rows = _compute(self.operator, self.work, selected, begun)
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
