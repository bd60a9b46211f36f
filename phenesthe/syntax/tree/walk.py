"""Going through a tree without knowing its nodes."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from operator import attrgetter
from typing import Any

from phenesthe.syntax.tree.aggregates import Aggregate
from phenesthe.syntax.tree.counting import Counting
from phenesthe.syntax.tree.dynamics import Relation
from phenesthe.syntax.tree.events import And, Atom, Comparison, End, In, Not, Or, Start
from phenesthe.syntax.tree.filters import Exists, Let, Where
from phenesthe.syntax.tree.states import (
    Calendar,
    Complement,
    Intersection,
    Lasting,
    MaximalRange,
    Repeat,
    Then,
    Union,
)  # fmt: skip
from phenesthe.syntax.tree.values import (
    Arithmetic,
    BoolLiteral,
    Call,
    Duration,
    DurationLiteral,
    FloatLiteral,
    IntLiteral,
    Negate,
    ParameterRef,
    Previous,
    StrLiteral,
    Value,
    Variable,
    Wildcard,
    Word,
)  # fmt: skip

Expression = (
    Atom | Comparison | And | Or | Not | In | Start | End
    | Calendar | MaximalRange | Repeat | Union | Intersection | Complement | Lasting | Then
    | Counting
    | Relation | Where | Let | Exists | Value
)  # fmt: skip


_OPERANDS = attrgetter("operands")
_ARGUMENTS = attrgetter("arguments")
_BOTH = attrgetter("left", "right")


def _only_operand(node: Any) -> tuple[Expression, ...]:
    return (node.operand,)


def _none(_: Any) -> tuple[Expression, ...]:
    return ()


def _of_repeat(node: Repeat) -> tuple[Expression, ...]:
    parts = (node.event,) if node.condition is None else (node.event, node.condition)
    return (*parts, node.gap) if isinstance(node.gap, Variable) else parts


def _of_range(node: MaximalRange) -> tuple[Expression, ...]:
    parts = (node.start,) if node.stop is None else (node.start, node.stop)
    return (*parts, *_list_varying(node.expires, node.limit))


def _of_lasting(node: Lasting) -> tuple[Expression, ...]:
    if isinstance(node.duration, Variable):
        return (node.operand, node.duration)
    return (node.operand,)


def _of_relation(node: Relation) -> tuple[Expression, ...]:
    return (node.left, node.right, *_list_varying(node.apart, node.within))


def _list_varying(*durations: Duration | None) -> tuple[Variable, ...]:
    return tuple([one for one in durations if isinstance(one, Variable)])


def _of_let(node: Let) -> tuple[Expression, ...]:
    parts: list[Expression] = [node.operand]
    for one in node.assignments:
        parts += (one.variable, one.value)
    return tuple(parts)


def _of_counting(node: Counting) -> tuple[Expression, ...]:
    number = () if node.number is None else (node.number,)
    return (*node.counted, node.operand, *number)


def _of_aggregate(node: Aggregate) -> tuple[Expression, ...]:
    return (*node.of, node.operand)


def _of_previous(node: Previous) -> tuple[Expression, ...]:
    return (node.variable,)


# A table and not a `match`: this runs for every node in every pass, and a `match` tries its cases
# one after the other.
_PARTS: dict[type, Callable[[Any], tuple[Expression, ...]]] = {
    **dict.fromkeys((Atom, Call), _ARGUMENTS),
    **dict.fromkeys((And, Or, Union, Intersection), _OPERANDS),
    **dict.fromkeys((Comparison, Complement, Then, Arithmetic), _BOTH),
    **dict.fromkeys((Not, Start, End, Exists, Negate), _only_operand),
    Lasting: _of_lasting,
    Relation: _of_relation,
    In: attrgetter("event", "state"),
    MaximalRange: _of_range,
    Repeat: _of_repeat,
    Where: attrgetter("operand", "condition"),
    Let: _of_let,
    Previous: _of_previous,
    Counting: _of_counting,
    Aggregate: _of_aggregate,
    **dict.fromkeys((Variable, Wildcard, Word, ParameterRef, IntLiteral), _none),
    Calendar: _none,
    **dict.fromkeys((FloatLiteral, StrLiteral, BoolLiteral, DurationLiteral), _none),
}


def children(node: Expression) -> tuple[Expression, ...]:
    """The direct parts of a formula or value, from left to right; then the variables that are its
    durations. Other durations are no parts."""
    return _PARTS[type(node)](node)


def walk(node: Expression) -> Iterator[Expression]:
    """The node and everything below it, parents first, from left to right."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        # Most nodes are leaves.
        if parts := _PARTS[type(current)](current):
            pending.extend(parts[::-1])


def with_children(node: Expression, parts: tuple[Expression, ...]) -> Expression:
    """The node with its direct parts replaced, in the order of `children`.

    Durations may be left out, and stay.
    """
    rest: dict[str, Any]
    match node:
        case Atom() | Call():
            rest = {"arguments": parts}
        case And() | Or() | Union() | Intersection():
            rest = {"operands": parts}
        case Comparison() | Complement() | Then() | Arithmetic():
            rest = {"left": parts[0], "right": parts[1]}
        case Relation():
            rest = {"left": parts[0], "right": parts[1]}
            rest |= _give_durations(node, ("apart", "within"), parts[2:])
        case Lasting():
            rest = {"operand": parts[0], **_give_durations(node, ("duration",), parts[1:])}
        case Not() | Start() | End() | Exists() | Negate():
            rest = {"operand": parts[0]}
        case In():
            rest = {"event": parts[0], "state": parts[1]}
        case MaximalRange():
            count = 1 if node.stop is None else 2
            rest = {"start": parts[0], "stop": parts[1] if count > 1 else None}
            rest |= _give_durations(node, ("expires", "limit"), parts[count:])
        case Repeat():
            count = 1 if node.condition is None else 2
            rest = {"event": parts[0], "condition": parts[1] if count > 1 else None}
            rest |= _give_durations(node, ("gap",), parts[count:])
        case Where():
            rest = {"operand": parts[0], "condition": parts[1]}
        case Let():
            given = zip(node.assignments, parts[1::2], parts[2::2], strict=True)
            changed: list[Any] = [replace(one, variable=x, value=v) for one, x, v in given]  # type: ignore[arg-type]  # a value stays one
            rest = {"operand": parts[0], "assignments": tuple(changed)}
        case Previous():
            rest = {"variable": parts[0]}
        case Aggregate():
            rest = {"of": parts[:-1], "operand": parts[-1]}
        case Counting():
            count = len(node.counted)
            rest = {"counted": parts[:count], "operand": parts[count]}
            rest |= {"number": parts[-1]} if node.number is not None else {}
        case _:
            return node
    return replace(node, **rest)


def _give_durations(
    node: Expression, fields: tuple[str, ...], parts: tuple[Expression, ...]
) -> dict[str, Any]:
    varying = [field for field in fields if isinstance(getattr(node, field), Variable)]
    return dict(zip(varying, parts, strict=True)) if parts else {}
