"""Diagnostics as `.expected` files have them: exact, and pleasant to read in a review."""

from collections.abc import Iterator

from phenesthe.diagnostics.fixes import apply_fixes
from phenesthe.diagnostics.model import Diagnostic, Edit
from phenesthe.syntax.source import Span
from tests.conformance.programs import Program


def describe(program: Program) -> str:
    """Everything the checker says about a program."""
    _, diagnostics = program.check()
    home = program.path.name
    return "".join(f"{line}\n" for found in diagnostics for line in _describe(found, home))


def _describe(diagnostic: Diagnostic, home: str) -> Iterator[str]:
    head = f"{diagnostic.severity.value}[{diagnostic.code}] {diagnostic.message}"
    yield f"{_place(diagnostic.span, home)} {head}"
    yield f"  help: {diagnostic.hint}"
    for line in fixed_lines(diagnostic.fix or ()):
        yield f"  fix: {line}".rstrip()
    for related in diagnostic.related:
        yield f"  note: {_place(related.span, home)} {related.message}"


def _place(span: Span, home: str) -> str:
    file = "" if span.source.path == home else f"{span.source.path}:"
    first, last = span.first, span.last
    return f"{file}{first.line}:{first.column}-{last.line}:{last.column}"


def fixed_lines(fix: tuple[Edit, ...]) -> list[str]:
    """The lines that a fix changes, as it leaves them."""
    if not fix:
        return []
    old = fix[0].span.source.text
    new = apply_fixes(old, fix).splitlines()
    first = min(edit.span.first.line for edit in fix)
    below = len(old.splitlines()) - max(edit.span.last.line for edit in fix)
    return [line.strip() for line in new[first - 1 : len(new) - below]]
