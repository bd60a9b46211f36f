"""Periods of a calendar in local time, and when a clock that is sometimes put forward shows it.

Times are seconds since 1970, local ones as if the clock had always been what it shows.
"""

from typing import Literal

import numpy as np

from phenesthe.kernels.arrays import OPEN, Array, Mask, join_columns

DAY = 24 * 60 * 60
#: The Monday before 1970 began.
_MONDAY = -3 * DAY
Form = Literal["daily", "weekly", "yearly", "dates"]
#: Longer than any period, and than a clock can be wrong.
_MARGIN = {"daily": 3, "weekly": 9, "yearly": 370, "dates": 0}


def list_periods(
    form: Form, first: tuple[int, ...], second: tuple[int, ...], least: int, most: int
) -> tuple[Array, Array]:
    """The local beginnings and ends of all periods that can share an instant with [least, most].

    A period goes from its first moment to the second one of the same day, week or year, or of the
    next where that comes first. Moments are seconds of the day or the week, months and days, or
    days since 1970.
    """
    low, high = least // DAY - _MARGIN[form], most // DAY + _MARGIN[form]
    match form:
        case "daily":
            days = np.arange(low, high + 1, dtype=np.int64) * DAY
            return _repeat(days, DAY, first[0], second[0])
        case "weekly":
            weeks = np.arange(low // 7, high // 7 + 1, dtype=np.int64) * (7 * DAY) + _MONDAY
            return _repeat(weeks, 7 * DAY, first[0], second[0])
        case "yearly":
            years = np.arange(_find_year(low), _find_year(high) + 1, dtype=np.int64)
            later = years + (second < first)
            # The second date ends with its day.
            return _find_day(years, *first) * DAY, (_find_day(later, *second) + 1) * DAY
        case "dates":
            begin = np.array(first, dtype=np.int64) * DAY
            return begin, (np.array(second, dtype=np.int64) + 1) * DAY


def _repeat(bases: Array, length: int, first: int, second: int) -> tuple[Array, Array]:
    return bases + first, bases + second + (length if second < first else 0)


def _find_year(day: int) -> int:
    return int(np.datetime64(day, "D").astype("datetime64[Y]").astype(np.int64)) + 1970


def _find_day(years: Array, month: int, day: int) -> Array:
    """Days since 1970; the day after the last of February is the first of March."""
    months = ((years - 1970) * 12 + month - 1).astype("datetime64[M]")
    found: Array = months.astype("datetime64[D]").astype(np.int64) + (day - 1)
    return found


def find_shown(local: Array, at: Array, ahead: Array) -> Array:
    """When a clock first shows these local times, or the next time it shows if it skips one.

    From the instant `at[i]` on it is `ahead[i]` seconds ahead of UTC; the first instant counts as
    if it were before all others. Put back, it shows some times twice, and the first one counts.
    """
    shown: Array
    if len(at) == 1:
        shown = local - ahead[0]
        return shown
    reached = np.maximum.accumulate(at[1:] + ahead[:-1])
    part = np.searchsorted(reached, local, side="right")
    shown = local - ahead[part]
    return np.maximum(shown, np.where(part > 0, at[part], shown))


def choose_shared(begin: Array, end: Array, first: int, q: int) -> Mask:
    """Which periods are some time long and share an instant with the timeline."""
    return (begin < end) & (end >= first) & (begin <= q)


def join_touching(begin: Array, end: Array) -> tuple[Array, Array]:
    """What shares an instant becomes one."""
    if not len(begin):
        return begin, end
    by = np.argsort(begin, kind="stable")
    begin, reach = begin[by], np.maximum.accumulate(end[by])
    is_first = np.ones(len(begin), dtype=np.bool_)
    is_first[1:] = begin[1:] > reach[:-1]
    starts = np.flatnonzero(is_first)
    return begin[starts], reach[join_columns(starts[1:] - 1, np.array([len(begin) - 1]))]


def hide_future(end: Array, q: int) -> Array:
    """An end that is not known yet is open."""
    return np.where(end > q, OPEN, end)
