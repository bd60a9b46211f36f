"""What an operator is, in a few letters: the same for the same meaning, on any machine.

Made of every field of an operator and the ids of its operands, so that a field that is added later
is part of it too. Left out is only what follows from the rest: where it was written, the types of
its variables, the scopes of its formulas. Variables are numbered as they occur.
"""

from dataclasses import fields, is_dataclass
from hashlib import blake2b
from typing import Any

from phenesthe.operators.formulas import Constant

_DERIVED = {"id", "types", "origin", "scope"}


def find_id(node: Any, variables: frozenset[str]) -> str:
    """`variables` are those inside the node; no other word of a program is written like one."""
    numbers: dict[str, int] = {}
    described = _describe(node, variables, numbers)
    return blake2b(repr(described).encode(), digest_size=12).hexdigest()


def make_id(*words: object) -> str:
    return blake2b(repr(words).encode(), digest_size=12).hexdigest()


def _describe(node: Any, variables: frozenset[str], numbers: dict[str, int]) -> object:
    if isinstance(node, Constant):
        return ("constant", node.type, repr(node.value))
    if isinstance(node, str):
        # A second column of one variable is called after it: see `lower_atoms`.
        name, mark, rest = node.partition("=")
        if name in variables:
            return (numbers.setdefault(name, len(numbers)), mark + rest)
        return node
    if isinstance(node, tuple):
        return tuple([_describe(part, variables, numbers) for part in node])
    if is_dataclass(node):
        kept = [one.name for one in fields(node) if one.name not in _DERIVED]
        parts = [_describe(getattr(node, name), variables, numbers) for name in kept]
        return (type(node).__name__, *parts)
    return repr(node)
