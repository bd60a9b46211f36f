"""`repeat`: runs of neighbours, so only the last two occurrences before the cut matter after it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from phenesthe.graph.repeats import Repeat
from phenesthe.kernels.arrays import OPEN, Array, Mask
from phenesthe.kernels.order import order_rows
from phenesthe.kernels.repeat import (
    Occurrences,
    find_repeats,
    group_occurrences,
    mark_following,
)  # fmt: skip
from phenesthe.kernels.spans import Length, compare_some_later, subtract
from phenesthe.operators import tables
from phenesthe.operators.held import Edge
from phenesthe.operators.lengths import read_lengths
from phenesthe.operators.neighbours import mark_connected
from phenesthe.operators.node import Node, list_starts
from phenesthe.operators.rows import Bindings, Rows, from_intervals, is_identity
from phenesthe.operators.unchanged import BEGINNING, Part, UnchangedUntil, touch
from phenesthe.operators.work import Work, World


def compute_repeat(op: Repeat, work: Work, operands: Sequence[Rows]) -> Rows:
    (rows,) = operands
    known = _recall(op, work, rows)
    if known.order is not None:
        rows = rows.take(known.order)
    instants, connects = known.occurrences.instants, None
    bindings = Bindings(op.variables, known.columns, known.count)
    gap = read_lengths(work.keys, bindings, op.gap)
    if op.condition is not None:
        candidates = np.flatnonzero(mark_following(instants, op.operator, gap))
        connects = mark_connected(
            work.conditions, op.condition, op.variables, rows, known.occurrences, candidates
        )
    found = find_repeats(instants, op.operator, gap, work.q, connects)
    return from_intervals(bindings, found)


@dataclass(frozen=True, slots=True, eq=False)
class _Prepared:
    """Rows of φ by binding and instant; `columns` are those of the bindings.

    Without an order the rows have it already.
    """

    columns: tuple[Array, ...]
    count: int
    order: Array | None
    occurrences: Occurrences


def _recall(op: Repeat, work: Work, rows: Rows) -> _Prepared:
    """In a batch run what one `repeat` has found of an event is found for all."""
    world, (operand,) = work.world, op.operands
    if world.prepared is None:
        return _prepare(op, work, rows)
    known = world.prepared.setdefault(operand.producer, {})
    names = tuple([operand.names.index(name) for name in op.variables])
    if names not in known:
        known[names] = _prepare(op, work, rows)
    found = known[names]
    assert isinstance(found, _Prepared)
    return found


def _prepare(op: Repeat, work: Work, rows: Rows) -> _Prepared:
    bindings, key = work.keys.bind(op.variables, rows)
    order = order_rows(key, rows.ts)
    if is_identity(order):
        return _Prepared(bindings.columns, bindings.count, None, group_occurrences(key, rows.ts))
    occurrences = group_occurrences(key[order], rows.ts[order])
    return _Prepared(bindings.columns, bindings.count, order, occurrences)


def _look_back(at: int | Array, gap: Length) -> int | Array:
    """So long before, and not before all time."""
    if isinstance(gap, int) and isinstance(at, int):
        return max(at - gap, BEGINNING)
    return np.maximum(subtract(np.asarray(at, dtype=np.int64), gap), BEGINNING)


class RepeatNode(Node[Repeat]):
    """The last occurrence p up to the cut may still be followed by a neighbour.

    Then its run, if it has one, goes on, or a run begins with it; once no later occurrence can be
    its neighbour all that is decided. Whether p continues a run shows in the occurrence before it.
    """

    evaluate = staticmethod(compute_repeat)

    looks_back = True
    is_local = True
    reason = "a later occurrence can still be its neighbour"

    def __init__(self, operator: Repeat, edges: Sequence[Edge], world: World) -> None:
        super().__init__(operator, edges, world)
        self._last: tuple[UnchangedUntil, Rows, Mask] | None = None
        #: Up to when no run ends because nothing continues it, as long as its rows are these.
        self._due: tuple[Rows, int] | None = None

    def _mark_last(self, cuts: UnchangedUntil, view: Rows) -> Mask:
        """The occurrences at the last instant up to the cut that can have a later neighbour."""
        if self._last is None or self._last[0] is not cuts or self._last[1] is not view:
            self._last = (cuts, view, self._find_last(cuts, view))
        return self._last[2].copy()

    def _find_last(self, cuts: UnchangedUntil, view: Rows) -> Mask:
        at = cuts.of(self.keys, view)
        past = (view.ts <= at) & (at < OPEN)
        last = tables.find_last(self.keys, self.variables, view, view.ts, past)
        gap = self._read_gap(view.take(last))
        last[last] = compare_some_later(view.ts[last], at[last], self.operator.operator, gap)
        return last

    def _read_gap(self, view: Rows) -> Length:
        return read_lengths(self.keys, view, self.operator.gap)

    def select(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Mask]:
        (view,) = views
        last = self._mark_last(cuts, view)
        at = cuts.of(self.keys, view)
        # Of the bindings that have such a last occurrence also the one before it.
        named = self._leave_out(view)
        limit = UnchangedUntil(OPEN, [list_starts(named, last)]).of(self.keys, named)
        before = tables.find_last(
            self.keys, self.variables, view, view.ts, (view.ts <= limit) & (limit < OPEN)
        )
        return [(view.ts > at) | last | before]

    def _leave_out(self, view: Rows) -> Rows:
        """Without what is local to the repetition."""
        columns = tuple([view.column(name) for name in self.variables])
        return Rows(self.variables, columns, view.ts, view.te)

    def _limit(self, cuts: UnchangedUntil, view: Rows) -> UnchangedUntil:
        last = self._mark_last(cuts, view)
        return UnchangedUntil(cuts.default, [*cuts.parts, list_starts(self._leave_out(view), last)])

    def find_span(self) -> int | None:
        """The last occurrence before the cut that can have a later neighbour, and its own."""
        gap = self.operator.gap
        if self.contexts or not isinstance(gap, int):
            return None
        return 2 * gap + 1 if self.operator.operator in ("<", "<=", "==") else None

    def narrow(self, views: list[Rows], cuts: UnchangedUntil) -> list[Rows]:
        """Bindings without a cut do not matter. What is further from the cut than a gap has no
        neighbour after it, and the one before is further from that than a gap is none of its run.
        """
        (view,) = views
        if cuts.default == OPEN:
            view = view.take(cuts.of(self.keys, view) < OPEN)
        if self.operator.operator in ("<", "<=", "=="):
            gap = self._read_gap(view)
            view = view.take(view.ts >= _look_back(_look_back(cuts.find_least(), gap), gap))
        return [view]

    def mark_affected(self, rows: Rows, cuts: UnchangedUntil, views: list[Rows]) -> Mask:
        return rows.te > self._limit(cuts, views[0]).of(self.keys, rows)

    def compute(self, cuts: UnchangedUntil, views: list[Rows], selected: list[Rows]) -> Rows:
        found = self.work.run(selected)
        limit = self._limit(cuts, views[0])
        # A run that was given from its last two occurrences on began where it began before.
        own = self.rows.take(tables.mark_spanning(self.rows, limit.of(self.keys, self.rows)))
        if not len(own):
            return found
        number = tables.match(self.keys, found, own)
        known = (found.ts <= limit.of(self.keys, found)) & (number >= 0)
        ts = np.where(known, own.ts[number], found.ts)
        return Rows(found.variables, found.columns, ts, found.te)

    def wake(self, last: int, q: int, views: list[Rows]) -> list[Part]:
        """Runs that nothing can continue any more."""
        operator = self.operator.operator
        if operator not in ("<", "<=", "=="):
            return []
        if len(self.edges[0].node.removed):
            self._due = None
        if self._due is not None and self._due[0] is self.near and q <= self._due[1]:
            return []
        held = self.near.take(self.near.te == OPEN)
        self._due = self.near, OPEN
        if not len(held):
            return []
        # One that was older at the last query had no later neighbour to wait for even then.
        view = self._leave_out(views[0])
        view = view.take((view.ts <= last) & (view.ts >= _look_back(last, self._read_gap(view))))
        among = tables.match(self.keys, view, held) >= 0
        ends = view.take(tables.find_last(self.keys, self.variables, view, view.ts, among))
        gap = self._read_gap(ends)
        if isinstance(gap, int) and len(ends):
            # What follows later puts it off.
            self._due = self.near, int(ends.ts.min()) + gap - 2
        else:
            self._due = None
        open_before = compare_some_later(ends.ts, last, operator, gap)
        is_open = compare_some_later(ends.ts, q, operator, gap)
        return touch(ends.take(open_before & ~is_open), last)

    def find_pending(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Part]:
        return [list_starts(self._leave_out(views[0]), self._mark_last(cuts, views[0]))]
