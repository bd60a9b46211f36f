"""A formula that remembers what it was true on, and computes again only what may differ.

Every formula is a `Node` with the rows it is true on as known at the last query. Two questions
decide everything, and each kind of formula answers them once:

* `select`: given a cut per binding (up to it the operands look the same), which rows of the
  operands are needed to compute what is not decided by it?
* `mark_affected`: which of its own rows are not decided by what lies up to the cut?

At a query the cuts are the times from which operands changed. For forgetting they are the times
before which nothing can change any more (`frontier`), so what `select` does not ask for then, no
later query can ask for.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np

from phenesthe.check.program import ValueType
from phenesthe.kernels.arrays import OPEN, Array, Mask
from phenesthe.memory import tables
from phenesthe.memory.cuts import BEGINNING, Cuts, Part, touch_all
from phenesthe.memory.recall import Recall
from phenesthe.stage.rows import Bindings, Keys, Names, Rows


class Edge:
    """An operand as the formula that uses it sees it.

    `names` are those of its columns there; None: a column not used. `kept` marks the rows that
    this user may still need: what it let go stays away from it, even if others keep it, because
    what told the row's fate may be gone too.
    """

    def __init__(
        self,
        node: "Node",
        names: Sequence[str | None],
        extras: Sequence[tuple[str, str]] = (),
    ) -> None:
        self.node, self.names, self.extras = node, tuple(names), tuple(extras)
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
        named = tables.rename(rows, self.names)
        extra = {new: rows.extra[old] for old, new in self.extras}
        return Rows(named.variables, named.columns, named.ts, named.te, extra)

    def beyond(self, node: "Node", cuts: Cuts) -> Rows:
        """The rows that reach beyond the cuts of a user, under the operand's own names."""
        if node.sees_added and self.node.kind == "event":
            return self.node.added
        rows = self.rows()
        return rows.take(node.reach(self.name(rows), cuts))

    def rename(self, variable: str) -> str | None:
        return self.names[self.node.variables.index(variable)]

    def keep(self, mask: Mask) -> None:
        """Of the rows it had, those that may still be needed."""
        self.kept &= self.spread(mask)


