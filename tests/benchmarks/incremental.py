"""What a working memory gains over computing each window from scratch.

In the manner of the evaluation of RTEC_inc: queries every 12 hours, windows of 12 to 168 hours, and
5 to 80 % of the events delayed by a time drawn from a Gamma distribution (shape 2, scale 2 hours).
All see the same rows at the same queries, by turns; only evaluation counts, on tables that are
ready in memory. From scratch means the same results and changes, everything in the window computed
again. Beside it stands a batch run over the rows of the window, which knows nothing of what lies
before it and does not say what changed.

python -m tests.benchmarks.incremental [--windows 12 168] [--shares 5 20] [--picture FILE]
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import mean, median
from time import perf_counter
from typing import Any, TypeVar

import numpy as np

import phenesthe
from phenesthe.arrow import to_ints, wrap
from phenesthe.check.program import CheckedProgram
from phenesthe.engines.local import run_local
from phenesthe.kernels.arrays import Array
from phenesthe.memory import Memory, Operations
from tests.benchmarks.engine import PROGRAM, WORK
from tests.benchmarks.stream import DAY
from tests.benchmarks.traffic import Traffic
from tests.tools.plot import Curve, Panel, draw

T = TypeVar("T")
HOUR = 3600
STEP = 12
WINDOWS = (12, 24, 48, 84, 168)
SHARES = (5, 10, 20, 40, 80)
#: Up to this share of late events computing the change must pay, whatever the window.
_OFTEN = 20
_VESSELS = 100
#: The longest window, and six queries after it is full.
_DAYS = 10


@dataclass(frozen=True, slots=True)
class Cell:
    """Seconds per query: medians over the queries after the window is full."""

    scratch: float
    batch: float
    incremental: float

    @property
    def gain(self) -> float:
        return self.scratch / self.incremental

    @property
    def gain_over_batch(self) -> float:
        return self.batch / self.incremental


@dataclass(frozen=True, slots=True)
class Sample:
    """The rows of all inputs, each in the order of time, and the facts."""

    tables: Mapping[str, Any]
    facts: Mapping[str, Any]
    end: int


def make_sample(vessels: int, days: int) -> Sample:
    traffic = Traffic(vessels)
    return Sample(traffic.take(days * DAY), {"vessel_type": traffic.list_types(0)}, days * DAY)


class Delayed:
    """A sample of which a share of the rows arrives late."""

    def __init__(self, sample: Sample, share: float, seed: int = 7) -> None:
        rng = np.random.default_rng(seed)
        self.tables: dict[str, Any] = {}
        self.known: dict[str, Array] = {}
        for name, table in sample.tables.items():
            late = rng.random(table.num_rows) < share
            delay = np.where(late, rng.gamma(2, 2 * HOUR, table.num_rows), 0).astype(np.int64)
            known = to_ints(table["t"]) + delay
            order = np.argsort(known, kind="stable")
            self.tables[name] = table.take(wrap(order)).combine_chunks()
            self.known[name] = known[order]

    def list_new(self, after: int, query: int) -> dict[str, Operations]:
        found = {}
        for name, table in self.tables.items():
            low, high = np.searchsorted(self.known[name], (after, query), side="right")
            found[name] = Operations(table.slice(low, high - low))
        return found

    def list_window(self, after: int, query: int) -> dict[str, Any]:
        """The rows that lie in the window and are known by its end."""
        found = {}
        for name, table in self.tables.items():
            times = to_ints(table["t"])
            inside = (times > after) & (times <= query) & (self.known[name] <= query)
            found[name] = table.filter(wrap(inside)).combine_chunks()
        return found


def measure_cell(program: CheckedProgram, sample: Sample, window: int, share: int) -> Cell:
    stream = Delayed(sample, share / 100)
    memory, again = (
        Memory(program, sample.facts, window=window * HOUR, first=1, incremental=incremental)
        for incremental in (True, False)
    )
    times: list[tuple[float, float, float]] = []
    for query in range(STEP * HOUR, sample.end + 1, STEP * HOUR):
        after = query - window * HOUR
        fresh = stream.list_new(query - STEP * HOUR, query)
        whole = stream.list_window(after, query)
        seconds, found = _time(partial(memory.advance, query, fresh))
        scratch, expected = _time(partial(again.advance, query, fresh))
        assert (found.added, found.removed) == (expected.added, expected.removed)
        batch, _ = _time(
            partial(run_local, program, whole, sample.facts, until=query, start=after + 1)
        )
        if after > 0:
            times.append((scratch, batch, seconds))
    return Cell(*[median(column) for column in zip(*times, strict=True)])


def measure_grid(
    windows: Sequence[int], shares: Sequence[int], vessels: int = _VESSELS, days: int = _DAYS
) -> dict[tuple[int, int], Cell]:
    program = phenesthe.compile(PROGRAM).checked
    sample = make_sample(vessels, days)
    cells: dict[tuple[int, int], Cell] = {}
    for window in windows:
        for share in shares:
            cells[window, share] = measure_cell(program, sample, window, share)
            print(f"{window} h, {share} % late: {cells[window, share]}", file=sys.stderr)
    for title, read in (
        ("from scratch / incremental = gain", lambda cell: (cell.scratch, cell.gain)),
        ("of a batch run / incremental = gain", lambda cell: (cell.batch, cell.gain_over_batch)),
    ):
        print(f"milliseconds per query {title}\n")
        print("| window | " + " | ".join(f"{share} % late" for share in shares) + " |")
        print("|---|" + "---|" * len(shares))
        for window in windows:
            row = " | ".join(_write_cell(cells[window, share], read) for share in shares)
            print(f"| {window} h | {row} |")
        print(flush=True)
    return cells


def _write_cell(cell: Cell, read: Callable[[Cell], tuple[float, float]]) -> str:
    other, gain = read(cell)
    return f"{other * 1e3:.0f} / {cell.incremental * 1e3:.0f} = {gain:.1f}"


def measure_incremental() -> float:
    """The worst cell with up to 20 % late: seconds beside those from scratch."""
    cells = measure_grid(WINDOWS, SHARES)
    _write_picture(cells, WORK / "incremental.svg")
    return max(1 / cell.gain for (_, share), cell in cells.items() if share <= _OFTEN)


def draw_grid(cells: Mapping[tuple[int, int], Cell]) -> str:
    windows = list(dict.fromkeys(window for window, _ in cells))
    shares = list(dict.fromkeys(share for _, share in cells))

    def list_points(read: Callable[[Cell], float], share: int) -> list[tuple[float, float]]:
        return [(window, read(cells[window, share])) for window in windows]

    def list_means(read: Callable[[Cell], float]) -> list[tuple[float, float]]:
        """How many rows are late hardly matters to a run from scratch: one curve for all."""
        return [
            (window, 1e3 * mean(read(cells[window, share]) for share in shares))
            for window in windows
        ]

    scratch, batch = list_means(lambda cell: cell.scratch), list_means(lambda cell: cell.batch)
    times = [
        Curve("from scratch", scratch, is_dashed=True, has_dots=True),
        Curve("a batch run over the window", batch, is_dashed=True, has_dots=True),
    ]
    gains = [Curve("from scratch", [(window, 1) for window in windows], is_dashed=True)]
    for share in shares:
        label = f"incremental, {share} % late"
        milliseconds = list_points(lambda cell: cell.incremental * 1e3, share)
        times.append(Curve(label, milliseconds, has_dots=True))
        gains.append(Curve(label, list_points(lambda cell: cell.gain, share), has_dots=True))
    title = "window (hours)"
    return draw(
        [
            Panel("Time of a query", title, "milliseconds", times, windows),
            Panel("Gain over computing from scratch", title, "times", gains, windows),
        ]
    )


def _write_picture(cells: Mapping[tuple[int, int], Cell], file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(draw_grid(cells), "utf-8")


def _time(do: Callable[[], T]) -> tuple[float, T]:
    began = perf_counter()
    found = do()
    return perf_counter() - began, found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.incremental")
    parser.add_argument("--windows", type=int, nargs="+", default=WINDOWS, help="hours")
    parser.add_argument("--shares", type=int, nargs="+", default=SHARES, help="percent late")
    parser.add_argument("--vessels", type=int, default=_VESSELS)
    parser.add_argument("--picture", type=Path, help="where to draw it, as SVG")
    given = parser.parse_args()
    days = max(3, max(given.windows) // 24 + 3)
    cells = measure_grid(given.windows, given.shares, given.vessels, days)
    if given.picture is not None:
        _write_picture(cells, given.picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
