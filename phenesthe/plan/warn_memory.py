"""Warnings about definitions that need unbounded memory in windowed runs.

They concern windowed runs and streams only: over stored data, all at once, nothing is remembered.
"""

import re
from collections.abc import Collection

from phenesthe.check.program import CheckedProgram
from phenesthe.diagnostics.model import Diagnostic, Label
from phenesthe.diagnostics.report import warning
from phenesthe.plan.memory import Remembered
from phenesthe.plan.memory_formulas import find_memory
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import Relation, Repeat, Then

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
    for one in find_memory(program).operators:
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
    node, cause = one.node, one.need.cause
    if cause is not None:
        return cause.span
    if isinstance(node, Repeat):
        word, first, last = "gap", node.event.span.end, node.gap.span.end
    else:
        assert isinstance(node, Relation | Then), "nothing else waits for ever by itself"
        word, first, last = one.operator, node.left.span.end, node.right.span.start
    between = node.span.source.text[first:last]
    words = re.finditer(rf"{_COMMENT}|\b(?P<word>{word})\b", between, re.DOTALL)
    found = next(match for match in words if match["word"])
    end = last if isinstance(node, Repeat) else first + found.end()
    return Span(node.span.source, first + found.start(), end)
