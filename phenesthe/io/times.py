"""Times: integers, timestamps and ISO 8601 text, to ticks of the program's unit and back.

Without a zone a time is UTC. What is finer than the unit is rounded down, before 1970 too. Years
outside 0000…9999 are written with a sign and at least six digits (`-000044-03-15T12:00:00Z`), so
that every time a program can hold has a text, and every such text is read back.
"""

import re
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.arrow import make_text, mark_nulls, pack, to_ints, wrap
from phenesthe.vocabulary import Unit

TICKS_PER_SECOND: dict[Unit, int] = {"second": 1, "millisecond": 1_000, "microsecond": 1_000_000}
ARROW_UNITS: dict[Unit, str] = {"second": "s", "millisecond": "ms", "microsecond": "us"}
PER_SECOND = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}

#: Every accepted time is nearer to 0 than this, so that the difference of two fits into 64 bits.
LIMIT = 2**62

_INTEGER = re.compile(r"[+-]?\d+", re.ASCII)
_ISO = re.compile(
    r"(?P<year>\d{4}|[+-]\d{4,12})-(?P<month>\d\d)-(?P<day>\d\d)"
    r"(?:[T ](?P<hour>\d\d)(?::(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<fraction>\d+))?)?)?"
    r"(?P<zone>Z|z|[+-]\d\d(?::?\d\d)?)?)?",
    re.ASCII,
)
_FIRST_SECOND, LAST_SECOND = -62_167_219_200, 253_402_300_799  # of the years 0000 and 9999
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def read_time(text: str, unit: Unit) -> int:
    """A whole number of ticks, or an ISO 8601 date and time. Raises ValueError for other text.

    The result may be outside `LIMIT`.
    """
    text = text.strip()
    if _INTEGER.fullmatch(text):
        return int(text)
    found = _ISO.fullmatch(text)
    if found is None:
        raise ValueError(f"`{text}` is neither an integer nor an ISO 8601 time")
    year, month, day = int(found["year"]), int(found["month"]), int(found["day"])
    hour, minute, second = (int(found[part] or 0) for part in ("hour", "minute", "second"))
    zone = _read_zone(found["zone"])
    if not (
        1 <= month <= 12
        and 1 <= day <= _DAYS[month - 1] + (month == 2 and _is_leap(year))
        and hour <= 23
        and minute <= 59
        and second <= 59
        and zone is not None
    ):
        raise ValueError(f"`{text}` is no date and time of the calendar")
    seconds: int = (
        count_days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - zone
    )
    scale = TICKS_PER_SECOND[unit]
    digits = len(str(scale)) - 1
    return seconds * scale + int((found["fraction"] or "")[:digits].ljust(digits, "0") or 0)


def _read_zone(text: str | None) -> int | None:
    """Seconds east of UTC; None where there is no such zone."""
    if text is None or text in "Zz":
        return 0
    hours, minutes = int(text[1:3]), int(text[3:].lstrip(":") or 0)
    if hours > 23 or minutes > 59:
        return None
    return (hours * 3_600 + minutes * 60) * (-1 if text[0] == "-" else 1)


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def count_days(year: Any, month: Any, day: Any) -> Any:
    """Days since 1970-01-01, for any year, or for arrays of them.

    A year is counted from March: leap days come last.
    """
    year = year - (month <= 2)
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return (
        era * 146_097
        + year_of_era * 365
        + year_of_era // 4
        - year_of_era // 100
        + (day_of_year - 719_468)
    )


def _find_date(days: int) -> tuple[int, int, int]:
    era, day_of_era = divmod(days + 719_468, 146_097)
    year_of_era = (
        day_of_era - day_of_era // 1_460 + day_of_era // 36_524 - day_of_era // 146_096
    ) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9
    return era * 400 + year_of_era + (month <= 2), month, day_of_year - (153 * shifted + 2) // 5 + 1


def format_time(ticks: int, unit: Unit) -> str:
    """`2022-01-03T00:00:00Z`, with three or six digits of a second for the finer units."""
    scale = TICKS_PER_SECOND[unit]
    seconds, rest = divmod(ticks, scale)
    days, second = divmod(seconds, 86_400)
    year, month, day = _find_date(days)
    shown = f"{year:04}" if 0 <= year <= 9_999 else f"{year:+07}"
    fraction = f".{rest:0{len(str(scale)) - 1}}" if scale > 1 else ""
    clock = f"{second // 3_600:02}:{second // 60 % 60:02}:{second % 60:02}"
    return f"{shown}-{month:02}-{day:02}T{clock}{fraction}Z"


def format_times(column: Any, unit: Unit) -> Any:
    """The same for a whole column of ticks; nulls stay null."""
    scale = TICKS_PER_SECOND[unit]
    ends = pc.min_max(column).as_py()
    if ends["min"] is None or (
        ends["min"] >= _FIRST_SECOND * scale and ends["max"] < (LAST_SECOND + 1) * scale
    ):
        text = column.cast(pa.timestamp(ARROW_UNITS[unit])).cast(pa.string())
        text = pc.binary_replace_slice(text, 10, 11, "T")
        end, nothing = (make_text(one, pa.string()) for one in ("Z", ""))
        return pc.binary_join_element_wise(text, end, nothing)
    texts = [None if one is None else format_time(one, unit) for one in column.to_pylist()]
    return pack(texts, pa.string())


def scale_ticks(column: Any, per_second: int, unit: Unit) -> tuple[Any, np.ndarray | None]:
    """An int64 column of counts, `per_second` of them a second, as ticks rounded down.

    Also which rows are too far from 1970 to be counted (None: no row); those become 0.
    """
    scale = TICKS_PER_SECOND[unit]
    if per_second == scale:
        return column, None
    empty = mark_nulls(column) if column.null_count else None
    counts = to_ints(column)
    far = None
    if per_second > scale:
        counts = counts // (per_second // scale)
    else:
        factor = scale // per_second
        bound = LIMIT // factor
        if len(counts) and (counts.min() < -bound or counts.max() > bound):
            far = (counts < -bound) | (counts > bound)
            counts = np.where(far, 0, counts)
        counts = counts * factor
    return pa.chunked_array([wrap(counts, empty)]), far


def scale_timestamps(column: Any, unit: Unit) -> tuple[Any, np.ndarray | None]:
    """Timestamps count from 1970 in UTC whatever their zone, so no zone database is needed."""
    return scale_ticks(column.cast(pa.int64()), PER_SECOND[column.type.unit], unit)


def scale_dates(column: Any, unit: Unit) -> tuple[Any, np.ndarray | None]:
    """Dates begin at midnight UTC. A date64 counts milliseconds, a date32 days."""
    if pa.types.is_date64(column.type):
        return scale_ticks(column.cast(pa.int64()), 1_000, unit)
    days = column.cast(pa.int32())
    empty = mark_nulls(days)
    return scale_ticks(pa.chunked_array([wrap(to_ints(days) * 86_400, empty)]), 1, unit)
