"""Characters of a text as the client counts them: lines from 0, columns in the units agreed on."""

from dataclasses import dataclass

from lsprotocol import types

from phenesthe.syntax.source import Source, Span

#: Python's codec of each encoding, and how many bytes one of its units has.
_UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}

_HALF_CHARACTERS = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


@dataclass(frozen=True, slots=True)
class Counting:
    """How columns are counted: `utf-16` unless the client asked for another encoding."""

    encoding: str = "utf-16"

    def find_offset(self, source: Source, position: types.Position) -> int:
        """The character at a position; past the end of a line is its end, inside one its start."""
        if position.line >= len(source.line_starts):
            return len(source.text)
        line = source.line_text(position.line + 1)
        return source.line_starts[position.line] + self._count_characters(line, position.character)

    def find_position(self, source: Source, offset: int) -> types.Position:
        offset = min(offset, len(source.text))
        line, column = source.position(offset)
        start = source.line_starts[line - 1]
        return types.Position(line - 1, self._count_units(source.text[start : start + column - 1]))

    def find_range(self, span: Span) -> types.Range:
        return self.range_between(span.source, span.start, span.end)

    def range_between(self, source: Source, start: int, end: int) -> types.Range:
        return types.Range(self.find_position(source, start), self.find_position(source, end))

    def find_offsets(self, source: Source, wanted: types.Range) -> tuple[int, int]:
        """Both ends of a range; one whose end is before its start is empty."""
        start = self.find_offset(source, wanted.start)
        return start, max(start, self.find_offset(source, wanted.end))

    def measure(self, text: str) -> int:
        """How long a text is for the client."""
        return self._count_units(text)

    def _count_units(self, text: str) -> int:
        if text.isascii():
            return len(text)
        codec, size = _UNITS[self.encoding]
        return len(text.encode(codec)) // size

    def _count_characters(self, line: str, units: int) -> int:
        if line.isascii():
            return min(units, len(line))
        codec, size = _UNITS[self.encoding]
        # What the cut leaves of a character is dropped, so that a place inside one is its start.
        return len(line.encode(codec)[: units * size].decode(codec, errors="ignore"))


def mend_characters(text: str) -> str:
    """Half of a pair of UTF-16 units, which JSON can carry and no file can, becomes U+FFFD.

    It keeps its length in UTF-16, so that what the client counts stays right.
    """
    return text.translate(_HALF_CHARACTERS) if _has_halves(text) else text


def _has_halves(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
