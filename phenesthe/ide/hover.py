"""Hover: what a name, a word or a duration is, in a few lines of Markdown."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from phenesthe.check.check_parameters import ticks
from phenesthe.check.infer_types import value_type
from phenesthe.ide.analysis import Analysis
from phenesthe.ide.calls import list_calls
from phenesthe.ide.machines import is_machine_word
from phenesthe.ide.markdown import code, escape, fence
from phenesthe.ide.meanings import FUNCTION_ARGUMENTS, find_meaning
from phenesthe.ide.memory_bounds import tell_bounds
from phenesthe.ide.outlines import Outline, Outlines, infer_variables, is_in_library, list_outlines
from phenesthe.ide.places import Occurrence, expects_duration, find_imported, find_place
from phenesthe.ide.words import Sentence, read_words, spell
from phenesthe.plan.columns import bodies_of
from phenesthe.plan.value_types import list_computed
from phenesthe.resources import LIBRARY
from phenesthe.syntax.clauses import NAMES_ELSEWHERE, begins_counting, is_operator
from phenesthe.syntax.literals import read_number
from phenesthe.syntax.source import Span
from phenesthe.syntax.tokens import Token, TokenKind
from phenesthe.syntax.tree import DurationLiteral, IntLiteral
from phenesthe.vocabulary import ValueType


@dataclass(frozen=True, slots=True)
class Hover:
    """A text in Markdown, and what it is about."""

    text: str
    span: Span


def hover(analysis: Analysis, file: Path, offset: int) -> Hover | None:
    place = find_place(analysis, file, offset)
    if place is None or place.sentence is None or place.token is None:
        return None
    source = place.sentence.span.source
    if read_words(source).is_in_comment(offset):
        return None
    lines = _describe(analysis, file, place.sentence, place.token, place.occurrence)
    text = "\n\n".join(lines)
    named = place.occurrence
    span = named.span if named is not None else Span(source, place.token.start, place.token.end)
    return Hover(text, span) if text else None


def _describe(
    analysis: Analysis,
    file: Path,
    sentence: Sentence,
    token: Token,
    occurrence: Occurrence | None,
) -> Iterator[str]:
    if occurrence is None:
        yield from _describe_word(analysis, sentence, token)
        return
    name = occurrence.name
    match occurrence.role:
        case "declares" | "uses":
            outline = list_outlines(analysis).get(name)
            if outline is not None:
                yield from _describe_outline(analysis, outline)
        case "imports":
            yield from _describe_module(analysis, file, name)
        case "argument":
            yield from _describe_argument(analysis, occurrence)
        case "variable" | "wildcard":
            yield from _describe_variable(analysis, sentence, token, occurrence)
        case "constant":
            yield fence(f'"{name}"')
            yield "a text: a bare word that is no parameter stands for itself"


def _describe_outline(analysis: Analysis, outline: Outline) -> Iterator[str]:
    yield fence(str(outline))
    if outline.doc:
        yield outline.doc
    line, _ = outline.span.first
    where = f"{escape(outline.file.name)}, line {line}"
    place = f"from the library, {where}" if outline.is_from_library else f"declared in {where}"
    draft = analysis.work.drafts.get(outline.name)
    if draft is None or draft.level == 0:
        yield place
        return
    yield f"level {draft.level}, {place}"
    remembered = tell_bounds(analysis, outline.name)
    if remembered:
        yield "On a stream it"
        yield fence("\n".join(remembered), "text")
    elif remembered is not None:
        yield "On a stream it remembers nothing from before the window."


def _describe_module(analysis: Analysis, file: Path, name: str) -> Iterator[str]:
    target = find_imported(analysis, file, name)
    if target is None:
        return
    yield fence(f"import {name}")
    if is_in_library(target):
        yield f"from the library, {escape(target.relative_to(LIBRARY).as_posix())}"
    else:
        yield escape(target.as_posix())


def _describe_argument(analysis: Analysis, occurrence: Occurrence) -> Iterator[str]:
    for outline in list_outlines(analysis).values():
        if outline.sentence.span == occurrence.scope:
            for shown, slot in zip(outline.list_arguments(), outline.arguments, strict=True):
                if slot.span == occurrence.span:
                    yield fence(shown)
                    yield f"an argument of {code(outline.name)}, and the column it is read from"


def _describe_variable(
    analysis: Analysis, sentence: Sentence, token: Token, occurrence: Occurrence
) -> Iterator[str]:
    outlines = list_outlines(analysis)
    known = _find_type(analysis, sentence, token, outlines)
    yield fence(f"{token.text}: {known}" if known else token.text)
    if occurrence.role == "wildcard":
        yield "any value; every `_` is a variable of its own"
    elif occurrence.scope is not None and occurrence.scope != sentence.span:
        if _is_counted(sentence, occurrence.scope):
            yield f"how many different values it has is counted in {code(occurrence.scope.text)}"
        else:
            yield f"some value, the same throughout {code(occurrence.scope.text)}"


def _is_counted(sentence: Sentence, scope: Span) -> bool:
    """Only what `at least` and `count` count ends with all of them."""
    tokens = sentence.tokens
    return any(
        token.start == scope.start and begins_counting(tokens, at)
        for at, token in enumerate(tokens)
    )


def _find_type(
    analysis: Analysis, sentence: Sentence, token: Token, outlines: Outlines
) -> str | None:
    if token.text == "_":
        for call in list_calls(sentence.tokens):
            outline = outlines.get(call.name.text) if call.name is not None else None
            slots = outline.arguments if outline is not None else ()
            for slot, argument in zip(slots, call.arguments, strict=False):
                if argument == [token]:
                    return slot.type
        return None
    for outline in outlines.values():
        if outline.sentence.span == sentence.span:
            for slot in outline.arguments:
                if slot.name == token.text and slot.type is not None:
                    return slot.type
    known = infer_variables(sentence.tokens, outlines)
    return known.get(token.text) or _find_computed(analysis, sentence, known).get(token.text)


def _find_computed(
    analysis: Analysis, sentence: Sentence, known: dict[str, ValueType]
) -> dict[str, ValueType]:
    """The types of what the definition computes, where there are no errors."""
    if analysis.program is None:
        return {}
    parameters = {one.name: value_type(one.type) for one in analysis.program.parameters}
    for definition in analysis.program.definitions:
        place = definition.signature.span
        is_here = place.source is sentence.span.source
        if is_here and sentence.span.start <= place.start < sentence.span.end:
            for body in bodies_of(definition):
                known = list_computed(body, known, parameters)
            return known
    return {}


def _describe_word(analysis: Analysis, sentence: Sentence, token: Token) -> Iterator[str]:
    """A word or sign of the language, or a number that is a duration."""
    at = sentence.tokens.index(token)
    before = spell(sentence.tokens[at - 1]) if at > 0 else ""
    after = spell(sentence.tokens[at + 1]) if at + 1 < len(sentence.tokens) else ""
    if token.kind is TokenKind.NUMBER:
        is_duration = expects_duration(sentence.tokens[:at])
        yield from _describe_number(analysis, sentence, token, is_duration=is_duration)
        return
    is_name = token.text in NAMES_ELSEWHERE and not is_operator(sentence.tokens, at)
    if token.text in ("machine", "initially"):
        is_name = not is_machine_word(sentence.tokens, at)
    is_ours = token.kind is not TokenKind.STRING and not is_name
    meaning = find_meaning(before, token, after) if is_ours else None
    if meaning is not None:
        word = spell(token)
        takes = FUNCTION_ARGUMENTS.get(word)
        yield fence(word if takes is None else f"{word}({', '.join(takes)})")
        yield meaning


def _describe_number(
    analysis: Analysis, sentence: Sentence, token: Token, *, is_duration: bool
) -> Iterator[str]:
    number = read_number(token.text, Span(sentence.span.source, token.start, token.end))
    unit = analysis.modules.unit
    if isinstance(number, DurationLiteral):
        count = ticks(number, unit)
        shown = f"{count.numerator:,}" if count.denominator == 1 else f"{float(count):,}"
        yield fence(token.text)
        yield f"{shown} {unit}{'' if count == 1 else 's'}" + (
            "" if count.denominator == 1 else ", which is no whole number of ticks"
        )
    elif isinstance(number, IntLiteral) and is_duration:
        yield fence(token.text)
        yield f"{number.value:,} {unit}{'' if number.value == 1 else 's'}: one tick is a {unit}"
