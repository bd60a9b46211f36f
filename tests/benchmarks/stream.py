"""A random but coherent maritime stream of any size, as a folder of input tables.

Per vessel: cycles of moored in port, leaving, under way, visits to fishing areas, under way,
entering port; a position every 10 to 180 s, with gaps of 10 to 60 minutes now and then. The same
arguments give the same stream. 206 vessels over six days are about a million events.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

DAY = 86_400


@dataclass
class Log:
    """What is seen of vessels up to the end."""

    rng: np.random.Generator
    end: int
    ais: list[tuple[int, int, float, float, float]] = field(default_factory=list)
    visits: list[tuple[int, str, int, str]] = field(default_factory=list)

    def leg(
        self, vessel: int, t: int, seconds: int, low: float, high: float,
        every: tuple[int, int] = (10, 180), gaps: float = 0.01,
    ) -> int:  # fmt: skip
        """Positions at a wandering speed; the instant after the last."""
        until = t + seconds
        speed = self.rng.uniform(low, high)
        while t < until and t <= self.end:
            speed = min(high, max(low, speed + self.rng.normal(0, (high - low) * 0.08)))
            course = round(float(self.rng.uniform(0, 360)), 1)
            self.ais.append((t, vessel, round(float(speed), 1), course, float(int(course) % 360)))
            gap = self.rng.random() < gaps
            t += int(
                self.rng.integers(600, 3600) if gap else self.rng.integers(every[0], every[1] + 1)
            )
        return t

    def visit(self, t: int, name: str, vessel: int, place: str) -> None:
        self.visits.append((t, name, vessel, place))


def sail(log: Log, vessel: int, fishing: bool, start: int) -> Iterator[int]:
    """Cycle after cycle until the log ends; after each the instant that was reached."""
    rng = log.rng
    t = start + int(rng.integers(0, 600))
    port = f"port{int(rng.integers(1, 9))}"
    log.visit(t, "enters_port", vessel, port)
    t += int(rng.integers(1, 60))
    while t <= log.end:
        t = log.leg(vessel, t, int(rng.integers(1800, 14400)), 0.0, 0.45, (60, 180), 0.005)
        t = log.leg(vessel, t, int(rng.integers(120, 600)), 0.6, 2.6, (10, 60), 0.0)
        log.visit(t, "leaves_port", vessel, port)
        t = log.leg(vessel, t + int(rng.integers(5, 60)), int(rng.integers(1800, 10800)), 3.0, 14.0)
        for _ in range(int(rng.integers(1, 3)) if fishing or rng.random() < 0.2 else 0):
            area = f"fa{int(rng.integers(1, 13))}"
            log.visit(t, "enters_fishing_area", vessel, area)
            t += int(rng.integers(1, 30))
            low, high = (2.8, 6.0) if rng.random() < 0.5 else (1.0, 4.5)
            t = log.leg(vessel, t, int(rng.integers(1800, 7200)), low, high)
            log.visit(t, "leaves_fishing_area", vessel, area)
            t += int(rng.integers(5, 60))
            t = log.leg(vessel, t, int(rng.integers(600, 5400)), 3.0, 14.0)
        port = f"port{int(rng.integers(1, 9))}"
        log.visit(t, "enters_port", vessel, port)
        t = log.leg(
            vessel,
            t + int(rng.integers(1, 30)),
            int(rng.integers(120, 900)),
            0.6,
            2.6,
            (10, 60),
            0.0,
        )
        yield t


def write_stream(
    folder: Path,
    *,
    vessels: int = 206,
    seconds: int = 6 * DAY,
    seed: int = 3,
    copies: int = 1,
    files: int = 1,
) -> int:
    """Write the tables, `copies` times under new vessel numbers; how many events they hold.

    Each table is one file, or a folder of so many `files`.
    """
    rng = np.random.default_rng(seed)
    log = Log(rng, seconds)
    types: list[tuple[int, str]] = []
    for number in range(vessels):
        vessel = 200_000_000 + number
        fishing = bool(rng.random() < 0.4)
        types.append((vessel, "fishing" if fishing else "cargo"))
        for _ in sail(log, vessel, fishing, 1):
            pass
    folder.mkdir(parents=True, exist_ok=True)
    log.ais.sort()
    ais = dict(
        zip(("t", "vessel", "speed", "course", "heading"), zip(*log.ais, strict=True), strict=True)
    )
    count = _write(
        folder / "ais", {name: list(values) for name, values in ais.items()}, copies, files
    )
    for name in ("enters_port", "leaves_port", "enters_fishing_area", "leaves_fishing_area"):
        rows = sorted(
            (t, vessel, place) for t, n, vessel, place in log.visits if n == name and t <= seconds
        )
        place = "port" if "port" in name else "area"
        columns = {
            "vessel": [row[1] for row in rows],
            place: [row[2] for row in rows],
            "t": [row[0] for row in rows],
        }
        count += _write(folder / name, columns, copies, files)
    _write(
        folder / "vessel_type",
        {"vessel": [vessel for vessel, _ in types], "type": [kind for _, kind in types]},
        copies,
        files,
    )
    return count


def _write(
    path: Path, columns: dict[str, list[object]] | dict[str, object], copies: int, files: int
) -> int:
    """One copy after the other, so that memory holds two of them at most."""
    table = pa.table(columns)
    at = table.schema.get_field_index("vessel")
    vessels = np.asarray(table["vessel"])
    if files > 1:
        path.mkdir(exist_ok=True)
    for number, numbers in enumerate(np.array_split(np.arange(copies), files)):
        file = path / f"part-{number:05}.parquet" if files > 1 else path.with_suffix(".parquet")
        with pq.ParquetWriter(file, table.schema, compression="zstd") as writer:
            for copy in numbers:
                renamed = pa.array(vessels + copy * 1_000_000)
                writer.write_table(table.set_column(at, "vessel", renamed))
    return int(table.num_rows) * copies
