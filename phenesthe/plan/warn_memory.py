"""Warnings about definitions that need unbounded memory in windowed runs.

They concern windowed runs and streams only: over stored data, all at once, nothing is remembered.
"""

import re
from collections.abc import Collection
from dataclasses import replace

from phenesthe.check.program import CheckedProgram
from phenesthe.diagnostics.model import Diagnostic, Label
from phenesthe.diagnostics.report import warning
from phenesthe.plan.alternatives import has_lacking
from phenesthe.plan.columns import bodies_of
from phenesthe.plan.lower import lower
from phenesthe.plan.memory_bounds import FormulaBound, find_memory_bounds, get_span
from phenesthe.syntax.clauses import name_varying
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.tree import Not, Relation, Repeat, Then
from phenesthe.syntax.tree.walk import Expression, walk

_COMMENT = r"/\*.*?\*/|//[^\n]*"


def warn_memory(
    program: CheckedProgram, only: Collection[str] | None = None
) -> tuple[Diagnostic, ...]:
    """One for each definition that a run needs, by default a run of the program's own file."""
    needed = set(program.reported if only is None else only)
    for definition in reversed(program.definitions):
        if definition.signature.name in needed:
            needed.update(definition.uses)
    culprits: dict[str, list[FormulaBound]] = {}
    for one in find_memory_bounds(lower(_cut(program, needed))).operators:
        if one.is_culprit and one.definition in needed:
            culprits.setdefault(one.definition, []).append(one)
    found = [_warn(name, operators) for name, operators in culprits.items()]
    return tuple(sorted(found, key=lambda diagnostic: diagnostic.sort_key))


def _cut(program: CheckedProgram, needed: Collection[str]) -> CheckedProgram:
    """The definitions that may be to blame, which follows from their own formulas.

    The others are inputs of these: to look at all would take as long as the check.
    """
    kept = [
        one
        for one in program.definitions
        if one.signature.name in needed
        and (
            any(
                _may_wait(node) or name_varying(node)
                for body in bodies_of(one)
                for node in walk(body)
            )
            or has_lacking(program, one)
        )
    ]
    names = {one.signature.name for one in kept}
    others = [one.signature for one in program.definitions if one.signature.name not in names]
    used = {name for one in kept for name in one.uses}
    return replace(
        program,
        definitions=tuple(kept),
        inputs=tuple(one for one in (*program.inputs, *others) if one.name in used),
        facts=tuple(one for one in program.facts if one.name in used),
    )


def _may_wait(node: Expression) -> bool:
    """Without one of these nothing waits for ever; the operator itself says whether it does."""
    match node:
        case Then():
            return True
        case Relation():
            is_endless = node.name in ("before", "after") and node.within is None
            return is_endless or any(isinstance(part, Not) for part in walk(node))
        case Repeat():
            return node.operator not in ("<", "<=", "==")
        case _:
            return False


def _warn(name: str, operators: list[FormulaBound]) -> Diagnostic:
    first, *others = sorted(operators, key=lambda one: _place(one).start)
    return warning(
        "M001",
        f"`{name}` needs unbounded memory in windowed runs",
        _place(first),
        label=first.need.reason,
        related=tuple(Label(span=_place(one), message="this too") for one in others),
        hint=first.need.remedy,
    )


def _place(one: FormulaBound) -> Span:
    """The word of the operator, the gap of a `repeat`, a duration that varies, or the operand that
    is to blame."""
    if one.need.cause is not None:
        return get_span(one.need.cause)
    limit = one.need.limit
    if limit is not None and limit.ticks is None:
        varying = one.origin.durations[limit.word].place
        assert isinstance(varying, Span)
        return varying
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
