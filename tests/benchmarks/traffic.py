"""The maritime stream without an end, piece by piece, so that nobody has to hold it.

A fleet of constant size: each vessel sails for ever, or for `stay` seconds, after which it is
never seen again and a new one takes its place.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

import numpy as np
import pyarrow as pa

from tests.benchmarks.stream import Log, sail

_FIRST = 200_000_000
_NEVER = 2**60
_VISITS = {
    "enters_port": "port",
    "leaves_port": "port",
    "enters_fishing_area": "area",
    "leaves_fishing_area": "area",
}


@dataclass(slots=True)
class _Vessel:
    number: int
    log: Log
    course: Iterator[int]
    reached: int = 0

    def go_on(self, until: int) -> None:
        while self.reached <= until:
            self.reached = next(self.course, _NEVER)


@dataclass(slots=True)
class Traffic:
    """`vessels` at any time. `take` must be asked for later and later instants."""

    vessels: int
    stay: int | None = None
    seed: int = 3
    _numbers: Iterator[int] = field(default_factory=lambda: count(_FIRST))
    _sailing: list[_Vessel] = field(default_factory=list)

    def __post_init__(self) -> None:
        for place in range(self.vessels):
            # They do not all end together.
            end = None if self.stay is None else self.stay * (place + 1) // self.vessels
            self._sailing.append(self._launch(1, end))

    def take(self, until: int) -> dict[str, pa.Table]:
        """What was seen since the last call, by input, in the order of time.

        Course and heading are left out: no definition reads them.
        """
        seen: list[tuple[int, int, float]] = []
        visits: dict[str, list[tuple[int, int, str]]] = {name: [] for name in _VISITS}
        for place, vessel in enumerate(self._sailing):
            vessel.go_on(until)
            log = vessel.log
            seen += [row[:3] for row in log.ais if row[0] <= until]
            log.ais = [row for row in log.ais if row[0] > until]
            for t, name, number, where in log.visits:
                if t <= min(until, log.end):
                    visits[name].append((t, number, where))
            log.visits = [row for row in log.visits if row[0] > until]
            if log.end <= until:
                assert self.stay is not None
                self._sailing[place] = self._launch(until + 1, log.end + self.stay)
        seen.sort()
        tables = {"ais": _make_table(seen, ("vessel", pa.int64()), ("speed", pa.float64()))}
        for name, rows in visits.items():
            columns = ("vessel", pa.int64()), (_VISITS[name], pa.string())
            tables[name] = _make_table(sorted(rows), *columns)
        return tables

    def list_types(self, seconds: int) -> pa.Table:
        """The fact `vessel_type` for everybody who is seen in that time."""
        later = 0 if self.stay is None else seconds // self.stay + 1
        numbers = np.arange(_FIRST, _FIRST + self.vessels * (1 + later))
        kinds = ["fishing" if is_fishing(int(number)) else "cargo" for number in numbers]
        return pa.table({"vessel": numbers, "type": kinds})

    def _launch(self, start: int, end: int | None) -> _Vessel:
        number = next(self._numbers)
        log = Log(np.random.default_rng((self.seed, number)), _NEVER if end is None else end)
        return _Vessel(number, log, sail(log, number, is_fishing(number), start))


def is_fishing(number: int) -> bool:
    """Two of five."""
    return number % 5 < 2


def _make_table(
    rows: Sequence[tuple[int, int, object]], *columns: tuple[str, pa.DataType]
) -> pa.Table:
    """Rows of a time and two arguments."""
    times, *arguments = zip(*rows, strict=True) if rows else ((), (), ())
    found = {
        name: pa.array(values, kind)
        for (name, kind), values in zip(columns, arguments, strict=True)
    }
    return pa.table({**found, "t": pa.array(times, pa.int64())})
