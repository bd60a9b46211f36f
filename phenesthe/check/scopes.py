"""Which variables a formula mentions, and which it gives a value to."""

from collections.abc import Callable, Iterator
from typing import assert_never

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
from phenesthe.syntax.tree.walk import Expression, children

Names = frozenset[str]
_NONE: Names = frozenset()


class Scopes:
    """Free and bound variables of the formulas of one definition, each computed once."""

    def __init__(self, is_fact: Callable[[str], bool]) -> None:
        self.is_fact = is_fact
        self._free: dict[int, Names] = {}
        self._kept: list[Expression] = []  # so that no id is given to another node

    def free(self, node: Expression) -> Names:
        """Every variable that occurs and is not closed inside."""
        if isinstance(node, Variable):
            return frozenset((node.name,))
        known = self._free.get(id(node))
        if known is not None:
            return known
        found = _NONE.union(*[self.free(part) for part in children(node)])
        if isinstance(node, Exists):
            found -= frozenset(node.variables)
        elif isinstance(node, Repeat):
            found -= frozenset(node.local)
        elif isinstance(node, Counting):
            found -= node.local
        elif isinstance(node, Aggregate):
            found -= frozenset(node.local)
        self._free[id(node)] = found
        self._kept.append(node)
        return found

    def bound(self, node: Formula, given: Names = _NONE) -> Names:
        """Variables that have a value wherever the formula is true, in every alternative.

        `given` are those that its context binds: an alternative that lacks one of them holds for
        every value of it.
        """
        match node:
            case Atom():
                return self.free(node)
            case Comparison() | Not() | Calendar():
                return _NONE
            case And() | Intersection():
                return _NONE.union(*[self.bound(part, given) for part in node.operands])
            case Or() | Union():
                first, *others = [
                    self.bound(part, given) | lacked & given
                    for part, lacked in self.list_alternatives(node)
                ]
                return first.intersection(*others)
            case In():
                inside = _NONE if node.negated else self.bound(node.state, given)
                return self.bound(node.event, given) | inside
            case Start() | End() | Lasting():
                return self.bound(node.operand, given)
            case MaximalRange():
                return self.bound(node.start, given)
            case Repeat():
                return self.bound(node.event, given) - frozenset(node.local)
            case Complement():
                return self.bound(node.left, given)
            case Counting():
                number = _NONE if node.number is None else frozenset((node.number.name,))
                return (self.bound(node.operand, given) - node.local) | number
            case Then() | Relation():
                return self.bound(node.left, given) | self.bound(node.right, given)
            case Where():
                return self.bound(node.operand, given) | self.bound(node.condition, given)
            case Let():
                return self.bound(node.operand, given).union(node.names)
            case Exists():
                return self.bound(node.operand, given) - frozenset(node.variables)
            case _:
                assert_never(node)

    def list_alternatives(self, node: Or | Union) -> Iterator[tuple[Formula, Names]]:
        """Each with the variables of the others that do not occur in it."""
        everywhere = self.free(node)
        for part in node.operands:
            yield part, everywhere - self.free(part)

    def is_condition(self, node: Formula) -> bool:
        """Timeless: comparisons, facts and what connects them."""
        match node:
            case Comparison():
                return True
            case Atom():
                return self.is_fact(node.name.text)
            case And() | Or():
                return all(self.is_condition(part) for part in node.operands)
            case Not() | Exists():
                return self.is_condition(node.operand)
            case _:
                return False
