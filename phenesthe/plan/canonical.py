"""When are two formulas the same but for the names of their variables?"""

from collections.abc import Hashable
from dataclasses import fields
from functools import cache
from typing import Any

from phenesthe.syntax.tree import (
    Aggregate,
    Exists,
    MaximalRange,
    Node,
    Repeat,
    Variable,
    Wildcard,
)  # fmt: skip
from phenesthe.syntax.tree.walk import Expression, walk

#: Fields that hold names of variables. One that is forgotten here keeps formulas apart that are the
#: same, which costs time and nothing else.
_NAMES = {
    (Aggregate, "local"),
    (Exists, "variables"),
    (MaximalRange, "value"),
    (Repeat, "local"),
}


def variable_order(node: Expression) -> tuple[str, ...]:
    """All variables, closed ones too, by their first occurrence."""
    return tuple(dict.fromkeys(part.name for part in walk(node) if isinstance(part, Variable)))


def canonical(node: Expression) -> Hashable:
    """Equal for formulas that differ only in the names of variables.

    Made of every field that plays a part in equality, so that none can be forgotten.
    """
    numbers = {name: at for at, name in enumerate(variable_order(node))}
    return _key(node, numbers)


def _key(part: Any, numbers: dict[str, int]) -> Hashable:
    match part:
        case Variable():
            return numbers[part.name]
        case Wildcard():
            return "_"
        case Node():
            kind: Any = type(part)
            found = []
            for name, has_names in _list_fields(kind):
                value = getattr(part, name)
                found.append(_number(value, numbers) if has_names else _key(value, numbers))
            return (kind.__name__, *found)
        case tuple():
            return tuple([_key(one, numbers) for one in part])
        case _:
            # As 1, 1.0 and True are equal, the kind of a value is told by its node.
            plain: Hashable = part
            return plain


def _number(names: object, numbers: dict[str, int]) -> Hashable:
    """Names of variables, which the formula may also lack."""
    if isinstance(names, tuple):
        return tuple([numbers.get(one, one) for one in names])
    return numbers.get(names, names) if isinstance(names, str) else None


@cache
def _list_fields(kind: Any) -> tuple[tuple[str, bool], ...]:
    """Those that are compared, and whether they hold names of variables."""
    return tuple([(one.name, (kind, one.name) in _NAMES) for one in fields(kind) if one.compare])
