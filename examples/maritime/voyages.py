"""Vessels on their own: trade, ferries, fishing, leisure, and what goes wrong on the way."""

import numpy as np

from examples.maritime.fleet import Diary
from examples.maritime.geography import (
    CLOSED,
    GROUNDS,
    OPEN_WATER,
    OPEN_WATER_JOINS,
    PORTS,
    ROAD,
    Place,
    find_route,
    find_way_to,
    move,
)
from examples.maritime.motion import FISHING, NOT_UNDER_COMMAND, Pace, sail
from examples.maritime.stage import (
    HARBOUR,
    HOUR,
    MINUTE,
    Box,
    Stage,
    choose_place,
    sea_pace,
    wander,
)

#: Neighbours that a ship reaches within a day.
_TRADE = (
    ("brest", "lorient"),
    ("lorient", "brest"),
    ("brest", "roscoff"),
    ("saint_nazaire", "lorient"),
    ("roscoff", "saint_malo"),
    ("saint_malo", "roscoff"),
    ("lorient", "saint_nazaire"),
    ("roscoff", "brest"),
)
_FERRIES = (("le_conquet", "ouessant"), ("brest", "camaret"), ("brest", "ouessant"))
_LEISURE = (("concarneau", "lorient"), ("camaret", "douarnenez"), ("quiberon", "lorient"))
#: Who sails to which open water, and who fishes where.
_SAILS_TO = (("camaret", "douarnenez", "brest"), ("concarneau", "lorient"), ("roscoff",))
_FISHES_IN = {
    "grande_vasiere": ("guilvinec", "concarneau", "lorient"),
    "channel_west": ("roscoff",),
    "belle_ile_south": ("quiberon", "lorient"),
    CLOSED: ("guilvinec",),
}


def _start_time(stage: Stage, rng: np.random.Generator, latest: float = 0.25) -> int:
    return int(rng.uniform(0.04, latest) * stage.until)


def _choose_cruise(rng: np.random.Generator, kind: str) -> float:
    """Speeds of ships on passage, clear of what is unusual for them: at a limit nothing is true."""
    return float(rng.uniform(9.5, 13.2) if kind == "tanker" else rng.uniform(10, 15))


def trade(stage: Stage, rng: np.random.Generator, kind: str, *, silent: str = "") -> None:
    """A ship sails from port to port, some by way of an anchorage; some fall silent on the way
    (`far`) or at the quay (`near`)."""
    start, end = _TRADE[int(rng.integers(len(_TRADE)))]
    diary = Diary(rng, PORTS[start].place)
    sails = _start_time(stage, rng) + (4 * HOUR if silent == "near" else 0)
    diary.lie_until(sails)
    if silent == "near":
        begins = int(rng.uniform(0.05, 0.4) * sails)
        diary.silences.append((begins, begins + int(rng.uniform(1, 2) * HOUR)))
    roads = PORTS[end].roads
    pace = sea_pace(_choose_cruise(rng, kind))
    route = find_route(start, end)[1:]
    if roads is not None and rng.random() < 0.6:
        left, came = diary.sail([*route[:-1], roads], pace)
        diary.anchor_until(diary.now + int(rng.uniform(1, 2.5) * HOUR))
        diary.sail([PORTS[end].place], Pace(cruise=6.0, slow_to=HARBOUR))
    else:
        left, came = diary.sail(route, pace)
    if silent == "far":
        begins = int(left + rng.uniform(0.3, 0.5) * (came - left))
        diary.silences.append((begins, begins + int(rng.uniform(40, 100) * MINUTE)))
    diary.lie_until(stage.until)
    stage.enter(diary, stage.take_number(), kind)


