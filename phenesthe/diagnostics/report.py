"""Short ways to make a diagnostic."""

from phenesthe.diagnostics.model import Diagnostic, Edit, Label, Severity
from phenesthe.syntax.source import Span


def error(
    code: str,
    message: str,
    span: Span,
    *,
    label: str = "",
    related: tuple[Label, ...] = (),
    hint: str = "",
    fix: tuple[Edit, ...] | None = None,
) -> Diagnostic:
    return Diagnostic(
        code=code,
        severity=Severity.ERROR,
        message=message,
        span=span,
        label=label,
        related=related,
        hint=hint,
        fix=fix,
    )


def warning(
    code: str,
    message: str,
    span: Span,
    *,
    label: str = "",
    related: tuple[Label, ...] = (),
    hint: str = "",
    fix: tuple[Edit, ...] | None = None,
) -> Diagnostic:
    return Diagnostic(
        code=code,
        severity=Severity.WARNING,
        message=message,
        span=span,
        label=label,
        related=related,
        hint=hint,
        fix=fix,
    )
