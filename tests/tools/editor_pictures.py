"""Pictures of the editor for the documentation: python -m tests.tools.editor_pictures

What they show is what the server answers: the diagnostics, the hover and the preview of real files.
Only the window around it is drawn here. Every run of text is as wide as its cells, whatever font
the reader has.
"""

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from lsprotocol import types
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    String,
    _TokenType,
    is_token_subtype,
)

from phenesthe.highlight import PhenestheLexer
from phenesthe.ide.analysis import Analysis, analyse
from phenesthe.ide.hover import hover
from phenesthe.lsp.diagnostics import convert_diagnostic
from phenesthe.syntax.source import Source, Span

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
EXAMPLE = ROOT / "examples" / "port_calls" / "port_calls.phe"
VISITS = """\
input event stop_start(vessel: int);
input event stop_end(vessel: int);
input event leaves_port(vessel: int, port: str);

state stopped(V) : stop_start(V) ~> stop_end(V);
state visit(V) : stopped(V) ~> leaves_port(V, _);
"""

_CELL, _LINE, _SIZE = 7.8, 20, 13
_GUTTER = 46  # the numbers of lines
_TITLE = 34
_FONT = "font-family='DejaVu Sans Mono, Menlo, Consolas, monospace'"
_INK, _FAINT, _EDGE, _PAPER, _SHADE = "#1f2328", "#818b98", "#d1d9e0", "#ffffff", "#f6f8fa"
_RED, _BLUE = "#d1242f", "#0969da"
_COLOURS: tuple[tuple[_TokenType, str], ...] = (
    (Comment, "#6e7781"),
    (String.Doc, "#57772b"),
    (String, "#0a3069"),
    (Keyword.Type, "#0f7b8a"),
    (Keyword, "#8250df"),
    (Operator.Word, "#cf222e"),
    (Operator, "#cf222e"),
    (Name.Variable, "#953800"),
    (Name.Function, "#0550ae"),
    (Name.Builtin, "#0f7b8a"),
    (Name.Constant, "#116329"),
    (Number, "#116329"),
)


@dataclass(frozen=True, slots=True)
class Run:
    """Text of one look."""

    text: str
    colour: str = _INK
    is_bold: bool = False
    is_italic: bool = False


Line = list[Run]


def build_pictures() -> dict[str, str]:
    """All pictures by their names."""
    return {"editor-error.svg": draw_error(), "editor-hover.svg": draw_hover()}


def write_pictures() -> None:
    for name, picture in build_pictures().items():
        (PICTURES / name).write_text(picture, "utf-8")


def draw_error() -> str:
    """A mistake, underlined, and what the editor says when one points at it."""
    file = Path("visits.phe")
    analysis = analyse(file, VISITS.encode())
    (diagnostic,) = analysis.diagnostics
    shown = convert_diagnostic(diagnostic, _locate, with_related=True)
    box: list[Line] = [[Run(line)] for line in shown.message.split("\n")]
    box[0].append(Run(f"  {shown.source}({shown.code})", _FAINT))
    for related in shown.related_information or ():
        start = related.location.range.start
        where = f"{file}[Ln {start.line + 1}, Col {start.character + 1}]: "
        box.append([Run(where, _BLUE), Run(related.message)])
    lines = highlight(VISITS.rstrip("\n"))
    at = diagnostic.span.first
    above = [*_draw_squiggle(diagnostic.span, first=1), *_draw_box(box, at.line, at.column)]
    return _draw_window(file.name, lines, above, columns=82, rows=at.line + len(box) + 1)


def draw_hover() -> str:
    """What the editor knows of a phenomenon that is used."""
    analysis, source = _read_example()
    found = hover(analysis, EXAMPLE, source.text.index("moored(V, _)"))
    assert found is not None
    box = list(_layout_markdown(found.text, columns=72))
    at = found.span.first
    first = at.line - 4
    above = [*_draw_mark(found.span, first), *_draw_box(box, at.line - first + 1, at.column)]
    rows = at.line - first + len(box) + 2
    lines = highlight(source.text)[first - 1 : first - 1 + rows]
    return _draw_window(EXAMPLE.name, lines, above, columns=102, rows=rows, first=first)


def _read_example() -> tuple[Analysis, Source]:
    analysis = analyse(EXAMPLE, EXAMPLE.read_bytes())
    module = analysis.find_module(EXAMPLE)
    assert module is not None
    return analysis, module.parsed.source


def _locate(span: Span) -> types.Location:
    (line, column), (last_line, last_column) = span.first, span.last
    return types.Location(
        span.source.path,
        types.Range(
            types.Position(line - 1, column - 1), types.Position(last_line - 1, last_column - 1)
        ),
    )


def highlight(text: str) -> list[Line]:
    """The lines of a file in the colours of its words."""
    lines: list[Line] = [[]]
    for _, token, part in PhenestheLexer().get_tokens_unprocessed(text):
        colour = next((c for kind, c in _COLOURS if is_token_subtype(token, kind)), _INK)
        for number, piece in enumerate(part.split("\n")):
            if number:
                lines.append([])
            is_italic = is_token_subtype(token, Comment) or token is String.Doc
            lines[-1].append(Run(piece, colour, is_italic=is_italic))
    return lines