def pass_by(stage: Stage, rng: np.random.Generator, kind: str, *, drifts: bool = False) -> None:
    """A ship passes along the whole sea road; with `drifts` its engine fails for a while."""
    road = list(ROAD) if rng.random() < 0.5 else list(reversed(ROAD))
    diary = Diary(rng, road[0], begins=int(rng.uniform(0, 0.3) * stage.until))
    cruise = _choose_cruise(rng, kind)
    number = stage.take_number()
    if not drifts:
        diary.sail(road[1:], Pace(cruise=cruise, first=cruise, last=cruise))
        stage.enter(diary, number, kind)
        return
    at = int(rng.choice([5, 6, 7]))
    diary.sail(road[1:at], Pace(cruise=cruise, first=cruise, last=1.5))
    span = drift(diary, int(rng.uniform(1, 2.5) * HOUR))
    stage.note("drifting", [number], span)
    stage.note("loitering", [number], span)
    diary.sail(road[at:], Pace(cruise=cruise, first=1.5, last=cruise))
    stage.enter(diary, number, kind)


def drift(diary: Diary, seconds: int) -> tuple[int, int]:
    """Wind and current carry the ship, broadside on."""
    rng = diary.rng
    speed = float(rng.uniform(1.2, 2.6))
    angle = float(rng.uniform(0, 2 * np.pi))
    length = speed * 1852 / 3600 * seconds
    end = move(diary.place, length * float(np.sin(angle)), length * float(np.cos(angle)))
    lean = float(rng.uniform(65, 115) * rng.choice([-1, 1]))
    pace = Pace(cruise=speed, first=speed, last=speed)
    return diary.sail([end], pace, lean, NOT_UNDER_COMMAND)


def shuttle(stage: Stage, rng: np.random.Generator) -> None:
    """A ferry goes to and fro between two ports."""
    ends = _FERRIES[int(rng.integers(len(_FERRIES)))]
    diary = Diary(rng, PORTS[ends[0]].place)
    diary.lie_until(_start_time(stage, rng, 0.2))
    cruise = float(rng.uniform(21, 27))
    here = 0
    while diary.now < 0.85 * stage.until:
        diary.sail(find_route(ends[here], ends[1 - here])[1:], sea_pace(cruise, acceleration=0.05))
        here = 1 - here
        diary.lie_until(diary.now + int(rng.uniform(40, 80) * MINUTE))
    diary.lie_until(stage.until)
    stage.enter(diary, stage.take_number(), "passenger")


def fish(
    stage: Stage, rng: np.random.Generator, *, closed: bool = False, hides: bool = False
) -> None:
    """A trawler goes to the grounds, hauls once or twice, and comes home; one that `hides` switches
    its transmitter off in the middle of its first haul."""
    grounds = [name for name in GROUNDS if (name == CLOSED) == closed]
    ground = grounds[int(rng.integers(len(grounds)))]
    port = str(rng.choice(_FISHES_IN[ground]))
    box, joins = GROUNDS[ground]
    number = stage.take_number()
    diary = Diary(rng, PORTS[port].place)
    diary.lie_until(_start_time(stage, rng, 0.15))
    steaming = float(rng.uniform(9.7, 11))
    place = choose_place(rng, box, 0.05)
    diary.sail(find_way_to(port, place, joins)[1:], sea_pace(steaming, last=3.0))
    for haul in range(int(rng.integers(1, 3))):
        if haul:
            pace = Pace(cruise=steaming, first=3.0, last=3.0, corner=200)
            diary.sail([_choose_far(rng, box, diary.place)], pace)
        speed = float(rng.uniform(3.5, 4.4))
        # Who hides trawls on for long after it.
        legs = speed * 1852 / 60 * rng.uniform(9, 22, int(rng.integers(8, 12)) + 6 * hides)
        path = wander(rng, diary.place, box, legs.tolist(), (50, 170))
        pace = Pace(cruise=speed, first=speed, last=speed, corner=200)
        span = diary.add(sail(path, pace, status=FISHING))
        stage.note("trawling", [number], span)
        if hides and not haul:
            begins = span[0] + 30 * MINUTE
            diary.silences.append((begins, begins + int(rng.uniform(35, 70) * MINUTE)))
        if closed:
            stage.note("fishing_in_closed_area", [number, ground], span)
    home = find_way_to(port, diary.place, joins)[::-1]
    diary.sail(home[1:], sea_pace(steaming, first=3.0))
    diary.lie_until(stage.until)
    stage.enter(diary, number, "fishing", "A" if rng.random() < 0.5 else "B")


