"""The message for people: what is wrong, where it is seen in the text, and the remedy."""

from collections.abc import Iterator, Sequence

from phenesthe.diagnostics.fixes import replace_ranges
from phenesthe.diagnostics.model import Diagnostic
from phenesthe.diagnostics.render.ansi import SEVERITY_STYLES, Painter, Style
from phenesthe.diagnostics.render.cells import (
    cut_excerpt,
    find_last_line,
    join_lines,
    make_printable,
)
from phenesthe.diagnostics.render.summary import summarize
from phenesthe.frozen import dataclass
from phenesthe.syntax.source import Source, Span


def render_full(diagnostics: Sequence[Diagnostic], *, color: bool, width: int) -> str:
    if not diagnostics:
        return ""
    painter = Painter(color=color)
    blocks = [
        "".join(f"{line}\n" for line in _Block(diagnostic, painter, width).render())
        for diagnostic in diagnostics
    ]
    return "\n".join((*blocks, f"{summarize(diagnostics)}\n"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mark:
    """A place to show: the character it is underlined with, the text beside it, their colour."""

    span: Span
    sign: str
    label: str
    style: Style


class _Block:
    """One diagnostic being drawn; all its snippets share the width of the line numbers."""

    def __init__(self, diagnostic: Diagnostic, painter: Painter, width: int) -> None:
        self._diagnostic = diagnostic
        self._painter = painter
        self._marks = _collect_marks(diagnostic)
        lines = (mark.span.first.line for mark in self._marks)
        self._digits = max(2, len(str(max(lines))))
        self._width = width

    def render(self) -> Iterator[str]:
        diagnostic, painter = self._diagnostic, self._painter
        severity = f"{diagnostic.severity.value}[{diagnostic.code}]"
        yield (
            painter.paint(severity, SEVERITY_STYLES[diagnostic.severity])
            + painter.paint(f": {join_lines(diagnostic.message)}", Style.TITLE)
        )
        yield self._render_place("-->", diagnostic.span)
        path = diagnostic.span.source.path
        for mark in self._marks:
            yield self._render_frame("|")
            if mark.span.source.path != path:
                path = mark.span.source.path
                yield self._render_place(":::", mark.span)
                yield self._render_frame("|")
            yield from self._render_snippet(mark)
        notes = [*self._render_hint(), *self._render_fix()]
        if notes:
            yield self._render_frame("|")
            yield from notes

    def _render_frame(self, sign: str) -> str:
        return " " * (self._digits + 1) + self._painter.paint(sign, Style.FRAME)

    def _render_place(self, arrow: str, span: Span) -> str:
        line, column = span.first
        place = f"{make_printable(span.source.path)}:{line}:{column}"
        return f"{' ' * self._digits}{self._painter.paint(arrow, Style.FRAME)} {place}"

    def _render_snippet(self, mark: _Mark) -> Iterator[str]:
        line, column = mark.span.first
        text = mark.span.source.line_text(line)
        last = find_last_line(mark.span)
        label = mark.label
        if last == line:
            end = column - 1 + mark.span.end - mark.span.start
        else:
            end = len(text)
            label = f"… to line {last}" + (f": {label}" if label else "")
        room = self._width - self._digits - len(" | ")
        excerpt = cut_excerpt(text, column - 1, end, room)
        number = self._painter.paint(f"{line:{self._digits}} |", Style.FRAME)
        yield f"{number} {excerpt.text}" if excerpt.text else number
        signs = mark.sign * excerpt.marks + (f" {label}" if label else "")
        indent = " " * (excerpt.indent + 1)
        yield self._render_frame("|") + indent + self._painter.paint(signs, mark.style)

    def _render_hint(self) -> Iterator[str]:
        lead = "= help: "
        for line in self._diagnostic.hint.splitlines():
            painted = self._painter.paint(lead, Style.NOTE)
            yield f"{' ' * (self._digits + 1)}{painted}{make_printable(line.rstrip())}"
            lead = " " * len(lead)

    def _render_fix(self) -> Iterator[str]:
        """The line as the fix leaves it; a fix of several lines is left to the editor."""
        fixed = _fix_line(self._diagnostic)
        if fixed is None:
            return
        place = ""
        if fixed.source.path != self._diagnostic.span.source.path:
            place = f" at {make_printable(fixed.source.path)}:{fixed.line}"
        elif fixed.line != self._diagnostic.span.first.line:
            place = f" at line {fixed.line}"
        lead = f"= fix{place}: "
        room = self._width - self._digits - 1 - len(lead)
        shown = cut_excerpt(fixed.text, fixed.start, fixed.end, room).text
        painted = self._painter.paint(lead, Style.NOTE)
        yield f"{' ' * (self._digits + 1)}{painted}{shown or 'an empty line'}"


def _collect_marks(diagnostic: Diagnostic) -> list[_Mark]:
    return [
        _Mark(
            span=diagnostic.span,
            sign="^",
            label=join_lines(diagnostic.label),
            style=SEVERITY_STYLES[diagnostic.severity],
        ),
        *(
            _Mark(
                span=related.span, sign="-", label=join_lines(related.message), style=Style.RELATED
            )
            for related in diagnostic.related
        ),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _FixedLine:
    """A line after the fix, without its indentation; start to end is what changed."""

    source: Source
    line: int
    text: str
    start: int
    end: int


def _fix_line(diagnostic: Diagnostic) -> _FixedLine | None:
    """None when there is no fix, or none that one line can show."""
    edits = diagnostic.fix
    if not edits:
        return None
    source = edits[0].span.source
    line = edits[0].span.first.line
    old = source.line_text(line)
    origin = source.line_starts[line - 1]
    ranges = [(edit.span.start - origin, edit.span.end - origin, edit.text) for edit in edits]
    if any(edit.span.source != source or _breaks(edit.text) for edit in edits):
        return None
    try:
        new = replace_ranges(old, ranges)
    except ValueError:  # some edit lies on another line, or they overlap
        return None
    text = new.strip()
    indent = len(new) - len(new.lstrip())
    start = min(start for start, _, _ in ranges)
    unchanged = len(old) - max(end for _, end, _ in ranges)
    return _FixedLine(
        source=source,
        line=line,
        text=text,
        start=max(0, start - indent),
        end=max(0, min(len(text), len(new) - unchanged - indent)),
    )


def _breaks(text: str) -> bool:
    return "\n" in text or "\r" in text
