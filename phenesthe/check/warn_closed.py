"""A warning about variables that end before something is counted, as if they were `_`."""

from collections.abc import Iterator
from typing import assert_never

from phenesthe.check.scopes import Scopes
from phenesthe.check.work import Draft, Work
from phenesthe.diagnostics.model import Edit
from phenesthe.diagnostics.report import warning
from phenesthe.syntax.tree import (
    Aggregate,
    And,
    Atom,
    Calendar,
    Comparison,
    Complement,
    Counting,
    End,
    Exists,
    Formula,
    In,
    Intersection,
    Lasting,
    Let,
    MaximalRange,
    Not,
    Or,
    Relation,
    Repeat,
    Start,
    Then,
    Union,
    Variable,
    Where,
)  # fmt: skip
from phenesthe.syntax.tree.walk import walk


def warn_closed(work: Work, draft: Draft) -> None:
    if draft.broken:
        return
    scopes = work.scopes_of(draft)
    for node in draft.list_nodes(Counting):
        for name in sorted(list_closed(node, scopes)):
            _warn(work, node, name)
    for aggregate in draft.list_nodes(Aggregate):
        if aggregate.function != "total":
            for name in sorted(list_closed(aggregate, scopes)):
                _warn_row(work, aggregate, name)


def list_closed(node: Counting | Aggregate, scopes: Scopes) -> frozenset[str]:
    """The variables to which the state gives values that are all one to the counting."""
    closed = frozenset().union(*_list_closed(node.operand, scopes))
    return frozenset([name for name in closed if not name.startswith("_")])


def _list_closed(node: Formula, scopes: Scopes) -> Iterator[frozenset[str]]:
    for part in _list_positive(node):
        yield from _list_closed(part, scopes)
    if isinstance(node, Exists):
        yield frozenset(node.variables) & scopes.bound(node.operand)


def _list_positive(node: Formula) -> tuple[Formula, ...]:
    """The parts that give values to what is around."""
    match node:
        case And() | Or() | Union() | Intersection():
            return node.operands
        case Then() | Relation():
            return (node.left, node.right)
        case Complement():
            return (node.left,)
        case In():
            return (node.event,) if node.negated else (node.event, node.state)
        case MaximalRange():
            return (node.start,)
        case Where() | Let() | Start() | End() | Lasting() | Exists():
            return (node.operand,)
        case Repeat():
            return (node.event,)
        case Atom() | Comparison() | Not() | Counting() | Calendar():
            return ()
        case _:
            assert_never(node)


def _warn_row(work: Work, node: Aggregate, name: str) -> None:
    places = [one for one in walk(node.operand) if isinstance(one, Variable) and one.name == name]
    fix = (Edit(span=places[0].span, text="_"),) if len(places) == 1 else None
    any_value = "write `_`" if fix is not None else f"begin its name with `_`: `_{name}`"
    asked = f"; `count({name} of …)` counts its values" if node.function == "count" else ""
    work.report(
        warning(
            "W005",
            f"`{name}` tells no rows of this `{node.function}` apart: what happens at one instant "
            f"for several `{name}` is one row",
            places[0].span,
            label="not a variable of the events themselves",
            hint=f"if that is meant, {any_value}{asked}",
            fix=fix,
        )
    )


def _warn(work: Work, node: Counting, name: str) -> None:
    places = [one for one in walk(node.operand) if isinstance(one, Variable) and one.name == name]
    counted = ", ".join(one.name for one in node.counted)
    fix = (Edit(span=places[0].span, text="_"),) if len(places) == 1 else None
    any_value = "write `_`" if fix is not None else f"begin its name with `_`: `_{name}`"
    work.report(
        warning(
            "W005",
            f"`{counted}` is counted, whatever `{name}` is: not for each `{name}` by itself",
            places[0].span,
            label="used nowhere outside, so any value will do",
            hint=f"add `{name}` to the head for a number of each, or write `({counted}, {name})` "
            f"to count pairs; if any value will do, {any_value}",
            fix=fix,
        )
    )
