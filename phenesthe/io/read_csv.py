"""CSV files, as columns of bytes.

CSV is UTF-8 with a header, commas and double quotes. An empty field is null; a quoted empty field
is the empty text, which is a value of a `str` argument only.
"""

import csv
from codecs import BOM_UTF8
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.files.clean_csv import CleanFile, clean_text
from phenesthe.files.long_lines import LIMIT, MAX_LINE
from phenesthe.files.opening import open_source
from phenesthe.io.errors import DataError
from phenesthe.io.rows import Records

_BLOCK = MAX_LINE + 2**20
_HEADER_HINT = (
    "give a text file with a line for each row, and the names of the columns in the first"
)


@dataclass(frozen=True, slots=True)
class Read:
    """The columns as bytes, and the records that are no rows.

    Of one that has too few fields or too many, its number and its text; of one that is too long,
    its line and how it begins.
    """

    table: Any
    broken: list[tuple[int, str]] = field(default_factory=list)
    long: list[tuple[int, str]] = field(default_factory=list)


def read_header(path: Path) -> list[str]:
    def refuse(line: int, _text: str) -> None:
        if line == 1:
            raise DataError(
                f"`{path}` is no CSV file: its first line is longer than {LIMIT}", _HEADER_HINT
            )

    with open(path, "rb") as file:
        return parse_header(clean_text(file, refuse), str(path))


def parse_header(lines: Iterable[str], label: str, separator: str = ",") -> list[str]:
    csv.field_size_limit(MAX_LINE)
    try:
        header = next(csv.reader(lines, delimiter=separator), None)
    except csv.Error:
        # A line that something else than a newline ends.
        raise DataError(
            f"`{label}` is no CSV file: its first line cannot be read", _HEADER_HINT
        ) from None
    if not header:
        raise DataError(
            f"`{label}` has no header", "write the names of the columns into its first line"
        )
    return header


def read_csv(source: Path | pa.Buffer, columns: list[str], records: Records) -> Read:
    from pyarrow.csv import ParseOptions
    from pyarrow.csv import read_csv as read

    try:
        with _open(source) as file:
            parse = ParseOptions(newlines_in_values=True)
            return Read(read(file, convert_options=_choose(columns), parse_options=parse))
    except pa.ArrowInvalid:
        # Some record is broken, or longer than what Arrow reads at a time.
        return _read_broken(source, columns, records)


def _read_broken(source: Path | pa.Buffer, columns: list[str], records: Records) -> Read:
    """The same where some records are no rows.

    Arrow shows a broken record as text, and stops where it is none. In Latin-1 everything is text,
    so the file is taken to be that, and what came of it made bytes again.
    """
    from pyarrow.csv import ParseOptions, ReadOptions
    from pyarrow.csv import read_csv as read

    broken: list[tuple[int, str]] = []
    long: list[tuple[int, str]] = []

    def skip(record: Any) -> str:
        broken.append((record.number, record.text.encode("latin-1").decode(errors="replace")))
        return "skip"

    parse = ParseOptions(newlines_in_values=True, invalid_row_handler=skip)
    # In one thread, which alone counts records and meets them in order; and with room for the
    # longest, since none may be longer than what is read at a time.
    options = ReadOptions(use_threads=False, encoding="latin-1", block_size=_BLOCK)
    convert = _choose([one.encode().decode("latin-1") for one in columns])
    with _open(source) as opened:
        file = pa.PythonFile(CleanFile(opened, lambda *one: long.append(one)), mode="r")
        try:
            table = read(file, read_options=options, convert_options=convert, parse_options=parse)
        except pa.ArrowInvalid:
            if next(records(), None) is not None:
                raise
            # Nothing but a header, without a newline say.
            return Read(pa.table({one: pa.nulls(0, pa.binary()) for one in columns}), [], long)
    return Read(pa.table([_restore(one) for one in table.columns], names=columns), broken, long)


def _open(source: Path | pa.Buffer) -> Any:
    """A file behind its byte order mark."""
    file = open_source(source) if isinstance(source, Path) else pa.BufferReader(source)
    if file.read(len(BOM_UTF8)) != BOM_UTF8:
        file.seek(0)
    return file


def _choose(columns: list[str]) -> Any:
    from pyarrow.csv import ConvertOptions

    return ConvertOptions(
        include_columns=columns,
        column_types=dict.fromkeys(columns, pa.binary()),
        strings_can_be_null=True,
        null_values=[""],
        quoted_strings_can_be_null=False,
    )


def _restore(column: Any) -> Any:
    """The bytes that were taken for Latin-1."""
    text = column.cast(pa.string())
    if pc.all(pc.string_is_ascii(text)).as_py() is not False:
        return column
    values = (None if one is None else one.encode("latin-1") for one in text.to_pylist())
    return pa.chunked_array([pa.array(values, pa.binary())])
