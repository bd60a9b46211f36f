"""Rows that are remembered, who uses them, and what changed about them."""

from collections.abc import Iterator, Mapping

import numpy as np

from phenesthe.graph.operator import Operand, Producer
from phenesthe.kernels.arrays import Array, Mask
from phenesthe.operators import tables
from phenesthe.operators.rows import Keys, Rows, name_rows
from phenesthe.operators.unchanged import BEGINNING, Part, UnchangedUntil
from phenesthe.vocabulary import ValueType

NOTHING: Array = np.empty(0, dtype=np.int64)


class Edge:
    """An operand as the formula that uses it sees it.

    `names` are those of its columns there; None: a column not used. `kept` marks the rows that
    this user may still need: what it let go stays away from it, even if others keep it, because
    what told the row's fate may be gone too.
    """

    def __init__(self, node: "Holder", operand: Operand) -> None:
        self.node, self.operand, self.names = node, operand, operand.names
        self.kept = np.ones(len(node.rows), dtype=np.bool_)
        #: A user that never looks back does not come upon what it let go: that ended too early.
        self.looks_back = True
        node.users.append(self)

    def rows(self) -> Rows:
        """Under the operand's own names."""
        if not self.looks_back or self.kept.all():
            return self.node.rows
        return self.node.rows.take(self.kept)

    def spread(self, mask: Mask) -> Mask:
        """Marks of the rows that the user has, among all rows of the operand."""
        if len(mask) == len(self.kept):
            return mask
        marks = np.zeros(len(self.kept), dtype=np.bool_)
        marks[self.kept] = mask
        return marks

    def name(self, rows: Rows) -> Rows:
        return name_rows(self.operand, rows)

    def rename(self, variable: str) -> str | None:
        return self.names[self.node.variables.index(variable)]

    def keep(self, mask: Mask) -> None:
        """Of the rows it had, those that may still be needed."""
        self.kept &= self.spread(mask)


class Holder:
    """`live` marks the rows that may still change; the others are kept for those who need them."""

    def __init__(self, producer: Producer, keys: Keys) -> None:
        self.producer, self.keys = producer, keys
        self.kind, self.variables = producer.kind, producer.variables
        self.users: list[Edge] = []
        self.rows = tables.make_empty(producer.variables, producer.extras, producer.kind)
        self.live = np.empty(0, dtype=np.bool_)
        self.added = self.removed = self.settled = self.rows
        self.changed: Part | None = None
        #: Up to when its rows can not change any more; the same but for rows that are pending here.
        self.frontier = self.operand_frontier = UnchangedUntil(BEGINNING, ())
        #: Whether to make sure that no change lies before the frontier: for tests.
        self.is_watched = False

    @property
    def owner(self) -> str:
        return self.producer.origin.definition

    @property
    def label(self) -> str:
        return self.producer.origin.text

    def replace(self, affected: Mask, found: Rows) -> None:
        """Put `found` in the place of the affected rows, and say what that changes."""
        at = np.flatnonzero(affected & self.live)
        gone, come = tables.compare(self.keys, self.rows.take(at), found)
        self.change(at[gone], found.take(come))

    def find(self, rows: Rows) -> Array:
        """The number that each row has among those that are there, or -1."""
        found = np.full(len(rows), -1, dtype=np.int64)
        if not len(rows):
            return found
        near = np.flatnonzero(self.rows.ts >= rows.ts.min())
        at = tables.find(self.keys, rows, self.rows.take(near))
        found[at >= 0] = near[at[at >= 0]]
        return found

    def change(self, gone: Array, added: Rows) -> None:
        """Take the rows with these numbers out and put others in."""
        self.removed, self.added = self.rows.take(gone), added
        if not len(gone) and not len(added):
            self.changed = None
            return
        if len(gone):
            keep = np.ones(len(self.rows), dtype=np.bool_)
            keep[gone] = False
            self._keep_rows(keep)
        added, merge, self.changed = tables.weave(self.keys, self.rows, self.removed, added)
        if not len(added):
            return
        self.rows = merge.put_rows(self.rows, added)
        new = np.ones(len(added), dtype=np.bool_)
        self.live = merge.put(self.live, new)
        for edge in self.users:
            edge.kept = merge.put(edge.kept, new)

    def forget_changes(self) -> None:
        self.changed = None
        self.added = self.removed = self.rows.take(NOTHING)

    def settle(self, live: Mask) -> None:
        self.settled = self.rows.take(self.live & ~live)
        self.live = live

    def sweep(self) -> None:
        """Forget what is decided and what nobody needs."""
        keep = self.live.copy()
        for edge in self.users:
            keep |= edge.kept
        if not keep.all():
            self._keep_rows(keep)

    def drop(self, number: int) -> None:
        """Forget one row, needed or not."""
        keep = np.ones(len(self.rows), dtype=np.bool_)
        keep[number] = False
        self._keep_rows(keep)

    def _keep_rows(self, keep: Mask) -> None:
        self.rows, self.live = self.rows.take(keep), self.live[keep]
        for edge in self.users:
            edge.kept = edge.kept[keep]

    def list_codes(self) -> Iterator[tuple[ValueType, Array]]:
        """The columns of everything that is remembered, with their types."""
        for name, column in zip(self.rows.variables, self.rows.columns, strict=True):
            yield self.keys.types[name], column

    def remap(self, codes: Mapping[str, Array]) -> None:
        """Give values their new codes; their order stays."""
        self.rows = tables.remap(self.rows, self.keys.types, codes)
        if self.is_watched:
            self.operand_frontier = self.operand_frontier.remap(self.keys.types, codes)
