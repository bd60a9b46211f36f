"""Atoms that every result of a definition rests on.

`proximity(V1, V2) intersection stopped(V1) intersection stopped(V2)` has no variable that all three
share; but every result comes from a row of `proximity`, so the other rows are only needed where one
has their vessel.
"""

from collections.abc import Iterator

from phenesthe.check.program import Checked, CheckedDefinition
from phenesthe.syntax.tree import (
    And,
    Atom,
    Comparison,
    Complement,
    End,
    Exists,
    Formula,
    In,
    Intersection,
    Lasting,
    MaximalRange,
    Not,
    Or,
    Relation,
    Repeat,
    Start,
    Then,
    Union,
    Where,
)  # fmt: skip


def find_drivers(definition: Checked) -> list[Atom]:
    """From the widest to the narrowest, so that fewer rows are sent to more places."""
    if not isinstance(definition, CheckedDefinition):
        return []
    return sorted(_required(definition.body), key=lambda atom: -len(atom.arguments))


def _required(node: Formula) -> Iterator[Atom]:
    match node:
        case Atom():
            yield node
        case And() | Intersection():
            for part in node.operands:
                yield from _required(part)
        case Start() | End() | Lasting() | Exists() | Where():
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
        case Comparison() | Or() | Union() | Not():
            return
