"""Times as people write them, and the calendar behind an axis of dates."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from phenesthe.vocabulary import Unit

if TYPE_CHECKING:
    from phenesthe.io.meta import Meta

#: Microseconds in one tick.
TICKS: dict[Unit, int] = {"second": 1_000_000, "millisecond": 1_000, "microsecond": 1}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def read_time(text: str, unit: Unit) -> int | None:
    """Ticks, from an integer or a date, as inputs have them; None for other text."""
    # Needs Arrow, which a file of integers can do without.
    from phenesthe.io.times import read_time

    try:
        return read_time(text, unit)
    except ValueError:
        return None


def find_query(meta: "Meta", unit: Unit, *, is_dated: bool) -> int | None:
    """The time of the query in the ticks of the results, which are of another unit if they were
    dates."""
    if meta.query is None or not is_dated:
        return meta.query
    return meta.query * TICKS[meta.unit] // TICKS[unit]


def find_moment(microseconds: int) -> datetime | None:
    """The date, or None outside the years 1 to 9999, for which there is no calendar."""
    try:
        return _EPOCH + timedelta(microseconds=microseconds)
    except OverflowError:
        return None


def count_microseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND
