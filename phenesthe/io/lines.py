"""Results as text: JSON lines and CSV, built column by column.

JSON is UTF-8 with `json.dumps`'s separators. It has no number for NaN and the infinities: they
are written as "NaN", "Infinity" and "-Infinity", which a float input also reads.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.arrow import make_text, pack, wrap
from phenesthe.check.program import Signature
from phenesthe.io.codes import code_rows, encode_column
from phenesthe.io.columns import list_times
from phenesthe.io.rejects import name_float
from phenesthe.io.times import format_times
from phenesthe.vocabulary import Unit

Times: TypeAlias = Literal["int", "iso"]
#: The columns that a windowed run adds, and how they are typed in Parquet; None is a time.
VERSION: dict[str, Any] = {"query": None, "change": pa.string(), "was": None}
_ROWS = 100_000
# `json` only escapes the controls below U+0020; a terminal obeys these too.
_UNSAFE = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def make_header(version: Sequence[str] = ()) -> bytes:
    """The first line of a CSV file."""
    return ",".join(("name", "kind", "args", "t", "ts", "te", *version)).encode() + b"\n"


def list_version(table: Any) -> list[str]:
    """Which of the columns that a windowed run adds a table has."""
    return [name for name in VERSION if name in table.column_names]


def sort_rows(table: Any) -> Any:
    """By the arguments, then the times: numbers by size, text by code points, null last."""
    codes = code_rows(table.columns, table.num_rows)
    if (codes[1:] >= codes[:-1]).all():
        return table
    return table.take(wrap(np.argsort(codes, kind="stable")))


def write_jsonl(signature: Signature, table: Any, unit: Unit, times: Times) -> Iterator[Any]:
    """The lines of one phenomenon, in buffers."""
    head = json.dumps({"name": signature.name, "kind": signature.kind})[:-1]
    for part in _cut(table):
        pieces: list[Any] = [head + ', "args": ', join_arguments(signature, part)]
        for name in list_times(signature):
            text = show_times(part[name], unit, times)
            if times == "iso":
                text = _join('"', text, '"')
            pieces += [f', "{name}": ', text]
        pieces += _show_version(part, unit, times)
        yield _take_bytes(_join(*pieces, "}\n", null="null"))


def _show_version(table: Any, unit: Unit, times: Times) -> list[Any]:
    """What a windowed run adds: the query, what it changed, and of the revised what was."""
    shown: list[Any] = []
    quote = '"' if times == "iso" else ""
    if "query" in table.column_names:
        shown += [f', "query": {quote}', show_times(table["query"], unit, times), quote]
    if "change" in table.column_names:
        shown += [', "change": "', table["change"], '"']
        was = _join(quote, show_times(table["was"], unit, times), quote)
        revised = pc.equal(table["change"], make_text("revised", pa.string()))
        shown.append(pc.if_else(revised, _join(', "was": ', was, null="null"), make_text("")))
    return shown


def write_csv(signature: Signature, table: Any, unit: Unit, times: Times) -> Iterator[Any]:
    for part in _cut(table):
        arguments = pc.replace_substring(join_arguments(signature, part), '"', '""')
        pieces: list[Any] = [f'{signature.name},{signature.kind},"', arguments, '"']
        for name in ("t", "ts", "te"):
            pieces.append(",")
            if name in list_times(signature):
                pieces.append(show_times(part[name], unit, times))
        for name in list_version(part):
            text = part[name] if name == "change" else show_times(part[name], unit, times)
            pieces += [",", text]
        yield _take_bytes(_join(*pieces, "\n", null=""))


def join_arguments(signature: Signature, table: Any) -> Any:
    """The arguments of each row as the text of a JSON array."""
    pieces: list[Any] = ["["]
    for number, name in enumerate(signature.arguments):
        pieces += [", ", show_values(table[name])] if number else [show_values(table[name])]
    if len(pieces) == 1:
        return pa.repeat(make_text("[]"), table.num_rows)
    return _join(*pieces, "]")


def show_values(column: Any) -> Any:
    given = column.type
    if pa.types.is_integer(given):
        return column.cast(pa.string())
    if pa.types.is_boolean(given):
        return pc.if_else(column, make_text("true"), make_text("false"))
    return _show_distinct(column, _show_float if pa.types.is_floating(given) else _show_text)


def show_times(column: Any, unit: Unit, times: Times) -> Any:
    return format_times(column, unit) if times == "iso" else column.cast(pa.string())


def _show_float(value: float) -> str:
    return repr(value) if math.isfinite(value) else f'"{name_float(value)}"'


def _show_text(value: str) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _show_distinct(column: Any, show: Callable[[Any], str]) -> Any:
    places, distinct = encode_column(column)
    shown = pack([show(one) for one in distinct.to_pylist()], pa.string())
    return shown.cast(pa.large_string()).take(wrap(places))


def _cut(table: Any) -> Iterator[Any]:
    for start in range(0, table.num_rows, _ROWS):
        yield table.slice(start, _ROWS).combine_chunks()


def _join(*pieces: Any, null: str | None = None) -> Any:
    """Texts and columns of text, one after the other, `null` in place of null."""
    wide = [make_text(one) if isinstance(one, str) else _widen(one) for one in pieces]
    return pc.binary_join_element_wise(
        *wide,
        make_text(""),
        null_handling="emit_null" if null is None else "replace",
        null_replacement=null or "",
    )


def _widen(column: Any) -> Any:
    """One array whose offsets have 64 bits: the text of many rows may be longer than 2 GB."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    return column.cast(pa.large_string())


def _take_bytes(column: Any) -> Any:
    """The texts of a column as they lie in memory, one behind the other."""
    _, offsets, data = column.buffers()
    end = np.frombuffer(offsets, dtype=np.int64)[column.offset + len(column)]
    return data.slice(0, int(end))
