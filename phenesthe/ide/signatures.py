"""Signature help: what the parentheses around the cursor expect, and which argument comes now."""

from dataclasses import dataclass
from pathlib import Path

from phenesthe.ide.analysis import Analysis
from phenesthe.ide.calls import Call, list_open
from phenesthe.ide.meanings import FUNCTION_ARGUMENTS, MEANINGS
from phenesthe.ide.outlines import list_outlines, select_visible
from phenesthe.ide.places import find_name
from phenesthe.ide.words import Sentence, read_words
from phenesthe.syntax.tokens import FUNCTIONS, RESERVED


@dataclass(frozen=True, slots=True)
class SignatureHelp:
    """`label` is the whole signature, in which `arguments` are the places of its arguments.

    `active` is the argument at the cursor, None where there is none such; `doc` is Markdown.
    """

    label: str
    arguments: tuple[tuple[int, int], ...]
    active: int | None
    doc: str


def help_signature(analysis: Analysis, file: Path, offset: int) -> SignatureHelp | None:
    """For the innermost name whose parentheses are open at an offset."""
    module = analysis.find_module(file)
    words = None if module is None else read_words(module.parsed.source)
    sentence = words.find_sentence(offset) if words is not None else None
    if words is None or sentence is None or words.is_in_comment(offset):
        return None
    call = find_call(sentence, offset)
    if call is None or call.name is None:
        return None
    name = call.name.text
    active = len(call.arguments) - 1
    outline = select_visible(analysis, file, list_outlines(analysis)).get(name)
    if name in FUNCTION_ARGUMENTS and (outline is None or name in RESERVED):
        takes = FUNCTION_ARGUMENTS[name]
        # `min` and `max` take any number of values.
        is_last = active >= len(takes) and name in FUNCTIONS and FUNCTIONS[name].takes_more
        return _describe(name, list(takes), len(takes) - 1 if is_last else active, MEANINGS[name])
    if outline is None or outline.kind == "param":
        return None
    return _describe(f"{outline.opening} {name}", outline.list_arguments(), active, outline.doc)


def find_call(sentence: Sentence, offset: int) -> Call | None:
    """The innermost name whose parentheses are open at an offset, the head's not counted."""
    name = find_name(sentence)
    for call in reversed(list_open(sentence.list_before(offset))):
        if call.name is not None:
            return call if name is None or call.first != name + 1 else None
    return None


def _describe(opening: str, arguments: list[str], active: int, doc: str) -> SignatureHelp:
    label = f"{opening}("
    places: list[tuple[int, int]] = []
    for at, argument in enumerate(arguments):
        label += ", " if at else ""
        places.append((len(label), len(label) + len(argument)))
        label += argument
    known = active if active < len(arguments) else None
    return SignatureHelp(f"{label})", tuple(places), known, doc)
