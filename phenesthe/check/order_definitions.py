"""Pass 5: no definition uses itself, and each is evaluated after what it uses."""

from phenesthe.check.work import Draft, Work
from phenesthe.diagnostics.model import Label
from phenesthe.diagnostics.report import error
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import Atom
from phenesthe.syntax.tree.walk import walk


def order_definitions(work: Work) -> None:
    """Set levels (inputs and facts are 0) and put the drafts into evaluation order."""
    state: dict[str, int] = {}  # 1 while on the path, 2 when done
    circular: set[str] = set()
    for root in work.drafts:
        if root in state:
            continue
        # An explicit path: a chain of definitions may be longer than the stack.
        path = [root]
        state[root] = 1
        pending = [iter(_used(work, root))]
        while pending:
            used = next(pending[-1], None)
            if used is None:
                pending.pop()
                name = path.pop()
                state[name] = 2
                draft = work.drafts[name]
                levels = (work.drafts[u].level if u in work.drafts else 0 for u in draft.uses)
                draft.level = 1 + max(levels, default=0)
            elif state.get(used) == 1:
                cycle = path[path.index(used) :]
                # Of circles that share all their members, the first one says enough.
                if not circular.issuperset(cycle):
                    _report_cycle(work, [work.drafts[name] for name in cycle])
                circular.update(cycle)
            elif used not in state:
                state[used] = 1
                path.append(used)
                pending.append(iter(_used(work, used)))
    ordered = sorted(work.drafts.values(), key=lambda draft: draft.level)
    work.drafts = {draft.symbol.name: draft for draft in ordered}


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
            hint="define it from other phenomena"
            if alone
            else "define one of them without the others",
        )
    )
    for draft in cycle:
        draft.broken = True


def _use(draft: Draft, name: str) -> Span:
    for body in draft.bodies:
        for node in walk(body):
            if isinstance(node, Atom) and node.name.text == name:
                return node.name.span
    return draft.symbol.span
