"""One diagnostic feeds the terminal, JSON, GitHub and the editor."""

from dataclasses import dataclass
from enum import Enum

from phenesthe.syntax.source import Span


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A secondary place and what is to be seen there."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """Replace the text of `span` by `text`. A fix is a tuple of these, applied together."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """A place, the reason and the remedy.

    `label` is the short text under the marked place; `message` stands alone without it.
    """

    code: str
    severity: Severity
    message: str
    span: Span
    label: str = ""
    related: tuple[Label, ...] = ()
    hint: str = ""
    fix: tuple[Edit, ...] | None = None

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        return (self.span.source.path, self.span.start, self.span.end, self.code, self.message)


class ProgramError(Exception):
    """A program that cannot be run; `diagnostics` says why, warnings included."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics
        errors = [d for d in diagnostics if d.severity is Severity.ERROR]
        first = errors[0]
        line, column = first.span.first
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        super().__init__(
            f"{first.span.source.path}:{line}:{column}: {first.code}: {first.message}{more}"
        )
