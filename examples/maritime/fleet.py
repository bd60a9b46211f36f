"""Vessels, their days, and what is true of them."""

from dataclasses import dataclass, field

import numpy as np

from examples.maritime.geography import Place, move
from examples.maritime.motion import MOORED, UNDER_WAY, Motion, Pace, join, lie, sail, swing

Argument = int | str


@dataclass(frozen=True, slots=True, order=True)
class Deed:
    """Something that is true from `ts` to `te`, in seconds since the simulation began."""

    name: str
    args: tuple[Argument, ...]
    ts: int
    te: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Vessel:
    mmsi: int
    #: A value of the library's fact `vessel_type`.
    type: str
    #: Class A or B of its transmitter.
    mobile: str
    length: int
    #: Class B units often have no compass, and then send no heading.
    compass: bool
    #: When it comes into sight; its motion begins then.
    begins: int
    motion: Motion
    #: When its transmitter is off, in seconds since the simulation began.
    silences: tuple[tuple[int, int], ...] = ()

    @property
    def ends(self) -> int:
        return self.begins + len(self.motion)


@dataclass(slots=True)
class Diary:
    """The day of a vessel while it is being written."""

    rng: np.random.Generator
    place: Place
    begins: int = 0
    parts: list[Motion] = field(default_factory=list)
    now: int = 0
    silences: list[tuple[int, int]] = field(default_factory=list)
    #: How far east and north of the middle of the road it keeps, in metres: no two ships take the
    #: same line.
    offset: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        self.now = self.begins
        east, north = self.rng.uniform(-700, 700, 2)
        self.offset = (float(east), float(north))

    def add(self, part: Motion) -> tuple[int, int]:
        """Append a motion; say from when to when it lasts."""
        start = self.now
        self.parts.append(part)
        self.now += len(part)
        self.place = part.last
        return start, self.now

    def lie_until(self, time: int, status: int = MOORED) -> tuple[int, int]:
        seconds = max(60, time - self.now)
        return self.add(lie(self.place, seconds, self.heading, status))

    def anchor_until(self, time: int) -> tuple[int, int]:
        return self.add(swing(self.place, max(60, time - self.now), self.heading))

    def sail(
        self, path: list[Place], pace: Pace, lean: float = 0.0, status: int = UNDER_WAY
    ) -> tuple[int, int]:
        """Along a path to its last point."""
        points = [move(place, *self.offset) for place in path[:-1]]
        return self.add(sail([self.place, *points, path[-1]], pace, lean, status))

    @property
    def heading(self) -> float:
        if not self.parts:
            return float(self.rng.uniform(0, 360))
        return float(self.parts[-1].heading[-1])

    def finish(self, mmsi: int, kind: str, until: int, *, mobile: str = "A") -> Vessel:
        """The vessel, its day cut where the simulation ends."""
        motion = join(self.parts).cut(0, until - self.begins)
        return Vessel(
            mmsi=mmsi,
            type=kind,
            mobile=mobile,
            length=int(self.rng.integers(*_LENGTHS.get(kind, (20, 60)))),
            compass=mobile == "A",
            begins=self.begins,
            motion=motion,
            silences=tuple(self.silences),
        )


_LENGTHS = {
    "cargo": (90, 300),
    "tanker": (90, 280),
    "passenger": (30, 180),
    "fishing": (12, 30),
    "pleasure": (8, 18),
}
