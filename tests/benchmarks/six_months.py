"""Six months of the maritime stream through a working memory: does it stay as large as it was?

python -m tests.benchmarks.six_months [--days 182] [--vessels 15] [--picture FILE] makes the stream
piece by piece, gives it to a memory with a window of 8 h every 2 h, and drops the changes, as
`run --emit changes` does once they are written. Three runs, each in a process of its own:

* a fleet that stays, where `before` says how long it may take: rows and process memory are flat;
* vessels that sail for three days and are never seen again, with `before` that waits for ever:
  the growth that `compile` and `check` predict;
* the same vessels with the limits: flat again.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np

import phenesthe
from phenesthe.memory import Memory, Operations
from phenesthe.memory.changes import list_changes
from phenesthe.plan.warn_memory import warn_memory
from tests.benchmarks.engine import PROGRAM
from tests.benchmarks.stream import DAY
from tests.benchmarks.traffic import Traffic
from tests.tools.plot import Curve, Panel, draw

HOUR = 3600
WINDOW, STEP = 8 * HOUR, 2 * HOUR
_STAY = 3 * DAY
#: From here on everything should be as it was: two windows.
_SETTLED = 2 * WINDOW
_MIB = 2**20
#: Growth over the whole run, beside the mean, that still counts as none.
_FLAT = 0.05


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    stay: int | None
    is_limited: bool


CASES = (
    Case("a fleet that stays, limits", None, True),
    Case("vessels never return, no limits", _STAY, False),
    Case("vessels never return, limits", _STAY, True),
)


@dataclass(frozen=True, slots=True)
class Point:
    """After a query: what is remembered, and what the process has in memory."""

    query: int
    rows: int
    resident: int


@dataclass(frozen=True, slots=True)
class Run:
    """All queries, and the rows by definition after the first two windows and at the end.

    `predicted` are the definitions that no window bounds, as `compile` says.
    """

    points: list[Point]
    first: dict[str, int]
    last: dict[str, int]
    predicted: list[str]


def make_text(is_limited: bool) -> str:
    """The maritime program, as it is or with a limit to everything that may wait or hold."""
    text = PROGRAM.read_text("utf-8")
    if not is_limited:
        return text
    for state in ("leaves_port(V, P)", "leaves_fishing_area(V, A)", "stop_end(V)"):
        text = text.replace(f"~> {state};", f"~> {state} expires 1d;")
    text = text.replace("start(moored(V, PB)));", "start(moored(V, PB)) within 1d) within 1d;")
    assert text.count("expires 1d;") == 3, "the program has changed"
    assert text.count("within 1d) within 1d;") == 2, "the program has changed"
    return text


def run_case(case: Case, vessels: int, days: int) -> Run:
    """A run, after a look at what is said of it in advance."""
    program = phenesthe.compile(text=make_text(case.is_limited))
    predicted = json.loads(program.explain("json"))["memory"]["unbounded"]
    warned = [one for one in warn_memory(program.checked) if one.code == "M001"]
    assert bool(predicted) == bool(warned) == (not case.is_limited), (predicted, warned)
    traffic = Traffic(vessels, case.stay)
    facts = {"vessel_type": traffic.list_types(days * DAY)}
    memory = Memory(program.checked, facts, window=WINDOW, first=1)
    points: list[Point] = []
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for query in range(STEP, days * DAY + 1, STEP):
        fresh = {name: Operations(table) for name, table in traffic.take(query).items()}
        advance = memory.advance(query, fresh)
        list_changes(program.checked.defined, advance)
        last = advance.rows
        if query <= _SETTLED:
            first = last
        points.append(Point(query, sum(last.values()), measure_resident()))
    return Run(points, first, last, predicted)


def measure_resident() -> int:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def find_growth(points: Sequence[Point], values: Sequence[float]) -> float:
    """By how much a straight line through the values rises in all, beside their mean."""
    times = [point.query for point in points]
    slope = float(np.polyfit(times, values, 1)[0])
    return slope * (times[-1] - times[0]) / float(np.mean(values))


def report(case: Case, run: Run) -> tuple[float, float]:
    """Print a case; the growth of the rows and of the process after two windows."""
    later = [point for point in run.points if point.query > _SETTLED]
    print(f"{case.name}: {len(run.points):,} queries")
    growths: list[float] = []
    for title, values in (
        ("rows", [float(point.rows) for point in later]),
        ("MiB", [point.resident / _MIB for point in later]),
    ):
        growths.append(find_growth(later, values))
        print(
            f"  {title:5} first {values[0]:9,.0f}  last {values[-1]:9,.0f}  "
            f"peak {max(values):9,.0f}  growth {growths[-1]:+.1%}",
            flush=True,
        )
    most = sorted(run.last, key=lambda name: run.first[name] - run.last[name])[:4]
    shown = ", ".join(f"{name} {run.first[name]:,} to {run.last[name]:,}" for name in most)
    print(f"  grew most: {shown}")
    print(f"  predicted to have no bound: {', '.join(run.predicted) or 'none'}", flush=True)
    rows, resident = growths
    return rows, resident


def draw_cases(found: Sequence[tuple[Case, Run]]) -> str:
    rows = [
        Curve(case.name, thin([(point.query / DAY, float(point.rows)) for point in run.points]))
        for case, run in found
    ]
    resident = [
        Curve(case.name, thin([(point.query / DAY, point.resident / _MIB) for point in run.points]))
        for case, run in found
    ]
    return draw(
        [
            Panel("Remembered rows", "days", "rows", rows),
            Panel("Memory of the process", "days", "MiB, resident", resident),
        ]
    )


def thin(points: Sequence[tuple[float, float]], most: int = 360) -> list[tuple[float, float]]:
    """So many points at most, each the greatest of its neighbours: no peak is lost."""
    each = -(-len(points) // most)
    return [
        max(points[at : at + each], key=lambda point: point[1])
        for at in range(0, len(points), each)
    ]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--days", type=int, default=182)
    parser.add_argument("--vessels", type=int, default=15)
    parser.add_argument("--picture", type=Path, help="where to draw it, as SVG")
    given = parser.parse_args()
    found: list[tuple[Case, Run]] = []
    missed: list[str] = []
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as pool:
        for case in CASES:
            run = pool.submit(run_case, case, given.vessels, given.days).result()
            found.append((case, run))
            rows, resident = report(case, run)
            is_flat = rows <= _FLAT and resident <= _FLAT
            if is_flat != case.is_limited:
                missed.append(case.name)
    if given.picture is not None:
        given.picture.parent.mkdir(parents=True, exist_ok=True)
        given.picture.write_text(draw_cases(found), "utf-8")
    print("all as expected" if not missed else f"not as expected: {', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
