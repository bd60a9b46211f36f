"""Short ways to make a diagnostic."""

from phenesthe.diagnostics.model import Diagnostic, Edit, Label, Severity
from phenesthe.diagnostics.shorten import MAX_REMEDY, shorten_related, shorten_text
from phenesthe.syntax.source import Span


class _Reporter:
    def __init__(self, severity: Severity) -> None:
        self.severity = severity

    def __call__(
        self,
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
            severity=self.severity,
            message=shorten_text(message),
            span=span,
            label=shorten_text(label),
            related=shorten_related(related),
            hint=shorten_text(hint, MAX_REMEDY),
            fix=fix,
        )


error = _Reporter(Severity.ERROR)
warning = _Reporter(Severity.WARNING)
