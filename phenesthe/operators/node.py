"""A formula that remembers what it was true on, and computes again only what may differ.

Every operator has a `Node` with the rows it is true on as known at the last query. Two questions
decide everything, and each operator answers them once:

* `select`: given a cut per binding (up to it the operands look the same), which rows of the
  operands are needed to compute what is not decided by it?
* `mark_affected`: which of its own rows are not decided by what lies up to the cut?

At a query the cuts are the times from which operands changed. For forgetting they are the times
before which nothing can change any more (`frontier`), so what `select` does not ask for then, no
later query can ask for.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

from phenesthe.graph.operator import Operator
from phenesthe.kernels.arrays import OPEN, Array, Mask
from phenesthe.operators.contexts import find_turned, mark_one_each
from phenesthe.operators.held import NOTHING, Edge, Holder
from phenesthe.operators.rows import Bindings, Rows
from phenesthe.operators.unchanged import BEGINNING, Part, UnchangedUntil, touch_all
from phenesthe.operators.work import Work, World
from phenesthe.vocabulary import Names

Op = TypeVar("Op", bound=Operator)


class Node(Holder, ABC, Generic[Op]):
    """An operator that goes from query to query."""

    #: Whether it looks at rows of its operands from before the cut.
    looks_back = False
    #: Whether each of its rows comes of one row of an operand alone, all of them events.
    is_linear = False
    #: Whether it depends on where the timeline begins.
    follows_timeline = False
    #: Whether it looks at single bindings, because it looks back at much of each.
    is_local = False
    #: Why it keeps rows of its operands that lie before the frontier, in a user's words.
    reason: ClassVar[str] = "it reaches beyond the frontier"

    def __init__(self, operator: Op, edges: Sequence[Edge], world: World) -> None:
        self.operator, self.work = operator, Work(world, operator, self.evaluate)
        super().__init__(operator, self.work.keys)
        self.edges = tuple(edges)
        self.contexts = operator.contexts
        if self.contexts:
            self.looks_back, self.is_linear = True, False
        #: Each operand once under the same names: what is said of it need not be said again.
        self.sources = tuple(
            {
                (id(edge.node), edge.names): edge
                for at, edge in enumerate(self.edges)
                if at not in self.contexts
            }.values()
        )
        for edge in self.edges:
            edge.user = self
        self._views: list[Rows] | None = None
        #: Whether time alone may touch it.
        self.wakes = type(self).wake is not Node.wake
        #: Whether of events only what was added is of interest, because everything that changed
        #: lies after the last query, or because what was there has its rows already.
        self.sees_added = False

    # What each operator says

    @staticmethod
    @abstractmethod
    def evaluate(op: Any, work: Work, operands: Sequence[Rows]) -> Rows:
        """What the operator is true on, given rows of its operands: the only way to its kernel.

        A batch run calls it once with all rows, and remembers nothing.
        """

    def select(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Mask]:
        """By operand, the rows needed. Most formulas need what reaches beyond the cut."""
        return [self.reach(view, cuts) for view in views]

    def select_lasting(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Mask]:
        """As `select`, for good: without what would only be left out again."""
        return self.select(cuts, views)

    def mark_affected(self, rows: Rows, cuts: UnchangedUntil, views: list[Rows]) -> Mask:
        return cuts.mark_beyond(self.keys, rows)

    def narrow(self, views: list[Rows], cuts: UnchangedUntil) -> list[Rows]:
        """Without the rows that no cut asks about, where that is easily said."""
        return views

    def compute(self, cuts: UnchangedUntil, views: list[Rows], selected: list[Rows]) -> Rows:
        """What the operator is true on, of these rows; what the cuts decide is left out later.

        `views` are all rows of the operands, `selected` those that `select` has marked.
        """
        return self.work.run(selected)

    def wake(self, last: int, q: int, views: list[Rows]) -> list[Part]:
        """Bindings that time alone touches between two queries."""
        return []

    def delay(self, cuts: UnchangedUntil) -> UnchangedUntil:
        """How far back of a change in the operands a change of the formula can lie."""
        return cuts

    def find_pending(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Part]:
        """Bindings whose results can still change before the cut, and from when on."""
        return []

    def share(self, cuts: UnchangedUntil) -> UnchangedUntil:
        """One cut for all operands: that of the variables they have in common.

        For formulas that weigh their operands against each other a row from before the cut, given
        by one side alone, would tell half of the story.
        """
        names = [{name for name in edge.names if name} for edge in self.edges]
        return cuts.project(set.intersection(*names))

    def find_span(self) -> int | None:
        """How far back of the cut it looks at instants of its operands; None if nobody knows.

        What it says of an instant that the frontier has passed must not depend on others that it
        has not, and it must need those.
        """
        return None

    # The same for all of them

    def forget_views(self) -> None:
        self._views = None

    def views(self) -> list[Rows]:
        """The operands' rows: once they are up to date, the same for a whole query."""
        if self._views is None:
            for edge in self.edges:
                edge.looks_back = self.looks_back
            self._views = [edge.name(edge.rows()) for edge in self.edges]
        return self._views

    def reach(self, rows: Rows, cuts: UnchangedUntil) -> Mask:
        return cuts.mark_beyond(self.keys, rows)

    def update(self, last: int | None, q: int, again: int | None = None) -> None:
        """Compute what changed, or everything after the time `again`."""
        if again is None and not self.wakes and not self.contexts:
            for edge in self.sources:
                if edge.node.changed is not None:
                    break
            else:
                self.forget_changes()
                return
        self._views = None
        views = self.views()
        parts = [
            self._name(edge, edge.node.changed)
            for edge in self.sources
            if edge.node.changed is not None
        ]
        parts += [self._find_turned(at, names) for at, names in self.contexts.items()]
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
        if is_fresh and not self.is_local:
            # Beyond the last query there is little but what is new, and one time for all is cheaper
            # than one for each.
            parts = [touch_all(least)]
        cuts = self.delay(UnchangedUntil(OPEN, parts))
        if self.is_watched:
            self._watch(cuts)
        least = cuts.find_least()
        self._recall(least)
        views = self.narrow(self.views(), cuts)
        found = self.compute(cuts, views, self._gather(cuts, views))
        found = found.take(self.mark_affected(found, cuts, views))
        if self.sees_added and self.kind == "event":
            # Beyond the last query there is nothing yet.
            self.change(NOTHING, found if is_fresh else found.take(self.find(found) < 0))
        else:
            self.replace(self.mark_affected(self.near, cuts, views), found)

    def _recall(self, least: int) -> None:
        """Have the instants at hand that cuts from this time on ask about."""
        if self.kind == "event":
            self.recall(least)
        if not self.sees_added:
            span = self.find_span()
            after = BEGINNING if span is None else max(least - span, BEGINNING)
            for edge in self.sources:
                edge.node.recall(after)

    def _gather(self, cuts: UnchangedUntil, views: list[Rows]) -> list[Rows]:
        """The rows of the operands that are needed."""
        if not self.sees_added:
            masks = self.select(cuts, views)
            for at in self.contexts:
                masks[at][:] = True
            return [view.take(mask) for view, mask in zip(views, masks, strict=True)]
        return [edge.name(self._look_beyond(edge, cuts)) for edge in self.edges]

    def _look_beyond(self, edge: Edge, cuts: UnchangedUntil) -> Rows:
        """The rows that reach beyond the cuts, under the operand's own names."""
        if edge.node.kind == "event":
            return edge.node.added
        rows = edge.rows()
        return rows.take(self.reach(edge.name(rows), cuts))

    def _watch(self, cuts: UnchangedUntil) -> None:
        for part in cuts.parts:
            before = part.at < self.operand_frontier.of(self.keys, part.bindings)
            assert not before.any(), f"{self.owner}: {self.label} changes before its frontier"

    def move_frontier(self, *, remove: bool) -> None:
        """Let go of what later queries cannot need; say how far back this can still change."""
        told = [(edge, edge.node.frontier) for edge in self.sources]
        default = min(frontier.default for _, frontier in told)
        parts = [self._name(edge, part) for edge, frontier in told for part in frontier.parts]
        if self.contexts:
            # A binding that comes has been there from the beginning.
            default, parts = BEGINNING, []
        self.operand_frontier = self._merge(self.delay(UnchangedUntil(default, parts)))
        passed = self._list_passed()
        views = self._view_passed(passed)
        pending = self.find_pending(self.operand_frontier, views)
        self.frontier = self._merge(
            UnchangedUntil(self.operand_frontier.default, [*self.operand_frontier.parts, *pending])
        )
        self._settle(views)
        if remove:
            masks = self.select_lasting(self.operand_frontier, views)
            for at, names in self.contexts.items():
                masks[at] = mark_one_each(self.keys, self.edges[at], names)
            for edge, chosen, mask in zip(self.edges, passed, masks, strict=True):
                if chosen is None:
                    edge.keep(mask)
                else:
                    edge.marks[chosen] = mask
        self._views = None

    def _list_passed(self) -> list[Array | None]:
        """By operand the numbers of the instants to be looked at, None for all rows."""
        if self.find_span() is None:
            return [None for _ in self.edges]
        found: list[Array | None] = []
        for edge in self.edges:
            if edge.node.kind == "event":
                passed = edge.node.list_passed(self.work.world.frontier)
                found.append(passed[edge.marks[passed]])
            else:
                found.append(None)
        return found

    def _view_passed(self, passed: list[Array | None]) -> list[Rows]:
        if all(at is None for at in passed):
            return self.views()
        return [
            edge.name(edge.rows() if at is None else edge.node.near.take(at))
            for edge, at in zip(self.edges, passed, strict=True)
        ]

    def _settle(self, views: list[Rows]) -> None:
        if self.kind == "event" and self.can_rest:
            at = self.list_passed(self.work.world.frontier)
            rows = self.near.take(at)
            self.settle_passed(at, self.mark_affected(rows, self.operand_frontier, views))
        else:
            affected = self.mark_affected(self.near, self.operand_frontier, views)
            self.settle(self.near_live & affected)

    def _find_turned(self, at: int, names: Names) -> Part:
        part = find_turned(self.keys, self.edges[at], names)
        kept = [name if name in self.variables else None for name in names]
        return part.rename(kept)

    def _merge(self, cuts: UnchangedUntil) -> UnchangedUntil:
        return cuts.merge(self.keys, self.variables)

    def _name(self, edge: Edge, part: Part) -> Part:
        """In the variables of this formula: what touches some value of a local one touches all."""
        names = [
            name if (name := edge.rename(variable)) in self.variables else None
            for variable in part.bindings.variables
        ]
        return part.rename(names)


def list_starts(rows: Rows, mask: Mask | Array) -> Part:
    """Pending rows: what comes of them begins where they do."""
    chosen = rows.take(mask)
    return Part(Bindings(chosen.variables, chosen.columns, len(chosen)), chosen.ts - 1)
