"""`~>` and `exclusive state`: the interval that spans the cut needs its start, and no more."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from phenesthe.kernels.arrays import OPEN, Array, Event, Mask, Runs
from phenesthe.kernels.exclusive import Branch as KernelBranch
from phenesthe.kernels.exclusive import find_exclusive
from phenesthe.kernels.ranges import find_ranges
from phenesthe.kernels.runs import view_as_runs
from phenesthe.operators import tables
from phenesthe.operators.bound_formulas import bound_formula, get_origin
from phenesthe.operators.cuts import Cuts, Part, touch, touch_all
from phenesthe.operators.dense import give, unite_dense
from phenesthe.operators.formulas import Constant, Formula, Leaf
from phenesthe.operators.held import Edge
from phenesthe.operators.node import Node
from phenesthe.operators.operator import Operator
from phenesthe.operators.origin import Origin
from phenesthe.operators.remembering import (
    Bounds,
    Kept,
    Need,
    find_limit,
    keep,
)  # fmt: skip
from phenesthe.operators.rows import (
    Bindings,
    Dense,
    Names,
    Rows,
    as_instants,
    concatenate,
    from_intervals,
)  # fmt: skip
from phenesthe.operators.work import Work, World


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """From a start to a stop, or for as long as it takes to expire.

    Each side is a leaf, or a formula that is true nearly always. The label is that of a value of
    an exclusive state.
    """

    start: Formula
    stop: Formula
    expires: int | None
    origin: Origin
    label: Constant | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranges(Operator):
    """One `~>` without a label, or the branches of an exclusive state."""

    word = "~>"

    branches: tuple[Branch, ...]

    @property
    def is_exclusive(self) -> bool:
        return self.branches[0].label is not None

    def compute(self, work: Work, given: Sequence[Rows]) -> Rows:
        return self.put_together(work, self.find_branches(work))

    def find_branches(self, work: Work) -> list[Rows]:
        """The rows of each branch, without its label."""
        if self.is_exclusive:
            return self._find_exclusive(work)
        (branch,) = self.branches
        bindings, start = _as_event(work, work.formula(branch.start))
        stop_bindings, stop = _as_event(work, work.formula(branch.stop))
        join = _look_up(work, bindings, stop_bindings)
        found = find_ranges(start, stop, work.q, branch.expires, join)
        return [from_intervals(bindings, found)]

    def _find_exclusive(self, work: Work) -> list[Rows]:
        names = self.variables[:-1]
        sides = [_as_event(work, work.formula(branch.start))[0] for branch in self.branches]
        columns = tuple([np.concatenate([side.column(n) for side in sides]) for n in names])
        count = sum(side.count for side in sides)
        bindings, _ = work.keys.bind(names, Bindings(names, columns, count))
        ranges: list[KernelBranch] = []
        for branch in self.branches:
            stop_bindings, stop = _as_event(work, work.formula(branch.stop))
            ranges.append(
                KernelBranch(
                    start=give(work, work.formula(branch.start), bindings),
                    stop=stop,
                    expires=branch.expires,
                    join=_look_up(work, bindings, stop_bindings),
                )
            )
        return [from_intervals(bindings, found) for found in find_exclusive(ranges, work.q)]

    def put_together(self, work: Work, parts: Sequence[Rows]) -> Rows:
        """The rows of the branches, each with its label."""
        if not self.is_exclusive:
            return parts[0]
        labelled = []
        for number, part in enumerate(parts):
            label = np.full(len(part), self.code(work, number), dtype=np.int64)
            columns = (*[part.column(name) for name in self.variables[:-1]], label)
            labelled.append(Rows(self.variables, columns, part.ts, part.te))
        return work.keys.sort(concatenate(labelled))

    def code(self, work: Work, number: int) -> int:
        """That of the label."""
        label = self.branches[number].label
        assert label is not None
        return work.world.domains[label.type].code(label.value)

    def bound(self, lates: Sequence[int]) -> Bounds:
        found: list[int] = []
        kept: list[Kept] = []
        for branch in self.branches:
            sides = [branch.start, branch.stop]
            bounds = [bound_formula(side, lates) for side in sides]
            for one in bounds:
                kept += one.kept
            parts = [one.late for one in bounds]
            origins = [get_origin(side) for side in sides]
            kept += keep(branch.origin, self._find_need(branch), origins, parts)
            found += parts
        return Bounds(max(found), tuple(kept))

    def _find_need(self, branch: Branch) -> Need:
        holding = "the start of the interval that still holds, for each binding"
        if self.is_exclusive:
            holding = "the start of the interval on which this value still holds, for each binding"
        if branch.expires is None:
            return Need(holding, "binding", "one row for as long as it holds; the rest is final")
        return Need(
            f"{holding}, and the last instant that restarted its clock",
            "duration",
            "a binding that goes quiet is forgotten when its clock has run out",
            limit=find_limit(branch.origin, "expires", branch.expires),
        )

    def get_node(self) -> "type[RangesNode]":
        return RangesNode


def _as_event(work: Work, result: Rows | Dense) -> tuple[Bindings, Event]:
    if isinstance(result, Dense):
        return result.bindings, result.event
    bindings, key = work.keys.bind(result.variables, result)
    return bindings, as_instants(result, key)


def _look_up(work: Work, bindings: Bindings, others: Bindings) -> Array:
    """For every binding the number of the other that agrees with it, or -1."""
    found = np.full(bindings.count, -1, dtype=np.int64)
    one, other = work.keys.match(others.variables, bindings, others)
    found[one] = other
    return found


class RangesNode(Node[Ranges]):
    """With `expires D` also the last start event counts, as long as its deadline may be ahead."""

    reason = "its interval holds on; its start (and last start event) is needed"

    def __init__(self, operator: Ranges, edges: Sequence[Edge], world: World) -> None:
        super().__init__(operator, edges, world)
        self.branches = operator.branches
        self.names: Names = self.variables[:-1] if operator.is_exclusive else self.variables
        self.looks_back = any(branch.expires is not None for branch in self.branches)
        sides = [side for branch in self.branches for side in (branch.start, branch.stop)]
        self.is_dense = any(side.scope.is_dense for side in sides)
        self.follows_timeline = self.is_dense
        #: How long before the cut a start event of a formula that is always true can matter.
        self.memory = max(
            [branch.expires or 0 for branch in self.branches if branch.start.scope.is_dense],
            default=0,
        )

    def delay(self, cuts: Cuts) -> Cuts:
        return self.share(cuts)

    def select(self, cuts: Cuts, views: list[Rows]) -> list[Mask]:
        shifted = cuts.shift(self.memory) if self.memory else cuts
        masks = [self.reach(view, shifted) for view in views]
        for number, branch in enumerate(self.branches):
            if branch.expires is not None and isinstance(branch.start, Leaf):
                at = branch.start.operand
                masks[at] |= self._mark_last(number, views[at], cuts)
        return masks

    def _own(self, number: int) -> Rows:
        """The rows of one branch, without their label."""
        if not self.operator.is_exclusive:
            return self.rows
        rows = self.rows.take(self.rows.columns[-1] == self.operator.code(self.work, number))
        return Rows(rows.variables[:-1], rows.columns[:-1], rows.ts, rows.te)

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
        work = self.work
        work.begin(given)
        spans: list[Rows] = []
        for number, branch in enumerate(self.branches):
            own = self._spanning(number, cuts)
            spans.append(own)
            begun = self._begin(self._look(branch.start, shifted), own, branch)
            work.give(branch.start, begun)
            work.give(branch.stop, self._look(branch.stop, shifted))
        found = [
            self._restore(tables.arrange(rows, self.names), number, spans[number], cuts)
            for number, rows in enumerate(self.operator.find_branches(work))
        ]
        return tables.sort(self.keys, self.operator.put_together(work, found))

    def _look(self, side: Formula, cuts: Cuts) -> Rows | Dense:
        found = self.work.formula(side)
        if isinstance(found, Rows):
            return found
        # Before the cut nothing is known of what it negates: nothing is said there.
        at = cuts.of(self.keys, found.bindings)
        runs = view_as_runs(found.event)
        first = np.maximum(runs.first, at[runs.key] + 1)
        keep = first <= runs.last
        return Dense(found.bindings, Runs(runs.key[keep], first[keep], runs.last[keep]))

    def _begin(self, found: Rows | Dense, own: Rows, branch: Branch) -> Rows | Dense:
        """Start events after the cut, and one for every interval that spans it."""
        if branch.expires is not None:
            return found  # the last start event is among them, or whole runs of them are
        begun = Rows(own.variables, own.columns, own.ts, own.ts)
        if isinstance(found, Dense):
            names = branch.start.scope.free
            return unite_dense(self.work, [found, tables.arrange(begun, names)], names)
        rows = tables.join([found, tables.arrange(begun, found.variables)])
        return self.keys.sort(rows)

    def _restore(self, rows: Rows, number: int, own: Rows, cuts: Cuts) -> Rows:
        """Where the first start event that was given is not the first there was."""
        if self.branches[number].expires is None or not len(own):
            return rows
        found = tables.match(self.keys, rows, own)
        early = tables.mark_spanning(rows, cuts.of(self.keys, rows)) & (found >= 0)
        ts = np.where(early, own.ts[found], rows.ts)
        return Rows(rows.variables, rows.columns, ts, rows.te)

    def wake(self, last: int, q: int, views: list[Rows]) -> list[Part]:
        if self.is_dense:
            return [touch_all(last)]
        if not self.looks_back:
            return []
        held = self.rows.take(self.rows.te == OPEN)
        # Without the label: the values of an exclusive state end each other.
        columns = held.columns[: len(self.names)]
        return touch(Rows(self.names, columns, held.ts, held.te), last)
