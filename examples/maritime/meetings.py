"""Two vessels together: towing, pilots, meetings in open water."""

from dataclasses import replace

import numpy as np

from examples.maritime.fleet import Diary
from examples.maritime.geography import (
    METRES_PER_DEGREE,
    OPEN_WATER,
    OPEN_WATER_JOINS,
    PORTS,
    ROAD,
    Place,
    follow_road,
    move,
)
from examples.maritime.motion import Motion, Pace, lie, sail
from examples.maritime.stage import HARBOUR, HOUR, MINUTE, Stage, choose_place
from examples.maritime.voyages import drift

_TOW_PORTS = ("lorient", "roscoff", "saint_nazaire")
_PILOT_PORTS = ("brest", "saint_nazaire")


def tow(stage: Stage, rng: np.random.Generator) -> None:
    """A ship breaks down off a port; a tug comes out and tows it in."""
    port = PORTS[_choose_port(stage, "tug", _TOW_PORTS)]
    tug_number, number = stage.take_number(), stage.take_number()
    begins = int(rng.uniform(0.02, 0.2) * stage.until)
    road = ROAD[port.joins]
    (lon, lat), (other_lon, other_lat) = road, port.way_out[-1]
    far = ((lon + other_lon) / 2, (lat + other_lat) / 2)
    from_road = move(road, float(rng.uniform(-20_000, -10_000)), float(rng.uniform(-9000, 9000)))
    ship = Diary(rng, from_road, begins=begins)
    ship.sail([road, far], Pace(cruise=12, first=12, last=1.5))
    span = drift(ship, int(rng.uniform(1.2, 2) * HOUR))
    stage.note("drifting", [number], span)

    tug = Diary(rng, move(port.place, 150, 100))
    tug.offset = ship.offset
    ways = [move(place, *tug.offset) for place in port.way_out]
    out = [tug.place, *ways, move(ship.place, 120, 0)]
    comes = sail(out, Pace(cruise=12, slow_from=HARBOUR))
    tug.lie_until(ship.now - len(comes))
    tug.add(comes)
    ready = max(tug.now, ship.now) + 10 * MINUTE
    for diary in (tug, ship):
        diary.add(lie(diary.place, ready - diary.now, diary.heading, 0))
    stage.note("loitering", [number], (span[0], ready))

    speed = float(rng.uniform(6.2, 7.5))
    pace = Pace(cruise=speed, slow_to=HARBOUR, harbour=4.3, acceleration=0.01)
    begin, end = tug.sail([*reversed(port.way_out), port.place], pace)
    lag = int(220 / (speed * 1852 / 3600))
    ship.add(lie(ship.place, lag, ship.heading, 0))
    ship.sail([*reversed(port.way_out), move(port.place, 60, 0)], pace)
    stage.note("tugging", [tug_number, number], (begin, end))
    for diary in (tug, ship):
        diary.lie_until(stage.until)
    stage.enter(tug, tug_number, "tug")
    stage.enter(ship, number, "cargo")


def board_pilots(stage: Stage, rng: np.random.Generator, ships: int = 2) -> None:
    """A pilot boat meets ships outside the port, one after the other; they take the pilot on while
    they go on slowly, and sail in."""
    port = PORTS[_choose_port(stage, "pilot", _PILOT_PORTS)]
    assert port.pilots is not None
    number = stage.take_number()
    boat = Diary(rng, move(port.place, -200, 100))
    home = boat.place
    inward = [point for point in port.way_out[::-1] if point[0] > port.pilots[0]]
    road = ROAD[port.joins]
    for turn in range(ships):
        ship_number = stage.take_number()
        slow = float(rng.uniform(6.6, 8.2))
        due = int((0.12 + 0.3 * turn + rng.uniform(0, 0.08)) * stage.until)
        approach = sail(
            [move(road, -15_000, -9_000), road, port.pilots],
            Pace(cruise=13, first=13, last=slow),
        )
        ship = Diary(rng, road, begins=max(0, due - len(approach)))
        ship.add(approach)
        minutes = float(rng.uniform(7, 12))
        toward = _go_toward(port.pilots, inward[0], slow * 1852 / 60 * minutes)
        beside = sail([port.pilots, toward], Pace(cruise=slow, first=slow, last=slow))
        meets = ship.now

        out = [home, *[point for point in port.way_out if point[0] > port.pilots[0]]]
        comes = sail(
            [*out, _shift_place(port.pilots, 60)],
            Pace(cruise=20, slow_from=HARBOUR, last=slow, acceleration=0.08),
        )
        boat.lie_until(meets - len(comes))
        late = boat.now + len(comes) - meets
        if late > 0:  # the ship waits for its pilot
            ship.add(lie(ship.place, late, ship.heading, 0))
        boat.add(comes)
        span = ship.add(beside)
        boat.add(_shift(beside, 60))
        stage.note("pilot_boarding", [number, ship_number], span)
        boat.sail(out[::-1], Pace(cruise=20, first=slow, slow_to=HARBOUR, acceleration=0.08))
        berth = move(port.place, 300.0 * (turn + 1), 0)
        ship.sail([*inward, berth], Pace(cruise=12, first=slow, slow_to=HARBOUR))
        ship.lie_until(stage.until)
        stage.enter(ship, ship_number, str(rng.choice(["cargo", "tanker"])))
    boat.lie_until(stage.until)
    stage.enter(boat, number, "pilot")


