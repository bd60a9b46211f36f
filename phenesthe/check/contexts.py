"""What stands around a formula and gives variables values there.

An operand of `or` or `union` may lack a variable that its context binds: then it holds for every
value the context has (language reference, section Variables).
"""

from collections.abc import Iterator
from typing import TypeAlias, assert_never

from phenesthe.check.scopes import Names, Scopes
from phenesthe.frozen import dataclass
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
    Where,
)  # fmt: skip
from phenesthe.syntax.tree.walk import walk


@dataclass(frozen=True, slots=True)
class Beside:
    """The operands of an operator, of which one is looked at and `own` is its number.

    The operands are all of them, so that a conjunction of many has them once.
    """

    operands: tuple[Formula, ...]
    own: int

    def __iter__(self) -> Iterator[Formula]:
        return (part for at, part in enumerate(self.operands) if at != self.own)


#: From the outermost operator to the innermost.
Context: TypeAlias = tuple[Beside, ...]


def list_parts(node: Formula, around: Context) -> list[tuple[Formula, Context]]:
    """The parts that are formulas, from left to right, each with its context.

    What one side of an operator takes away or ends gives the other side no values.
    """
    match node:
        case Atom() | Comparison() | Calendar():
            return []
        case And() | Intersection():
            return _join(node.operands, around)
        case Or() | Union():
            return [(part, around) for part in node.operands]
        case Then() | Relation():
            return _join((node.left, node.right), around)
        case In() if not node.negated:
            return _join((node.event, node.state), around)
        case In():
            return _follow(node.event, node.state, around)
        case Complement():
            return _follow(node.left, node.right, around)
        case MaximalRange():
            if node.stop is None:
                return [(node.start, around)]
            return _follow(node.start, node.stop, around)
        case Where():
            return _join((node.operand, node.condition), around)
        case Not() | Start() | End() | Lasting() | Counting() | Let() | Exists():
            return [(node.operand, around)]
        case Repeat():
            parts = (node.event,) if node.condition is None else (node.event, node.condition)
            return [(part, around) for part in parts]
        case _:
            assert_never(node)


def _join(parts: tuple[Formula, ...], around: Context) -> list[tuple[Formula, Context]]:
    return [(part, (*around, Beside(parts, at))) for at, part in enumerate(parts)]


def _follow(first: Formula, second: Formula, around: Context) -> list[tuple[Formula, Context]]:
    return [(first, around), (second, (*around, Beside((first, second), 1)))]


def find_given(around: Context, scopes: Scopes) -> Names:
    """The variables that a context binds."""
    found: Names = frozenset()
    for beside in around:
        found = found.union(*[_find_given(part, scopes) for part in beside])
    return found


def _find_given(node: Formula, scopes: Scopes) -> Names:
    """What is counted or computed of what holds for every value of something else is no value to
    begin with."""
    unsettled = {
        name
        for part in walk(node)
        if isinstance(part, Counting | Let)
        if not scopes.free(part.operand) <= scopes.bound(part.operand)
        for name in part.names
    }
    return scopes.bound(node) - unsettled
