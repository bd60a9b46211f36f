"""Pictures of the editor for the documentation: python -m tests.tools.editor_pictures

What they show is what the server answers: the diagnostics, the hover and the preview of real files.
"""

import re
import textwrap
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path

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
from phenesthe.ide.lenses import list_lenses
from phenesthe.ide.preview import preview
from phenesthe.lsp.diagnostics import convert_diagnostic
from phenesthe.syntax.source import Source, Span
from tests.tools.editor_window import (
    BLUE,
    FAINT,
    INK,
    RED,
    Line,
    Run,
    draw_box,
    draw_mark,
    draw_panel,
    draw_squiggle,
    draw_window,
)

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

_LOOKS = {"dim": FAINT, "green": "#1a7f37", "yellow": "#9a6700", "cyan": "#1b7c83", "red": RED}
_COLOURS: tuple[tuple[_TokenType, str], ...] = (
    (Comment, "#6e7781"),
    (String.Doc, "#57772b"),
    (String, "#0a3069"),
    (Keyword.Type, "#0f7b8a"),
    (Keyword, "#8250df"),
    (Operator, "#cf222e"),
    (Name.Variable, "#953800"),
    (Name.Function, "#0550ae"),
    (Name.Builtin, "#0f7b8a"),
    (Name.Constant, "#116329"),
    (Number, "#116329"),
)


def build_pictures() -> dict[str, str]:
    """All pictures by their names."""
    return {
        "editor-error.svg": draw_error(),
        "editor-hover.svg": draw_hover(),
        "editor-preview.svg": draw_preview(),
    }


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
    box[0].append(Run(f"  {shown.source}({shown.code})", FAINT))
    for related in shown.related_information or ():
        start = related.location.range.start
        where = f"{file}[Ln {start.line + 1}, Col {start.character + 1}]: "
        box.append([Run(where, BLUE), Run(related.message)])
    lines = _number(highlight(VISITS.rstrip("\n")), 1)
    at = diagnostic.span.first
    above = [*draw_squiggle(diagnostic.span, first=1), *draw_box(box, at.line, at.column)]
    return draw_window(file.name, lines, above, columns=82, rows=at.line + len(box) + 1)


def draw_hover() -> str:
    """What the editor knows of a phenomenon that is used."""
    analysis, source = _read_example()
    found = hover(analysis, EXAMPLE, source.text.index("moored(V, _)"))
    assert found is not None
    box = list(_layout_markdown(found.text, columns=72))
    at = found.span.first
    first = at.line - 4
    above = [*draw_mark(found.span, first), *draw_box(box, at.line - first + 1, at.column)]
    rows = at.line - first + len(box) + 2
    lines = _number(highlight(source.text)[first - 1 : first - 1 + rows], first)
    return draw_window(EXAMPLE.name, lines, above, columns=102, rows=rows)


def draw_preview() -> str:
    """The lenses above a definition, and what the last of them opens."""
    analysis, source = _read_example()
    lenses = [lens for lens in list_lenses([analysis], EXAMPLE) if lens.name == "passage"]
    chosen = lenses[-1]
    assert chosen.data is not None
    page = preview(analysis, chosen.name, chosen.data, width=96).html
    panel = _read_page(page)
    at = chosen.span.first.line
    first, last = at - 2, at + 1
    lines = _number(highlight(source.text)[first - 1 : last], first)
    titles = " | ".join(lens.title for lens in lenses)
    lines.insert(at - first, ("", [Run(titles, FAINT)]))
    row = len(lines) + 1
    rows = row + len(panel)
    return draw_window(EXAMPLE.name, lines, draw_panel(panel, row), columns=102, rows=rows)


def _number(lines: Sequence[Line], first: int) -> list[tuple[str, Line]]:
    return [(str(number), line) for number, line in enumerate(lines, first)]


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
        colour = next((c for kind, c in _COLOURS if is_token_subtype(token, kind)), INK)
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


class _Page(HTMLParser):
    """The heading and the drawing of a preview, in the colours that their classes stand for."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[Line] = []
        self.open: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append((tag, dict(attrs).get("class") or tag))
        if tag in ("h1", "pre"):
            self.lines.append([])

    def handle_endtag(self, tag: str) -> None:
        while self.open.pop()[0] != tag:  # `meta` has no end of its own
            pass

    def handle_data(self, data: str) -> None:
        look = self.open[-1][1]
        if look not in ("h1", "pre", "bold", *_LOOKS):
            return
        for number, piece in enumerate(data.split("\n")):
            if number:
                self.lines.append([])
            colour = _LOOKS.get(look, INK)
            self.lines[-1].append(Run(piece, colour, is_bold=look in ("bold", "h1")))


def _read_page(page: str) -> list[Line]:
    reader = _Page()
    reader.feed(page)
    return reader.lines


if __name__ == "__main__":
    write_pictures()
