"""Columns of Arrow types, as Parquet files and tables in memory have them, to declared types.

| declared | taken as it is, or cast |
|---|---|
| int | integers of any width; floats and decimals without a fraction |
| float | floats of any width; integers and decimals, as the nearest float |
| str | strings of any layout; bytes that are UTF-8 |
| bool | booleans |
| a time | the same as int; timestamps with or without a zone, dates; text, integer or ISO 8601 |

Everything else is of a wrong type, row by row. NaN and infinities are values of a float.
"""

import math
from decimal import Decimal
from typing import Any, assert_never

import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.arrow import mark_nulls
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
from phenesthe.io.text import decode_text, fit_text_times
from phenesthe.io.time_format import TimeFormat
from phenesthe.io.times import scale_dates, scale_timestamps
from phenesthe.vocabulary import INT_MAX, INT_MIN, Unit, ValueType

_types = pa.types
_TEXTS = (
    _types.is_string,
    _types.is_large_string,
    _types.is_string_view,
    _types.is_binary,
    _types.is_large_binary,
    _types.is_binary_view,
    _types.is_fixed_size_binary,
)


def fit_typed(column: Any, declared: ValueType) -> Fit:
    column = unpack(column)
    given = column.type
    if _types.is_null(given):
        return Fit(column.cast(TYPES[declared]))
    match declared:
        case "int":
            return _fit_ints(column)
        case "float":
            # Not checked for exactness: the nearest float is what a user means by a number.
            if _types.is_floating(given) or _types.is_integer(given) or _types.is_decimal(given):
                return Fit(column.cast(pa.float64(), safe=False))
        case "str":
            return _fit_strings(column)
        case "bool":
            if _types.is_boolean(given):
                return Fit(column)
        case _:
            assert_never(declared)
    return _refuse(column, TYPES[declared])


def fit_typed_times(column: Any, unit: Unit, form: TimeFormat | None = None) -> Fit:
    column = unpack(column)
    given = column.type
    if _types.is_timestamp(given):
        return mark_far(*scale_timestamps(column, unit))
    if _types.is_date(given):
        return mark_far(*scale_dates(column, unit))
    if _is_text(given):
        text = _fit_strings(column)
        return add_problems(fit_text_times(text.values, unit, form), text.problems)
    ticks = Fit(column.cast(pa.int64())) if _types.is_null(given) else _fit_ints(column)
    return add_problems(mark_far(ticks.values, None), ticks.problems)


def unpack(column: Any) -> Any:
    """Dictionaries and runs as plain columns."""
    given = column.type
    if _types.is_dictionary(given):
        return column.cast(given.value_type)
    return pc.run_end_decode(column) if _types.is_run_end_encoded(given) else column


def _is_text(given: Any) -> bool:
    return any(is_one(given) for is_one in _TEXTS)


def _fit_ints(column: Any) -> Fit:
    given = column.type
    if _types.is_int64(given):
        return Fit(column)
    if not (_types.is_integer(given) or _types.is_floating(given) or _types.is_decimal(given)):
        return _refuse(column, pa.int64())
    try:
        return Fit(column.cast(pa.int64()))
    except pa.ArrowInvalid:
        return fit_each(column.to_pylist(), pa.int64(), _read_exactly)


def _read_exactly(value: int | float | Decimal) -> int:
    if not math.isfinite(value) or value != int(value) or not INT_MIN <= value <= INT_MAX:
        raise Unfit(Reason.WRONG_TYPE)
    return int(value)


def _fit_strings(column: Any) -> Fit:
    """Arrow does not look into strings it reads, but a broken one would fail far from here."""
    if not _is_text(column.type):
        return _refuse(column, pa.string())
    if _types.is_string(column.type):
        try:
            column.validate(full=True)
        except pa.ArrowInvalid:
            return decode_text(column.cast(pa.binary()))
        return Fit(column)
    if _types.is_large_string(column.type) or _types.is_string_view(column.type):
        column = column.cast(pa.large_binary())
    return decode_text(column)


def _refuse(column: Any, target: Any) -> Fit:
    given = ~mark_nulls(column)
    return mark_unreadable(pa.chunked_array([pa.nulls(len(column), target)]), given)