def meet_at_sea(stage: Stage, rng: np.random.Generator, *, dark: bool) -> None:
    """Two ships meet in open water and lie beside each other; with `dark` one of them, or both,
    switch their transmitters off meanwhile."""
    water = int(rng.integers(len(OPEN_WATER)))
    place = choose_place(rng, OPEN_WATER[water], 0.06)
    joins = OPEN_WATER_JOINS[water]
    first, second = stage.take_number(), stage.take_number()
    kinds = rng.choice(["cargo", "tanker", "fishing", "other"], 2)
    speed = float(rng.uniform(1.2, 2.2))
    angle = float(rng.uniform(0, 2 * np.pi))
    together = int(rng.uniform(70, 150) * MINUTE)
    length = speed * 1852 / 3600 * together
    end = move(place, length * float(np.sin(angle)), length * float(np.cos(angle)))
    beside = sail([place, end], Pace(cruise=speed, first=speed, last=speed))
    apart = float(rng.uniform(60, 250))

    waiter = Diary(rng, ROAD[joins - 2], begins=int(rng.uniform(0.02, 0.15) * stage.until))
    waiter.sail([*follow_road(joins - 1, joins), place], Pace(cruise=12, first=12, last=0.6))
    arrived = waiter.now
    comes = sail(
        [*follow_road(joins + 2, joins), _shift_place(place, apart)],
        Pace(cruise=13, first=13, last=speed),
    )
    earliest = waiter.now + int(rng.uniform(5, 60) * MINUTE)
    other = Diary(rng, ROAD[joins + 2], begins=max(0, earliest - len(comes)))
    other.add(comes)
    waiter.add(lie(waiter.place, max(60, other.now - waiter.now), waiter.heading, 0))
    other.add(lie(other.place, max(1, waiter.now - other.now), other.heading, 0))
    span = waiter.add(beside)
    other.add(_shift(beside, apart))
    stage.note("rendezvous", [first, second], span)
    stage.note("loitering", [first], (arrived, span[1]))
    stage.note("loitering", [second], span)
    if dark:
        begins = span[0] + int(rng.uniform(12, 18) * MINUTE)
        ends = min(begins + int(rng.uniform(36, 80) * MINUTE), span[1] - 15 * MINUTE)
        for diary in (waiter, other) if rng.random() < 0.5 else (other,):
            diary.silences.append((begins, ends))
        stage.note("suspicious_rendezvous", [first, second], span)
    waiter.sail(follow_road(joins, 0), Pace(cruise=12, first=speed, last=12))
    other.sail(follow_road(joins, len(ROAD) - 1), Pace(cruise=13, first=speed, last=13))
    stage.enter(waiter, first, str(kinds[0]))
    stage.enter(other, second, str(kinds[1]))


def _choose_port(stage: Stage, kind: str, ports: tuple[str, ...]) -> str:
    """The next port in turn: two boats of a kind are seldom at work in one place."""
    return ports[sum(vessel.type == kind for vessel in stage.vessels) % len(ports)]


def _shift(motion: Motion, metres: float) -> Motion:
    """The same motion so far to the east."""
    scale = METRES_PER_DEGREE * np.cos(np.radians(motion.lat))
    return replace(motion, lon=motion.lon + metres / scale)


def _shift_place(place: Place, metres: float) -> Place:
    return move(place, metres, 0)


def _go_toward(start: Place, end: Place, metres: float) -> Place:
    scale = float(np.cos(np.radians(start[1])))
    east, north = (end[0] - start[0]) * scale, end[1] - start[1]
    part = metres / (METRES_PER_DEGREE * float(np.hypot(east, north)))
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])
