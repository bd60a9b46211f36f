"""Drawings as text, and rows for them."""

from typing import Any

from phenesthe.report.rows import Row
from phenesthe.report.timeline import draw
from phenesthe.syntax.tree import Kind


def rows(name: str, kind: Kind, *spans: Any, args: tuple[Any, ...] = ("x",)) -> list[Row]:
    """A span is an instant or a pair."""
    return [
        Row(name, kind, args, *(span if isinstance(span, tuple) else (span, span)))
        for span in spans
    ]


def text(found: list[Row], **options: Any) -> list[str]:
    return [line.plain for line in draw(found, **options)]
