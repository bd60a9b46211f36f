"""Where scripts put their vessels and what is true of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from examples.maritime.fleet import Argument, Deed, Diary, Vessel
from examples.maritime.geography import Place, move
from examples.maritime.motion import Pace

HOUR = 3600
MINUTE = 60
Box = tuple[float, float, float, float]

#: Ships keep clear of the quay at this pace, and of each other.
HARBOUR = 2500.0


@dataclass(slots=True)
class Stage:
    """What the scripts have written so far."""

    #: Seconds that are simulated.
    until: int
    vessels: list[Vessel] = field(default_factory=list)
    deeds: list[Deed] = field(default_factory=list)
    numbers: int = 0

    def take_number(self) -> int:
        """The number of the next vessel: French, and of no ship we know of."""
        self.numbers += 1
        return 227_990_000 + self.numbers

    def note(self, name: str, args: Sequence[Argument], span: tuple[int, int]) -> None:
        """Something is true; what begins after the simulation is not."""
        start, end = span[0], min(span[1], self.until)
        if end > start:
            self.deeds.append(Deed(name, tuple(args), start, end))

    def enter(self, diary: Diary, number: int, kind: str, mobile: str = "A") -> None:
        if diary.begins < self.until:
            self.vessels.append(diary.finish(number, kind, self.until, mobile=mobile))


def sea_pace(cruise: float, **other: float) -> Pace:
    """From quay to quay: slow in both harbours."""
    return Pace(cruise=cruise, slow_from=HARBOUR, slow_to=HARBOUR, **other)


def choose_place(rng: np.random.Generator, box: Box, margin: float = 0.03) -> Place:
    west, south, east, north = box
    return (
        float(rng.uniform(west + margin, east - margin)),
        float(rng.uniform(south + margin, north - margin)),
    )


def wander(
    rng: np.random.Generator, start: Place, box: Box, legs: Sequence[float], turn: Sequence[float]
) -> list[Place]:
    """A path of legs of these lengths in metres that turns by an angle between `turn` and stays in
    a box: of several turns tried, the one that ends nearest to the middle if none stays inside."""
    west, south, east, north = box
    middle = np.array([(west + east) / 2, (south + north) / 2])
    size = np.array([east - west, north - south]) / 2 * 0.85
    course = float(rng.uniform(0, 360))
    path = [start]
    for length in legs:
        turns = rng.uniform(turn[0], turn[1], 8) * rng.choice([-1.0, 1.0], 8)
        angles = np.radians(course + turns)
        ends = [
            move(path[-1], length * float(np.sin(angle)), length * float(np.cos(angle)))
            for angle in angles
        ]
        off = np.abs((np.asarray(ends) - middle) / size).max(axis=1)
        best = int(np.argmax(off <= 1)) if bool((off <= 1).any()) else int(np.argmin(off))
        course += float(turns[best])
        path.append(ends[best])
    return path
