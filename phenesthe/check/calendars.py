"""What the texts of calendar states mean: times of day, weekdays, dates, time zones."""

import re
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from pathlib import Path
from zoneinfo import TZPATH, available_timezones

from phenesthe.vocabulary import CALENDARS, CalendarName

DAY = 24 * 60 * 60
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
#: Of a year in which every date exists.
_LEAP_YEAR = 2000
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_TIME = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9]))?")
_DATE = re.compile(r"(?:([0-9]{4})-)?([0-9]{2})-([0-9]{2})")
_ANY_TIME = re.compile(
    r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d\d))?(?::(?P<second>\d\d))?\s*(?P<half>[ap])?\.?m?\.?",
    re.IGNORECASE,
)
_ANY_DATE = re.compile(r"(?P<year>\d{4}[-/.])?(?P<month>\d{1,2})[-/.](?P<day>\d{1,2})")


@dataclass(frozen=True, slots=True)
class Period:
    """From a first moment to a second one, in a time zone (empty: UTC), as numbers.

    daily: seconds since midnight; weekly: seconds since the midnight before Monday; yearly: month
    and day; dates: days since 1970-01-01. `always()` has neither.
    """

    first: tuple[int, ...] = ()
    second: tuple[int, ...] = ()
    zone: str = ""


class Misread(Exception):
    """Why a text cannot be read, the remedy, and what was probably meant."""

    def __init__(self, reason: str, hint: str, meant: str | None = None) -> None:
        super().__init__(reason)
        self.reason, self.hint, self.meant = reason, hint, meant


def read_period(name: CalendarName, arguments: Sequence[str]) -> Period:
    """Of texts that were found to be right."""
    if not CALENDARS[name]:
        return Period()
    first, second, *rest = arguments
    return Period(read_moment(name, first), read_moment(name, second), *rest)


def read_moment(name: CalendarName, text: str) -> tuple[int, ...]:
    """Raises `Misread`."""
    match name:
        case "daily":
            return (_read_time(text),)
        case "weekly":
            return (_read_weekday(text),)
        case "yearly":
            return _read_date(text)[1:]
        case "dates":
            year, month, day = _read_date(text, with_year=True)
            return (date(year, month, day).toordinal() - date(1970, 1, 1).toordinal(),)
        case "always":
            raise AssertionError("it has no moments")


def _read_time(text: str) -> int:
    found = _TIME.fullmatch(text)
    if found is None:
        raise Misread(
            f"`{text}` is no time of day",
            'write hours and minutes, `"22:00"`, or seconds too, `"22:00:30"`; '
            'midnight is `"00:00"`',
            _guess_time(text),
        )
    hour, minute, second = (int(one or 0) for one in found.groups())
    return (hour * 60 + minute) * 60 + second


def _guess_time(text: str) -> str | None:
    found = _ANY_TIME.fullmatch(text.strip())
    if found is None:
        return None
    hour, half = int(found["hour"]), (found["half"] or "").lower()
    if half:
        hour = hour % 12 + 12 * (half == "p") if 1 <= hour <= 12 else 99
    meant = f"{0 if hour == 24 else hour:02}:{found['minute'] or '00'}"
    meant += f":{found['second']}" if found["second"] else ""
    return meant if _is_time(meant) else None


def _is_time(text: str) -> bool:
    return _TIME.fullmatch(text) is not None


def _read_weekday(text: str) -> int:
    word, _, time = text.partition(" ")
    if word not in WEEKDAYS or not _is_time(time):
        day = word[:3].title()
        meant = time if _is_time(time) else _guess_time(time or "0")
        raise Misread(
            f"`{text}` is no day of the week with a time",
            f'write `"Sat 00:00"`: one of {", ".join(WEEKDAYS)}, and a time of day',
            f"{day} {meant}" if day in WEEKDAYS and meant is not None else None,
        )
    return WEEKDAYS.index(word) * DAY + _read_time(time)


def _read_date(text: str, *, with_year: bool = False) -> tuple[int, int, int]:
    """A date without a year is one of a leap year."""
    split = _split_date(text, with_year=with_year)
    if split is None:
        raise Misread(
            f"`{text}` is no date" if with_year else f"`{text}` is no day of the year",
            'write year, month and day: `"2026-03-01"`'
            if with_year
            else 'write month and day: `"03-01"` is the first of March',
            _guess_date(text, with_year=with_year),
        )
    year, month, day = split
    if year < 1 or not 1 <= month <= 12:
        what = "years are counted from 1" if year < 1 else f"there is no month {month}"
        meant = f"{text[:-5]}{day:02}-{month:02}"
        raise Misread(
            f"`{text}` is no date: {what}",
            "choose a year that there is" if year < 1 else "write the month first, then the day",
            meant if _is_date(meant, with_year=with_year) else None,
        )
    if not _is_date(text, with_year=with_year):
        named = _MONTHS[month - 1] + (f" {year}" if with_year else "")
        most = monthrange(year, month)[1]
        raise Misread(f"`{text}` is no date: {named} has {most} days", "choose a day that there is")
    return year, month, day


def _guess_date(text: str, *, with_year: bool) -> str | None:
    found = _ANY_DATE.fullmatch(text.strip())
    if found is None or (with_year and not found["year"]):
        return None
    meant = f"{int(found['month']):02}-{int(found['day']):02}"
    meant = f"{found['year'][:4]}-{meant}" if with_year else meant
    return meant if _is_date(meant, with_year=with_year) else None


def _split_date(text: str, *, with_year: bool) -> tuple[int, int, int] | None:
    found = _DATE.fullmatch(text)
    if found is None or (found[1] is not None) != with_year:
        return None
    return int(found[1] or _LEAP_YEAR), int(found[2]), int(found[3])


def _is_date(text: str, *, with_year: bool) -> bool:
    """Whether there is such a day. Guesses ask here, so that no guess asks for another."""
    split = _split_date(text, with_year=with_year)
    if split is None:
        return False
    year, month, day = split
    return year >= 1 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]


# Time zones


@cache
def list_zones() -> frozenset[str]:
    """The names that the time zone database of this machine has, or that of the package tzdata."""
    return frozenset(available_timezones())


def load_zone(name: str) -> bytes:
    """The rules of a zone, as the database has them. A name that `list_zones` has."""
    parts = name.split("/")
    for folder in TZPATH:
        file = Path(folder, *parts)
        if file.is_file():
            return file.read_bytes()
    return resources.files("tzdata").joinpath("zoneinfo", *parts).read_bytes()
