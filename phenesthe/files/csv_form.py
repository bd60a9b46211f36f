"""What a CSV file is: the names of its columns, what stands between its fields, its encoding.

The separator is the one that makes the columns which are looked for; a comma, if several do. So a
`;` inside the names or the fields of a file with commas is nothing but a character.
"""

import csv
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from phenesthe.files.clean_csv import LINE
from phenesthe.files.long_lines import MAX_LINE
from phenesthe.files.text import (
    BEGINNING,
    Encoding,
    decode_loosely,
    find_encoding,
    look_at_encoding,
    open_text,
)
from phenesthe.frozen import dataclass

SEPARATORS = ",;\t|"
#: How many of some columns are among those that are looked for.
Count = Callable[[list[str]], int]


class NoHeader(Exception):
    """Why the first line is none of a CSV file: `long`, `unreadable`, `none`, or all is `empty`."""


@dataclass(frozen=True, slots=True)
class CsvForm:
    header: list[str]
    #: The first line of the file, without its end, and how many lines the header has.
    line: bytes = b""
    lines: int = 1
    separator: str = ","
    encoding: Encoding = "ascii"


def look_at_csv(path: Path, count: Count) -> CsvForm:
    """Raises `NoHeader`."""
    encoding = look_at_encoding(path)
    with open_text(path) as file:
        beginning = file.read(BEGINNING)
        while len(beginning) <= MAX_LINE and (more := _ask_more(beginning) and file.read(MAX_LINE)):
            beginning += more
    return read_form(beginning, encoding, count)


def _ask_more(beginning: bytes) -> bool:
    """Whether not even the first line is whole."""
    return b"\n" not in beginning and b"\r" not in beginning and len(beginning) >= BEGINNING


def read_form(beginning: bytes, encoding: Encoding | None, count: Count) -> CsvForm:
    """Of a file that begins like this, unpacked and without a mark."""
    line = beginning.partition(b"\n")[0]
    if len(line) > MAX_LINE:
        raise NoHeader("long")
    encoding = encoding or find_encoding(beginning)
    found: list[tuple[tuple[int, int], CsvForm]] = []
    for separator in SEPARATORS:
        try:
            header, lines = _read_header(_decode_lines(beginning, encoding), separator)
        except csv.Error:
            raise NoHeader("unreadable") from None
        if not header:
            raise NoHeader("none" if beginning.strip() else "empty")
        known = count(header)
        form = CsvForm(header, line, lines, separator, encoding)
        found.append(((known, 0 if known else len(header)), form))
    return max(found, key=lambda one: one[0])[1]


def _read_header(lines: Iterable[str], separator: str) -> tuple[list[str], int]:
    csv.field_size_limit(MAX_LINE)
    reader = csv.reader(lines, delimiter=separator)
    return next(reader, []), reader.line_num


def _decode_lines(beginning: bytes, encoding: Encoding) -> Iterator[str]:
    return (decode_loosely(one[0], encoding) for one in LINE.finditer(beginning))


def count_among(names: Iterable[str], fold: Callable[[str], str]) -> Count:
    """Counts columns that have one of the names, or are spelt like it."""
    known = {*names}
    if not known:
        return lambda _: 1
    folded = {fold(one) for one in known} - {""}
    return lambda columns: len(
        {one for one in columns if one in known} | {fold(one) for one in columns} & folded
    )


def list_lines(path: Path, count: int) -> list[bytes]:
    """The first lines of a file, without their ends, as far as they are in its beginning."""
    with open_text(path) as file:
        beginning = file.read(BEGINNING)
    return [one.rstrip(b"\r") for one in islice(beginning.split(b"\n"), count)]
