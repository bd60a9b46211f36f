"""Atoms that every result of a definition rests on.

`proximity(V1, V2) intersection stopped(V1) intersection stopped(V2)` has no variable that all three
share; but every result comes from a row of `proximity`, so the other rows are only needed where one
has their vessel. So it is where each alternative of a union has the same `proximity(V1, V2)`.
"""

from collections.abc import Iterator, Set

from phenesthe.check.program import Checked, CheckedDefinition
from phenesthe.syntax.tree import (
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


def find_drivers(definition: Checked) -> list[Atom]:
    """From the widest to the narrowest, so that fewer rows are sent to more places."""
    if not isinstance(definition, CheckedDefinition):
        return []
    return sorted(_required(definition.body), key=lambda atom: -len(atom.arguments))


def rests_on_rows(node: Formula, key: Set[str]) -> bool:
    """Whether every result has its values of the key, all of them, from one row.

    Else facts may bring them together (`member(V) and member(W) and not near(V, W)`).
    """
    match node:
        case Atom():
            return key <= {one.name for one in node.arguments if isinstance(one, Variable)}
        case And() | Intersection():
            return any(rests_on_rows(part, key) for part in node.operands)
        case Or() | Union():
            return all(rests_on_rows(part, key) for part in node.operands)
        case Start() | End() | Lasting() | Let() | Exists() | Counting():
            return rests_on_rows(node.operand, key)
        case Where():
            return rests_on_rows(node.operand, key) or rests_on_rows(node.condition, key)
        case MaximalRange():
            return rests_on_rows(node.start, key)
        case Repeat():
            return rests_on_rows(node.event, key)
        case Complement():
            return rests_on_rows(node.left, key)
        case Then() | Relation():
            return rests_on_rows(node.left, key) or rests_on_rows(node.right, key)
        case In():
            positive = (node.event,) if node.negated else (node.event, node.state)
            return any(rests_on_rows(part, key) for part in positive)
        case Comparison() | Not() | Calendar():
            return False


def _required(node: Formula) -> Iterator[Atom]:
    match node:
        case Atom():
            yield node
        case And() | Intersection():
            for part in node.operands:
                yield from _required(part)
        case Start() | End() | Lasting() | Exists() | Where() | Let() | Counting():
            yield from _required(node.operand)
        case MaximalRange():
            yield from _required(node.start)
        case Repeat():
            yield from _required(node.event)
        case Complement():
            yield from _required(node.left)
        case Then() | Relation():
            yield from _required(node.left)
            yield from _required(node.right)
        case In():
            yield from _required(node.event)
            if not node.negated:
                yield from _required(node.state)
        case Or() | Union():
            # Whichever alternative a result is of, it rests on what all of them name alike.
            first, *others = (list(_required(part)) for part in node.operands)
            yield from (atom for atom in first if all(atom in other for other in others))
        case Comparison() | Not() | Calendar():
            return
