"""Inlay hints: the types that head variables have without anybody saying so."""

from dataclasses import dataclass
from pathlib import Path

from phenesthe.ide.analysis import Analysis
from phenesthe.ide.outlines import list_outlines
from phenesthe.syntax.source import Span


@dataclass(frozen=True, slots=True)
class Hint:
    """A text to show after the character at `offset`."""

    offset: int
    text: str


def list_hints(analysis: Analysis, file: Path, span: Span) -> list[Hint]:
    """For the heads of a file's definitions that reach into a span."""
    return [
        Hint(slot.span.end, f": {slot.type}")
        for outline in list_outlines(analysis).values()
        if outline.file == file and not outline.is_given
        for slot in outline.arguments
        if slot.type is not None and span.start <= slot.span.end and slot.span.start <= span.end
    ]
