"""Rows that are remembered, who uses them, and what changed about them."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from phenesthe.graph.operator import Operand, Producer
from phenesthe.kernels.arrays import OPEN, Array, Mask
from phenesthe.operators import tables
from phenesthe.operators.quiet import Quiet
from phenesthe.operators.rows import Keys, Rows, name_rows
from phenesthe.operators.unchanged import BEGINNING, Part, UnchangedUntil
from phenesthe.vocabulary import ValueType

if TYPE_CHECKING:
    from phenesthe.operators.node import Node

NOTHING: Array = np.empty(0, dtype=np.int64)
#: So many rows may be at hand without need, for moving them costs too.
_SPARE = 1000


class Edge:
    """An operand as the formula that uses it sees it.

    `names` are those of its columns there; None: a column not used. `kept` marks the rows that
    this user may still need: what it let go stays away from it, even if others keep it, because
    what told the row's fate may be gone too.
    """

    def __init__(self, node: "Holder", operand: Operand) -> None:
        self.node, self.operand, self.names = node, operand, operand.names
        #: `kept` of the rows at hand.
        self.marks = np.ones(len(node.near), dtype=np.bool_)
        #: A user that never looks back does not come upon what it let go: that ended too early.
        self.looks_back = True
        self.user: Node[Any] | None = None
        node.users.append(self)

    @property
    def kept(self) -> Mask:
        return self.node.mark_whole(self.marks)

    @kept.setter
    def kept(self, marks: Mask) -> None:
        self.marks = marks.copy()

    def rows(self) -> Rows:
        """Those at hand, under the operand's own names."""
        if not self.looks_back or self.marks.all():
            return self.node.near
        return self.node.near.take(self.marks)

    def spread(self, mask: Mask) -> Mask:
        """Marks of the rows that the user has, among all rows of the operand."""
        if len(mask) == len(self.marks):
            return mask
        marks = np.zeros(len(self.marks), dtype=np.bool_)
        marks[self.marks] = mask
        return marks

    def name(self, rows: Rows) -> Rows:
        return name_rows(self.operand, rows)

    def rename(self, variable: str) -> str | None:
        return self.names[self.node.variables.index(variable)]

    def keep(self, mask: Mask) -> None:
        """Of the rows it had, those that may still be needed."""
        self.marks &= self.spread(mask)


