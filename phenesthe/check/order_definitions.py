"""Pass 5: no definition uses itself, and each is evaluated after what it uses."""

from phenesthe.check.work import Draft, Work
from phenesthe.diagnostics.model import Label
from phenesthe.diagnostics.report import error
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import Atom, Machine
from phenesthe.syntax.tree.walk import walk

#: Beyond one for every definition there is.
_MOST_MEMBERS = 1000


def order_definitions(work: Work) -> None:
    """Set levels (inputs and facts are 0) and put the drafts into evaluation order."""
    placed: set[str] = set()
    circles = _Circles(work)
    for root in work.drafts:
        if root in placed:
            continue
        # An explicit path: a chain of definitions may be longer than the stack.
        circles.enter(root)
        pending = [iter(_used(work, root))]
        while pending:
            used = next(pending[-1], None)
            if used is None:
                pending.pop()
                name = circles.leave()
                placed.add(name)
                draft = work.drafts[name]
                levels = (work.drafts[u].level if u in work.drafts else 0 for u in draft.uses)
                draft.level = 1 + max(levels, default=0)
            elif used in circles.at:
                circles.close(used)
            elif used not in placed:
                circles.enter(used)
                pending.append(iter(_used(work, used)))
    ordered = sorted(work.drafts.values(), key=lambda draft: draft.level)
    work.drafts = {draft.symbol.name: draft for draft in ordered}


class _Circles:
    """The definitions that lead to one another, each using the next, and the circles they close."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._path: list[str] = []
        #: The place of each on the path.
        self.at: dict[str, int] = {}
        #: The places of those that are in no circle that was found.
        self._fresh: list[int] = []
        self._circular: set[str] = set()
        #: All circles that are told have together at most so many members: each is written out
        #: whole, and there may be as many as definitions.
        self._left = len(work.drafts) + _MOST_MEMBERS

    def enter(self, name: str) -> None:
        self.at[name] = len(self._path)
        if name not in self._circular:
            self._fresh.append(len(self._path))
        self._path.append(name)

    def leave(self) -> str:
        name = self._path.pop()
        del self.at[name]
        if self._fresh and self._fresh[-1] == len(self._path):
            self._fresh.pop()
        return name

    def close(self, first: str) -> None:
        """The last on the path uses one before it, or itself."""
        start = self.at[first]
        # Of circles that share all their members, the first one says enough.
        if not self._fresh or self._fresh[-1] < start:
            return
        while self._fresh and self._fresh[-1] >= start:
            name = self._path[self._fresh.pop()]
            self._circular.add(name)
            self._work.drafts[name].broken = True
        length = len(self._path) - start
        if length <= self._left:
            self._left -= length
            _report_cycle(self._work, [self._work.drafts[one] for one in self._path[start:]])


def _used(work: Work, name: str) -> list[str]:
    return [used for used in work.drafts[name].uses if used in work.drafts]


def _report_cycle(work: Work, cycle: list[Draft]) -> None:
    names = [draft.symbol.name for draft in cycle]
    related = tuple(
        Label(span=_use(draft, names[(at + 1) % len(names)]), message=f"`{draft.symbol.name}` uses "
              f"`{names[(at + 1) % len(names)]}` here")
        for at, draft in enumerate(cycle)
    )  # fmt: skip
    first = cycle[0]
    alone = len(cycle) == 1
    work.report(
        error(
            "C001",
            f"`{names[0]}` is defined in terms of itself"
            if alone
            else "circular definitions: " + " → ".join([*names, names[0]]),
            first.symbol.span,
            label="depends on itself",
            related=related,
            hint=_suggest(first, alone=alone),
        )
    )


def _suggest(draft: Draft, *, alone: bool) -> str:
    if alone and isinstance(draft.declaration, Machine):
        return "which value holds is what the left of `->` asks; or define it from other phenomena"
    return "define it from other phenomena" if alone else "define one of them without the others"


def _use(draft: Draft, name: str) -> Span:
    for body in draft.bodies:
        for node in walk(body):
            if isinstance(node, Atom) and node.name.text == name:
                return node.name.span
    return draft.symbol.span
