"""Calendar states, moment by moment, with the clocks of `datetime` alone.

"from each first moment to the next second one": whether that is one of the same day, week or year
follows from how the two are written.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo

from phenesthe.syntax.tree import Calendar
from tests.reference.intervals import OPEN, Interval, coalesce

EPOCH = datetime(1970, 1, 1)
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def find_calendar(calendar: Calendar, first: int | None, q: int, per_second: int) -> set[Interval]:
    """As known at q; `first` is the first instant of the timeline, if it has any."""
    if first is None or first > q:
        return set()
    if calendar.name == "always":
        # "the state `[first instant of the timeline of §3, ∞)`"
        return {(first, OPEN)}
    zone: tzinfo = ZoneInfo(calendar.arguments[2]) if len(calendar.arguments) > 2 else UTC
    low, high = (EPOCH + timedelta(seconds=t // per_second) for t in (first, q))
    held = set()
    for begin, end in list_local(calendar, low, high):
        a, b = (count_seconds(one, zone) * per_second for one in (begin, end))
        # "where both moments fall on one instant there is nothing"; "They hold on those of these
        # intervals that share an instant with the timeline, with their true start"
        if a < b and b >= first and a <= q:
            held.add((a, b))
    # "what touches is one interval"; "an interval that ends after q is seen as `[a, ∞)`"
    return {(a, OPEN if b > q else b) for a, b in coalesce(held)}


def list_local(
    calendar: Calendar, low: datetime, high: datetime
) -> Iterator[tuple[datetime, datetime]]:
    """First and second moments on the clock, of a time that begins and ends somewhat earlier and
    later."""
    first, second = calendar.arguments[:2]
    match calendar.name:
        case "daily":
            day = low.date() - timedelta(3)
            while day <= high.date() + timedelta(3):
                begin, end = (datetime.combine(day, time.fromisoformat(t)) for t in (first, second))
                yield begin, end if begin <= end else end + timedelta(1)
                day += timedelta(1)
        case "weekly":
            monday = low.date() - timedelta(low.weekday() + 14)
            while monday <= high.date() + timedelta(3):
                begin, end = (find_in_week(monday, moment) for moment in (first, second))
                yield begin, end if begin <= end else end + timedelta(7)
                monday += timedelta(7)
        case "yearly":
            for year in range(low.year - 2, high.year + 2):
                end = find_in_year(year if first <= second else year + 1, second)
                # "A date as the first moment is its midnight, as the second the midnight after it"
                yield find_in_year(year, first), end + timedelta(1)
        case "dates":
            begin, end = (
                datetime.combine(date.fromisoformat(day), time()) for day in (first, second)
            )
            yield begin, end + timedelta(1)


def find_in_week(monday: date, moment: str) -> datetime:
    day, clock = moment.split()
    return datetime.combine(monday + timedelta(WEEKDAYS.index(day)), time.fromisoformat(clock))


def find_in_year(year: int, day: str) -> datetime:
    """ "02-29 is 03-01 in other years"."""
    month, number = map(int, day.split("-"))
    try:
        return datetime(year, month, number)
    except ValueError:
        return datetime(year, 3, 1)


@cache
def count_seconds(local: datetime, zone: tzinfo) -> int:
    """ "a local time that a change of the clock skips is the next that exists, one that it repeats
    the first"."""
    while not (shown := list_shown(local, zone)):
        local += timedelta(seconds=1)
    return (min(shown) - EPOCH) // timedelta(seconds=1)


def list_shown(local: datetime, zone: tzinfo) -> list[datetime]:
    """When the clock shows a time: never, once or twice."""
    found = []
    for fold in (0, 1):
        when = local.replace(tzinfo=zone, fold=fold).astimezone(UTC)
        if when.astimezone(zone).replace(tzinfo=None, fold=0) == local:
            found.append(when.replace(tzinfo=None))
    return found
