"""What an operator is, in a few letters: the same for the same meaning, on any machine.

Made of every field of an operator and the meaning of its operands, so that a field that is added
later is part of it too. Left out is only what follows from the rest, or depends on what else a
program says: where it was written, which columns an input has. Variables are numbered as they
occur.
"""

# What `hashlib` has under this name; `hashlib` itself loads OpenSSL, which takes every check longer
# than all that is hashed here.
from _blake2 import blake2b
from dataclasses import fields, is_dataclass
from typing import Any

from phenesthe.graph.formulas import Constant, Leaf

_DERIVED = {"id", "types", "origin", "scope", "rules", "is_bounded", "is_settled"}


def find_id(node: Any, variables: frozenset[str]) -> str:
    """`variables` are those inside the node; no other word of a program is written like one."""
    return make_id(_Description(variables).describe(node))


def make_id(*words: object) -> str:
    return blake2b(repr(words).encode(), digest_size=12).hexdigest()


class _Description:
    def __init__(self, variables: frozenset[str]) -> None:
        self.variables = variables
        self.numbers: dict[str, int] = {}
        #: Operands that a formula speaks of are told there.
        self.told: set[int] = set()

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
                self.told.add(node.operand)
                return self._describe_fields(node.meaning)
        if is_dataclass(node):
            return self._describe_fields(node)
        return repr(node)

    def _describe_fields(self, node: Any) -> object:
        parts = [self.describe(getattr(node, name)) for name in _list_fields(node)]
        if hasattr(node, "types"):
            rest = [one for at, one in enumerate(node.operands) if at not in self.told]
            parts.append(tuple([self._describe_fields(one.meaning) for one in rest]))
        return (type(node).__name__, *parts)


#: What is looked at of each kind of node, found once.
_FIELDS: dict[type, tuple[str, ...]] = {}


def _list_fields(node: Any) -> tuple[str, ...]:
    """An operator's own operands come last: see above."""
    kind = type(node)
    if kind not in _FIELDS:
        names = [one.name for one in fields(node)]
        left_out = _DERIVED | ({"operands"} if "types" in names else set())
        _FIELDS[kind] = tuple([name for name in names if name not in left_out])
    return _FIELDS[kind]
