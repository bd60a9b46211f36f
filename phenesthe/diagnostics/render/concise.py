"""One line per diagnostic, in the form editors and `grep` understand."""

from collections.abc import Sequence

from phenesthe.diagnostics.model import Diagnostic
from phenesthe.diagnostics.render.ansi import SEVERITY_STYLES, Painter, Style
from phenesthe.diagnostics.render.cells import join_lines, make_printable
from phenesthe.diagnostics.render.summary import summarize


def render_concise(diagnostics: Sequence[Diagnostic], *, color: bool) -> str:
    if not diagnostics:
        return ""
    painter = Painter(color=color)
    lines = [_render_line(diagnostic, painter) for diagnostic in diagnostics]
    return "\n".join((*lines, summarize(diagnostics), ""))


def _render_line(diagnostic: Diagnostic, painter: Painter) -> str:
    line, column = diagnostic.span.first
    path = make_printable(diagnostic.span.source.path)
    severity = painter.paint(
        f"{diagnostic.severity.value}[{diagnostic.code}]", SEVERITY_STYLES[diagnostic.severity]
    )
    place = painter.paint(f"{path}:{line}:{column}:", Style.TITLE)
    return f"{place} {severity}: {join_lines(diagnostic.message)}"
