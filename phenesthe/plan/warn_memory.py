"""Warnings about definitions that need unbounded memory in windowed runs.

They concern windowed runs and streams only: over stored data, all at once, nothing is remembered.
"""

import re
from collections.abc import Collection

from phenesthe.check.program import CheckedProgram
from phenesthe.diagnostics.model import Diagnostic, Label
from phenesthe.diagnostics.report import warning
from phenesthe.plan.lower import lower
from phenesthe.plan.memory import Remembered, find_memory, get_span
from phenesthe.syntax.source import Source, Span

_COMMENT = r"/\*.*?\*/|//[^\n]*"


def warn_memory(
    program: CheckedProgram, only: Collection[str] | None = None
) -> tuple[Diagnostic, ...]:
    """One for each definition that a run needs, by default a run of the program's own file."""
    needed = set(program.reported if only is None else only)
    for definition in reversed(program.definitions):
        if definition.signature.name in needed:
            needed.update(definition.uses)
    culprits: dict[str, list[Remembered]] = {}
    for one in find_memory(lower(program)).operators:
        if one.is_culprit and one.definition in needed:
            culprits.setdefault(one.definition, []).append(one)
    found = [_warn(name, operators) for name, operators in culprits.items()]
    return tuple(sorted(found, key=lambda diagnostic: diagnostic.sort_key))


def _warn(name: str, operators: list[Remembered]) -> Diagnostic:
    first, *others = sorted(operators, key=lambda one: _place(one).start)
    return warning(
        "M001",
        f"`{name}` needs unbounded memory in windowed runs",
        _place(first),
        label=first.need.reason,
        related=tuple(Label(span=_place(one), message="this too") for one in others),
        hint=first.need.remedy,
    )


def _place(one: Remembered) -> Span:
    """The word of the operator, the gap of a `repeat`, or the operand that is to blame."""
    if one.need.cause is not None:
        return get_span(one.need.cause)
    operands = [get_span(operand) for operand in one.operands]
    if "gap" in one.origin.durations:
        gap = one.origin.durations["gap"].place
        assert isinstance(gap, Span)
        word = _find_word("gap", one.span.source, operands[0].end, gap.end)
        return Span(word.source, word.start, gap.end)
    left, right = operands
    return _find_word(one.operator, one.span.source, left.end, right.start)


def _find_word(word: str, source: Source, first: int, last: int) -> Span:
    words = re.finditer(rf"{_COMMENT}|\b(?P<word>{word})\b", source.text[first:last], re.DOTALL)
    found = next(match for match in words if match["word"])
    return Span(source, first + found.start(), first + found.end())