def _choose_far(rng: np.random.Generator, box: Box, place: Place) -> Place:
    """The other end of the ground, where the next haul begins."""
    west, south, east, north = box
    is_west = place[0] < (west + east) / 2
    half = ((west + east) / 2 + 0.05, south, east, north)
    return choose_place(rng, half if is_west else (west, south, half[0] - 0.1, north), 0.02)


def linger(stage: Stage, rng: np.random.Generator) -> None:
    """A vessel goes out to open water, lingers there without a purpose, and comes back."""
    water = int(rng.integers(len(OPEN_WATER)))
    port = str(rng.choice(_SAILS_TO[water]))
    number = stage.take_number()
    diary = Diary(rng, PORTS[port].place)
    diary.lie_until(_start_time(stage, rng))
    place = choose_place(rng, OPEN_WATER[water], 0.06)
    diary.sail(find_way_to(port, place, OPEN_WATER_JOINS[water])[1:], sea_pace(12, last=2.0))
    legs = rng.uniform(300, 900, int(rng.integers(6, 12)))
    path = wander(rng, diary.place, OPEN_WATER[water], legs.tolist(), (20, 120))
    span = diary.add(sail(path, Pace(cruise=2.0, first=2.0, last=2.0, corner=100)))
    stage.note("loitering", [number], span)
    home = find_way_to(port, diary.place, OPEN_WATER_JOINS[water])[::-1]
    diary.sail(home[1:], sea_pace(12, first=2.0))
    diary.lie_until(stage.until)
    stage.enter(diary, number, "other")


def search(stage: Stage, rng: np.random.Generator) -> None:
    """A rescue vessel sails to where somebody is missed and searches to and fro."""
    port = str(rng.choice(["camaret", "roscoff", "concarneau"]))
    number = stage.take_number()
    diary = Diary(rng, PORTS[port].place)
    diary.lie_until(_start_time(stage, rng))
    place = PORTS[port].way_out[-1]
    diary.sail(list(PORTS[port].way_out), sea_pace(22, last=8.0, acceleration=0.08))
    speed = float(rng.uniform(6.8, 10))
    pace = Pace(cruise=speed, first=speed, last=speed, corner=200)
    path = [diary.place]
    across = float(rng.uniform(1500, 3500))
    for lane in range(int(rng.integers(10, 16))):
        side = across if lane % 2 else -across
        path += [move(place, side, 500.0 * lane), move(place, side, 500.0 * (lane + 1))]
    span = diary.add(sail(path, pace))
    stage.note("search_and_rescue", [number], span)
    home = [*reversed(PORTS[port].way_out), PORTS[port].place]
    diary.sail(home, sea_pace(22, first=8.0, acceleration=0.08))
    diary.lie_until(stage.until)
    stage.enter(diary, number, "sar")


def speed_along_coast(stage: Stage, rng: np.random.Generator) -> None:
    """A motor yacht goes to the next port and back, fast."""
    start, end = _LEISURE[int(rng.integers(len(_LEISURE)))]
    diary = Diary(rng, PORTS[start].place)
    diary.lie_until(_start_time(stage, rng, 0.4))
    cruise = float(rng.uniform(16, 28))
    diary.sail(find_route(start, end)[1:], sea_pace(cruise, acceleration=0.1))
    diary.lie_until(diary.now + int(rng.uniform(1, 3) * HOUR))
    diary.sail(find_route(end, start)[1:], sea_pace(cruise, acceleration=0.1))
    diary.lie_until(stage.until)
    stage.enter(diary, stage.take_number(), "pleasure", "B")


def stay(stage: Stage, rng: np.random.Generator, kind: str) -> None:
    """A vessel lies at the quay all day."""
    port = str(rng.choice(list(PORTS)))
    berth = move(PORTS[port].place, float(rng.uniform(-600, 600)), float(rng.uniform(-600, 600)))
    diary = Diary(rng, berth)
    diary.lie_until(stage.until)
    stage.enter(diary, stage.take_number(), kind, "B" if kind == "pleasure" else "A")
