"""CSV files, as columns of bytes.

A CSV file is text with a header and double quotes; what stands between the fields is found out
from the header (`files.csv_form`). An empty field is null; a quoted empty field is the empty text,
which is a value of a `str` argument only.
"""

from codecs import BOM_UTF8
from collections.abc import Callable
from dataclasses import field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.files.clean_csv import CleanFile
from phenesthe.files.csv_form import Count, CsvForm, NoHeader, look_at_csv
from phenesthe.files.long_lines import LIMIT, MAX_LINE
from phenesthe.files.opening import open_source
from phenesthe.files.text import decode_loosely, is_plain_text, open_text
from phenesthe.frozen import dataclass
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


def look_at_file(path: Path, count: Count, label: str | None = None) -> CsvForm:
    """What a CSV file is. Raises `DataError` for one that is none."""
    try:
        return look_at_csv(path, count)
    except NoHeader as problem:
        raise refuse_header(label or str(path), problem) from None


def refuse_header(label: str, problem: NoHeader) -> DataError:
    match str(problem):
        case "long":
            reason = f"its first line is longer than {LIMIT}"
        case "empty":
            return DataError(
                f"`{label}` is empty",
                "write the names of the columns into its first line; that line alone is a table "
                "without rows",
            )
        case "none":
            return DataError(
                f"`{label}` has no header", "write the names of the columns into its first line"
            )
        case _:
            reason = "its first line cannot be read"
    return DataError(f"`{label}` is no CSV file: {reason}", _HEADER_HINT)


def read_csv(source: Path | pa.Buffer, columns: list[str], form: CsvForm, records: Records) -> Read:
    """The columns of these names, which the header has."""
    try:
        with _open(source) as file:
            return Read(parse(file, columns, form))
    except pa.ArrowInvalid:
        # Some record is broken, or longer than what Arrow reads at a time.
        return _read_broken(source, columns, form, records)


def _read_broken(
    source: Path | pa.Buffer, columns: list[str], form: CsvForm, records: Records
) -> Read:
    """The same where some records are no rows."""
    broken: list[tuple[int, str]] = []
    long: list[tuple[int, str]] = []

    def skip(number: int, text: bytes) -> None:
        broken.append((number, decode_loosely(text, form.encoding)))

    with _open(source) as opened:
        clean = CleanFile(opened, lambda *one: long.append(one), form.separator)
        file = pa.PythonFile(clean, mode="r")
        try:
            return Read(parse(file, columns, form, on_broken=skip), broken, long)
        except pa.ArrowInvalid:
            if next(records(), None) is not None:
                raise
            # Nothing but a header, without a newline say.
            return Read(pa.table({one: pa.nulls(0, pa.binary()) for one in columns}), [], long)


def parse(
    file: Any,
    columns: list[str],
    form: CsvForm,
    *,
    on_broken: Callable[[int, bytes], None] | None = None,
    is_text: bool = False,
    by_line: bool = False,
    quotes: bool = True,
) -> Any:
    """Columns of bytes. Raises `ArrowInvalid` at a broken record, if nobody takes those.

    Arrow shows a broken record as text, and stops where it is none. In Latin-1 everything is text,
    so unless it is known to be UTF-8 it is taken to be that, and what came of it made bytes again.
    """
    from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions
    from pyarrow.csv import read_csv as read

    def skip(record: Any) -> str:
        assert on_broken is not None
        on_broken(record.number, record.text.encode("utf8" if is_text else "latin-1"))
        return "skip"

    # In one thread, which alone counts records and meets them in order; and with room for the
    # longest, since none may be longer than what is read at a time.
    careful: dict[str, Any] = {"use_threads": False, "block_size": _BLOCK}
    if not is_text:
        careful["encoding"] = "latin-1"
    # By their places: names may be in any encoding, or occur twice.
    places = [str(form.header.index(one)) for one in columns]
    table = read(
        file,
        read_options=ReadOptions(
            column_names=[str(at) for at in range(len(form.header))],
            skip_rows=form.lines,
            **({} if on_broken is None else careful),
        ),
        parse_options=ParseOptions(
            delimiter=form.separator,
            quote_char='"' if quotes else False,
            newlines_in_values=not by_line,
            invalid_row_handler=None if on_broken is None else skip,
        ),
        convert_options=ConvertOptions(
            include_columns=places,
            column_types=dict.fromkeys(places, pa.binary()),
            strings_can_be_null=True,
            null_values=[""],
            quoted_strings_can_be_null=False,
        ),
    )
    if on_broken is None or is_text:
        return table.rename_columns(columns)
    return pa.table([_restore(one) for one in table.columns], names=columns)


def _open(source: Path | pa.Buffer) -> Any:
    """A file behind its byte order mark."""
    if not isinstance(source, Path):
        return pa.BufferReader(source)
    if not is_plain_text(source):
        return pa.PythonFile(open_text(source), mode="r")
    file = open_source(source)
    if file.read(len(BOM_UTF8)) != BOM_UTF8:
        file.seek(0)
    return file


def _restore(column: Any) -> Any:
    """The bytes that were taken for Latin-1."""
    text = column.cast(pa.string())
    if pc.all(pc.string_is_ascii(text)).as_py() is not False:
        return column
    values = (None if one is None else one.encode("latin-1") for one in text.to_pylist())
    return pa.chunked_array([pa.array(values, pa.binary())])
