"""`~>` and `exclusive state`: the interval that spans the cut needs its start, and no more."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from phenesthe.kernels.arrays import OPEN, Mask, Runs
from phenesthe.kernels.runs import view_as_runs
from phenesthe.memory import tables
from phenesthe.memory.cuts import Cuts, Part, touch_all
from phenesthe.memory.node import Edge, Node
from phenesthe.memory.pointwise import Leaves, touch
from phenesthe.stage.dense import unite_dense
from phenesthe.stage.rows import Dense, Rows
from phenesthe.stage.states import evaluate_exclusive, evaluate_range
from phenesthe.syntax.tree import Branch, Formula, MaximalRange


@dataclass(frozen=True, slots=True, eq=False)
class Operand:
    """One side of `~>`: a node, or the parts of a formula that is true nearly always."""

    formula: Formula
    edge: Edge | None
    leaves: Leaves | None


class Ranges(Node):
    """One `~>`, or the branches of an exclusive state, each with the label of its value.

    With `expires D` also the last start event counts, as long as its deadline may be ahead.
    """

    reason = "its interval holds on; its start (and last start event) is needed"

    def __init__(
        self,
        starts: Sequence[Operand],
        stops: Sequence[Operand],
        expires: Sequence[int | None],
        branches: Sequence[Branch] | None,
        formula: MaximalRange | None,
        **given: Any,
    ) -> None:
        self.starts, self.stops, self.expires = tuple(starts), tuple(stops), tuple(expires)
        self.branches, self.formula = branches, formula
        edges: list[Edge] = []
        for side in (*starts, *stops):
            edges.extend([side.edge] if side.edge else [])
            edges.extend(side.leaves.edges if side.leaves else [])
        super().__init__(edges=edges, **given)
        self.looks_back = any(span is not None for span in expires)
        self.is_dense = any(side.leaves is not None for side in (*starts, *stops))
        self.follows_timeline = self.is_dense
        #: How long before the cut a start event of a formula that is always true can matter.
        self.memory = max(
            (
                span
                for side, span in zip(self.starts, self.expires, strict=True)
                if span is not None and side.leaves is not None
            ),
            default=0,
        )

    def delay(self, cuts: Cuts) -> Cuts:
        return self.share(cuts)

    def select(self, cuts: Cuts, views: list[Rows]) -> list[Mask]:
        shifted = cuts.shift(self.memory) if self.memory else cuts
        masks = [self.reach(view, shifted) for view in views]
        for number, (side, span) in enumerate(zip(self.starts, self.expires, strict=True)):
            if span is not None and side.edge is not None:
                at = self.edges.index(side.edge)
                masks[at] |= self._mark_last(number, views[at], cuts)
        return masks

    def _names(self) -> tuple[str, ...]:
        return self.variables if self.branches is None else self.variables[:-1]

    def _own(self, number: int) -> Rows:
        """The rows of one branch, without their label."""
        if self.branches is None:
            return self.rows
        rows = self.rows.take(self.rows.columns[-1] == self.code(number))
        return Rows(rows.variables[:-1], rows.columns[:-1], rows.ts, rows.te)

    def code(self, number: int) -> int:
        assert self.branches is not None
        type_name = self.ev.conditions.types[self.variables[-1]]
        constant = self.ev.conditions.constant(self.branches[number].label)
        return self.ev.partition.domains[type_name].code(constant)

    def _spanning(self, number: int, cuts: Cuts) -> Rows:
        own = self._own(number)
        return own.take(tables.mark_spanning(own, cuts.of(self.keys, own)))

    def _mark_last(self, number: int, view: Rows, cuts: Cuts) -> Mask:
        """The last start event up to the cut of each interval that spans it."""
        own = self._spanning(number, cuts)
        among = view.ts <= cuts.of(self.keys, view)
        among &= tables.match(self.keys, view, own) >= 0
        return tables.find_last(self.keys, view.variables, view, view.ts, among)

    def compute(self, cuts: Cuts, views: list[Rows], given: list[Rows]) -> Rows:
        shifted = cuts.shift(self.memory) if self.memory else cuts
        chosen = dict(zip(map(id, self.edges), given, strict=True))
        ready: list[tuple[Formula, Rows | Dense]] = []
        spans: list[Rows] = []
        for number, side in enumerate(self.starts):
            own = self._spanning(number, cuts)
            spans.append(own)
            found = self._take(side, chosen, shifted)
            ready.append((side.formula, self._begin(found, own, self.expires[number], side)))
        ready += [(side.formula, self._take(side, chosen, shifted)) for side in self.stops]
        self.ev.prepare({}, {})
        for formula, rows in ready:
            self.ev.give(formula, rows)
        if self.branches is None:
            assert self.formula is not None
            result = tables.arrange(evaluate_range(self.ev, self.formula), self.variables)
            return tables.sort(self.keys, self._restore(result, 0, spans[0], cuts))
        names = self._names()
        found_rows = []
        for number, rows in enumerate(evaluate_exclusive(self.ev, tuple(self.branches), names)):
            rows = self._restore(tables.arrange(rows, names), number, spans[number], cuts)
            label = np.full(len(rows), self.code(number), dtype=np.int64)
            found_rows.append(Rows(self.variables, (*rows.columns, label), rows.ts, rows.te))
        return tables.sort(self.keys, tables.join(found_rows))

    def _take(self, side: Operand, chosen: dict[int, Rows], cuts: Cuts) -> Rows | Dense:
        if side.edge is not None:
            return chosen[id(side.edge)]
        assert side.leaves is not None
        side.leaves.prepare(self, cuts)
        dense = self.ev.formula(side.formula)
        assert isinstance(dense, Dense)
        # Before the cut nothing is known of what it negates: nothing is said there.
        at = cuts.of(self.keys, dense.bindings)
        runs = view_as_runs(dense.event)
        first = np.maximum(runs.first, at[runs.key] + 1)
        keep = first <= runs.last
        return Dense(dense.bindings, Runs(runs.key[keep], first[keep], runs.last[keep]))

    def _begin(
        self, found: Rows | Dense, own: Rows, expires: int | None, side: Operand
    ) -> Rows | Dense:
        """Start events after the cut, and one for every interval that spans it."""
        if expires is not None:
            return found  # the last start event is among them, or whole runs of them are
        begun = Rows(own.variables, own.columns, own.ts, own.ts)
        if isinstance(found, Dense):
            names = self.ev.order(side.formula)
            return unite_dense(self.ev, [found, tables.arrange(begun, names)], names)
        rows = tables.join([found, tables.arrange(begun, found.variables)])
        return self.keys.sort(rows)

    def _restore(self, rows: Rows, number: int, own: Rows, cuts: Cuts) -> Rows:
        """Where the first start event that was given is not the first there was."""
        if self.expires[number] is None or not len(own):
            return rows
        found = tables.match(self.keys, rows, own)
        early = tables.mark_spanning(rows, cuts.of(self.keys, rows)) & (found >= 0)
        ts = np.where(early, own.ts[found], rows.ts)
        return Rows(rows.variables, rows.columns, ts, rows.te)

    def wake(self, last: int, q: int, views: list[Rows]) -> list[Part]:
        if self.is_dense:
            return [touch_all(last)]
        if all(span is None for span in self.expires):
            return []
        held = self.rows.take(self.rows.te == OPEN)
        # Without the label: the values of an exclusive state end each other.
        count = len(self._names())
        return touch(Rows(self._names(), held.columns[:count], held.ts, held.te), last)
