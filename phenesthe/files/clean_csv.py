"""CSV without the records that are too long to be kept.

A record goes on over the ends of lines that are inside quotes. In the place of one that is too long
stand as many empty lines, which no reader counts as a record, so that all others keep their lines.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from io import BufferedIOBase
from itertools import repeat
from typing import BinaryIO

from phenesthe.files.long_lines import MAX_LINE, show_beginning

_BLOCK = 2**20
LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_END = re.compile(rb"\r\n|\r|\n")
#: Told the first line of a record that is too long, and how it begins.
OnLong = Callable[[int, str], None]


def clean_text(
    file: BinaryIO, on_long: OnLong, separator: str = ",", *, errors: str = "replace"
) -> Iterator[str]:
    """The lines of a file as text in UTF-8, with their ends, without the mark it may begin with."""
    is_first = True
    for part in _clean(file, on_long, separator):
        if isinstance(part, int):
            yield from repeat("\n", part)
            continue
        for match in LINE.finditer(part.removeprefix(BOM_UTF8) if is_first else part):
            yield match[0].decode(errors=errors)
        is_first = False


class CleanFile(BufferedIOBase):
    """The same, as bytes, to be read as a file."""

    def __init__(self, file: BinaryIO, on_long: OnLong, separator: str = ",") -> None:
        self._parts = _clean(file, on_long, separator)
        self._rest = b""

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        wanted = -1 if size is None else size
        parts, length = [self._rest], len(self._rest)
        while (wanted < 0 or length < wanted) and (part := next(self._parts, None)) is not None:
            parts.append(b"\n" * part if isinstance(part, int) else part)
            length += len(parts[-1])
        whole = b"".join(parts)
        end = length if wanted < 0 else wanted
        self._rest = whole[end:]
        return whole[:end]


def _clean(file: BinaryIO, on_long: OnLong, separator: str) -> Iterator[bytes | int]:
    """Whole records, some at a time; and how many lines those have that were too long."""
    records = _Records(on_long, separator.encode())
    while block := file.read(_BLOCK):
        yield from records.add(block)
    yield from records.finish()


class _Records:
    """Finds where records end: at the end of a line that is not inside quotes.

    Quotes open only where a field begins, and two inside quotes are one that closes nothing.
    """

    def __init__(self, on_long: OnLong, separator: bytes) -> None:
        self._on_long = on_long
        self._separator = separator
        #: The record that has not ended, and how far it is looked through.
        self._rest = b""
        self._at = 0
        self._is_quoted = False
        #: The line that it began in; and, if it is too long, how it begins and its ends of lines.
        self._line = 1
        self._beginning: str | None = None
        self._ends = 0

    def add(self, block: bytes, *, is_last: bool = False) -> Iterator[bytes | int]:
        data, at, begin = self._rest + block, self._at, 0
        # What the last byte means may depend on the next one.
        known = len(data) - (not is_last and data.endswith((b"\r", b'"')))
        while at < known:
            quote = data.find(b'"', at, known)
            if self._is_quoted:
                at = known if quote < 0 else quote + 1
                if quote >= 0 and data.startswith(b'"', at):
                    at += 1
                elif quote >= 0:
                    self._is_quoted = False
                continue
            stop = known if quote < 0 else quote
            end = max(data.rfind(b"\n", at, stop), data.rfind(b"\r", at, stop)) + 1
            if end:
                first = _END.search(data, at, end)
                assert first is not None
                yield from self._end_records(data, begin, first.end(), end)
                begin = end
            at = stop
            if quote >= 0:
                at += 1
                is_first = quote == begin and self._beginning is None
                self._is_quoted = is_first or data.startswith(self._separator, quote - 1)
        if at - begin > MAX_LINE or (self._beginning is not None and at - begin > 1):
            self._note_long(data, begin)
            # What a quote means depends on what is before it; and no end is cut in two.
            kept = at - 1 - data.startswith(b"\r\n", at - 2)
            self._ends += _count_ends(data, begin, kept)
            begin = kept
        self._rest, self._at = data[begin:], at - begin

    def finish(self) -> Iterator[bytes | int]:
        yield from self.add(b"", is_last=True)
        if self._beginning is not None or self._rest:
            yield from self._end_records(self._rest, 0, len(self._rest), len(self._rest))

    def _end_records(self, data: bytes, begin: int, first: int, end: int) -> Iterator[bytes | int]:
        """From the record that was being read, which ends at `first`, to the end of another.

        Those after it are short, for they are in one block.
        """
        if len(data[begin:first].rstrip(b"\r\n")) > MAX_LINE:
            self._note_long(data, begin)
        if self._beginning is not None:
            self._on_long(self._line, self._beginning)
            ends = self._ends + _count_ends(data, begin, first)
            yield ends
            self._line += ends
            self._beginning, self._ends = None, 0
            begin = first
        if begin < end:
            yield data[begin:end]
            self._line += _count_ends(data, begin, end)

    def _note_long(self, data: bytes, begin: int) -> None:
        if self._beginning is None:
            self._beginning = show_beginning(data[begin : begin + MAX_LINE])


def _count_ends(data: bytes, start: int, end: int) -> int:
    both = data.count(b"\r\n", start, end)
    return data.count(b"\n", start, end) + data.count(b"\r", start, end) - both
