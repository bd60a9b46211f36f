"""Short ways to make diagnostics and to see them in full."""

from phenesthe.diagnostics.model import Diagnostic, Edit, Label, Severity
from phenesthe.diagnostics.render import render
from phenesthe.syntax.source import Source, Span


def find(source: Source, text: str, after: int = 0) -> Span:
    start = source.text.index(text, after)
    return Span(source, start, start + len(text))


def make_error(
    span: Span,
    label: str = "",
    *related: Label,
    message: str = "wrong",
    hint: str = "",
    fix: tuple[Edit, ...] | None = None,
) -> Diagnostic:
    return Diagnostic(
        code="K012",
        severity=Severity.ERROR,
        message=message,
        span=span,
        label=label,
        related=related,
        hint=hint,
        fix=fix,
    )


def show(*diagnostics: Diagnostic, width: int = 120) -> str:
    return "\n" + render(diagnostics, "full", color=False, width=width)
