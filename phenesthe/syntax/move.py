"""A tree at another place, or in another version, of its text."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from phenesthe.syntax.source import Source, Span

_Value = TypeVar("_Value")
_Slot = tuple[Callable[[Any], Any], Callable[[Any, Any], None]]


class _Slots(dict[type, tuple[_Slot, ...] | None]):
    """How to read and write the fields of a node; None for what cannot hold a span."""

    def __missing__(self, kind: type) -> tuple[_Slot, ...] | None:
        slots: tuple[_Slot, ...] | None = None
        if is_dataclass(kind):
            members = [getattr(kind, one.name) for one in fields(kind)]
            slots = tuple((member.__get__, member.__set__) for member in members)
        self[kind] = slots
        return slots


_SLOTS = _Slots({tuple: (), Span: ()})


def move(value: _Value, source: Source, by: int) -> _Value:
    """A copy of a node, a diagnostic or a tuple of them, its spans in `source` and shifted.

    An editor does this with every definition at every key, so slots are copied one by one: to
    build frozen nodes the ordinary way takes twice as long.
    """
    moved: _Value = _copy(value, source, by)
    return moved


def _copy(part: Any, source: Source, by: int) -> Any:
    kind = type(part)
    if kind is tuple:
        return tuple([one if _SLOTS[type(one)] is None else _copy(one, source, by) for one in part])
    if kind is Span:
        return Span(source, part[1] + by, part[2] + by)
    slots = _SLOTS[kind]
    if slots is None:
        return part
    new = object.__new__(kind)
    for get, put in slots:
        inner = get(part)
        if type(inner) is Span:
            put(new, Span(source, inner[1] + by, inner[2] + by))
        else:
            put(new, inner if _SLOTS[type(inner)] is None else _copy(inner, source, by))
    return new
