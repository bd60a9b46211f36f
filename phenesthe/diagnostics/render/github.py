"""Workflow commands, which GitHub Actions turns into annotations of the changed lines."""

from collections.abc import Sequence

from phenesthe.diagnostics.model import Diagnostic
from phenesthe.diagnostics.render.cells import find_last_line, make_printable
from phenesthe.syntax.source import Span


def render_github(diagnostics: Sequence[Diagnostic]) -> str:
    return "".join(f"{_render_command(diagnostic)}\n" for diagnostic in diagnostics)


def _render_command(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    properties = {
        "file": span.source.path,
        **_locate(span),
        "title": diagnostic.code,
    }
    listed = ",".join(f"{name}={_escape_property(text)}" for name, text in properties.items())
    return f"::{diagnostic.severity.value} {listed}::{_escape_message(diagnostic.message)}"


def _locate(span: Span) -> dict[str, str]:
    line, column = span.first
    end_line = find_last_line(span)
    if line != end_line:
        # The runner drops columns from a range over several lines.
        return {"line": f"{line}", "endLine": f"{end_line}"}
    end_column = min(column + span.end - span.start, len(span.source.line_text(line)) + 1)
    return {
        "line": f"{line}",
        "endLine": f"{line}",
        "col": f"{column}",
        "endColumn": f"{max(column, end_column)}",
    }


def _escape_message(text: str) -> str:
    printable = make_printable(text, keep="\r\n")
    return printable.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_message(text).replace(":", "%3A").replace(",", "%2C")
