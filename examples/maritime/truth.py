"""What is true of every vessel, under the names of the library.

What a vessel is about (trawling, towing, …) its script has noted. The rest follows here from how
it truly moved, second by second, with the thresholds of the library's texts and none of its code.
What a transmitter that is off hides is true of nobody: only what the library says to outlast
silence (being in an area, at rest, moored) does.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from examples.maritime.fleet import Deed, Vessel
from examples.maritime.geography import Floats
from examples.maritime.intervals import (
    Span,
    close_pauses,
    intersect,
    keep_long,
    list_runs,
    subtract,
)
from examples.maritime.places import Area, list_stays
from examples.maritime.stage import HOUR, MINUTE, Stage
from phenesthe.ais.facts import list_usual_speeds

Said = tuple[str, tuple[str, ...], Iterable[Span]]
"""A name, its arguments after the vessel, and when it is true."""

#: All names of the library that have a truth.
NAMES = (
    "anchored_or_moored",
    "changing_speed",
    "disappeared_in_area",
    "drifting",
    "fishing_in_closed_area",
    "fishing_trip",
    "fishing_voyage",
    "gap",
    "high_speed_near_coast",
    "in_area",
    "in_port",
    "loitering",
    "low_speed",
    "moored",
    "moving_speed",
    "pilot_boarding",
    "port_call",
    "rendezvous",
    "search_and_rescue",
    "stopped",
    "suspicious_rendezvous",
    "trawling",
    "trip",
    "tugging",
    "underway",
    "waited_for_berth",
    "within_area",
)

PAUSE = 10 * MINUTE
GAP = 30 * MINUTE
STAY = 30 * MINUTE
#: Seconds. What pauses for less may do so between two reports of a vessel under way.
BLINK = 10

#: How long an activity must last, of those that a silence interrupts.
_LEAST = {
    "drifting": 10 * MINUTE,
    "loitering": 30 * MINUTE,
    "rendezvous": 4 * MINUTE,
    "trawling": HOUR,
    "fishing_in_closed_area": HOUR,
    "tugging": 5 * MINUTE,
    "search_and_rescue": HOUR,
    "pilot_boarding": 4 * MINUTE,
}


def list_truth(stage: Stage) -> tuple[Deed, ...]:
    silences = {vessel.mmsi: vessel.silences for vessel in stage.vessels}
    deeds = [
        Deed(deed.name, deed.args, start, end)
        for deed in stage.deeds
        for start, end in _cut_deed(deed, silences)
    ]
    for vessel in stage.vessels:
        trawled = [(d.ts, d.te) for d in deeds if d.name == "trawling" and d.args[0] == vessel.mmsi]
        deeds += _Record(vessel, stage.until).list_deeds(trawled)
    return tuple(sorted(deeds))


def _cut_deed(deed: Deed, silences: dict[int, tuple[Span, ...]]) -> list[Span]:
    spans = [(deed.ts, deed.te)]
    if deed.name in _LEAST:
        for arg in deed.args:
            if isinstance(arg, int):
                spans = subtract(spans, silences.get(arg, ()))
        spans = keep_long(spans, _LEAST[deed.name])
    return spans


class _Record:
    """What the true motion of one vessel says."""

    def __init__(self, vessel: Vessel, until: int) -> None:
        self.vessel = vessel
        self.stays = list_stays(vessel)
        # Who sails out of sight is not heard again, nor is who is silent when the day ends.
        silent = subtract([(vessel.begins, until)], self._list_reporting())
        self.gaps = keep_long(silent, GAP)
        self.stopped = self._runs(vessel.motion.speed <= 0.5)
        self.moored = {
            area.name: keep_long(intersect(self.stopped, spans), STAY)
            for area, spans in self._of_type("port")
        }
        self.underway = close_pauses(self._heard(vessel.motion.speed >= 2.7), PAUSE)

    def _list_reporting(self) -> list[Span]:
        return subtract([(self.vessel.begins, self.vessel.ends - 1)], self.vessel.silences)

    def _runs(self, holds: NDArray[np.bool_]) -> list[Span]:
        return list_runs(holds, self.vessel.begins)

    def _heard(self, holds: NDArray[np.bool_]) -> list[Span]:
        return subtract(self._runs(holds), self.vessel.silences)

    def _of_type(self, *types: str) -> Iterator[tuple[Area, list[Span]]]:
        return ((area, spans) for area, spans in self.stays.items() if area.type in types)

    def _inside(self, *types: str) -> list[Span]:
        """When the vessel is in some area of these types."""
        return close_pauses((span for _, spans in self._of_type(*types) for span in spans), 0)

    def list_deeds(self, trawled: list[Span]) -> Iterator[Deed]:
        number = self.vessel.mmsi
        for name, args, spans in self._list_all(trawled):
            yield from (Deed(name, (number, *args), start, end) for start, end in spans)

    def _list_all(self, trawled: list[Span]) -> Iterator[Said]:
        yield from self._list_places()
        yield from self._list_speeds()
        yield from self._list_trips(trawled)

    def _list_places(self) -> Iterator[Said]:
        near_ports = self._inside("port")
        for area, spans in self.stays.items():
            yield "in_area", (area.name,), spans
        for kind in {area.type for area in self.stays}:
            yield "within_area", (kind,), subtract(self._inside(kind), self.vessel.silences)
        for area, spans in self._of_type("port"):
            yield "in_port", (area.name,), spans
            moored = self.moored[area.name]
            yield "moored", (area.name,), moored
            yield "port_call", (area.name,), [s for s in spans if any(_holds(s, m) for m in moored)]
        yield "stopped", (), self.stopped
        anchored = subtract(intersect(self.stopped, self._inside("anchorage")), near_ports)
        in_port = intersect(self.stopped, near_ports)
        yield "anchored_or_moored", (), keep_long(close_pauses([*anchored, *in_port], 0), STAY)
        moorings = sorted(span for spans in self.moored.values() for span in spans)
        for waited in keep_long(anchored, STAY):
            later = [span for span in moorings if span[0] > waited[1]]
            yield "waited_for_berth", (), [(waited[0], later[0][1])] if later else []
        for start, end in self.gaps:
            is_near = any(a <= start <= b for a, b in near_ports)
            yield "gap", ("near_ports" if is_near else "far_from_ports",), [(start, end)]
            for kind in {} if is_near else {area.type for area in self.stays}:
                if any(a < start <= b for a, b in self._inside(kind)):
                    yield "disappeared_in_area", (kind,), [(start, end)]

    def _list_speeds(self) -> Iterator[Said]:
        speed = self.vessel.motion.speed
        yield "underway", (), self.underway
        yield "low_speed", (), self._heard((speed > 0.5) & (speed <= 5))
        recent = _find_recent_mean(speed)
        change = (speed > 0.5) & (np.abs(speed - recent) > np.maximum(0.25 * recent, 0.5))
        yield "changing_speed", (), close_pauses(self._heard(change), BLINK)
        fast = close_pauses(self._heard(speed > 5), PAUSE)
        yield "high_speed_near_coast", (), intersect(fast, self._inside("coast"))
        low, high = _read_usual_speeds()[self.vessel.type]
        moves = speed >= 0.5
        yield "moving_speed", ("below",), self._heard(moves & (speed < low))
        yield "moving_speed", ("normal",), self._heard(moves & (speed >= low) & (speed <= high))
        yield "moving_speed", ("above",), self._heard(speed > high)

    def _list_trips(self, trawled: list[Span]) -> Iterator[Said]:
        moorings = sorted((span, port) for port, spans in self.moored.items() for span in spans)
        for (left, start), (reached, end) in pairwise(moorings):
            trip = (left[1], reached[0])
            if not any(_holds(trip, span) for span in self.underway):
                continue
            yield "trip", (start, end), [trip]
            if self.vessel.type != "fishing":
                continue
            for area, spans in self._of_type("fishing"):
                if any(_holds(trip, span) for span in spans):
                    yield "fishing_trip", (start, area.name, end), [trip]
            if any(_holds(trip, span) for span in trawled):
                yield "fishing_voyage", (), [trip]


def _find_recent_mean(values: Floats) -> Floats:
    """The mean over the five minutes before each second, or as much of them as there is."""
    total = np.concatenate([[0.0], np.cumsum(values)])
    at = np.arange(len(values))
    first = np.maximum(at - 5 * MINUTE, 0)
    return np.where(at > 0, (total[at] - total[first]) / np.maximum(at - first, 1), values)


@cache
def _read_usual_speeds() -> dict[str, tuple[float, float]]:
    """The facts that the library is given, by type."""
    return {row["type"]: (row["low"], row["high"]) for row in list_usual_speeds().to_pylist()}


def _holds(outer: Span, inner: Span) -> bool:
    return outer[0] < inner[0] and inner[1] < outer[1]
