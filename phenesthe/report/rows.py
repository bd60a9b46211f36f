"""A result, as every drawing sees it, and how its arguments are written and ordered."""

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from phenesthe.vocabulary import Kind, Unit

Value: TypeAlias = int | float | str | bool | None
#: Orders and identifies arguments of mixed types.
Key: TypeAlias = tuple[tuple[str, Any], ...]
_WORD = re.compile(r"[a-z][a-z0-9_]*")
_NOT_TEXT = frozenset(("true", "false", "null"))


class Row(NamedTuple):
    """One instant (`end` is `start`) or interval (`end` None: still open)."""

    name: str
    kind: Kind
    args: tuple[Value, ...]
    start: int
    end: int | None


class Results(NamedTuple):
    """Rows of a results file. `unit` is known only where the file has dates for times."""

    rows: tuple[Row, ...]
    unit: Unit | None


def write_value(value: Value) -> str:
    """A word as a program would write it, so that `brest` needs no quotes and `"7"` keeps them."""
    if isinstance(value, str) and _WORD.fullmatch(value) and value not in _NOT_TEXT:
        return value
    return json.dumps(value, ensure_ascii=False)


def write_args(args: Sequence[Value]) -> str:
    return f"({', '.join(map(write_value, args))})"


def order_args(args: Sequence[Value]) -> Key:
    """A sort key for arguments of mixed types; NaN, equal to nothing, is still one value."""
    return tuple(map(_order_value, args))


def _order_value(value: Value) -> tuple[str, Any]:
    match value:
        case None:
            return "", 0
        case bool():
            return "bool", value
        case int() | float():
            return ("nan", 0) if value != value else ("number", value)
        case str():
            return "text", value


def keep_args(args: Sequence[Value], wanted: Sequence[str]) -> bool:
    """Do the leading arguments read as wanted? `_` stands for any."""
    return len(wanted) <= len(args) and all(
        text == "_" or _reads_as(value, text) for value, text in zip(args, wanted, strict=False)
    )


def _reads_as(value: Value, text: str) -> bool:
    if isinstance(value, float):
        try:
            return float(text) == value
        except ValueError:
            return False
    return text == (value if isinstance(value, str) else write_value(value))
