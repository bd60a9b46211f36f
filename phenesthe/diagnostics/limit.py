"""How much is shown of what is wrong with a file. Nobody reads a thousand messages."""

from collections.abc import Iterable

from phenesthe.diagnostics.model import Diagnostic, Severity
from phenesthe.diagnostics.report import error, warning
from phenesthe.syntax.source import Span

#: Of each file. Syntax errors have a limit of their own, where reading stops (`syntax.parser`).
MOST_SHOWN = 100


def limit(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The first hundred of each file, errors before warnings, and how many more there are.

    What is said of the others is an error if one of them is, so that nobody takes a program for
    right. The order stays.
    """
    files: dict[str, list[Diagnostic]] = {}
    for one in diagnostics:
        files.setdefault(one.span.source.path, []).append(one)
    return tuple(one for found in files.values() for one in _limit_file(found))


def _limit_file(found: list[Diagnostic]) -> list[Diagnostic]:
    checked = [at for at, one in enumerate(found) if not one.code.startswith("S")]
    if len(checked) <= MOST_SHOWN:
        return found
    checked.sort(key=lambda at: found[at].severity is not Severity.ERROR)
    left_out = set(checked[MOST_SHOWN:])
    shown = [one for at, one in enumerate(found) if at not in left_out]
    return [*shown, _count([found[at] for at in sorted(left_out)])]


def _count(left_out: list[Diagnostic]) -> Diagnostic:
    errors = sum(one.severity is Severity.ERROR for one in left_out)
    counts = ((errors, "error"), (len(left_out) - errors, "warning"))
    listed = " and ".join(f"{n:,} more {word}{'' if n == 1 else 's'}" for n, word in counts if n)
    first = left_out[0].span
    report = error if errors else warning
    return report(
        "S018",
        f"{listed} of this file {'is' if len(left_out) == 1 else 'are'} not shown",
        Span(first.source, first.start, first.start + 1),
        label="the next one is here",
        hint="mend what is shown, and check again",
    )
