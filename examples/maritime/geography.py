"""Where things are off Brittany: ports, the way out of each, and the sea road that joins them.

Positions are rounded to a hundredth of a degree, about a kilometre: good enough to look right on a
map, too coarse to navigate by.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Place = tuple[float, float]
"""Longitude and latitude in degrees."""
Floats = NDArray[np.float64]

METRES_PER_DEGREE = 111_195.0
AREAS = Path(__file__).parent / "areas"

#: The sea road around Brittany, from the Channel to the Bay of Biscay.
ROAD: tuple[Place, ...] = (
    (-2.30, 49.60),
    (-2.60, 49.10),
    (-3.40, 49.05),
    (-4.10, 48.95),
    (-5.10, 48.85),
    (-5.75, 48.65),
    (-5.50, 48.20),
    (-5.25, 47.95),
    (-4.60, 47.60),
    (-3.65, 47.45),
    (-3.30, 47.15),
    (-2.70, 47.05),
    (-3.00, 46.60),
)


@dataclass(frozen=True, slots=True)
class Port:
    name: str
    place: Place
    #: From the quay to the sea, and the point of the road where that ends.
    way_out: tuple[Place, ...]
    joins: int
    #: The place where its pilots board, on the way out.
    pilots: Place | None = None
    #: Where ships wait for a berth.
    roads: Place | None = None


_GOULET = ((-4.62, 48.33), (-4.80, 48.30), (-5.15, 48.22))

PORTS: dict[str, Port] = {
    port.name: port
    for port in (
        Port(
            "saint_malo", (-2.03, 48.64), ((-2.12, 48.69), (-2.30, 48.85)), 1, None, (-2.2, 48.75)
        ),
        Port("roscoff", (-3.96, 48.73), ((-3.95, 48.78), (-4.00, 48.90)), 3),
        Port("ouessant", (-5.05, 48.47), ((-4.98, 48.46), (-4.92, 48.34), (-5.15, 48.22)), 6),
        Port("le_conquet", (-4.78, 48.36), ((-4.83, 48.33), (-5.15, 48.22)), 6),
        Port("brest", (-4.48, 48.37), _GOULET, 6, (-4.95, 48.265), (-4.43, 48.32)),
        Port("camaret", (-4.59, 48.28), ((-4.63, 48.31), *_GOULET[1:]), 6),
        Port(
            "douarnenez",
            (-4.33, 48.10),
            ((-4.45, 48.14), (-4.75, 48.15), (-5.10, 48.12)),
            6,
            roads=(-4.42, 48.15),
        ),
        Port("guilvinec", (-4.28, 47.79), ((-4.27, 47.75), (-4.35, 47.65)), 8),
        Port("concarneau", (-3.92, 47.87), ((-3.93, 47.82), (-3.90, 47.60)), 9),
        Port("lorient", (-3.36, 47.72), ((-3.37, 47.68), (-3.30, 47.62), (-3.40, 47.50)), 9),
        Port("quiberon", (-3.10, 47.48), ((-3.07, 47.44), (-3.40, 47.42)), 10, roads=(-3.0, 47.53)),
        Port(
            "saint_nazaire",
            (-2.20, 47.27),
            ((-2.22, 47.22), (-2.45, 47.12)),
            11,
            (-2.58, 47.083),
            (-2.45, 47.14),
        ),
    )
}

#: Open water, far from coast, ports, anchorages and fishing grounds: west, south, low and high.
OPEN_WATER: tuple[tuple[float, float, float, float], ...] = (
    (-5.70, 47.55, -5.35, 47.80),
    (-4.45, 46.85, -4.05, 47.10),
    (-4.20, 49.25, -3.60, 49.45),
)
#: The point of the road nearest to each of them.
OPEN_WATER_JOINS = (7, 9, 2)

#: Fishing grounds and the point of the road nearest to them; the last is closed to fishing.
GROUNDS: dict[str, tuple[tuple[float, float, float, float], int]] = {
    "grande_vasiere": ((-4.50, 47.20, -3.90, 47.42), 8),
    "channel_west": ((-4.95, 49.00, -4.35, 49.20), 4),
    "belle_ile_south": ((-3.90, 46.80, -3.50, 47.00), 10),
    "penmarch_closed": ((-5.05, 47.28, -4.65, 47.48), 8),
}
CLOSED = "penmarch_closed"


def leave_port(name: str) -> list[Place]:
    """The way from the quay to the sea road."""
    port = PORTS[name]
    return [port.place, *port.way_out, ROAD[port.joins]]


def follow_road(start: int, end: int) -> list[Place]:
    """The points of the road from one to the other, both included."""
    step = 1 if end >= start else -1
    return [ROAD[at] for at in range(start, end + step, step)]


def find_route(start: str, end: str) -> list[Place]:
    """From quay to quay, along the sea road where the ways out do not already meet."""
    out, back = leave_port(start)[:-1], leave_port(end)[:-1]
    if PORTS[start].joins != PORTS[end].joins:
        return [*out, *follow_road(PORTS[start].joins, PORTS[end].joins), *reversed(back)]
    while len(out) > 1 and len(back) > 1 and out[-1] == back[-1]:
        out.pop()
        back.pop()
    return [*out, *reversed(back)]


def find_way_to(start: str, place: Place, joins: int) -> list[Place]:
    """From a quay to a place off the road, leaving the road at one of its points."""
    return [*leave_port(start)[:-1], *follow_road(PORTS[start].joins, joins), place]


def move(place: Place, east: float, north: float) -> Place:
    """The place so many metres east and north of another one."""
    lon, lat = place
    return (
        lon + east / (METRES_PER_DEGREE * float(np.cos(np.radians(lat)))),
        lat + north / METRES_PER_DEGREE,
    )


def measure(lon: Floats, lat: Floats, place: Place) -> Floats:
    """Metres from a place, good to a part in a thousand over the distances that matter here."""
    east = (lon - place[0]) * np.cos(np.radians((lat + place[1]) / 2))
    return np.asarray(METRES_PER_DEGREE * np.hypot(east, lat - place[1]))
