"""Columns of text or numbers as numbers, null where they are none. Nothing here raises."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.arrow import make_text, mark_nulls, pack, to_floats, to_ints, wrap
from phenesthe.io.text import drop_points
from phenesthe.io.time_format import TimeFormat
from phenesthe.io.times import read_time, scale_dates, scale_timestamps

# What Arrow itself reads, so that a bad neighbour changes nothing.
_FLOAT = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$"
_WHOLE = r"^(-?\d{1,18}|[1-8]\d{18}|0[xX][0-9a-fA-F]{1,15})$"
_ISO = r"^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d([.,]\d+)?(Z|z|\+00(:?00)?)?$"
_SECONDS = r"^\d{1,11}\.\d+$"
_DAYS_FIRST = TimeFormat("%d/%m/%Y %H:%M:%S")

#: A count this large is of milliseconds, microseconds, nanoseconds: in seconds it would be later
#: than the year 5000, and in the finer unit it is later than 1973.
_FINER = ((10**17, 10**9), (10**14, 10**6), (10**11, 10**3))


def read_floats(column: Any) -> Any:
    """A float64 column; what is no finite number is null."""
    if _is_text(column.type):
        column = _read_text(_trim(column), _FLOAT, pa.float64())
    elif not _is_number(column.type):
        return pa.chunked_array([pa.nulls(len(column), pa.float64())])
    values = column.cast(pa.float64(), safe=False)
    filled = to_floats(pc.fill_null(values, wrap(np.array([np.nan]))[0]))
    return pa.chunked_array([wrap(filled, ~np.isfinite(filled))])


def read_whole(column: Any) -> Any:
    """An int64 column; what is no whole number is null."""
    if _is_text(column.type):
        return _read_whole(_trim(column))
    if pa.types.is_integer(column.type):
        return column.cast(pa.int64(), safe=False)
    values = to_floats(pc.fill_null(read_floats(column), wrap(np.array([np.nan]))[0]))
    odd = ~(np.abs(values) < 2**53)
    whole = np.where(odd, 0, values).astype(np.int64)
    return pa.chunked_array([wrap(whole, odd | (whole != values))])


def read_times(column: Any, *, days_first: bool, form: TimeFormat | None = None) -> Any:
    """Seconds since 1970: of timestamps, dates, counts of any usual unit, and text."""
    if pa.types.is_timestamp(column.type):
        return scale_timestamps(column, "second")[0]
    if pa.types.is_date(column.type):
        return scale_dates(column, "second")[0]
    if not _is_text(column.type):
        if not pa.types.is_integer(column.type):
            floats = to_floats(pc.fill_null(read_floats(column), wrap(np.array([np.nan]))[0]))
            odd = ~(np.abs(floats) < 2**62)
            column = pa.chunked_array([wrap(np.floor(np.where(odd, 0, floats)).astype(int), odd)])
        return _scale_counts(column.cast(pa.int64(), safe=False))
    text = _trim(column)
    if form is not None:
        told = form.read(text, "second")
        return _read_text_times(text, told) if told.null_count else told
    if days_first:
        return _DAYS_FIRST.read(text, "second")
    return _read_text_times(text, None)


def _read_text_times(text: Any, told: Any | None) -> Any:
    """Counts and ISO 8601, where nothing is told yet."""
    counts = _scale_counts(_read_whole(text))
    if told is not None:
        counts = pc.coalesce(told, counts)
    if counts.null_count:
        parts = pc.floor(_blank(text, _SECONDS).cast(pa.float64()))
        counts = pc.coalesce(counts, parts.cast(pa.int64()))
    return _read_iso(text, counts) if counts.null_count else counts


def _read_iso(text: Any, counts: Any) -> Any:
    """What is not yet read: UTC in the usual form at once, the rest one by one."""
    plain = pc.utf8_slice_codeunits(_blank(text, _ISO), 0, 19)
    try:
        read = plain.cast(pa.timestamp("s")).cast(pa.int64())
    except pa.ArrowInvalid:
        # Some day that the calendar does not have.
        read = pa.chunked_array([pa.nulls(len(text), pa.int64())])
    values = pc.coalesce(counts, read)
    left = np.flatnonzero(mark_nulls(values) & ~mark_nulls(text))
    if not len(left):
        return values
    numbers, empty = to_ints(values).copy(), mark_nulls(values)
    for at, one in zip(left.tolist(), text.take(wrap(left)).to_pylist(), strict=True):
        try:
            numbers[at] = read_time(one, "second")
            empty[at] = abs(numbers[at]) >= 10**11
        except (ValueError, OverflowError):
            continue
    return pa.chunked_array([wrap(numbers, empty)])


def _read_whole(text: Any) -> Any:
    found = _read_text(text, _WHOLE, pa.int64())
    if found.null_count > text.null_count:
        found = pc.coalesce(found, _read_text(drop_points(text), _WHOLE, pa.int64()))
    return found


def _scale_counts(column: Any) -> Any:
    empty, counts = mark_nulls(column), to_ints(column)
    size = np.abs(counts)
    divisor = np.select([size >= one for one, _ in _FINER], [by for _, by in _FINER], 1)
    return pa.chunked_array([wrap(counts // divisor, empty)])


def _read_text(text: Any, pattern: str, target: Any) -> Any:
    try:
        return text.cast(target)
    except pa.ArrowInvalid:
        return _blank(text, pattern).cast(target)


def _blank(text: Any, pattern: str) -> Any:
    """Null where the text does not fit."""
    fits = pc.match_substring_regex(text, pattern)
    return pc.if_else(fits, text, pa.nulls(1, pa.string())[0])


def _trim(column: Any) -> Any:
    text = pc.utf8_trim_whitespace(column.cast(pa.string()))
    return pc.if_else(
        pc.equal(text, make_text("", pa.string())), pack([None], pa.string())[0], text
    )


def _is_text(kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_number(kind: Any) -> bool:
    return bool(
        pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    )
