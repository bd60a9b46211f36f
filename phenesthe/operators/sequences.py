"""`before`: what ended long ago may be waiting for what is still to come.

The left that ended last is before whatever begins next, unless something has begun since. So at a
cut there matter, besides what reaches beyond it: of each binding the lefts that ended last, the
right starts that stand between them and the future, and for a right that spans the cut the lefts
it follows.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from phenesthe.graph.operator import knows
from phenesthe.graph.sequences import Before, Followed, Preceded, Sequential
from phenesthe.kernels.adjacency import find_following, find_previous
from phenesthe.kernels.allen import PlainRelations
from phenesthe.kernels.arrays import NEVER, OPEN, Array, Intervals, Mask
from phenesthe.kernels.combinations import combine_related
from phenesthe.kernels.lookup import look_up, look_up_equal
from phenesthe.kernels.relations import find_related
from phenesthe.kernels.spans import Length, add, as_spans, measure, subtract, take_lengths
from phenesthe.operators import tables
from phenesthe.operators.lengths import find_reach, read_given, read_lengths
from phenesthe.operators.meeting import bring_together
from phenesthe.operators.node import list_starts
from phenesthe.operators.pairs import combine, has_own, meet, meet_in_groups
from phenesthe.operators.relations import Pairing, combine_groups
from phenesthe.operators.rows import Rows, from_intervals
from phenesthe.operators.unchanged import Part, UnchangedUntil
from phenesthe.operators.work import Work


def compute_before(op: Before, work: Work, operands: Sequence[Rows]) -> Rows:
    if op.is_whole:
        return _compute_from_later(op, work, operands)
    left, right = operands
    apart = read_lengths(work.keys, left, op.apart)
    left = end_later(left, apart)
    if has_own(left, right):
        reach = find_reach(apart, read_given(work.keys, left, op.within))
        return combine_groups("before", work, op.variables, left, right, "both", reach)
    bindings, one, other = bring_together(work, left, right, op.variables)
    reach = find_reach(
        read_lengths(work.keys, bindings, op.apart), read_given(work.keys, bindings, op.within)
    )
    if reach is not None:
        reach = take_lengths(reach, one.key)
    return from_intervals(bindings, find_related("before", one, other, reach))


def _compute_from_later(op: Before, work: Work, operands: Sequence[Rows]) -> Rows:
    """What comes first does not know all lengths: what follows has them."""
    left, right = operands
    moved, following = left, right
    if knows(op.operands[0], op.apart):
        moved = end_later(left, read_lengths(work.keys, left, op.apart))
    else:
        following = start_earlier(right, read_lengths(work.keys, right, op.apart))
    sides = meet_in_groups(work.keys, moved, following)
    one, other = combine_related(
        "before", sides.left, sides.right, sides.left_group, sides.right_group
    )
    if op.within is not None:
        if knows(op.operands[0], op.within):
            within = take_lengths(read_lengths(work.keys, left, op.within), one)
        else:
            within = take_lengths(read_lengths(work.keys, right, op.within), other)
        near = measure(right.ts[other], left.te[one]) <= as_spans(within)
        one, other = one[near], other[near]
    return combine(work.keys, op.variables, "both", left, right, (one, other))


def compute_followed(op: Followed, work: Work, operands: Sequence[Rows]) -> Rows:
    bindings, one, other = bring_together(work, operands[0], operands[1], op.variables)
    marks = _mark_before(one, other, read_given(work.keys, bindings, op.within))
    return from_intervals(bindings, one.take(marks[0]))


def compute_preceded(op: Preceded, work: Work, operands: Sequence[Rows]) -> Rows:
    bindings, one, other = bring_together(work, operands[0], operands[1], op.variables)
    marks = _mark_before(one, other, read_given(work.keys, bindings, op.within))
    return from_intervals(bindings, other.take(marks[1]))


def _mark_before(left: Intervals, right: Intervals, within: Length | None) -> tuple[Mask, Mask]:
    return PlainRelations(left, right).mark("before", within)


def end_later(rows: Rows, apart: Length) -> Rows:
    """As if what is so far apart followed at once."""
    if isinstance(apart, int) and apart == 1:
        return rows
    return replace(rows, te=add(rows.te, apart - 1))


def start_earlier(rows: Rows, apart: Length) -> Rows:
    if isinstance(apart, int) and apart == 1:
        return rows
    return replace(rows, ts=subtract(rows.ts, apart - 1))


AnySequential = TypeVar("AnySequential", bound=Sequential)


class SequentialNode(Pairing[AnySequential]):
    def is_closed(self, views: list[Rows]) -> bool:
        """The right has no variable of its own: its bindings are those of the left."""
        return set(views[1].variables) <= set(views[0].variables)

    def reach_both(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Mask]:
        return [rows.te > at for rows, at in zip(views, self.cut(cuts, views), strict=True)]

    def mark_last_ended(self, cuts: UnchangedUntil, views: list[Rows]) -> Mask:
        """The lefts that ended last, as long as something can follow within D."""
        left, at = views[0], self.cut(cuts, views)[0]
        ended = (left.te <= at) & (at < OPEN)
        last = tables.find_last(self.keys, left.variables, left, left.te, ended)
        last[last] = self.mark_in_time(left.take(last), left.te[last], at[last])
        return last

    def find_reach(self, rows: Rows) -> Length | None:
        """How long after the end of each row something can follow; None: for ever."""
        return read_given(self.keys, rows, self.operator.within)

    def mark_in_time(self, rows: Rows, te: Array, at: Array) -> Mask:
        """Whether an instant after the cut can be within D."""
        reach = self.find_reach(rows)
        if reach is None:
            return np.ones(len(te), dtype=np.bool_)
        return measure(at, te) < as_spans(reach)

    def mark_last_started(self, cuts: UnchangedUntil, views: list[Rows]) -> Mask:
        right, at = views[1], self.cut(cuts, views)[1]
        started = (right.ts <= at) & (at < OPEN)
        return tables.find_last(self.keys, right.variables, right, right.ts, started)

    def mark_followed(self, rows: Rows, at: Array, right: Rows) -> Mask:
        """After which ends of rows, and by the cut, the right has begun; rows know its binding."""
        key, other = self.keys.pack(right.variables, rows, right)
        high = np.minimum(at, right.ts.max(initial=NEVER))
        return look_up(other, right.ts, key, rows.te, high, "(]").mark()

    def mark_preceding(self, cuts: UnchangedUntil, views: list[Rows], *, adjacent: bool) -> Mask:
        """The ended lefts that a right follows which spans the cut: the last before its start.

        Adjacent: not if another right began between the two.
        """
        left, right = views
        marks = np.zeros(len(left), dtype=np.bool_)
        at_left, at_right = self.cut(cuts, views)
        spanning = np.flatnonzero(tables.mark_spanning(right, at_right))
        if not len(spanning):
            return marks
        ended = np.flatnonzero((left.te <= at_left) & (at_left < OPEN))
        if not len(ended):
            return marks
        one, other = meet(self.keys, left.take(ended), right.take(spanning))
        # As far as the next end of its own binding it is the last one.
        (group,) = self.keys.pack(left.variables, left)
        bound = np.minimum(find_following(group[ended], one.te), other.ts.max())
        reach = self.find_reach(left.take(ended))
        if reach is not None:
            bound = np.minimum(bound, add(one.te, reach))
        found = look_up(other.key, other.ts, one.key, one.te, bound, "(]")
        if not adjacent:
            marks[ended] = found.mark()
            return marks
        (group,) = self.keys.pack(right.variables, right)
        before = find_previous(group, right.ts)[spanning]
        marks[ended] = found.mark_below(before, one.te + 1)
        return marks


class BeforeNode(SequentialNode[Before]):
    evaluate = staticmethod(compute_before)
    reason = "nothing has followed it yet, or what follows it holds on"

    def select(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Mask]:
        """Where the right's bindings are the left's, a left that was followed is done with.

        Otherwise it may be followed by a binding that is not there yet, and right starts that are
        there must be kept to stand between it and what follows them.
        """
        views = self._move(views)
        left, right = self.reach_both(cuts, views)
        left |= self._mark_waiting(cuts, views) | self.mark_preceding(cuts, views, adjacent=True)
        if not self.is_closed(views):
            right |= self._mark_between(cuts, views, left)
        return [left, right]

    def _move(self, views: list[Rows]) -> list[Rows]:
        return [end_later(views[0], self._read_apart(views[0])), views[1]]

    def _read_apart(self, rows: Rows) -> Length:
        return read_lengths(self.keys, rows, self.operator.apart)

    def find_reach(self, rows: Rows) -> Length | None:
        return find_reach(self._read_apart(rows), super().find_reach(rows))

    def _mark_waiting(self, cuts: UnchangedUntil, views: list[Rows]) -> Mask:
        """The lefts that something after the cut can follow."""
        left, right = views
        waiting = self.mark_last_ended(cuts, views)
        if self.is_closed(views):
            waiting &= ~self.mark_followed(left, self.cut(cuts, views)[0], right)
        return waiting

    def _mark_between(self, cuts: UnchangedUntil, views: list[Rows], is_left: Mask) -> Mask:
        """Right starts after the end of a left: the last by the cut, and those before one that
        spans it."""
        right, left = views[1], views[0].take(is_left)
        between = self.mark_last_started(cuts, views)
        spanning = tables.mark_spanning(right, self.cut(cuts, views)[1])
        if spanning.any():
            (group,) = self.keys.pack(right.variables, right)
            before = find_previous(group, right.ts)
            wanted = np.flatnonzero(spanning & (before > NEVER))
            _, rows = look_up_equal(group, right.ts, group[wanted], before[wanted]).pair()
            between[rows] = True
        last = np.flatnonzero(between)
        marks = np.zeros(len(right), dtype=np.bool_)
        if len(last) and len(left):
            shared = tuple([name for name in right.variables if name in left.variables])
            key, other = self.keys.pack(shared, right.take(last), left)
            low = np.full(len(last), int(left.te.min()), dtype=np.int64)
            marks[last] = look_up(other, left.te, key, low, right.ts[last], "[)").mark()
        return marks

    def find_pending(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Part]:
        views = self._move(views)
        spanning = tables.mark_spanning(views[0], self.cut(cuts, views)[0])
        return [list_starts(views[0], spanning | self._mark_waiting(cuts, views))]


class FollowedNode(SequentialNode[Followed]):
    evaluate = staticmethod(compute_followed)
    reason = "nothing has followed it yet, so it can still be the source of a pair"

    def _mark_unfollowed(self, rows: Rows, at: Array, right: Rows) -> Mask:
        ended = (rows.te <= at) & (at < OPEN)
        ended[ended] = self.mark_in_time(rows.take(ended), rows.te[ended], at[ended])
        if set(right.variables) <= set(rows.variables):
            ended &= ~self.mark_followed(rows, at, right)
        return ended

    def select(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Mask]:
        left, right = self.reach_both(cuts, views)
        left |= self._mark_unfollowed(views[0], self.cut(cuts, views)[0], views[1])
        started, at = self.mark_last_started(cuts, views), self.cut(cuts, views)[1]
        if knows(self.operator.operands[1], self.operator.within):
            # One that began longer ago follows nothing that is still in time.
            late = views[1].take(started)
            started[started] = self.mark_in_time(late, late.ts, at[started])
        return [left, right | started]

    def select_lasting(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Mask]:
        masks = self.select(cuts, views)
        if self.is_closed(views):
            masks[1] = self.reach_both(cuts, views)[1]
        return masks

    def mark_affected(self, rows: Rows, cuts: UnchangedUntil, views: list[Rows]) -> Mask:
        at = cuts.of(self.keys, rows)
        return (rows.te > at) | self._mark_unfollowed(rows, at, views[1])

    def find_pending(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Part]:
        left, at = views[0], self.cut(cuts, views)[0]
        waiting = tables.mark_spanning(left, at) | self._mark_unfollowed(left, at, views[1])
        return [list_starts(left, waiting)]


class PrecededNode(SequentialNode[Preceded]):
    evaluate = staticmethod(compute_preceded)
    reason = "it is before whatever begins next"

    def select(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Mask]:
        left, right = self.reach_both(cuts, views)
        left |= self.mark_last_ended(cuts, views)
        left |= self.mark_preceding(cuts, views, adjacent=False)
        return [left, right]
