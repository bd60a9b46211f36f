"""Aggregates of a formula: where they are, and which variables tell their rows apart."""

from collections.abc import Callable, Iterator

from phenesthe.check.scopes import Names, Scopes
from phenesthe.check.work import FormulaKind
from phenesthe.syntax.anonymous import name_anonymous
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import (
    Aggregate,
    And,
    Atom,
    Exists,
    Formula,
    In,
    Let,
    Or,
    Variable,
    Where,
    Wildcard,
)  # fmt: skip
from phenesthe.syntax.tree.walk import Expression, children, with_children

_NONE: Names = frozenset()


def list_aggregates(node: Expression) -> Iterator[Aggregate]:
    """Those of a condition or a value, but none inside another one."""
    if isinstance(node, Aggregate):
        yield node
        return
    for part in children(node):
        yield from list_aggregates(part)


def has_aggregates(node: Expression) -> bool:
    return any(True for _ in list_aggregates(node))


def list_row_variables(node: Formula, scopes: Scopes) -> Names:
    """The variables whose values are part of a row, beside what is asked for by name.

    `and` has those of both sides, `or` those of all alternatives, `in` and `where` those of their
    left; conditions, `not`, `start` and `end` have none.
    """
    match node:
        case Atom():
            return _NONE if scopes.is_condition(node) else scopes.free(node)
        case And():
            return _NONE.union(*[list_row_variables(part, scopes) for part in node.operands])
        case Or():
            first, *others = [list_row_variables(part, scopes) for part in node.operands]
            return first.intersection(*others)
        case In():
            return list_row_variables(node.event, scopes)
        case Where() | Let():
            return list_row_variables(node.operand, scopes)
        case Exists():
            return list_row_variables(node.operand, scopes) - frozenset(node.variables)
        case _:
            return _NONE


def explain_aggregate(
    node: Aggregate, kind: FormulaKind | None, suggest: Callable[[], str]
) -> tuple[str, Span, str, str] | None:
    """Why an aggregate cannot stand beside a formula of this kind: what, where, and a remedy.

    `suggest` says how it is written where it stands.
    """
    span = node.over or node.past
    if node.over is not None and node.past is not None:
        return (
            "`over` and `past` do not stand together", node.past.span, "one of the two",
            "leave one of them out: `over D` has the rows up to the instant of the event, `past D` "
            "those before it",
        )  # fmt: skip
    match kind:
        case "condition":
            return (
                f"`{node.function}` has no place in the condition of a `repeat`", node.span,
                "it compares two occurrences",
                "give the event its value before: `(a(V) let N = count(b(V) over 10m))`",
            )  # fmt: skip
        case "event" if node.function == "total":
            return (
                "`total` measures within an interval, and an event has none", node.span,
                "of which interval?", "ask a state or a dynamic for it",
            )  # fmt: skip
        case "event" if span is None:
            return (
                f"`{node.function}` beside an event looks back: how far?", node.span,
                "no length of time",
                f"{suggest()}; `past` in the place of `over` has the rows before the instant",
            )  # fmt: skip
        case "state" | "dynamic" if span is not None:
            return (
                f"`{node.function}` beside {_NAMES[kind]} is of all rows of the interval",
                span.span, "no length of time here",
                f"{suggest()}, or look back from an event: `start(…)` of the state",
            )  # fmt: skip
        case _:
            return None


_NAMES = {"state": "a state", "dynamic": "a dynamic phenomenon"}


class Anonymous:
    """Gives each `_` of an event atom whose rows are told apart a name of its own."""

    def __init__(self, scopes: Scopes) -> None:
        self.scopes, self._count = scopes, 0

    def name(self, node: Formula) -> Formula:
        match node:
            case Atom() if not self.scopes.is_condition(node):
                terms = [
                    self._make(one) if isinstance(one, Wildcard) else one for one in node.arguments
                ]
                return with_children(node, tuple(terms))  # type: ignore[return-value]  # an atom
            case And():
                parts: list[Expression] = [self.name(part) for part in node.operands]
            case In() | Where() | Let() | Exists():
                first, *others = children(node)
                parts = [self.name(first), *others]  # type: ignore[arg-type]  # their formula
            case _:
                return node
        return with_children(node, tuple(parts))  # type: ignore[return-value]  # a formula stays one

    def _make(self, node: Wildcard) -> Variable:
        self._count += 1
        return Variable(span=node.span, name=name_anonymous(self._count))
