"""What a receiver hears of a vessel: AIS duty cycles, and all that goes wrong on the way."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from examples.maritime.fleet import Vessel
from examples.maritime.geography import METRES_PER_DEGREE, Floats
from examples.maritime.motion import AT_ANCHOR, MOORED, Motion

#: Not available, by the standard of AIS.
NO_SPEED, NO_COURSE, NO_HEADING, NO_LON, NO_LAT = 102.3, 360.0, 511.0, 181.0, 91.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """What goes wrong at the nominal level; other levels multiply it."""

    #: Metres, knots and degrees, as standard deviations.
    position: float = 6.0
    speed: float = 0.12
    course: float = 1.5
    heading: float = 1.0
    #: Shares of the reports.
    lost: float = 0.08
    repeated: float = 0.01
    misplaced: float = 0.001
    unknown: float = 0.01
    #: Silences a day, each of 2 minutes up to so many: masts, weather, full channels.
    bursts: float = 4.0
    longest_burst: float = 480.0
    #: Seconds, as a standard deviation.
    clock: float = 0.5


NOMINAL = Noise()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reports:
    """The columns of what is received, sorted by time."""

    t: NDArray[np.int64]
    lon: Floats
    lat: Floats
    speed: Floats
    course: Floats
    heading: Floats
    status: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.t)

    def keep(self, rows: NDArray[Any]) -> "Reports":
        return Reports(**{field.name: getattr(self, field.name)[rows] for field in fields(self)})


def transmit(vessel: Vessel, noise: float, every: int, rng: np.random.Generator) -> Reports:
    """The reports of a vessel, at most one in `every` seconds, as archives thin them out."""
    motion = vessel.motion
    sent = _list_sent(motion, vessel.mobile, rng)
    sent = sent[~_mark_silent(sent + vessel.begins, vessel.silences)]
    if every > 1:
        slot = sent // every
        sent = sent[np.flatnonzero(np.diff(slot, prepend=-1))]
    reports = Reports(
        t=sent + vessel.begins,
        lon=motion.lon[sent],
        lat=motion.lat[sent],
        speed=motion.speed[sent],
        course=motion.course[sent],
        heading=motion.heading[sent] if vessel.compass else np.full(len(sent), NO_HEADING),
        status=motion.status[sent],
    )
    if noise > 0:
        reports = _disturb(reports, noise, rng)
    return _round(reports)


def list_intervals(motion: Motion, mobile: str) -> Floats:
    """Seconds between reports, second by second (ITU-R M.1371-5, tables 1 and 2)."""
    speed = motion.speed
    if mobile == "B":
        return np.where(speed > 2, 30.0, 180.0)
    change = np.abs((np.diff(motion.course, append=motion.course[-1:]) + 180) % 360 - 180)
    turns = (change > 0.2) & (speed > 0.5)
    intervals = np.select([speed > 23, speed > 14], [2.0, 6.0], 10.0)
    intervals = np.where(turns, np.where(speed > 14, 2.0, 10 / 3), intervals)
    is_lying = np.isin(motion.status, (AT_ANCHOR, MOORED)) & (speed <= 3)
    return np.where(is_lying, 180.0, intervals)


def _list_sent(motion: Motion, mobile: str, rng: np.random.Generator) -> NDArray[np.int64]:
    """The seconds at which a report is due: each time the sum of shares passes a whole."""
    due = np.floor(np.cumsum(1 / list_intervals(motion, mobile)) + rng.random())
    return np.flatnonzero(np.diff(due, prepend=due[:1] - (rng.random() < 0.5)))


def _mark_silent(times: NDArray[np.int64], silences: Any) -> NDArray[np.bool_]:
    silent = np.zeros(len(times), dtype=np.bool_)
    for start, end in silences:
        silent |= (times > start) & (times < end)
    return silent


def _disturb(reports: Reports, noise: float, rng: np.random.Generator) -> Reports:
    """Everything that is wrong with real reports, so many times its nominal extent."""
    reports = reports.keep(_choose_heard(reports, noise, rng))
    count = len(reports)
    east, north = rng.normal(0, NOMINAL.position * noise, (2, count))
    scale = METRES_PER_DEGREE * np.cos(np.radians(reports.lat))
    lon, lat = reports.lon + east / scale, reports.lat + north / METRES_PER_DEGREE
    speed = np.abs(reports.speed + rng.normal(0, NOMINAL.speed * noise, count))
    # The slower a vessel, the less its course can be told; at rest it is chance.
    spread = NOMINAL.course * noise * (1 + 3 / np.maximum(reports.speed, 0.05))
    course = (reports.course + rng.normal(0, 1, count) * np.minimum(spread, 120)) % 360
    turned = (reports.heading + rng.normal(0, NOMINAL.heading * noise, count)) % 360
    heading = np.where(reports.heading == NO_HEADING, NO_HEADING, turned)

    def pick(share: float) -> NDArray[np.bool_]:
        return rng.random(count) < share * noise

    far = pick(NOMINAL.misplaced)
    lon = np.where(far, lon + rng.uniform(-2, 2, count), lon)
    lat = np.where(far, lat + rng.uniform(-1, 1, count), lat)
    nowhere = pick(NOMINAL.misplaced)
    shift = np.rint(rng.normal(0, NOMINAL.clock * noise, count)).astype(np.int64)
    disturbed = Reports(
        t=np.maximum(reports.t + shift, 0),
        lon=np.where(nowhere, NO_LON, lon),
        lat=np.where(nowhere, NO_LAT, lat),
        speed=np.where(pick(NOMINAL.unknown), NO_SPEED, speed),
        course=np.where(pick(NOMINAL.unknown), NO_COURSE, course),
        heading=np.where(pick(NOMINAL.unknown), NO_HEADING, heading),
        status=reports.status,
    )
    again = 1 + pick(NOMINAL.repeated).astype(np.int64)
    rows = np.repeat(np.arange(count), again)
    return disturbed.keep(rows[np.argsort(disturbed.t[rows], kind="stable")])


def _choose_heard(reports: Reports, noise: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Which reports arrive: some are lost alone, some many in a row."""
    heard = rng.random(len(reports)) >= NOMINAL.lost * noise
    if len(reports):
        first, last = int(reports.t[0]), int(reports.t[-1])
        bursts = rng.poisson(NOMINAL.bursts * noise * (last - first) / 86_400)
        starts = rng.uniform(first, last + 1, bursts)
        ends = starts + rng.uniform(120, NOMINAL.longest_burst * max(1.0, noise), bursts)
        heard &= ~_mark_silent(reports.t, zip(starts, ends, strict=True))
    return heard


def _round(reports: Reports) -> Reports:
    """What the message can hold: a ten-thousandth of a minute, a tenth of a knot, a degree."""
    known = reports.heading != NO_HEADING
    return Reports(
        t=reports.t,
        lon=np.round(reports.lon, 6),
        lat=np.round(reports.lat, 6),
        speed=np.round(reports.speed, 1),
        course=np.where(reports.course == NO_COURSE, NO_COURSE, np.round(reports.course, 1) % 360),
        heading=np.where(known, np.round(reports.heading) % 360, NO_HEADING),
        status=reports.status,
    )
