"""From instants to columns, and the axis above them."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import count
from typing import NamedTuple

from phenesthe.report.clock import TICKS, count_microseconds, find_moment
from phenesthe.report.drawing_marks import Marks
from phenesthe.vocabulary import Unit

#: A story of three instants is not stretched over the whole terminal.
_MAX_COLUMNS_PER_TICK = 8
_SECOND = 1_000_000
_MINUTE, _HOUR, _DAY = 60 * _SECOND, 3600 * _SECOND, 86_400 * _SECOND
_CLOCK_STEPS = (
    *(digit * 10**power for power in range(6) for digit in (1, 2, 5)),
    *(seconds * _SECOND for seconds in (1, 2, 5, 10, 15, 30)),
    *(minutes * _MINUTE for minutes in (1, 2, 5, 10, 15, 30)),
    *(hours * _HOUR for hours in (1, 2, 3, 6, 12)),
)
_DAY_STEPS = (_DAY, 2 * _DAY, 7 * _DAY)
#: 5 January 1970 was a Monday; steps of a week begin on one.
_MONDAY = 4 * _DAY
_MONTH_STEPS = (1, 3, 6, *(12 * digit * 10**power for power in range(4) for digit in (1, 2, 5)))
_DAYS_OF_MONTH = 30


class Scale(NamedTuple):
    """`first` is in column 0, `last` in the last of `columns`."""

    first: int
    last: int
    columns: int

    def find_column(self, instant: int) -> int:
        return (instant - self.first) * (self.columns - 1) // max(1, self.last - self.first)


class Tick(NamedTuple):
    """A marked column; `day` is a second line of text above it, empty where the day is known."""

    column: int
    text: str
    day: str = ""


def fit_scale(first: int, last: int, room: int) -> Scale:
    """Whole columns per tick of time where there is room for them, so that steps look alike."""
    span = last - first
    if span < room:
        each = min(_MAX_COLUMNS_PER_TICK, (room - 1) // max(1, span))
        return Scale(first, last, span * each + 1)
    return Scale(first, last, room)


def draw_axis(scale: Scale, room: int, unit: Unit | None, marks: Marks) -> list[str]:
    """Labels, then a ruler. Dates with a `unit`, where the calendar reaches; else integers."""
    dates = _find_dates(scale, TICKS[unit]) if unit else None
    ticks, beginning = dates or (_find_numbers(scale), Tick(0, str(scale.first)))
    lines = _write_lines(ticks, room)
    if not lines:
        # An axis without any label says nothing; its beginning is marked then, round or not.
        ticks = [beginning]
        lines = _write_lines(ticks, room)
    marked = {tick.column for tick in ticks}
    columns = range(scale.columns)
    ruler = "".join(marks.tick if column in marked else marks.ruler for column in columns)
    return [*lines, ruler]


def _find_numbers(scale: Scale) -> list[Tick]:
    wide = max(len(str(scale.first)), len(str(scale.last)))
    step = next(
        digit * 10**power
        for power in count()
        for digit in (1, 2, 5)
        if _has_room(scale, digit * 10**power, wide)
    )
    instants = range(-(-scale.first // step) * step, scale.last + 1, step)
    return [Tick(scale.find_column(instant), str(instant)) for instant in instants]


def _find_dates(scale: Scale, tick: int) -> tuple[list[Tick], Tick] | None:
    first, last = find_moment(scale.first * tick), find_moment(scale.last * tick)
    if first is None or last is None:
        return None
    beginning = Tick(0, first.replace(tzinfo=None).isoformat())
    return _choose_dates(scale, tick, first, last), beginning


def _choose_dates(scale: Scale, tick: int, first: datetime, last: datetime) -> list[Tick]:
    for step in _CLOCK_STEPS:
        text = _choose_clock(step)
        if step >= tick and _has_room(scale, step // tick, len(_write_clock(first, text))):
            return _mark_clock(scale, step, tick, text)
    for step in _DAY_STEPS:
        if _has_room(scale, step // tick, len("2022-01-03")):
            monday = -(-(scale.first * tick - _MONDAY) // step) * step + _MONDAY
            return _mark_days(scale, tick, range(monday, scale.last * tick + 1, step))
    for months in _MONTH_STEPS:
        if _has_room(scale, months * _DAYS_OF_MONTH * _DAY // tick, len("2022-01-03")):
            return _mark_days(scale, tick, _list_months(first, last, months))
    return []


def _has_room(scale: Scale, step: int, wide: int) -> bool:
    margin = 1 if wide <= 3 else 2
    return step * (scale.columns - 1) >= (wide + margin) * (scale.last - scale.first)


def _choose_clock(step: int) -> str:
    if step >= _MINUTE:
        return "minutes"
    return "seconds" if step >= _SECOND else "milliseconds" if step >= 1000 else "microseconds"


def _write_clock(moment: datetime, text: str) -> str:
    return moment.time().isoformat(text)


def _mark_clock(scale: Scale, step: int, tick: int, text: str) -> list[Tick]:
    ticks: list[Tick] = []
    today = ""
    for at in range(-(-scale.first * tick // step) * step, scale.last * tick + 1, step):
        moment = find_moment(at)
        assert moment is not None
        day = moment.date().isoformat()
        column = scale.find_column(at // tick)
        ticks.append(Tick(column, _write_clock(moment, text), day if day != today else ""))
        today = day
    return ticks


def _mark_days(scale: Scale, tick: int, instants: Iterable[int]) -> list[Tick]:
    ticks = []
    for at in instants:
        moment = find_moment(at)
        assert moment is not None
        ticks.append(Tick(scale.find_column(at // tick), moment.date().isoformat()))
    return ticks


def _list_months(first: datetime, last: datetime, months: int) -> Iterator[int]:
    start = (first.year * 12 + first.month - 1) // months * months
    for month in range(start, last.year * 12 + last.month, months):
        if month < 12:
            continue
        moment = datetime(month // 12, month % 12 + 1, 1, tzinfo=UTC)
        if first <= moment <= last:
            yield count_microseconds(moment)


def _write_lines(ticks: list[Tick], room: int) -> list[str]:
    days = _write_labels(((tick.column, tick.day) for tick in ticks), room)
    texts = _write_labels(((tick.column, tick.text) for tick in ticks), room)
    return [line for line in (days, texts) if line]


def _write_labels(labels: Iterable[tuple[int, str]], room: int) -> str:
    """The labels at their columns; one that would run into its neighbour is left out."""
    line = ""
    for column, text in labels:
        if text and column + len(text) <= room and (not line or column > len(line)):
            line = line.ljust(column) + text
    return line
