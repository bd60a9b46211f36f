"""Foreign text as a terminal can safely show it, and the columns it takes there."""

import unicodedata
from bisect import bisect_left, bisect_right
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from phenesthe.frozen import dataclass
from phenesthe.syntax.source import Span

_TAB = " " * 4
_ELLIPSIS = "…"
# Room for one escaped character (10 columns), some context and two ellipses.
_NARROWEST = 20


class Cell(NamedTuple):
    """One character of a source: what is shown for it and how many columns that fills."""

    shown: str
    columns: int


@lru_cache(maxsize=4096)
def show_character(char: str) -> Cell:
    if " " <= char <= "~":
        return Cell(char, 1)
    if char == "\t":
        return Cell(_TAB, len(_TAB))
    category = unicodedata.category(char)
    # Escape sequences, direction overrides, lone surrogates and whatever else has no glyph.
    if category.startswith("C") or category in ("Zl", "Zp"):
        escaped = f"\\u{{{ord(char):02X}}}"
        return Cell(escaped, len(escaped))
    if category in ("Mn", "Me"):
        return Cell(char, 0)
    return Cell(char, 2 if unicodedata.east_asian_width(char) in "WF" else 1)


def make_printable(text: str, keep: str = "") -> str:
    """Escape everything a terminal could obey instead of show, except the characters of `keep`."""
    return "".join(char if char in keep else show_character(char).shown for char in text)


def join_lines(text: str) -> str:
    """Printable text on one line."""
    lines = (line.strip() for line in text.splitlines())
    return make_printable(" ".join(line for line in lines if line))


def find_last_line(span: Span) -> int:
    """The line of the last character in the span; the line end that closes a line belongs to it."""
    return span.source.position(max(span.start, span.end - 1)).line


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """A line, or the part of it that fits, and where the marks under it go."""

    text: str
    indent: int
    marks: int


def cut_excerpt(line: str, start: int, end: int, width: int) -> Excerpt:
    """Show `line` in at most `width` columns such that the characters start to end are in view.

    Columns are those of the terminal; there is always at least one mark.
    """
    width = max(width, _NARROWEST)
    start = min(start, len(line))
    # A combining mark is drawn on the character before it, so that is where to point.
    while 0 < start < len(line) and show_character(line[start]).columns == 0:
        start -= 1
    # What is further away cannot be in view; a line of a megabyte must not cost a second.
    offset = max(0, start - width)
    cells = [show_character(char) for char in line[offset : start + width]]
    columns = [0, *accumulate(cell.columns for cell in cells)]
    start -= offset
    end = min(max(start, end - offset), len(cells))
    low, high = 0, len(cells)
    if len(cells) < len(line) or columns[-1] > width:
        low, high = _choose_window(columns, start, end, width - 2 * len(_ELLIPSIS))
    before = _ELLIPSIS if offset + low > 0 else ""
    after = _ELLIPSIS if offset + high < len(line) else ""
    return Excerpt(
        text=before + "".join(cell.shown for cell in cells[low:high]) + after,
        indent=len(before) + columns[start] - columns[low],
        marks=max(1, columns[min(end, high)] - columns[start]),
    )


def _choose_window(columns: list[int], start: int, end: int, room: int) -> tuple[int, int]:
    """The range of characters to show: start to end in the middle, or from its left when long."""
    context = max((room - (columns[end] - columns[start])) // 2, room // 8)
    left = min(columns[start] - context, columns[-1] - room)
    low = 0
    if left > 0:
        # The last of the characters at this column: those before it are combining marks.
        edge = columns[bisect_left(columns, left)]
        low = min(bisect_right(columns, edge) - 1, start)
    return low, bisect_right(columns, columns[low] + room) - 1
