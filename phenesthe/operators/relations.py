"""Relations other than `before`: between what reaches beyond the cut, and what that relates to.

Of an interval that ended by the cut everything is known, and its relation to one that spans the
cut is decided, however that ends: a later end is later than all that lies before. To one that
begins after the cut it is `before` and nothing else. So an ended interval is needed only as long as
one it is related to holds on.
"""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from phenesthe.graph.operator import knows
from phenesthe.graph.relations import NearlyRelated, Participants, Related, Relating
from phenesthe.kernels.allen import PlainRelations
from phenesthe.kernels.arrays import OPEN, Array, Mask
from phenesthe.kernels.combinations import combine_related
from phenesthe.kernels.lookup import look_up
from phenesthe.kernels.nearly import find_nearly, mark_nearly, pair_nearly, pair_nearly_by_right
from phenesthe.kernels.relations import Relation, find_related, mark_related, pair_related
from phenesthe.kernels.spans import Length, add, subtract
from phenesthe.operators.held import Edge
from phenesthe.operators.lengths import read_lengths
from phenesthe.operators.meeting import bring_together
from phenesthe.operators.node import Node, Op, list_starts
from phenesthe.operators.pairs import GIVEN, Given, combine, has_own, meet, meet_in_groups
from phenesthe.operators.rows import Rows, from_intervals
from phenesthe.operators.unchanged import Part, UnchangedUntil
from phenesthe.operators.work import Work, World
from phenesthe.vocabulary import Names

#: Whether the left, the right can wait for a partner that begins after the cut.
_WAITS: dict[str, tuple[bool, bool]] = {
    "meets": (True, False),
    "overlaps": (True, False),
    "contains": (True, False),
    "finishes": (False, True),
    "starts": (False, False),
    "equals": (False, False),
}


#: How the starts of two intervals that both span the cut must lie: left OP right.
_STARTS: dict[str, str | None] = {
    "meets": None, "overlaps": "<", "contains": "<", "finishes": ">", "starts": "=", "equals": "=",
}  # fmt: skip


def compute_related(op: Related, work: Work, operands: Sequence[Rows]) -> Rows:
    left, right = operands
    if has_own(left, right):
        return combine_groups(op.name, work, op.variables, left, right, GIVEN[op.name])
    bindings, one, other = bring_together(work, left, right, op.variables)
    return from_intervals(bindings, find_related(op.name, one, other))


def combine_groups(
    name: Relation,
    work: Work,
    names: Names,
    left: Rows,
    right: Rows,
    given: Given,
    within: Length | None = None,
) -> Rows:
    sides = meet_in_groups(work.keys, left, right)
    pairs = combine_related(
        name, sides.left, sides.right, sides.left_group, sides.right_group, within
    )
    return combine(work.keys, names, given, left, right, pairs)


def compute_nearly_related(op: NearlyRelated, work: Work, operands: Sequence[Rows]) -> Rows:
    left, right = operands
    if has_own(left, right):
        sides = meet(work.keys, left, right)
        if knows(op.operands[0], op.within):
            pairs = pair_nearly(op.name, *sides, read_lengths(work.keys, left, op.within))
        else:
            within = read_lengths(work.keys, right, op.within)
            pairs = pair_nearly_by_right(op.name, *sides, within)
        return combine(work.keys, op.variables, GIVEN[op.name], left, right, pairs)
    bindings, one, other = bring_together(work, left, right, op.variables)
    within = read_lengths(work.keys, bindings, op.within)
    return from_intervals(bindings, find_nearly(op.name, one, other, within))


def compute_participants(op: Participants, work: Work, operands: Sequence[Rows]) -> Rows:
    left, right = operands
    if not has_own(left, right):
        bindings, one, other = bring_together(work, left, right, op.variables)
        found = PlainRelations(one, other).mark(op.name)
        chosen = other.take(found[1]) if op.is_target else one.take(found[0])
        return from_intervals(bindings, chosen)
    if op.is_target:
        # With one of each binding of the left at most is an interval of the right in a pair.
        pairs = pair_related(op.name, *meet(work.keys, left, right))
        return combine(work.keys, op.variables, "right", left, right, pairs)
    return combine_groups(op.name, work, op.variables, left, right, "left")


class Pairing(Node[Op]):
    """Two operands that meet in the variables they share."""

    looks_back = True

    def delay(self, cuts: UnchangedUntil) -> UnchangedUntil:
        return self.share(cuts)

    def cut(self, cuts: UnchangedUntil, views: list[Rows]) -> tuple[Array, Array]:
        left, right = views
        return cuts.of(self.keys, left), cuts.of(self.keys, right)


AnyRelating = TypeVar("AnyRelating", bound=Relating)


