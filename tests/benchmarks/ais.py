"""A million positions and 500 areas through `phenesthe ais prepare` on Spark, once it is warm.

`python -m tests.benchmarks.ais` prints positions a second beside the target, and the same for the
local engine; `--only proximity` measures proximity alone, of 5,000 vessels over an hour.
"""

import argparse
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from phenesthe.ais.areas import Areas, read_areas
from phenesthe.ais.local import prepare_locally
from phenesthe.ais.settings import Settings
from phenesthe.ais.sources import look
from tests.benchmarks import ais_proximity
from tests.benchmarks.engine import WORK

POSITIONS, VESSELS, AREAS = 1_000_000, 2_000, 500
TARGET = 100_000.0
WARM_UP, RUNS = 3, 3


def make_positions(count: int = POSITIONS) -> pa.Table:
    """Vessels that wander about a sea of 4 by 4 degrees at up to 20 knots, now and then at rest."""
    chance = np.random.default_rng(7)
    steps = count // VESSELS
    speed = np.repeat(chance.uniform(0, 20, (VESSELS, steps // 50 + 1)), 50, axis=1)[:, :steps]
    speed *= np.repeat(chance.random((VESSELS, steps // 100 + 1)) > 0.3, 100, axis=1)[:, :steps]
    course = chance.uniform(0, 360, (VESSELS, 1)) + np.cumsum(
        chance.normal(0, 3, (VESSELS, steps)), axis=1
    )
    metres = speed * 1852 / 3600 * 10
    north, east = (
        np.cumsum(metres * turn(np.radians(course)), axis=1) / 111_195 for turn in (np.cos, np.sin)
    )
    lat = chance.uniform(54, 58, (VESSELS, 1)) + north
    lon = chance.uniform(4, 8, (VESSELS, 1)) + east / np.cos(np.radians(56))
    vessel = np.repeat(np.arange(219_000_001, 219_000_001 + VESSELS), steps)
    t = np.tile(1_600_000_000 + 10 * np.arange(steps), VESSELS)
    order = np.argsort(t, kind="stable")  # archives are in the order of time
    columns = {
        "mmsi": vessel,
        "t": t,
        "lon": lon.ravel(),
        "lat": lat.ravel(),
        "sog": speed.ravel(),
        "cog": course.ravel() % 360,
    }
    return pa.table({name: values[order] for name, values in columns.items()})


def write_areas(path: Path) -> Path:
    """Places with a radius of 2 to 10 km."""
    chance = np.random.default_rng(11)
    places = chance.uniform((4, 54, 2000), (8, 58, 10_000), (AREAS, 3))
    lines = [f"area {n},fishing,{x:.5f},{y:.5f},{r:.0f}" for n, (x, y, r) in enumerate(places)]
    path.write_text("\n".join(["name,type,lon,lat,radius", *lines]) + "\n")
    return path


@cache
def make_input() -> tuple[Path, Areas]:
    WORK.mkdir(parents=True, exist_ok=True)
    file = WORK / "ais_positions.parquet"
    pq.write_table(make_positions(), file)
    return file, read_areas([write_areas(WORK / "ais_areas.csv")], Settings())


def measure_spark() -> float:
    """Positions a second."""
    from phenesthe.ais.spark import prepare_on_spark
    from tests.benchmarks.spark import session

    file, areas = make_input()
    source = look(file, {})

    def prepare(folder: Path) -> None:
        places = [(str(file), source)]
        prepare_on_spark(session(), places, areas, Settings(), folder, target=folder)

    return _measure(prepare, WARM_UP)


def measure_local() -> float:
    file, areas = make_input()
    source = look(file, {})

    def prepare(folder: Path) -> None:
        prepare_locally([(file, source)], areas, Settings(), folder)

    return _measure(prepare, 0)


def _measure(prepare: Callable[[Path], None], warm_up: int) -> float:
    seconds = []
    for run in range(warm_up + RUNS):
        with TemporaryDirectory(dir=WORK) as folder:
            began = time.perf_counter()
            prepare(Path(folder))
            if run >= warm_up:
                seconds.append(time.perf_counter() - began)
    return POSITIONS / min(seconds)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.ais", description=__doc__)
    parser.add_argument("--only", choices=("spark", "local", "proximity"), action="append")
    given = parser.parse_args()
    wanted = given.only or ("spark", "local", "proximity")
    if "spark" in wanted:
        figure = measure_spark()
        verdict = "met" if figure >= TARGET else "missed"
        print(
            f"spark      {figure:12,.0f} positions/s (target {TARGET:,.0f}) {verdict}", flush=True
        )
    if "local" in wanted:
        print(f"local      {measure_local():12,.0f} positions/s", flush=True)
    if "proximity" in wanted:
        print(f"proximity  {ais_proximity.measure_proximity():12.2f} s, 5,000 vessels over an hour")
    return 0


if __name__ == "__main__":
    sys.exit(main())