class Node:
    """`live` marks the rows that may still change; the others are kept for those who need them."""

    #: Whether it looks at rows of its operands from before the cut.
    looks_back = False
    #: Whether each of its rows comes of one row of an operand alone, all of them events.
    is_linear = False
    #: Whether it depends on where the timeline begins.
    follows_timeline = False
    #: Why it keeps rows of its operands that lie before the frontier, in a user's words.
    reason: ClassVar[str] = "it reaches beyond the frontier"

    def __init__(
        self,
        *,
        owner: str,
        label: str,
        ev: Recall | None,
        keys: Keys,
        kind: str,
        variables: Names,
        edges: Sequence[Edge] = (),
        extras: Sequence[str] = (),
    ) -> None:
        self.owner, self.label, self.kind = owner, label, kind
        self._ev, self.keys = ev, keys
        self.variables, self.extras = variables, tuple(extras)
        self.edges = tuple(edges)
        #: Each operand once under the same names: what is said of it need not be said again.
        self.sources = tuple({(id(edge.node), edge.names): edge for edge in self.edges}.values())
        self.users: list[Edge] = []
        self.rows = tables.make_empty(variables, extras, kind)
        self.live = np.empty(0, dtype=np.bool_)
        self.added = self.removed = self.rows
        self.changed: Part | None = None
        self.frontier = self.cuts = Cuts(BEGINNING, ())
        #: Whether to make sure that no change lies before the frontier: for tests.
        self.is_watched = False
        self._views: list[Rows] | None = None
        #: Whether of events only what was added is of interest, because everything that changed
        #: lies after the last query, or because what was there has its rows already.
        self.sees_added = False

    @property
    def ev(self) -> Recall:
        assert self._ev is not None
        return self._ev

    # What each kind of formula says

    def select(self, cuts: Cuts, views: list[Rows]) -> list[Mask]:
        """By operand, the rows needed. Most formulas need what reaches beyond the cut."""
        return [self.reach(view, cuts) for view in views]

    def select_lasting(self, cuts: Cuts, views: list[Rows]) -> list[Mask]:
        """As `select`, for good: without what would only be left out again."""
        return self.select(cuts, views)

    def mark_affected(self, rows: Rows, cuts: Cuts, views: list[Rows]) -> Mask:
        return cuts.mark_beyond(self.keys, rows)

    def narrow(self, views: list[Rows], least: int) -> list[Rows]:
        """Without the rows that no cut from this time on asks about, where that is easily said."""
        return views

    def compute(self, cuts: Cuts, views: list[Rows], given: list[Rows]) -> Rows:
        """What the formula is true on, of these rows; what the cuts decide is left out later.

        `views` are all rows of the operands, `given` are those that were selected.
        """
        raise NotImplementedError

    def wake(self, last: int, q: int, views: list[Rows]) -> list[Part]:
        """Bindings that time alone touches between two queries."""
        return []

    def delay(self, cuts: Cuts) -> Cuts:
        """How far back of a change in the operands a change of the formula can lie."""
        return cuts

    def find_pending(self, cuts: Cuts, views: list[Rows]) -> list[Part]:
        """Bindings whose results can still change before the cut, and from when on."""
        return []

    def share(self, cuts: Cuts) -> Cuts:
        """One cut for all operands: that of the variables they have in common.

        For formulas that weigh their operands against each other a row from before the cut, given
        by one side alone, would tell half of the story.
        """
        names = [{name for name in edge.names if name} for edge in self.edges]
        return cuts.project(set.intersection(*names))

    # The same for all of them

    def views(self) -> list[Rows]:
        """The operands' rows: once they are up to date, the same for a whole query."""
        if self._views is None:
            for edge in self.edges:
                edge.looks_back = self.looks_back
            self._views = [edge.name(edge.rows()) for edge in self.edges]
        return self._views

    def reach(self, rows: Rows, cuts: Cuts) -> Mask:
        return cuts.mark_beyond(self.keys, rows)

    def update(self, last: int | None, q: int, again: int | None = None) -> None:
        """Compute what changed, or everything after the time `again`."""
        self._views = None
        views = self.views()
        parts = [
            self._name(edge, edge.node.changed)
            for edge in self.sources
            if edge.node.changed is not None
        ]
        parts += self.wake(BEGINNING if last is None else last, q, views)
        if again is not None:
            parts.append(touch_all(again))
        parts = [part for part in parts if part.bindings.count]
        if not parts:
            self.forget_changes()
            return
        least = min(int(part.at.min()) for part in parts)
        is_fresh = last is not None and least >= last
        is_more = self.is_linear and again is None
        is_more = is_more and not any(len(edge.node.removed) for edge in self.sources)
        self.sees_added = (is_fresh or is_more) and not self.looks_back
        if is_fresh:
            # Beyond the last query there is little but what is new, and one time for all is cheaper
            # than one for each.
            parts = [touch_all(least)]
        cuts = self.delay(Cuts(OPEN, parts))
        if self.is_watched:
            self._watch(cuts)
        views = self.narrow(views, cuts.find_least())
        found = tables.arrange(self.compute(cuts, views, self._gather(cuts, views)), self.variables)
        found = found.take(self.mark_affected(found, cuts, views))
        if self.sees_added and self.kind == "event":
            # Beyond the last query there is nothing yet.
            self.change(NOTHING, found if is_fresh else found.take(self.find(found) < 0))
        else:
            self.replace(self.mark_affected(self.rows, cuts, views), found)

    def _gather(self, cuts: Cuts, views: list[Rows]) -> list[Rows]:
        """The rows of the operands that are needed."""
        if not self.sees_added:
            masks = self.select(cuts, views)
            return [view.take(mask) for view, mask in zip(views, masks, strict=True)]
        return [edge.name(edge.beyond(self, cuts)) for edge in self.edges]

    def _watch(self, cuts: Cuts) -> None:
        for part in cuts.parts:
            before = part.at < self.cuts.of(self.keys, part.bindings)
            assert not before.any(), f"{self.owner}: {self.label} changes before its frontier"

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

    # Forgetting

    def move_frontier(self, *, remove: bool) -> None:
        """Let go of what later queries cannot need; say how far back this can still change."""
        told = [(edge, edge.node.frontier) for edge in self.sources]
        default = min(frontier.default for _, frontier in told)
        parts = [self._name(edge, part) for edge, frontier in told for part in frontier.parts]
        self.cuts = self._merge(self.delay(Cuts(default, parts)))
        views = self.views()
        pending = self.find_pending(self.cuts, views)
        self.frontier = self._merge(Cuts(self.cuts.default, [*self.cuts.parts, *pending]))
        self.settle(self.live & self.mark_affected(self.rows, self.cuts, views))
        if remove:
            masks = self.select_lasting(self.cuts, views)
            for edge, mask in zip(self.edges, masks, strict=True):
                edge.keep(mask)
        self._views = None

    def _merge(self, cuts: Cuts) -> Cuts:
        return cuts.merge(self.keys, self.variables)

    def _name(self, edge: Edge, part: Part) -> Part:
        """In the variables of this formula: what touches some value of a local one touches all."""
        names = [
            name if (name := edge.rename(variable)) in self.variables else None
            for variable in part.bindings.variables
        ]
        return part.rename(names)

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
            self.cuts = self.cuts.remap(self.keys.types, codes)


NOTHING: Array = np.empty(0, dtype=np.int64)


def list_starts(rows: Rows, mask: Mask | Array) -> Part:
    """Pending rows: what comes of them begins where they do."""
    chosen = rows.take(mask)
    return Part(Bindings(chosen.variables, chosen.columns, len(chosen)), chosen.ts - 1)