class Holder:
    """`live` marks the rows that may still change; the others are kept for those who need them.

    Of events only some rows are at hand, `near`: what nobody looks at for now rests (`quiet`), and
    is recalled when something does. It lies after the frontier: it is live, and kept by all.
    """

    #: Whether it may be that nobody looks at some of its rows.
    can_rest = False

    def __init__(self, producer: Producer, keys: Keys) -> None:
        self.producer, self.keys = producer, keys
        self.kind, self.variables = producer.kind, producer.variables
        self.users: list[Edge] = []
        self.near = tables.make_empty(producer.variables, producer.extras, producer.kind)
        self.near_live = np.empty(0, dtype=np.bool_)
        self.quiet = Quiet(self.near)
        self.added = self.removed = self.settled = self.near
        self.changed: Part | None = None
        #: Up to when its rows can not change any more; the same but for rows that are pending here.
        self.frontier = self.operand_frontier = UnchangedUntil(BEGINNING, ())
        #: Whether to make sure that no change lies before the frontier, and to let everything rest
        #: that may: for tests.
        self.is_watched = False
        #: Of the rows at hand so many are needed by nobody, and go when there are more of them.
        self._vain = 0
        #: Up to this time rows were brought back for the frontier.
        self._brought = BEGINNING
        #: With so many rows at hand it is not tried whether some may rest.
        self._few = _SPARE
        self._passed: tuple[int, Rows, Array] | None = None
        self._measured: tuple[Rows, Mask, int, int] | None = None

    @property
    def owner(self) -> str:
        return self.producer.origin.definition

    @property
    def label(self) -> str:
        return self.producer.origin.text

    # All rows: for those who write them down or show them.

    @property
    def rows(self) -> Rows:
        if not len(self.quiet) and not self._vain:
            return self.near
        near, rest, places = self._look_at_all()
        return places.put_rows(near, rest)

    @rows.setter
    def rows(self, rows: Rows) -> None:
        self.near, self.quiet, self._vain = rows, Quiet(self.near), 0

    @property
    def live(self) -> Mask:
        return self.mark_whole(self.near_live)

    @live.setter
    def live(self, live: Mask) -> None:
        self.near_live = live.copy()

    def mark_whole(self, marks: Mask) -> Mask:
        """Given marks of the rows at hand those of all rows: what rests has them."""
        if not len(self.quiet) and not self._vain:
            return marks
        _, rest, places = self._look_at_all()
        return places.put(marks[self._mark_needed()], np.ones(len(rest), dtype=np.bool_))

    def _look_at_all(self) -> tuple[Rows, Rows, tables.Merge]:
        """The rows at hand that somebody needs, those that rest, and how they go together."""
        near = self.near.take(self._mark_needed())
        rest = self.keys.sort(self.quiet.list_rows(), distinct=False)
        return near, rest, tables.find_places(self.keys, near, rest)

    def _mark_needed(self) -> Mask:
        needed = self.near_live.copy()
        for edge in self.users:
            needed |= edge.marks
        return needed

    def measure(self) -> tuple[int, int]:
        """How many rows there are, and how many of them are incomplete."""
        known = self._measured
        if known is None or known[0] is not self.near or known[1] is not self.near_live:
            counts = self._count_near()
            known = self._measured = self.near, self.near_live, *counts
        return known[2] + len(self.quiet), known[3]

    def _count_near(self) -> tuple[int, int]:
        count = len(self.near) - self._vain
        if self.kind == "event":
            final = len(self.near) - int(np.count_nonzero(self.near_live))
            return count, final - self._vain
        return count, int(np.count_nonzero((self.near.te == OPEN) | ~self.near_live))

    # What rests

    def recall_all(self) -> None:
        self.recall(BEGINNING)
        if self._vain:
            self._drop_vain()

    def recall(self, after: int) -> bool:
        """Have everything at hand that lies after a time."""
        if not len(self.quiet) or self.quiet.last <= after:
            return False
        self._bring(self.quiet.take_last(after))
        return True

    def bring_passed(self, frontier: int) -> None:
        """Have everything at hand that the frontier has come to, and some of what it will."""
        if len(self.quiet) and self.quiet.first <= frontier:
            rows = self.quiet.take_first(frontier, 1 if self.is_watched else _SPARE)
            self._brought = int(rows.ts[-1])
            self._bring(rows)

    def _bring(self, rows: Rows) -> None:
        rows = self.keys.sort(rows, distinct=False)
        self._insert(rows, tables.find_places(self.keys, self.near, rows))

    def rest(self, frontier: int, q: int) -> None:
        """Let those rows rest that no change from the time q on makes anybody look at."""
        if len(self.near) <= self._few and not self.is_watched:
            return
        span = self._find_span()
        if span is None:
            return
        until = max(q - span, BEGINNING)
        after = max(frontier, self._brought)
        if len(self.quiet):
            # In between may be what came late.
            late = (self.near.ts > after) & (self.near.ts < self.quiet.last)
            if late.any():
                self.recall(int(self.near.ts[late].min()) - 1)
        resting = (self.near.ts > after) & (self.near.ts <= until) & self.near_live
        for edge in self.users:
            resting &= edge.marks
        rows = self.near.take(resting)
        if len(rows):
            self.quiet.put(rows.take(np.argsort(rows.ts, kind="stable")))
            self._keep_rows(~resting)
        self._few = 2 * len(self.near) + _SPARE

    def _find_span(self) -> int | None:
        """How far back of a change its users look at instants; None if nobody knows."""
        if not self.can_rest or self.kind != "event":
            return None
        spans = [None if edge.user is None else edge.user.find_span() for edge in self.users]
        known = [span for span in spans if span is not None]
        return max(known, default=0) if len(known) == len(spans) else None

    # What changes

    def replace(self, affected: Mask, found: Rows) -> None:
        """Put `found` in the place of the affected rows, and say what that changes."""
        at = np.flatnonzero(affected & self.near_live)
        gone, come = tables.compare(self.keys, self.near.take(at), found)
        self.change(at[gone], found.take(come))

    def find(self, rows: Rows) -> Array:
        """The number that each row has among those that are at hand then, or -1."""
        found = np.full(len(rows), -1, dtype=np.int64)
        if not len(rows):
            return found
        first = int(rows.ts.min())
        self.recall(first - 1)
        near = np.flatnonzero(self.near.ts >= first)
        at = tables.find(self.keys, rows, self.near.take(near))
        found[at >= 0] = near[at[at >= 0]]
        return found

    def change(self, gone: Array, added: Rows) -> None:
        """Take the rows with these numbers out and put others in."""
        self.removed, self.added = self.near.take(gone), added
        if not len(gone) and not len(added):
            self.changed = None
            return
        if len(gone):
            keep = np.ones(len(self.near), dtype=np.bool_)
            keep[gone] = False
            self._keep_rows(keep)
        added, merge, self.changed = tables.weave(self.keys, self.near, self.removed, added)
        if len(added):
            self._insert(added, merge)

    def _insert(self, added: Rows, merge: tables.Merge) -> None:
        self.near = merge.put_rows(self.near, added)
        new = np.ones(len(added), dtype=np.bool_)
        self.near_live = merge.put(self.near_live, new)
        for edge in self.users:
            edge.marks = merge.put(edge.marks, new)
            if edge.user is not None:
                edge.user.forget_views()

    def forget_changes(self) -> None:
        self.changed = None
        if len(self.added) or len(self.removed):
            self.added = self.removed = self.near.take(NOTHING)

    # What is forgotten

    def list_passed(self, frontier: int) -> Array:
        """The numbers of the instants that the frontier has passed."""
        known = self._passed
        if known is None or known[0] != frontier or known[1] is not self.near:
            passed = np.flatnonzero(self.near.ts <= frontier)
            known = self._passed = frontier, self.near, passed
        return known[2]

    def settle_nothing(self) -> None:
        if len(self.settled):
            self.settled = self.near.take(NOTHING)

    def settle(self, live: Mask) -> None:
        self.settled = self.near.take(self.near_live & ~live)
        self.near_live = live

    def settle_passed(self, passed: Array, live: Mask) -> None:
        """The same, given which of the instants with these numbers stay live."""
        before = self.near_live[passed]
        self.settled = self.near.take(passed[before & ~live])
        self.near_live[passed] = before & live
        self._measured = None

    def sweep(self, frontier: int) -> None:
        """Forget what is decided and what nobody needs."""
        if self.kind == "event" and self.can_rest:
            passed = self.list_passed(frontier)
            keep = self.near_live[passed]
            for edge in self.users:
                keep |= edge.marks[passed]
            self._vain = len(keep) - int(np.count_nonzero(keep))
            self._measured = None
            if self._vain > max(_SPARE // 4, len(self.near) // 4):
                self._drop_vain()
            return
        keep = self._mark_needed()
        if not keep.all():
            self._keep_rows(keep)

    def _drop_vain(self) -> None:
        self._keep_rows(self._mark_needed())
        self._vain = 0

    def drop(self, number: int) -> None:
        """Forget one row, needed or not."""
        self.recall_all()
        keep = np.ones(len(self.near), dtype=np.bool_)
        keep[number] = False
        self._keep_rows(keep)

    def _keep_rows(self, keep: Mask) -> None:
        self.near, self.near_live = self.near.take(keep), self.near_live[keep]
        for edge in self.users:
            edge.marks = edge.marks[keep]
            if edge.user is not None:
                edge.user.forget_views()

    def list_codes(self) -> Iterator[tuple[ValueType, Array]]:
        """The columns of everything that is remembered, with their types."""
        for columns in (self.near.columns, self.quiet.list_columns()):
            for name, column in zip(self.near.variables, columns, strict=False):
                yield self.keys.types[name], column

    def remap(self, codes: Mapping[str, Array]) -> None:
        """Give values their new codes; their order stays."""
        self.near = tables.remap(self.near, self.keys.types, codes)
        self.quiet.remap(self.keys.types, codes)
        if self.is_watched:
            self.operand_frontier = self.operand_frontier.remap(self.keys.types, codes)
