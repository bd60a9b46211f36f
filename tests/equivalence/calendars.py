"""Calendar states for random programs, and the times at which streams must lie to meet them.

A program has the states of one clock: each is written for a few seconds around one moment.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random
from zoneinfo import ZoneInfo

#: Where streams begin, and a time zone: empty for UTC. Streams have some thirty instants.
_MOMENTS = (
    # Nothing special: the clock is changed elsewhere.
    ("2026-06-15T10:00:00", ""),
    ("2026-06-15T10:00:00", "Europe/Copenhagen"),
    # Put forward, and put back.
    ("2026-03-29T00:59:45", "Europe/Copenhagen"),
    ("2026-10-25T00:59:45", "Europe/Copenhagen"),
    ("2026-10-24T23:59:45", "Europe/Copenhagen"),
    # By half an hour.
    ("2026-10-03T15:29:45", "Australia/Lord_Howe"),
    # A midnight that does not exist.
    ("2026-04-23T21:59:45", "Africa/Cairo"),
    # A day that does not exist.
    ("2011-12-30T09:59:45", "Pacific/Apia"),
    # New year, the last of February, the first of March, before 1970.
    ("2026-12-31T23:59:45", ""),
    ("2027-01-31T15:59:50", "Asia/Hong_Kong"),
    ("2028-02-28T23:59:45", ""),
    ("2027-02-28T23:59:50", ""),
    ("2028-02-29T23:59:50", ""),
    ("1937-06-30T23:40:18", "Europe/Amsterdam"),
)
_STATES = 24


@dataclass(frozen=True, slots=True)
class Clock:
    """`base` is the first instant of streams, in seconds."""

    base: int
    states: tuple[str, ...]


def write_calendar(clock: Clock, random: Random) -> str:
    return random.choice(clock.states)


@cache
def list_clocks() -> tuple[Clock, ...]:
    return tuple(_make_clock(moment, zone) for moment, zone in _MOMENTS)


def choose_offset(text: str, random: Random) -> int | None:
    """Where the stream of a program with calendar states begins; None without any."""
    for clock in list_clocks():
        if any(state in text for state in clock.states):
            if "unit millisecond" in text:
                return (clock.base + random.randint(0, 25)) * 1000 - 15
            return clock.base
    # Written for the first seconds of 1970, in UTC.
    is_plain = any(f"{name}(" in text for name in ("daily", "weekly", "yearly", "dates"))
    return random.choice((0, 0, 0, -15)) if is_plain else None


def _make_clock(moment: str, zone: str) -> Clock:
    base = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    random = Random(f"{moment} {zone}")
    states = {_write_state(base, zone, random): None for _ in range(_STATES)}
    return Clock(int(base.timestamp()), tuple(states))


def _write_state(base: datetime, zone: str, random: Random) -> str:
    first, second = (_show(base, zone, random) for _ in range(2))
    last = f', "{zone}"' if zone else ""
    match random.randrange(8):
        case 0 | 1 | 2 | 3:
            moments = f"{first:%H:%M:%S}", f"{second:%H:%M:%S}"
            return f'daily("{moments[0]}", "{moments[1]}"{last})'
        case 4 | 5:
            moments = f"{first:%a %H:%M:%S}", f"{second:%a %H:%M:%S}"
            return f'weekly("{moments[0]}", "{moments[1]}"{last})'
        case 6:
            days = [_near(one, random) for one in (first, second)]
            return f'yearly("{days[0]:%m-%d}", "{days[1]:%m-%d}"{last})'
        case _:
            begin, end = sorted(_near(one, random) for one in (first, second))
            return f'dates("{begin:%Y-%m-%d}", "{end:%Y-%m-%d}"{last})'


def _show(base: datetime, zone: str, random: Random) -> datetime:
    """What the clock shows then, or would show if it had not just been changed."""
    when = base + timedelta(seconds=random.randint(-4, 32))
    shown = when.astimezone(ZoneInfo(zone)) if zone else when
    changed = random.choice((0, 0, 0, -30, 30, -60, 60)) if zone else 0
    return shown.replace(tzinfo=None) + timedelta(minutes=changed)


def _near(day: datetime, random: Random) -> datetime:
    return day + timedelta(days=random.choice((-1, 0, 0, 1)))
