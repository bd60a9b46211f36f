"""Warnings about variables: used once, or joining both sides of `~>`."""

from collections import Counter

from phenesthe.check.warn_closed import list_closed
from phenesthe.check.work import Draft, Work
from phenesthe.diagnostics.model import Edit, Label
from phenesthe.diagnostics.report import warning
from phenesthe.syntax.clauses import name_varying
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import Aggregate, Call, Comparison, Counting, Let, MaximalRange, Variable
from phenesthe.syntax.tree.walk import walk


def warn_variables(work: Work, draft: Draft) -> None:
    if not draft.broken:
        _warn_single(work, draft)
        _warn_joined(work, draft)
        _warn_duration(work, draft)


def _warn_single(work: Work, draft: Draft) -> None:
    places: dict[str, Span] = {}
    computed: set[str] = set()
    counts: Counter[str] = Counter(draft.head)
    scopes = work.scopes_of(draft)
    told: set[str] = set()
    numbers: set[str] = set()
    for variable in draft.list_nodes(Variable):
        counts[variable.name] += 1
        places[variable.name] = variable.span
    for let in draft.list_nodes(Let):
        computed.update(let.names)
    for counting in draft.list_nodes(Counting):
        told |= list_closed(counting, scopes)
        numbers |= set() if counting.number is None else {counting.number.name}
    for aggregate in draft.list_nodes(Aggregate):
        if aggregate.function != "total":
            told |= list_closed(aggregate, scopes)
    durations = frozenset[str]().union(*map(name_varying, draft.list_limited()))
    for name, span in places.items():
        if counts[name] > 1 or name.startswith("_") or name in told:
            continue
        if name in durations:
            continue  # it has no value, which is an error
        if name in computed:
            work.report(
                warning(
                    "W009",
                    f"`{name}` is computed and never used",
                    span,
                    label="nobody looks at it",
                    hint=f"add `{name}` to the head, use it in a condition, or leave it out",
                )
            )
        elif name in numbers:
            work.report(
                warning(
                    "W001",
                    f"nothing looks at the number `{name}`",
                    span,
                    label="used only here",
                    hint=f"add `{name}` to the head, or compare it: `(…) where {name} > 2`",
                )
            )
        else:
            # What explains a mistake is loaded when there is one.
            from phenesthe.check.mixed_kinds import Remedy
            from phenesthe.check.unbound import explain_capital

            what, remedy = explain_capital(name, span) or (
                f"`{name}` is used only once",
                Remedy(
                    "write `_` if any value will do; otherwise look for a misspelt variable",
                    (Edit(span=span, text="_"),),
                ),
            )
            work.report(
                warning(
                    "W001",
                    what,
                    span,
                    label="matches any value",
                    hint=remedy.hint,
                    fix=remedy.fix,
                )
            )


def _warn_joined(work: Work, draft: Draft) -> None:
    scopes = work.scopes_of(draft)
    head = frozenset(draft.head)
    head = head.union(*[node.local for node in draft.list_nodes(Counting)])
    for node in draft.list_nodes(MaximalRange):
        if node.stop is None:
            continue
        for name in sorted((scopes.free(node.start) & scopes.free(node.stop)) - head):
            left = _place(node.start, name)
            right = _place(node.stop, name)
            if left is None or right is None or name.startswith("_"):
                continue
            work.report(
                warning(
                    "W002",
                    f"`{name}` on both sides of `~>` must have the same value",
                    right,
                    label="only an event with the same value ends it",
                    related=(Label(span=left, message="begins with this value"),),
                    hint=f"use another variable here; if the join is meant, add `{name}` "
                    "to the head or begin its name with `_`",
                )
            )


def _warn_duration(work: Work, draft: Draft) -> None:
    """It is undefined while an interval holds; `lasting` knows what it will be at least."""
    for node in draft.list_nodes(Comparison):
        for side in (node.left, node.right):
            if isinstance(side, Call) and side.function == "duration":
                work.report(
                    warning(
                        "W010",
                        "`duration()` has no value while an interval still holds",
                        side.span,
                        label="compared",
                        hint="filter with `lasting`, as in `(…) lasting > 20m`, which keeps an "
                        "interval as soon as it is long enough",
                    )
                )


def _place(node: object, name: str) -> Span | None:
    for part in walk(node):  # type: ignore[arg-type]  # both sides are formulas
        if isinstance(part, Variable) and part.name == name:
            return part.span
    return None