class RelatingNode(Pairing[AnyRelating]):
    """What both have in common."""

    reason = "it is related to an interval that holds on, or can still come to be"
    waits: tuple[bool, bool]
    starts: str | None

    def __init__(self, operator: AnyRelating, edges: Sequence[Edge], world: World) -> None:
        super().__init__(operator, edges, world)
        self.waits, self.starts = _WAITS[operator.name], _STARTS[operator.name]

    def find_tolerance(self, rows: Rows) -> Length:
        """How far apart two instants may be that are asked to be the same."""
        return 0

    def find_ends(self, rows: Rows) -> Array:
        """Up to when an interval can be related to one that begins then."""
        return rows.te

    def mark_spanning(self, rows: Rows, at: Array) -> Mask:
        return (rows.ts <= at) & (self.find_ends(rows) > at)

    def mark(self, left: Rows, right: Rows) -> tuple[Mask, Mask]:
        """The rows of either side in some pair."""
        return mark_related(self.operator.name, *meet(self.keys, left, right))

    def select(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Mask]:
        ats = self.cut(cuts, views)
        masks = [self.find_ends(rows) > at for rows, at in zip(views, ats, strict=True)]
        spans = [self.mark_spanning(rows, at) for rows, at in zip(views, ats, strict=True)]
        for side in (0, 1):
            rows, at, others = views[side], ats[side], spans[1 - side]
            if others.any():
                ended = np.flatnonzero((self.find_ends(rows) <= at) & (at < OPEN))
                there = views[1 - side].take(others)
                masks[side][ended[self._mark_related(rows.take(ended), there, side)]] = True
        return masks

    def select_lasting(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Mask]:
        """Without what spans the cut and can have no partner any more."""
        masks = self.select(cuts, views)
        ats = self.cut(cuts, views)
        spans = [self.mark_spanning(rows, at) for rows, at in zip(views, ats, strict=True)]
        for side, waits in enumerate(self.waits):
            chosen = np.flatnonzero(spans[side])
            if waits or not len(chosen):
                continue
            rows, others = views[side].take(chosen), views[1 - side]
            ended = others.take(masks[1 - side] & (self.find_ends(others) <= ats[1 - side]))
            useful = self._mark_compatible(rows, others.take(spans[1 - side]), side)
            useful |= self._mark_related(rows, ended, side)
            masks[side][chosen[~useful]] = False
        return masks

    def _mark_compatible(self, rows: Rows, others: Rows, side: int) -> Mask:
        """Which spanning rows may be related to another that spans the cut, going by the starts."""
        rule = self.starts
        if rule is None or not len(rows) or not len(others):
            return np.zeros(len(rows), dtype=np.bool_)
        shared = tuple([name for name in rows.variables if name in others.variables])
        key, other = self.keys.pack(shared, rows, others)
        low = np.full(len(rows), int(others.ts.min()), dtype=np.int64)
        high = np.full(len(rows), int(others.ts.max()), dtype=np.int64)
        if rule == "=":
            tolerance = self.find_tolerance(rows)
            low = np.maximum(subtract(rows.ts, tolerance), low)
            high = np.minimum(add(rows.ts, tolerance), high)
        elif (rule == "<") == (side == 0):
            low = rows.ts + 1
        else:
            high = rows.ts - 1
        return look_up(other, others.ts, key, low, high, "[]").mark()

    def _mark_related(self, rows: Rows, others: Rows, side: int) -> Mask:
        """Which rows of a side are in a pair with one of the others."""
        if not len(rows) or not len(others):
            return np.zeros(len(rows), dtype=np.bool_)
        one, two = (rows, others) if side == 0 else (others, rows)
        return self.mark(one, two)[side]

    def find_waiting(self, cuts: UnchangedUntil, views: list[Rows], side: int) -> Part:
        """Rows of a side that span the cut and whose being in a pair is not decided yet."""
        ats = self.cut(cuts, views)
        rows, others = views[side], views[1 - side]
        waiting = np.flatnonzero(self.mark_spanning(rows, ats[side]))
        if set(others.variables) <= set(rows.variables):
            # With no variable of its own the partner that is there decides for all bindings.
            ended = others.take(others.te <= ats[1 - side])
            waiting = waiting[~self._mark_related(rows.take(waiting), ended, side)]
        if not self.waits[side]:
            there = others.take(self.mark_spanning(others, ats[1 - side]))
            waiting = waiting[self._mark_compatible(rows.take(waiting), there, side)]
        return list_starts(rows, waiting)


class RelatedNode(RelatingNode[Related]):
    evaluate = staticmethod(compute_related)

    def find_pending(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Part]:
        """A new pair begins where its left does; `starts` and `finishes` give the right itself.

        Of `meets` and `overlaps` an interval can have many partners, so it is never decided.
        """
        if self.operator.name in ("meets", "overlaps"):
            at, _ = self.cut(cuts, views)
            return [list_starts(views[0], self.mark_spanning(views[0], at))]
        side = 1 if self.operator.name in ("starts", "finishes") else 0
        return [self.find_waiting(cuts, views, side)]


class NearlyRelatedNode(RelatingNode[NearlyRelated]):
    """As if every interval went on for D longer: what ended longer ago is done with."""

    evaluate = staticmethod(compute_nearly_related)

    def __init__(self, operator: NearlyRelated, edges: Sequence[Edge], world: World) -> None:
        super().__init__(operator, edges, world)
        if operator.name in ("starts", "equals"):
            # The other one may begin a little later.
            self.waits = (True, True)
        elif operator.name == "meets":
            # It may begin before the end that it is near to.
            self.starts = "<"

    def find_tolerance(self, rows: Rows) -> Length:
        return read_lengths(self.keys, rows, self.operator.within)

    def find_ends(self, rows: Rows) -> Array:
        return add(rows.te, self.find_tolerance(rows))

    def mark(self, left: Rows, right: Rows) -> tuple[Mask, Mask]:
        lengths = self.find_tolerance(left), self.find_tolerance(right)
        return mark_nearly(self.operator.name, *meet(self.keys, left, right), *lengths)

    def mark_affected(self, rows: Rows, cuts: UnchangedUntil, views: list[Rows]) -> Mask:
        """The other side of one that ended by the cut may still end near to it."""
        return self.find_ends(rows) > cuts.of(self.keys, rows)

    def find_pending(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Part]:
        """A pair begins where one of its sides does."""
        ats = self.cut(cuts, views)
        side = 1 if self.operator.name in ("starts", "finishes") else 0
        return [list_starts(views[side], self.mark_spanning(views[side], ats[side]))]


class ParticipantsNode(RelatingNode[Participants]):
    evaluate = staticmethod(compute_participants)

    def find_pending(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Part]:
        return [self.find_waiting(cuts, views, int(self.operator.is_target))]
