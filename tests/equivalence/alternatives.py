"""Alternatives that lack a variable, and what stands beside them that has it."""

from collections.abc import Iterator

from phenesthe.check.scopes import Scopes
from phenesthe.syntax.tree import (
    And,
    Atom,
    Comparison,
    Complement,
    Formula,
    In,
    Intersection,
    MaximalRange,
    Or,
    Relation,
    Then,
    Union,
    Where,
)
from phenesthe.syntax.tree.walk import children
from phenesthe.syntax.values import is_formula
from tests.reference.scopes import find_lacking

#: The operators above a formula, each with the number of the operand that it is in.
_Above = tuple[tuple[Formula, int], ...]


def label_lacking(body: Formula, scopes: Scopes) -> Iterator[tuple[str, Formula]]:
    """For every variable that an alternative lacks: the operator that joins it with what has it."""
    for node, above in _list_nodes(body, ()):
        if not isinstance(node, Or | Union) or scopes.is_condition(node):
            continue
        for name in sorted(frozenset().union(*[find_lacking(node, x) for x in node.operands])):
            for distance, (operator, at) in enumerate(reversed(above)):
                if any(name in scopes.bound(one) for one in _list_givers(operator, at)):
                    yield f"lacking, {_name(operator, at)}", operator
                    if distance:
                        yield "lacking, further in", operator
                    break


def _list_nodes(node: Formula, above: _Above) -> Iterator[tuple[Formula, _Above]]:
    yield node, above
    if not isinstance(node, Atom | Comparison):
        for at, part in enumerate(_list_parts(node)):
            yield from _list_nodes(part, (*above, (node, at)))


def _list_parts(node: Formula) -> list[Formula]:
    return [part for part in children(node) if is_formula(part)]


def _list_givers(operator: Formula, at: int) -> list[Formula]:
    match operator:
        case And() | Intersection() | Then() | Relation() | Where():
            pass
        case In() if not operator.negated:
            pass
        case In() | Complement() | MaximalRange() if at == 1:
            return _list_parts(operator)[:1]
        case _:
            return []
    parts = _list_parts(operator)
    return parts[:at] + parts[at + 1 :]


def _name(operator: Formula, at: int) -> str:
    match operator:
        case In():
            return f"{'left' if at == 0 else 'right'} of {'not in' if operator.negated else 'in'}"
        case Complement():
            return operator.name
        case MaximalRange():
            return "~>"
        case Relation():
            return "relation" if operator.mode is None else "relation as"
        case _:
            return type(operator).__name__.lower()
