"""Diagnostics as the protocol has them: the same objects as `phenesthe check` shows."""

from collections.abc import Callable

from lsprotocol import types

from phenesthe.diagnostics.model import Diagnostic, Severity
from phenesthe.resources import LANGUAGE
from phenesthe.syntax.source import Span

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
}
#: What is used once or never, and may go: editors fade it.
_UNNECESSARY = frozenset({"W001", "W003"})
#: Beside a checkout; an installed package has no pages.
_PAGES = LANGUAGE.parent / "docs" / "diagnostics"

#: Where a place is for the client.
Locate = Callable[[Span], types.Location]


def convert_diagnostic(
    diagnostic: Diagnostic, locate: Locate, *, with_related: bool
) -> types.Diagnostic:
    """The hint goes below the message; what cannot be shown as a place of its own does too."""
    related = None
    lines = [diagnostic.message]
    if diagnostic.label and diagnostic.label not in diagnostic.message:
        lines.append(diagnostic.label)
    if with_related:
        related = [
            types.DiagnosticRelatedInformation(locate(label.span), label.message)
            for label in diagnostic.related
        ]
    else:
        lines += (f"{label.span!r}: {label.message}" for label in diagnostic.related)
    if diagnostic.hint:
        lines.append(f"help: {diagnostic.hint}")
    tags = [types.DiagnosticTag.Unnecessary] if diagnostic.code in _UNNECESSARY else None
    return types.Diagnostic(
        range=locate(diagnostic.span).range,
        message="\n".join(lines),
        severity=_SEVERITIES[diagnostic.severity],
        code=diagnostic.code,
        code_description=_describe(diagnostic.code),
        source="phenesthe",
        tags=tags,
        related_information=related or None,
    )


def _describe(code: str) -> types.CodeDescription | None:
    page = _PAGES / f"{code}.md"
    return types.CodeDescription(page.as_uri()) if page.is_file() else None
