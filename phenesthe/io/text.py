"""Columns of text, as CSV has them, and ISO times, to declared types.

Whole columns are cast by Arrow. Only where it refuses one are the different texts of the column
read one by one, by rules that agree with Arrow's where both accept. Blanks around a number, a
time, `true` and `false` are ignored; `true` and `false` may be in capitals.
"""

import math
import re
from collections.abc import Callable, Iterator
from typing import Any, assert_never

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.arrow import mark_nulls, pack, to_bools, to_ints, wrap
from phenesthe.files.text import Encoding, decode
from phenesthe.io.codes import encode_column
from phenesthe.io.columns import (
    TYPES,
    Fit,
    Reason,
    Unfit,
    add_problems,
    fit_each,
    mark_far,
    mark_unreadable,
)
from phenesthe.io.time_format import TimeFormat
from phenesthe.io.times import LIMIT, read_time, scale_timestamps
from phenesthe.vocabulary import INT_MAX, INT_MIN, Unit, ValueType

_INTEGER = re.compile(r"([+-]?\d+)(?:\.0*)?", re.ASCII)
#: What spreadsheets and data frames make of a whole number: `219000001.0`.
_POINT = r"^\s*([+-]?\d+)\.0*\s*$"
#: Values that tell what a column is like.
_FEW = 100
_NUMBER = re.compile(
    r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|nan)", re.ASCII | re.IGNORECASE
)


def fit_text(column: Any, declared: ValueType) -> Fit:
    match declared:
        case "str":
            return Fit(column)
        case "bool":
            return _fit_bools(column)
        case "int":
            return _cast_whole(column) or _fit_distinct(column, TYPES["int"], read_int)
        case "float":
            return _cast_floats(column) or _fit_distinct(column, TYPES["float"], read_float)
        case _:
            assert_never(declared)


def fit_text_times(column: Any, unit: Unit, form: TimeFormat | None = None) -> Fit:
    """Times of the form given, or of none: what is in neither is of a wrong type."""
    if form is None:
        return _fit_usual_times(column, unit)
    told = form.read(column, unit)
    left = mark_nulls(told) & ~mark_nulls(column)
    if not left.any():
        return mark_far(told, None)
    rest = _fit_usual_times(column.filter(wrap(left)), unit)
    ticks, empty = to_ints(told).copy(), mark_nulls(told)
    ticks[left], empty[left] = to_ints(rest.values), mark_nulls(rest.values)
    problems = np.zeros(len(left), dtype=np.int8)
    problems[left] = 0 if rest.problems is None else rest.problems
    return add_problems(mark_far(pa.chunked_array([wrap(ticks, empty)]), None), problems)


def _fit_usual_times(column: Any, unit: Unit) -> Fit:
    """Integers, or ISO times that all have a zone or all have none; else one by one."""
    ticks = _cast_whole(column)
    if ticks is not None:
        return mark_far(ticks.values, None)
    for target in (pa.timestamp("us"), pa.timestamp("us", "UTC")):
        try:
            return mark_far(*scale_timestamps(column.cast(target), unit))
        except pa.ArrowInvalid:
            continue
    return _fit_distinct(column, pa.int64(), lambda text: read_tick(text, unit))


def decode_text(column: Any, encoding: Encoding = "utf-8") -> Fit:
    """Bytes as text."""
    try:
        return Fit(column.cast(pa.string()))
    except pa.ArrowInvalid:
        return fit_each(column.to_pylist(), pa.string(), lambda one: _decode(one, encoding))


def _decode(value: bytes, encoding: Encoding) -> str:
    try:
        return decode(value, encoding)
    except UnicodeDecodeError:
        raise Unfit(Reason.WRONG_TYPE) from None


def read_int(text: str) -> int:
    # The length keeps Python from refusing numbers of thousands of digits in its own words.
    found = _INTEGER.fullmatch(text.strip()) if len(text) <= 1_000 else None
    if found is None or not INT_MIN <= int(found[1]) <= INT_MAX:
        raise Unfit(Reason.WRONG_TYPE)
    return int(found[1])


def read_float(text: str) -> float:
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        raise Unfit(Reason.WRONG_TYPE)
    value = float(text)
    if math.isinf(value) and "inf" not in text.lower():
        raise Unfit(Reason.WRONG_TYPE)  # too large for a float
    return value


def read_tick(text: str, unit: Unit) -> int:
    try:
        ticks = read_time(drop_point(text), unit)
    except ValueError:
        raise Unfit(Reason.WRONG_TYPE) from None
    if not -LIMIT < ticks < LIMIT:
        raise Unfit(Reason.TIME_OUT_OF_RANGE)
    return ticks


def drop_point(text: str) -> str:
    """A whole number without its `.0`."""
    return re.sub(_POINT, r"\1", text, flags=re.ASCII)


def drop_points(column: Any) -> Any:
    """The same for a whole column of text."""
    return pc.replace_substring_regex(column, _POINT, r"\1")


def _cast_whole(column: Any) -> Fit | None:
    found = _cast(column, pa.int64())
    if found is None and pc.any(pc.match_substring_regex(column.slice(0, _FEW), _POINT)).as_py():
        found = _cast(drop_points(column), pa.int64())
    return found


def _cast_floats(column: Any) -> Fit | None:
    """None also where there are infinities: they may be numbers that no float holds."""
    found = _cast(column, pa.float64())
    return None if found is None or pc.any(pc.is_inf(found.values)).as_py() else found


def _cast(column: Any, target: Any) -> Fit | None:
    """The column as numbers if Arrow takes all of it, None if not.

    Arrow also reads `0x1F` and `nan(x)`, which are no numbers here.
    """
    for candidate in _with_and_without_blanks(column):
        try:
            values = candidate.cast(target)
        except pa.ArrowInvalid:
            continue
        strange = "xX" if target == pa.int64() else "("
        found = (pc.max(pc.find_substring(candidate, sign)).as_py() for sign in strange)
        return None if any(place is not None and place >= 0 for place in found) else Fit(values)
    return None


def _with_and_without_blanks(column: Any) -> Iterator[Any]:
    yield column
    yield pc.utf8_trim_whitespace(column)


def _fit_bools(column: Any) -> Fit:
    lower = pc.utf8_lower(pc.utf8_trim_whitespace(column))
    truth, lie = (
        to_bools(pc.is_in(lower, pack([word], pa.string()))) for word in ("true", "false")
    )
    known = truth | lie
    values = pa.chunked_array([wrap(truth, ~known)])
    return mark_unreadable(values, ~known & ~mark_nulls(column))


def _fit_distinct(column: Any, target: Any, read: Callable[[str], Any]) -> Fit:
    rows, distinct = encode_column(column)
    fit = fit_each(distinct.to_pylist(), target, read)
    places = wrap(np.maximum(rows, 0), rows < 0)
    values = pa.chunked_array([fit.values.chunk(0).take(places)])
    if fit.problems is None:
        return Fit(values)
    return Fit(values, np.where(rows < 0, np.int8(0), fit.problems[rows]))
