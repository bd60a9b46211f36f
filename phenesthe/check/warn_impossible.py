"""Warnings about conditions that no value can meet.

Only comparisons of one expression with constants are looked at: enough for `V > 3 and V < 2`, and
never wrong. Parameters count as unknown, because a run may override them.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from phenesthe.check.check_parameters import ticks
from phenesthe.check.work import Draft, Work
from phenesthe.diagnostics.model import Diagnostic, Label
from phenesthe.diagnostics.report import warning
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import (
    Aggregate,
    And,
    BoolLiteral,
    Call,
    Comparison,
    DurationLiteral,
    Exists,
    FloatLiteral,
    Formula,
    IntLiteral,
    Lasting,
    Node,
    Not,
    Or,
    StrLiteral,
    Unit,
    Value,
    Where,
)  # fmt: skip
from phenesthe.syntax.tree.walk import walk

#: Python compares numbers of all these types exactly.
Constant = int | float | Fraction | str | bool
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def warn_impossible(work: Work, draft: Draft) -> None:
    if draft.broken or not any(map(draft.list_nodes, (Comparison, Lasting))):
        return
    unit = work.modules.unit
    reported: set[tuple[int, int]] = set()
    for body in draft.bodies:
        for node in walk(body):
            if isinstance(node, And | Comparison | Where):
                found = _contradiction(node, unit)
            elif isinstance(node, Lasting):
                found = _contradicting_filters(node, unit)
            else:
                continue
            # What contradicts itself in a part does so in the whole too.
            if found is not None and (found.span.start, found.span.end) not in reported:
                reported.add((found.span.start, found.span.end))
                work.report(found)


@dataclass(slots=True)
class _Bounds:
    """What an expression can still be, with the places that said so."""

    low: int | float | Fraction = -math.inf
    low_open: bool = False
    high: int | float | Fraction = math.inf
    high_open: bool = False
    equal: Constant | None = None
    low_by: Span | None = None
    high_by: Span | None = None
    equal_by: Span | None = None
    excluded: tuple[tuple[Constant, Span], ...] = ()

    def add(self, operator: str, constant: Constant, span: Span) -> Span | bool:
        """Narrow. True: fine; False: impossible by itself; a span: impossible with that one."""
        if operator == "==":
            if self.equal is not None and self.equal != constant:
                return self.equal_by or False
            for value, place in self.excluded:
                if value == constant:
                    return place
            self.equal, self.equal_by = constant, span
        elif operator == "!=":
            if self.equal is not None and self.equal == constant:
                return self.equal_by or False
            self.excluded = (*self.excluded, (constant, span))
        if isinstance(constant, str | bool):
            return True
        if operator in (">", ">=", "==") and (constant, operator == ">") > (
            self.low,
            self.low_open,
        ):
            self.low, self.low_open, self.low_by = constant, operator == ">", span
        if operator in ("<", "<=", "==") and (constant, operator != "<") < (
            self.high,
            not self.high_open,
        ):
            self.high, self.high_open, self.high_by = constant, operator == "<", span
        if self.low > self.high or (self.low == self.high and (self.low_open or self.high_open)):
            other = self.high_by if self.low_by == span else self.low_by
            return other if other is not None and other != span else False
        return True


def _contradiction(node: Formula, unit: Unit) -> Diagnostic | None:
    bounds: dict[Value, _Bounds] = {}
    #: What is compared and not only denied to be, so that it is a number.
    defined: set[Value] = set()
    for comparison, operator, is_denied in _facts_of(node, unit):
        left, right = comparison.left, comparison.right
        constant = _constant(right, unit)
        if constant is None:
            constant = _constant(left, unit)
            left, operator = right, _FLIPPED[operator]
        if constant is None:
            is_same = comparison.left == comparison.right
            if is_same and operator in ("<", ">", "!=") and not is_denied:
                return _warn(comparison.span, None)
            continue
        own = _constant(left, unit)
        if own is not None:
            if not _holds(own, operator, constant):
                return _warn(comparison.span, None)
            continue
        if not is_denied:
            defined.add(left)
        narrowed = bounds.setdefault(left, _range_of(left)).add(operator, constant, comparison.span)
        if narrowed is not True and left in defined:
            return _warn(comparison.span, narrowed if isinstance(narrowed, tuple) else None)
    return None


def _facts_of(node: Formula, unit: Unit) -> list[tuple[Comparison, str, bool]]:
    """Comparisons that must all hold for the formula to hold, with their operators.

    Some hold because others are denied, unless a value is not a number: these are marked.
    """
    match node:
        case Comparison():
            return [(node, node.operator, False)]
        case And():
            return [found for part in node.operands for found in _facts_of(part, unit)]
        case Where():
            return _facts_of(node.operand, unit) + _facts_of(node.condition, unit)
        case Exists():
            return _facts_of(node.operand, unit)
        case Not(operand=Comparison() as inner) if inner.operator in ("==", "!="):
            return [(inner, _NEGATED[inner.operator], True)]
        case Or() | Not():
            return []
        case _:
            return []


def _range_of(value: Value) -> _Bounds:
    if isinstance(value, Call):
        if value.function == "angle_diff":
            return _Bounds(low=0, high=180)
        if value.function in ("abs", "distance", "sqrt", "length", "duration"):
            return _Bounds(low=0)
    if isinstance(value, Aggregate) and value.function in ("count", "total"):
        return _Bounds(low=0)
    return _Bounds()


def _constant(value: Node, unit: Unit) -> Constant | None:
    match value:
        case IntLiteral() | FloatLiteral() | StrLiteral() | BoolLiteral():
            return value.value
        case DurationLiteral():
            return ticks(value, unit)
        case _:
            return None


def _holds(left: Constant, operator: str, right: Constant) -> bool:
    if isinstance(left, str) != isinstance(right, str):
        return True  # a type error, said elsewhere
    order = (left > right) - (left < right)  # type: ignore[operator]
    return {
        "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0,
        "==": order == 0, "!=": order != 0,
    }[operator]  # fmt: skip


def _warn(span: Span, other: Span | None) -> Diagnostic:
    related = (Label(span=other, message="contradicts this"),) if other is not None else ()
    return warning(
        "W004",
        "this condition can never hold",
        span,
        label="impossible together" if related else "always false",
        related=related,
        hint="check the signs and the constants; join alternatives with `or`",
    )


def _contradicting_filters(node: Lasting, unit: Unit) -> Diagnostic | None:
    """A chain `lasting > 5m lasting < 3m` keeps nothing."""
    bounds = _Bounds(low=0, low_open=True)
    current: Formula = node
    while isinstance(current, Lasting):
        constant = _constant(current.duration, unit)
        if constant is not None:
            narrowed = bounds.add(current.operator, constant, current.duration.span)
            if narrowed is not True:
                other = narrowed if isinstance(narrowed, tuple) else None
                return _warn(current.duration.span, other)
        current = current.operand
    return None
