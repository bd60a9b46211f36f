"""Pass 8: no phenomenon is reported at every instant there is.

`not φ` without an event beside it is true almost always. That is fine where only its first or last
instant matters, and an error where every instant would be listed.
"""

from phenesthe.check.scopes import Scopes
from phenesthe.check.work import Draft, Work
from phenesthe.diagnostics.report import error
from phenesthe.syntax.clauses import name_varying
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import (
    Aggregate,
    And,
    Call,
    Definition,
    ExclusiveState,
    Exists,
    Formula,
    In,
    Let,
    Machine,
    MaximalRange,
    Not,
    Or,
    Relation,
    Repeat,
    Then,
    Where,
)  # fmt: skip
from phenesthe.syntax.tree.walk import walk


def bound_negation(work: Work, draft: Draft) -> None:
    if draft.broken:
        return
    scopes = work.scopes_of(draft)
    for body in draft.bodies:
        if draft.symbol.kind == "event" and isinstance(draft.declaration, Definition):
            _check_event(work, draft, body, scopes)
        if isinstance(draft.declaration, Machine) and is_dense(body, scopes):
            _report_transition(work, draft, body.span)
        _check_clock(work, draft, body, scopes)
    for repeat in draft.list_nodes(Repeat):
        if is_dense(repeat.event, scopes):
            _report_repeat(work, draft, repeat.event.span)
    pairs: list[Then | Relation] = [*draft.list_nodes(Then), *draft.list_nodes(Relation)]
    for pair in pairs:
        if is_dense(pair.left, scopes) and is_dense(pair.right, scopes):
            _report_both(work, draft, pair.span)
    for let in draft.list_nodes(Let):
        if is_dense(let.operand, scopes):
            _report_asked(work, draft, let.operand.span, "`let` computes")
    for aggregate in draft.list_nodes(Aggregate):
        if is_dense(aggregate.operand, scopes):
            what = f"`{aggregate.function}` looks"
            _report_asked(work, draft, aggregate.operand.span, what)
    for conjunction in draft.list_nodes(And):
        if not scopes.is_condition(conjunction) and not is_guarded(conjunction, scopes):
            for part in conjunction.operands:
                if scopes.is_condition(part):
                    _check_time(work, draft, part)
    for where in draft.list_nodes(Where):
        if not is_guarded(where, scopes):
            _check_time(work, draft, where.condition)


def _check_clock(work: Work, draft: Draft, body: Formula, scopes: Scopes) -> None:
    """Values that end each other begin at single instants where how long one holds varies."""
    begun: list[Formula] = []
    inner = body.operand if isinstance(body, Exists) else body
    if isinstance(draft.declaration, ExclusiveState):
        if body is draft.bodies[0] and any(map(name_varying, draft.bodies)):
            begun = [one.start for one in draft.bodies if isinstance(one, MaximalRange)]
    elif isinstance(inner, MaximalRange) and inner.value is not None and name_varying(inner):
        begun = [inner.start]
    for start in begun:
        if not is_guarded(start, scopes):
            work.report(
                error(
                    "K007",
                    "values whose clocks vary begin at single instants, but a negation that no "
                    "event limits has none",
                    start.span,
                    label="true at nearly every instant",
                    hint="join it with the event at which to look: `ais(V, _) and not …`",
                ),
                draft,
            )


def is_dense(node: Formula, scopes: Scopes) -> bool:
    """True at almost every instant: a negation that no event limits."""
    match node:
        case Not():
            return not scopes.is_condition(node) and not is_dense(node.operand, scopes)
        case And():
            events = [part for part in node.operands if not scopes.is_condition(part)]
            return bool(events) and all(is_dense(part, scopes) for part in events)
        case Or():
            return any(is_dense(part, scopes) for part in node.operands)
        case In():
            return is_dense(node.event, scopes)
        case Exists() | Where():
            return is_dense(node.operand, scopes)
        case _:
            return False


def is_guarded(node: Formula, scopes: Scopes) -> bool:
    """Only true at instants at which an event is; a `not` beside it needs no timeline."""
    match node:
        case Not():
            return False
        case And():
            events = [part for part in node.operands if not scopes.is_condition(part)]
            return any(is_guarded(part, scopes) for part in events)
        case Or():
            return all(is_guarded(part, scopes) for part in node.operands)
        case In():
            return is_guarded(node.event, scopes)
        case Exists() | Where():
            return is_guarded(node.operand, scopes)
        case _:
            return True


def _check_time(work: Work, draft: Draft, condition: Formula) -> None:
    for node in walk(condition):
        if isinstance(node, Call) and node.function == "time":
            _report_asked(work, draft, node.span, "`time()` is asked")
        elif isinstance(node, Aggregate):
            _report_asked(work, draft, node.span, f"`{node.function}` is asked")


def _report_asked(work: Work, draft: Draft, span: Span, what: str) -> None:
    work.report(
        error(
            "K007",
            f"{what} at each instant, but a negation that no event limits is true at nearly every "
            "one",
            span,
            label="no event limits the negation",
            hint="join it with the event at which to look: `ais(V, _) and not …`",
        ),
        draft,
    )


def _check_event(work: Work, draft: Draft, body: Formula, scopes: Scopes) -> None:
    if is_dense(body, scopes):
        work.report(
            error(
                "K006",
                f"`{draft.symbol.name}` would be true at nearly every instant there is",
                body.span,
                label="a negation that no event limits",
                hint="join it with the event at which to look: `ais(V, _) and not …`",
            ),
            draft,
        )


def _report_transition(work: Work, draft: Draft, span: Span) -> None:
    work.report(
        error(
            "K007",
            "a transition fires at single instants, but a negation that no event limits has none",
            span,
            label="true at nearly every instant",
            hint="join it with the event at which to look: `ais(V, _) and not …`",
        ),
        draft,
    )


def _report_repeat(work: Work, draft: Draft, span: Span) -> None:
    work.report(
        error(
            "K007",
            "`repeat` counts occurrences, but a negation that no event limits has no single ones",
            span,
            label="true at nearly every instant",
            hint="join it with the event that repeats: `ais(V, _) and not …`",
        ),
        draft,
    )


def _report_both(work: Work, draft: Draft, span: Span) -> None:
    work.report(
        error(
            "K007",
            "both sides are true at nearly every instant, so every instant would be reported",
            span,
            label="two negations that no event limits",
            hint="join one of them with an event: `ais(V, _) and not …`",
        ),
        draft,
    )
