"""The local engine beside DuckDB, beside itself at other sizes, and alone."""

import math
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from phenesthe.kernels.allen import PlainRelations
from phenesthe.kernels.arrays import Intervals
from phenesthe.syntax.tokens import RELATIONS
from tests.benchmarks.stream import write_stream
from tests.strategies.corpus import PROJECT

RUNS = 3
PROGRAM = PROJECT / "language" / "conformance" / "papers" / "maritime.phe"
GOLDEN = PROJECT / "tests" / "data" / "golden" / "m1k"
WORK = PROJECT / "build" / "bench"
STATES = ("stopped", "in_port", "in_range", "underway", "moored", "trip")


@cache
def stream(vessels: int, copies: int = 1) -> tuple[Path, int]:
    """A folder of input tables, made once, and the number of its events."""
    folder = WORK / f"stream_{vessels}x{copies}"
    marker = folder / "events"
    if not marker.exists():
        marker.parent.mkdir(parents=True, exist_ok=True)
        marker.write_text(str(write_stream(folder, vessels=vessels, copies=copies)))
    return folder, int(marker.read_text())


def time_process(*command: str) -> tuple[float, int]:
    """Seconds and peak bytes of a whole process."""
    began = time.perf_counter()
    usage = run_process(*command)
    return time.perf_counter() - began, usage.ru_maxrss * 1024


def run_process(*command: str) -> resource.struct_rusage:
    """What a module used that was run by itself."""
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, f"{command[:2]} failed"
    return usage


def run_command(
    folder: Path, *only: str, options: Sequence[str] = (), target: str = "results"
) -> tuple[str, ...]:
    WORK.mkdir(parents=True, exist_ok=True)
    names = ("--only", *only) if only else ()
    return (
        "phenesthe", "run", str(PROGRAM), "--engine", "local", "--input", str(folder), *names,
        *options, "--output", str(WORK / target), "--overwrite", "--quiet",
    )  # fmt: skip


def best(*command: str) -> float:
    return min(time_process(*command)[0] for _ in range(RUNS))


@cache
def duckdb_seconds() -> float:
    return best("tests.benchmarks.duckdb_states", str(stream(206)[0]), str(WORK / "duckdb"))


def measure_states() -> float:
    return best(*run_command(stream(206)[0], *STATES)) / duckdb_seconds()


def measure_everything() -> float:
    return best(*run_command(stream(206)[0])) / duckdb_seconds()


def measure_exponent() -> float:
    """The slope of seconds over events in logarithms, from 0.1 to 10 million events."""
    points: list[tuple[float, float]] = []
    for vessels, copies in ((21, 1), (206, 1), (206, 10)):
        folder, events = stream(vessels, copies)
        empty = best("phenesthe", "check", str(PROGRAM))
        points.append((math.log(events), math.log(best(*run_command(folder)) - empty)))
    (x0, y0), _, (x2, y2) = points
    return (y2 - y0) / (x2 - x0)


def measure_memory() -> float:
    """Peak bytes per input row at ten million events, everything reported."""
    folder, events = stream(206, 10)
    return time_process(*run_command(folder))[1] / events


def measure_relations() -> float:
    """All thirteen relations with their participants over two lists of 100,000 intervals."""
    rng = np.random.default_rng(5)

    def make() -> Intervals:
        cuts = np.cumsum(rng.integers(1, 30, size=200_000)).astype(np.int64)
        return Intervals(np.zeros(100_000, dtype=np.int64), cuts[0::2], cuts[1::2])

    left, right = make(), make()
    seconds: list[float] = []
    for _ in range(RUNS):
        began = time.perf_counter()
        related = PlainRelations(left, right)
        for name in RELATIONS:
            related.mark(name)  # type: ignore[arg-type]  # the thirteen names
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def measure_small() -> float:
    return best(*run_command(GOLDEN))
