"""States that time alone makes: as known at a query, of the periods that share its timeline."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from io import BytesIO
from itertools import pairwise
from zoneinfo import ZoneInfo

import numpy as np

from phenesthe.graph.calendars import Calendar
from phenesthe.kernels.arrays import NEVER, OPEN, Array, join_columns
from phenesthe.kernels.calendar import (
    choose_shared,
    find_shown,
    hide_future,
    join_touching,
    list_periods,
)
from phenesthe.operators import tables
from phenesthe.operators.node import Node
from phenesthe.operators.rows import Rows
from phenesthe.operators.unchanged import BEGINNING, UnchangedUntil, touch_all
from phenesthe.operators.work import Work

#: Years of which every instant is a date in every time zone.
_FIRST_YEAR, _LAST_YEAR = 2, 9998
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def compute_calendar(op: Calendar, work: Work, operands: Sequence[Rows]) -> Rows:
    return make_rows(op, *list_shared(op, work.first, work.q), work.q)


def make_rows(op: Calendar, begin: Array, end: Array, q: int) -> Rows:
    begin, end = join_touching(begin, end)
    return Rows((), (), begin, hide_future(end, q))


def list_shared(op: Calendar, first: int, q: int) -> tuple[Array, Array]:
    """The periods that share an instant with the timeline, in ticks, each for itself."""
    if first > q:
        nothing = np.empty(0, dtype=np.int64)
        return nothing, nothing
    if op.name == "always":
        return np.array([first], dtype=np.int64), np.array([OPEN], dtype=np.int64)
    per = op.second_ticks
    local = list_periods(op.name, op.first, op.second, first // per, q // per)
    changes = _list_changes(op.rules, first // per, q // per)
    begin, end = (find_shown(one, *changes) * per for one in local)
    shared = choose_shared(begin, end, first, q)
    return begin[shared], end[shared]


# Time zones


def _list_changes(rules: bytes, first: int, last: int) -> tuple[Array, Array]:
    """From when on the clock of a zone is how far ahead, around this time."""
    if not rules:
        return np.array([NEVER], dtype=np.int64), np.zeros(1, dtype=np.int64)
    low, high = (_clamp(_find_year(one)) for one in (first, last))
    parts = [_list_year(rules, year) for year in range(_clamp(low - 2), _clamp(high + 2) + 1)]
    at, ahead = (join_columns(*columns) for columns in zip(*parts, strict=True))
    # Each year says again how it begins.
    new = np.ones(len(at), dtype=np.bool_)
    new[1:] = ahead[1:] != ahead[:-1]
    return at[new], ahead[new]


def _find_year(second: int) -> int:
    return int(np.datetime64(second, "s").astype("datetime64[Y]").astype(np.int64)) + 1970


def _clamp(year: int) -> int:
    return min(max(year, _FIRST_YEAR), _LAST_YEAR)


@cache
def _list_year(rules: bytes, year: int) -> tuple[Array, Array]:
    """How far ahead the clock is when the year begins, and each time that changes.

    No clock is changed twice within a day and back to where it was.
    """
    zone = _load_zone(rules)
    begin = datetime(year, 1, 1, tzinfo=UTC)
    days = [begin + timedelta(day) for day in range((_next_year(begin) - begin).days + 1)]
    found = [(begin, _look(zone, begin))]
    for before, after in pairwise(days):
        if _look(zone, before) != _look(zone, after):
            found += _find_changes(zone, before, after)
    at = [(when - _EPOCH) // timedelta(seconds=1) for when, _ in found]
    return np.array(at, dtype=np.int64), np.array([ahead for _, ahead in found], dtype=np.int64)


@cache
def _load_zone(rules: bytes) -> ZoneInfo:
    return ZoneInfo.from_file(BytesIO(rules))


def _next_year(begin: datetime) -> datetime:
    return begin.replace(year=begin.year + 1)


def _look(zone: ZoneInfo, when: datetime) -> int:
    ahead = when.astimezone(zone).utcoffset()
    assert ahead is not None
    return ahead // timedelta(seconds=1)


def _find_changes(zone: ZoneInfo, before: datetime, after: datetime) -> list[tuple[datetime, int]]:
    """Within a day at whose ends the clock is not the same: hour by hour, then to the second."""
    hours = [before + timedelta(hours=hour) for hour in range(25)]
    found = []
    for low, high in pairwise(hours):
        if _look(zone, low) == _look(zone, high):
            continue
        start = _look(zone, low)
        while high - low > timedelta(seconds=1):
            middle = low + timedelta(seconds=(high - low) // timedelta(seconds=2))
            low, high = (middle, high) if _look(zone, middle) == start else (low, middle)
        found.append((high, _look(zone, high)))
    return found


# From query to query


class CalendarNode(Node[Calendar]):
    """Rows that come and go because time passes, or because the timeline begins earlier.

    A period that shares an instant with the timeline has its true start, however early that is. So
    as long as the timeline may begin earlier than it does, what lies before may still come.
    """

    evaluate = staticmethod(compute_calendar)

    follows_timeline = True
    reason = "it still holds"

    def update(self, last: int | None, q: int, again: int | None = None) -> None:
        cut = BEGINNING if last is None else last
        if again is not None:
            cut = min(cut, again)
        world = self.work.world
        begin, end = list_shared(self.operator, max(world.first, cut), q)
        going_on = end > cut
        before = tables.sum_up(self.rows, np.full(len(self.rows), cut, dtype=np.int64))
        found = make_rows(
            self.operator,
            join_columns(before.ts, begin[going_on]),
            join_columns(before.te, end[going_on]),
            q,
        )
        self.replace(self.rows.te > cut, found)

    def move_frontier(self, *, remove: bool) -> None:
        world = self.work.world
        self.operand_frontier = UnchangedUntil(world.frontier, ())
        parts = []
        if world.earliest < world.first or world.first > world.q:
            # Whatever begins then may have begun long before.
            begin, _ = list_shared(self.operator, world.earliest, world.earliest)
            parts = [touch_all(min([world.earliest, *begin.tolist()]) - 1)]
        self.frontier = UnchangedUntil(world.frontier, parts)
        self.settle(self.live & (self.rows.te > world.frontier))
