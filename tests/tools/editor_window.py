"""A window of an editor as SVG. Runs of text are as wide as their cells in any font."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from phenesthe.syntax.source import Span

_CELL, _LINE, _SIZE = 7.8, 20, 13
_GUTTER = 46  # the numbers of lines
_TITLE = 34
_FONT = "font-family='DejaVu Sans Mono, Menlo, Consolas, monospace'"
INK, FAINT, _EDGE, _PAPER, _SHADE = "#1f2328", "#818b98", "#d1d9e0", "#ffffff", "#f6f8fa"
RED, BLUE = "#d1242f", "#0969da"


@dataclass(frozen=True, slots=True)
class Run:
    """Text of one look."""

    text: str
    colour: str = INK
    is_bold: bool = False
    is_italic: bool = False


Line = list[Run]


def draw_window(
    title: str,
    lines: Sequence[tuple[str, Line]],
    above: Iterable[str],
    *,
    columns: int,
    rows: int,
) -> str:
    """A window with the lines of a file and their numbers in it; `above` lies over the text."""
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
    for row, (label, line) in enumerate(lines, 1):
        y = _baseline(row)
        parts += _draw_runs([Run(label, FAINT)], _GUTTER - (len(label) + 1.5) * _CELL, y)
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


def draw_squiggle(span: Span, first: int) -> Iterator[str]:
    line, column = span.first
    x, y = _GUTTER + (column - 1) * _CELL, _baseline(line - first + 1) + 4
    waves = round((span.end - span.start) * _CELL / 4)
    path = "".join(f"l2 {-2.5 if number % 2 else 2.5} " for number in range(waves * 2)).rstrip()
    yield f"<path d='M{x:.1f} {y - 1:g}{path}' fill='none' stroke='{RED}' stroke-width='1.1'/>"


def draw_mark(span: Span, first: int) -> Iterator[str]:
    line, column = span.first
    x, y = _GUTTER + (column - 1) * _CELL, _baseline(line - first + 1) - 14
    yield (
        f"<rect x='{x - 1:.1f}' y='{y:g}' width='{(span.end - span.start) * _CELL + 2:.1f}' "
        f"height='{_LINE - 1}' rx='2' fill='{BLUE}' fill-opacity='.14'/>"
    )


def draw_box(lines: Sequence[Line], row: int, column: int) -> Iterator[str]:
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


def draw_panel(lines: Sequence[Line], row: int) -> Iterator[str]:
    """Text below the file, under a line across the window."""
    y = _baseline(row) - 8
    yield f"<path d='M0 {y:g}h4000' stroke='{_EDGE}'/>"
    for number, line in enumerate(lines, 1):
        yield from _draw_runs(line, 2 * _CELL, y + 4 + number * _LINE)
