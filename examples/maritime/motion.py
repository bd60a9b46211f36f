"""What a vessel truly does, second by second: lying, swinging at anchor, sailing along a path."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from examples.maritime.geography import METRES_PER_DEGREE, Floats, Place

KNOT = 1852 / 3600
"""Metres a second."""
UNDER_WAY, AT_ANCHOR, NOT_UNDER_COMMAND, MOORED, FISHING = 0, 1, 2, 5, 7
"""Navigational status, as AIS numbers it."""
_STEP = 20.0
"""Metres between the points a path is made of."""
_BERTH, _MANOEUVRING = 1000.0, 4.2
"""So many metres from its berth a vessel manoeuvres, at so many knots."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """One value a second: degrees, knots, and the navigational status."""

    lon: Floats
    lat: Floats
    speed: Floats
    course: Floats
    heading: Floats
    status: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.lon)

    @property
    def last(self) -> Place:
        return float(self.lon[-1]), float(self.lat[-1])

    def cut(self, start: int, end: int) -> "Motion":
        return Motion(**{name: getattr(self, name)[start:end] for name in _FIELDS})


_FIELDS = tuple(field.name for field in fields(Motion))


def join(parts: Sequence[Motion]) -> Motion:
    return Motion(
        **{name: np.concatenate([getattr(part, name) for part in parts]) for name in _FIELDS}
    )


def lie(place: Place, seconds: int, heading: float, status: int = MOORED) -> Motion:
    """At rest: not a metre of way."""
    return Motion(
        lon=np.full(seconds, place[0]),
        lat=np.full(seconds, place[1]),
        speed=np.zeros(seconds),
        course=np.full(seconds, heading),
        heading=np.full(seconds, heading),
        status=np.full(seconds, status),
    )


def swing(place: Place, seconds: int, heading: float) -> Motion:
    """At anchor: the tide turns the ship around once in half a day, on 80 m of chain."""
    angle = np.radians(heading + np.arange(seconds) * 360 / 44_700)
    lon = place[0] - 80 * (np.sin(angle) - np.sin(angle[0])) / (
        METRES_PER_DEGREE * np.cos(np.radians(place[1]))
    )
    lat = place[1] - 80 * (np.cos(angle) - np.cos(angle[0])) / METRES_PER_DEGREE
    facing = np.degrees(angle) % 360
    return Motion(
        lon=lon,
        lat=lat,
        speed=np.full(seconds, 80 * 2 * np.pi / 44_700 / KNOT),
        course=(facing + 270) % 360,
        heading=facing,
        status=np.full(seconds, AT_ANCHOR),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast a path is sailed, in knots and metres."""

    cruise: float
    #: Speed at either end; near zero where the vessel begins or ends at rest.
    first: float = 0.6
    last: float = 0.6
    #: Within these distances of the ends no faster than `harbour`, and slower still at the berth.
    slow_from: float = 0.0
    slow_to: float = 0.0
    harbour: float = 6.8
    #: Metres a second squared; ships are slow to stop.
    acceleration: float = 0.02
    #: Corners are rounded over this length.
    corner: float = 600.0


def sail(path: Sequence[Place], pace: Pace, lean: float = 0.0, status: int = UNDER_WAY) -> Motion:
    """Along a path; `lean` is the angle from course to heading, which wind and current make."""
    lon, lat = _densify(path, pace.corner)
    east = np.diff(lon) * np.cos(np.radians((lat[1:] + lat[:-1]) / 2)) * METRES_PER_DEGREE
    north = np.diff(lat) * METRES_PER_DEGREE
    steps = np.hypot(east, north)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    speed = _limit_speed(along, pace)
    times = np.concatenate([[0.0], np.cumsum(2 * steps / (speed[1:] + speed[:-1]))])
    seconds = np.arange(0, int(times[-1]) + 1, dtype=np.float64)
    turn = np.unwrap(np.arctan2(east, north))
    middle = (times[1:] + times[:-1]) / 2
    course = np.degrees(np.interp(seconds, middle, turn)) % 360
    return Motion(
        lon=np.interp(seconds, times, lon),
        lat=np.interp(seconds, times, lat),
        speed=np.interp(seconds, times, speed) / KNOT,
        course=course,
        heading=(course + lean) % 360,
        status=np.full(len(seconds), status),
    )


def _densify(path: Sequence[Place], corner: float) -> tuple[Floats, Floats]:
    """Points every few metres, the corners rounded by a moving mean."""
    points = np.asarray(path, dtype=np.float64)
    scale = np.cos(np.radians(points[:, 1].mean()))
    lengths = METRES_PER_DEGREE * np.hypot(np.diff(points[:, 0]) * scale, np.diff(points[:, 1]))
    along = np.concatenate([[0.0], np.cumsum(lengths)])
    at = np.linspace(0.0, along[-1], max(3, int(along[-1] / _STEP) + 1))
    width = min(max(1, int(corner / _STEP / 2)), len(at) - 1)
    weights = np.full(2 * width + 1, 1 / (2 * width + 1))
    ends = []
    for values in (points[:, 0], points[:, 1]):
        dense = np.interp(at, along, values)
        # Mirrored beyond its ends the path still begins and ends where it should.
        before = 2 * dense[0] - dense[width:0:-1]
        after = 2 * dense[-1] - dense[-2 : -width - 2 : -1]
        ends.append(np.convolve(np.concatenate([before, dense, after]), weights, "valid"))
    return ends[0], ends[1]


def _limit_speed(along: Floats, pace: Pace) -> Floats:
    """The highest speed in metres a second that the limits and the acceleration allow."""
    limit = np.full(len(along), pace.cruise, dtype=np.float64)
    limit[along < pace.slow_from] = min(pace.harbour, pace.cruise)
    limit[along > along[-1] - pace.slow_to] = min(pace.harbour, pace.cruise)
    limit[along < min(pace.slow_from, _BERTH)] = min(_MANOEUVRING, pace.cruise)
    limit[along > along[-1] - min(pace.slow_to, _BERTH)] = min(_MANOEUVRING, pace.cruise)
    limit[0], limit[-1] = min(pace.first, pace.cruise), min(pace.last, pace.cruise)
    squares = (limit * KNOT) ** 2
    gain = 2 * pace.acceleration * along
    squares = np.minimum.accumulate(squares - gain) + gain
    squares = (np.minimum.accumulate((squares + gain)[::-1])[::-1]) - gain
    return np.sqrt(np.maximum(squares, (0.3 * KNOT) ** 2))
