"""`~>` and `exclusive state`: the interval that spans the cut needs its start, and no more."""

from collections.abc import Sequence

import numpy as np

from phenesthe.graph.formulas import Formula, Leaf, Or
from phenesthe.graph.lengths import Length, Varying
from phenesthe.graph.ranges import Branch, Ranges
from phenesthe.kernels.arrays import OPEN, Array, Event, Mask, Runs
from phenesthe.kernels.exclusive import Branch as KernelBranch
from phenesthe.kernels.exclusive import find_exclusive, find_exclusive_values
from phenesthe.kernels.ranges import find_ranges_until
from phenesthe.kernels.runs import view_as_runs
from phenesthe.operators import tables
from phenesthe.operators.dense import give, unite_dense
from phenesthe.operators.held import Edge
from phenesthe.operators.lengths import read_given
from phenesthe.operators.node import Node
from phenesthe.operators.rows import Bindings, Dense, Rows, as_instants, concatenate, from_intervals
from phenesthe.operators.unchanged import Part, UnchangedUntil, touch, touch_all
from phenesthe.operators.work import Work, World
from phenesthe.vocabulary import Names


def compute_ranges(op: Ranges, work: Work, operands: Sequence[Rows]) -> Rows:
    return put_together(op, work, find_branches(op, work))


def find_branches(op: Ranges, work: Work) -> list[Rows]:
    """The rows of each branch, without its label."""
    if op.is_labelled:
        return _find_exclusive(op, work)
    if op.value is not None:
        return [_find_by_value(op, work, op.value)]
    (branch,) = op.branches
    bindings, start = _as_event(work, work.formula(branch.start))
    stops = _find_stops(work, branch, bindings)
    expires, limit = (
        read_given(work.keys, bindings, one) for one in (branch.expires, branch.limit)
    )
    found = find_ranges_until(start, stops, work.q, expires, limit)
    return [from_intervals(bindings, found)]


def _find_by_value(op: Ranges, work: Work, value: str) -> Rows:
    (branch,) = op.branches
    others = tuple([name for name in op.variables if name != value])
    result = work.formula(branch.start)
    given = tables.as_bindings(result) if isinstance(result, Rows) else result.bindings
    bindings, _ = work.keys.bind((*others, value), given)
    domain = work.world.domains[work.keys.types[value]]
    _, group = work.keys.bind(others, bindings)
    found = find_exclusive_values(
        give(work, result, bindings),
        group,
        domain.rank(bindings.column(value)),
        _find_stops(work, branch, bindings),
        work.q,
        expires=_get_fixed(branch.expires),
        limit=_get_fixed(branch.limit),
    )
    rows = from_intervals(bindings, found)
    if rows.variables == op.variables:
        return rows
    return work.keys.sort(tables.arrange(rows, op.variables))


def _get_fixed(length: Length | None) -> int | None:
    assert not isinstance(length, Varying), "values that end each other have clocks of one length"
    return length


def _find_stops(work: Work, branch: Branch, bindings: Bindings) -> list[tuple[Event, Array | None]]:
    """None where the right side is left out."""
    found: list[tuple[Event, Array | None]] = []
    for part in list_stops(branch):
        own, stop = _as_event(work, work.formula(part))
        found.append((stop, _look_up(work, bindings, own)))
    return found


def list_stops(branch: Branch) -> tuple[Formula, ...]:
    """Alternatives that know different variables end the range each by itself."""
    match branch.stop:
        case None:
            return ()
        case Or(scope=scope, operands=operands) if not scope.is_self_sufficient:
            return operands
        case stop:
            return (stop,)


def _find_exclusive(op: Ranges, work: Work) -> list[Rows]:
    names = op.variables[:-1]
    sides = [_as_event(work, work.formula(branch.start))[0] for branch in op.branches]
    columns = tuple([np.concatenate([side.column(n) for side in sides]) for n in names])
    count = sum(side.count for side in sides)
    bindings, _ = work.keys.bind(names, Bindings(names, columns, count))
    ranges = [
        KernelBranch(
            start=give(work, work.formula(branch.start), bindings),
            stops=_find_stops(work, branch, bindings),
            expires=_get_fixed(branch.expires),
            limit=_get_fixed(branch.limit),
        )
        for branch in op.branches
    ]
    return [from_intervals(bindings, found) for found in find_exclusive(ranges, work.q)]


def put_together(op: Ranges, work: Work, parts: Sequence[Rows]) -> Rows:
    """The rows of the branches, each with its label."""
    if not op.is_labelled:
        return parts[0]
    labelled = []
    for number, part in enumerate(parts):
        label = np.full(len(part), code(op, work, number), dtype=np.int64)
        columns = (*[part.column(name) for name in op.variables[:-1]], label)
        labelled.append(Rows(op.variables, columns, part.ts, part.te))
    return work.keys.sort(concatenate(labelled))


def code(op: Ranges, work: Work, number: int) -> int:
    """That of the label."""
    label = op.branches[number].label
    assert label is not None
    return work.world.domains[label.type].code(label.value)


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


def _find_most(length: Length) -> int:
    return length if isinstance(length, int) else OPEN


def _begin_after(dense: Dense, at: Array) -> Dense:
    """What is true after an instant of each binding."""
    runs = view_as_runs(dense.event)
    first = np.maximum(runs.first, at[runs.key] + 1)
    keep = first <= runs.last
    return Dense(dense.bindings, Runs(runs.key[keep], first[keep], runs.last[keep]))


