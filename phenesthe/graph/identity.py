"""What an operator is, in a few letters: the same for the same meaning, on any machine.

Made of every field of an operator and the meaning of its operands, so that a field that is added
later is part of it too. Left out is only what follows from the rest, or depends on what else a
program says: where it was written, which columns an input has. Variables are numbered as they
occur.
"""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from hashlib import blake2b
from typing import Any

from phenesthe.graph.formulas import Constant, Leaf

_DERIVED = {"id", "types", "origin", "scope", "operands"}


def find_id(node: Any, variables: frozenset[str]) -> str:
    """`variables` are those inside the node; no other word of a program is written like one."""
    return make_id(_Description(variables).describe(node))


def make_id(*words: object) -> str:
    return blake2b(repr(words).encode(), digest_size=12).hexdigest()


class _Description:
    def __init__(self, variables: frozenset[str]) -> None:
        self.variables = variables
        self.numbers: dict[str, int] = {}

    def describe(self, node: Any) -> object:
        match node:
            case str():
                if node in self.variables:
                    return self.numbers.setdefault(node, len(self.numbers))
                return node
            case tuple():
                return tuple([self.describe(part) for part in node])
            case Constant():
                return ("constant", node.type, repr(node.value))
            case Leaf():
                return self._describe_fields(node.meaning)
        if is_dataclass(node):
            return self._describe_fields(node)
        return repr(node)

    def _describe_fields(self, node: Any) -> object:
        names = [one.name for one in fields(node) if one.name not in _DERIVED]
        parts = [self.describe(getattr(node, name)) for name in names]
        if hasattr(node, "operands") and hasattr(node, "origin"):
            # Of an operator; an operand that a formula speaks of is told there.
            told = {leaf.operand for leaf in list_leaves(node)}
            rest = [one.meaning for at, one in enumerate(node.operands) if at not in told]
            parts.append(tuple([self._describe_fields(one) for one in rest]))
        elif hasattr(node, "operands"):
            parts.append(self.describe(node.operands))
        return (type(node).__name__, *parts)


def list_leaves(node: Any) -> Iterator[Leaf]:
    """The leaves of all formulas in a node."""
    if isinstance(node, Leaf):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from list_leaves(part)
    elif is_dataclass(node):
        for one in fields(node):
            if one.name not in ("scope", "types", "origin"):
                yield from list_leaves(getattr(node, one.name))
