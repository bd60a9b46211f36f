"""Where text comes from, and exact places in it."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

_LINE_END = re.compile(r"\r\n|\n|\r")


class Position(NamedTuple):
    """A place as people and editors count it: both from 1, columns in characters."""

    line: int
    column: int


@dataclass(frozen=True)
class Source:
    """One decoded file. `path` is how the user named it, and is shown in messages."""

    path: str
    text: str

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        return (0, *(match.end() for match in _LINE_END.finditer(self.text)))

    def position(self, offset: int) -> Position:
        line = bisect_right(self.line_starts, offset)
        return Position(line, offset - self.line_starts[line - 1] + 1)

    def line_text(self, line: int) -> str:
        """The text of a line (counted from 1) without its line end."""
        start = self.line_starts[line - 1]
        end = self.line_starts[line] if line < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")


class Span(NamedTuple):
    """The characters `start` up to, not including, `end` of a source."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def first(self) -> Position:
        return self.source.position(self.start)

    @property
    def last(self) -> Position:
        """One past the last character."""
        return self.source.position(self.end)

    def to(self, other: "Span") -> "Span":
        """From the start of this span to the end of a later one."""
        return Span(self.source, self.start, max(self.end, other.end))

    def __repr__(self) -> str:
        line, column = self.first
        return f"{self.source.path}:{line}:{column}"