class RangesNode(Node[Ranges]):
    """With `expires D` also the last start event counts, as long as its deadline may be ahead.

    With `limit D` the deadline follows from the start; with both, from all that happened since.
    """

    evaluate = staticmethod(compute_ranges)

    reason = "its interval holds on; its start (and last start event) is needed"

    def __init__(self, operator: Ranges, edges: Sequence[Edge], world: World) -> None:
        super().__init__(operator, edges, world)
        self.branches = operator.branches
        self.names: Names = self.variables[:-1] if operator.is_labelled else self.variables
        #: What the values of an exclusive state have in common: they end each other.
        self.group: Names = tuple([one for one in self.variables if one != operator.value])
        has_clock = any(branch.expires is not None for branch in self.branches)
        self.looks_back = self.looks_back or has_clock
        self.is_timed = has_clock or any(one.limit is not None for one in self.branches)
        sides = [side for branch in self.branches for side in branch.sides]
        self.is_dense = any(side.scope.is_dense for side in sides)
        self.follows_timeline = self.is_dense
        self.wakes = self.is_dense or self.is_timed
        #: How long before the cut a start event of a formula that is always true can matter.
        self.memory = max(
            [
                _find_most(branch.expires if branch.limit is None else branch.limit)
                for branch in self.branches
                if branch.start.scope.is_dense and branch.expires is not None
            ],
            default=0,
        )
        #: How long before the cut the last start event of an interval over it can be.
        self._span = max(
            [
                _find_most(branch.expires if branch.limit is None else branch.limit)
                for branch in self.branches
                if branch.expires is not None
            ],
            default=0,
        )

    def find_span(self) -> int | None:
        return None if self.contexts or self._span == OPEN else self._span + 1

    def delay(self, cuts: UnchangedUntil) -> UnchangedUntil:
        return self.share(cuts).project(set(self.group))

    def select(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Mask]:
        shifted = cuts.shift(self.memory) if self.memory else cuts
        masks = [self.reach(view, shifted) for view in views]
        for number, branch in enumerate(self.branches):
            if branch.expires is not None and isinstance(branch.start, Leaf):
                at = branch.start.operand
                masks[at] |= self._mark_last(number, views[at], cuts)
        return masks

    def _own(self, number: int) -> Rows:
        """The rows of one branch, without their label."""
        if not self.operator.is_labelled:
            return self.rows
        rows = self.rows.take(self.rows.columns[-1] == code(self.operator, self.work, number))
        return Rows(rows.variables[:-1], rows.columns[:-1], rows.ts, rows.te)

    def _spanning(self, number: int, cuts: UnchangedUntil) -> Rows:
        own = self._own(number)
        return own.take(tables.mark_spanning(own, cuts.of(self.keys, own)))

    def _mark_last(self, number: int, view: Rows, cuts: UnchangedUntil) -> Mask:
        """The last start event up to the cut of each interval that spans it, or all of its own."""
        own = self._spanning(number, cuts)
        among = view.ts <= cuts.of(self.keys, view)
        found = tables.match(self.keys, view, own)
        among &= found >= 0
        if self.branches[number].limit is not None:
            among[among] = view.ts[among] >= own.ts[found[among]]
            return among
        return tables.find_last(self.keys, view.variables, view, view.ts, among)

    def compute(self, cuts: UnchangedUntil, views: list[Rows], selected: list[Rows]) -> Rows:
        shifted = cuts.shift(self.memory) if self.memory else cuts
        work = self.work
        work.begin(selected)
        spans: list[Rows] = []
        for number, branch in enumerate(self.branches):
            own = self._spanning(number, cuts)
            spans.append(own)
            given = self._look(branch.start, cuts)
            if branch.expires is not None:
                given = self._look_back(branch.start, cuts, shifted, own)
            work.give(branch.start, self._begin(given, own, branch))
            for stop in list_stops(branch):
                work.give(stop, self._look(stop, cuts))
        found = [
            self._restore(tables.arrange(rows, self.names), number, spans[number], cuts)
            for number, rows in enumerate(find_branches(self.operator, work))
        ]
        return tables.sort(self.keys, put_together(self.operator, work, found))

    def _look(self, side: Formula, cuts: UnchangedUntil) -> Rows | Dense:
        """What is true after the cut: what happened before is in the intervals that span it."""
        found = self.work.formula(side)
        if isinstance(found, Dense):
            return _begin_after(found, cuts.of(self.keys, found.bindings))
        # More was selected for what negates the same rows.
        return found.take(found.ts > cuts.of(self.keys, found)) if self.memory else found

    def _look_back(
        self, side: Formula, cuts: UnchangedUntil, shifted: UnchangedUntil, own: Rows
    ) -> Rows | Dense:
        """Also what is true before it, within the intervals that span it.

        Elsewhere another value may have kept it from counting, of which nothing is known there.
        Nor is it known of what a formula negates before the shifted cut.
        """
        found = self.work.formula(side)
        if isinstance(found, Rows):
            if not self.memory:
                return found
            number = tables.match(self.keys, found, own)
            within = number >= 0
            within[within] = found.ts[within] >= own.ts[number[within]]
            return found.take(within | (found.ts > cuts.of(self.keys, found)))
        at = cuts.of(self.keys, found.bindings).copy()
        number = tables.match(self.keys, found.bindings, own)
        spans = number >= 0
        earliest = shifted.of(self.keys, found.bindings)[spans]
        at[spans] = np.maximum(own.ts[number[spans]] - 1, earliest)
        return _begin_after(found, at)

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

    def _restore(self, rows: Rows, number: int, own: Rows, cuts: UnchangedUntil) -> Rows:
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
        if not self.is_timed:
            return []
        held = self.rows.take(self.rows.te == OPEN)
        columns = tuple([held.column(name) for name in self.group])
        return touch(Rows(self.group, columns, held.ts, held.te), last)