def _layout_markdown(text: str, columns: int) -> Iterator[Line]:
    """The little Markdown that a hover has: paragraphs, and blocks of code or text."""
    for number, part in enumerate(re.split(r"\n\n(?=```|(?<!`)[^`])", text)):
        if number:
            yield []
        block = re.fullmatch(r"```(\w*)\n(.*)\n```", part, re.S)
        if block is None:
            plain = re.sub(r"\\(.)", r"\1", part.replace("\n", " "))
            yield from ([Run(line)] for line in textwrap.wrap(plain, columns))
        elif block[1] == "phenesthe":
            yield from highlight(block[2])
        else:
            for line in block[2].split("\n"):
                indent = " " * (len(line) - len(line.lstrip()) + 2)
                wrapped = textwrap.wrap(line, columns, subsequent_indent=indent)
                yield from ([Run(piece, "#424a53")] for piece in wrapped)


def _draw_window(
    title: str,
    lines: Sequence[Line],
    above: Sequence[str],
    *,
    columns: int,
    rows: int,
    first: int = 1,
) -> str:
    """A window with a file in it, from a line on; `above` lies over the text."""
    width = round(_GUTTER + (columns + 2) * _CELL)
    height = _TITLE + (rows + 1) * _LINE
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' "
        f"height='{height}' {_FONT} font-size='{_SIZE}'>",
        f"<rect x='.5' y='.5' width='{width - 1}' height='{height - 1}' rx='8' fill='{_PAPER}' "
        f"stroke='{_EDGE}'/>",
        f"<path d='M.5 {_TITLE}V8.5a8 8 0 0 1 8-8H{width - 8.5}a8 8 0 0 1 8 8V{_TITLE}z' "
        f"fill='{_SHADE}' stroke='{_EDGE}'/>",
        *(
            f"<circle cx='{18 + 18 * number}' cy='{_TITLE / 2}' r='5' fill='{_EDGE}'/>"
            for number in range(3)
        ),
        *_draw_runs([Run(title, "#59636e")], 80, _TITLE / 2 + 4.5),
    ]
    for number, line in enumerate(lines):
        y = _baseline(number + 1)
        label = str(first + number)
        parts += _draw_runs([Run(label, _FAINT)], _GUTTER - (len(label) + 1.5) * _CELL, y)
        parts += _draw_runs(line, _GUTTER, y)
    return "\n".join([*parts, *above, "</svg>", ""])


def _baseline(row: int) -> float:
    return _TITLE + row * _LINE + 2


def _draw_runs(runs: Sequence[Run], x: float, y: float) -> Iterator[str]:
    for run in runs:
        text = run.text.strip(" ")
        start = x + (len(run.text) - len(run.text.lstrip(" "))) * _CELL
        x += len(run.text) * _CELL
        if text:
            look = " font-weight='bold'" * run.is_bold + " font-style='italic'" * run.is_italic
            yield (
                f"<text x='{start:.1f}' y='{y:g}' textLength='{len(text) * _CELL:.1f}' "
                f"lengthAdjust='spacingAndGlyphs' fill='{run.colour}' xml:space='preserve'{look}>"
                f"{escape(text)}</text>"
            )


def _draw_squiggle(span: Span, first: int) -> Iterator[str]:
    line, column = span.first
    x, y = _GUTTER + (column - 1) * _CELL, _baseline(line - first + 1) + 4
    waves = round((span.end - span.start) * _CELL / 4)
    path = "".join(f"l2 {-2.5 if number % 2 else 2.5} " for number in range(waves * 2)).rstrip()
    yield f"<path d='M{x:.1f} {y - 1:g}{path}' fill='none' stroke='{_RED}' stroke-width='1.1'/>"


def _draw_mark(span: Span, first: int) -> Iterator[str]:
    line, column = span.first
    x, y = _GUTTER + (column - 1) * _CELL, _baseline(line - first + 1) - 14
    yield (
        f"<rect x='{x - 1:.1f}' y='{y:g}' width='{(span.end - span.start) * _CELL + 2:.1f}' "
        f"height='{_LINE - 1}' rx='2' fill='{_BLUE}' fill-opacity='.14'/>"
    )


def _draw_box(lines: Sequence[Line], row: int, column: int) -> Iterator[str]:
    """A box with text, under a row, its left edge near a column."""
    x, y = _GUTTER + (column - 2) * _CELL, _baseline(row) + 9
    width = (max(sum(len(run.text) for run in line) for line in lines) + 2) * _CELL
    height = len(lines) * _LINE + 12
    yield (
        f"<rect x='{x + 2:.1f}' y='{y + 3:g}' width='{width:.1f}' height='{height}' rx='5' "
        f"fill='#000' fill-opacity='.10'/>"
        f"<rect x='{x:.1f}' y='{y:g}' width='{width:.1f}' height='{height}' rx='5' "
        f"fill='{_SHADE}' stroke='{_EDGE}'/>"
    )
    for number, line in enumerate(lines):
        yield from _draw_runs(line, x + _CELL, y + 20 + number * _LINE)


if __name__ == "__main__":
    write_pictures()
