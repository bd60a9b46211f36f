"""What one query of a working memory costs: few new rows, many, and a longer window.

Processor time of `Memory.advance` alone, on tables that are ready. The stream of the golden program
is the maritime stream of a million events, that of `maritime.all` a simulated day of 1.2 million
positions, asked every second; its reports are made and prepared once.

python -m tests.benchmarks.queries [--only golden day lengths] [--queries 200]
"""

import argparse
import gc
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np

import phenesthe
from examples.maritime.command import main as examples
from examples.maritime.recognise import AREA_FILES
from phenesthe.check.program import CheckedProgram
from phenesthe.cli.main import main as command
from phenesthe.io.stream import Stream, read_stream
from phenesthe.kernels.arrays import Array
from phenesthe.memory import Memory, Operations, choose_slack
from phenesthe.memory.replay import slice_feed
from tests.benchmarks.engine import PROGRAM, WORK, stream
from tests.benchmarks.stream import DAY, write_stream

HOUR = 3600
_WINDOW = 8 * HOUR
#: The windows whose queries are compared, all with the same change.
LENGTHS = (HOUR, 8 * HOUR, DAY, 7 * DAY)
_BATCH = 10_000
#: As it was when its queries were first measured: changing the library changes nothing here.
_FROZEN = Path(__file__).parent / "library"
_LIBRARY = "maritime.all"
_VESSELS = 270


@dataclass(frozen=True, slots=True)
class Played:
    """A program and the rows that it is asked about, as they become known."""

    program: CheckedProgram
    stream: Stream
    #: When each row of any input becomes known, in order.
    known: Array

    def begin(self, window: int) -> Memory:
        return Memory(
            self.program,
            self.stream.facts,
            window=window,
            first=self.stream.first,
            slack=choose_slack(window),
        )

    def take(self, after: int, query: int) -> dict[str, Operations]:
        found = {}
        for name, feed in self.stream.feeds.items():
            low, high = np.searchsorted(feed.known, (after, query), side="right")
            if low < high:
                found[name] = slice_feed(feed, int(low), int(high))
        return found

    def warm(self, window: int, at: int) -> Memory:
        """A memory that is full: what lies further back than a window is not played."""
        memory = self.begin(window)
        last = at - window - 1
        for query in (at - window // 2, at):
            memory.advance(query, self.take(last, query))
            last = query
        return memory

    def list_queries(self, after: int, rows: int) -> Iterator[int]:
        """Times between which so many rows become known, or as few as have one time."""
        place = int(np.searchsorted(self.known, after, side="right"))
        while place + rows <= len(self.known):
            query = int(self.known[place + rows - 1])
            yield query
            place = int(np.searchsorted(self.known, query, side="right"))


@dataclass(frozen=True, slots=True)
class Measured:
    """Processor seconds of each query, and how many rows it took in."""

    seconds: Sequence[float]
    rows: Sequence[int]

    @property
    def milliseconds(self) -> float:
        return median(self.seconds) * 1e3

    @property
    def events_per_second(self) -> float:
        return sum(self.rows) / sum(self.seconds)


def measure(memory: Memory, played: Played, queries: Iterator[int]) -> Measured:
    assert memory.last is not None
    seconds: list[float] = []
    rows: list[int] = []
    gc.collect()
    for query in queries:
        given = played.take(memory.last, query)
        began = process_time()
        memory.advance(query, given)
        seconds.append(process_time() - began)
        rows.append(sum([one.table.num_rows for one in given.values()]))
    return Measured(seconds, rows)


@cache
def play_golden() -> Played:
    return _play(phenesthe.compile(PROGRAM).checked, stream(206)[0])


@cache
def play_days() -> Played:
    """The same traffic for longer than the longest window."""
    folder = WORK / "nine_days"
    if not (folder / "vessel_type.parquet").exists():
        write_stream(folder, seconds=9 * DAY)
    return _play(phenesthe.compile(PROGRAM).checked, folder)


@cache
def play_library() -> Played:
    """A simulated day, with the frozen library."""
    folder = WORK / "day"
    if not (folder / "tables" / "summary.json").exists():
        vessels = ("--vessels", str(_VESSELS))
        assert not examples(["simulate", *vessels, "--output", str(folder), "--quiet"])
        areas = ("--areas", *map(str, AREA_FILES))
        target = ("--output", str(folder / "tables"), "--engine", "local", "--quiet")
        assert not command(["ais", "prepare", str(folder / "ais.csv.gz"), *areas, *target])
    program = phenesthe.compile(_FROZEN / "maritime" / "all.phe", path=[_FROZEN])
    return _play(program.checked, folder / "tables")


def _play(program: CheckedProgram, folder: Path) -> Played:
    found = read_stream(program, folder)
    known = np.sort(np.concatenate([feed.known for feed in found.feeds.values()]))
    return Played(program, found, known)


def measure_golden(rows: int, queries: int = 200) -> Measured:
    played, at = play_golden(), 2 * DAY
    return measure(played.warm(_WINDOW, at), played, islice(played.list_queries(at, rows), queries))


def measure_library(queries: int = 60) -> Measured:
    """Every second a query: some 20 new rows."""
    played = play_library()
    assert played.stream.first is not None
    at = played.stream.first + 12 * HOUR
    return measure(played.warm(_WINDOW, at), played, iter(range(at + 1, at + 1 + queries)))


def measure_library_batches(queries: int = 20) -> Measured:
    played = play_library()
    assert played.stream.first is not None
    at = played.stream.first + 12 * HOUR
    return measure(
        played.warm(_WINDOW, at), played, islice(played.list_queries(at, _BATCH), queries)
    )


def measure_lengths(rows: int = 100, queries: int = 60) -> Mapping[int, Measured]:
    """By the length of the window, in ticks; every query takes in the same rows."""
    played, at = play_days(), 8 * DAY
    times = list(islice(played.list_queries(at, rows), queries))
    return {window: measure(played.warm(window, at), played, iter(times)) for window in LENGTHS}


def measure_one() -> float:
    return measure_golden(1).milliseconds


def measure_second() -> float:
    return measure_library().milliseconds


def measure_golden_batches() -> float:
    """Microseconds for each event."""
    return 1e6 / measure_golden(_BATCH, 40).events_per_second


def measure_day_batches() -> float:
    return 1e6 / measure_library_batches().events_per_second


def measure_growth() -> float:
    """A query with the longest window beside one with the shortest."""
    found = measure_lengths()
    return found[LENGTHS[-1]].milliseconds / found[LENGTHS[0]].milliseconds


def _tell(text: str, found: Measured) -> None:
    print(
        f"{text:42} {found.milliseconds:9.2f} ms {found.events_per_second:12,.0f} events/s",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.queries")
    parts = ("golden", "day", "lengths")
    parser.add_argument("--only", nargs="+", choices=parts, default=parts)
    parser.add_argument("--queries", type=int, default=200, help="with one event each")
    given = parser.parse_args()
    if "golden" in given.only:
        for rows, queries in ((1, given.queries), (1000, 60), (_BATCH, 40)):
            _tell(f"golden program, {rows:,} new events", measure_golden(rows, queries))
    if "day" in given.only:
        _tell(f"{_LIBRARY}, every second", measure_library())
        _tell(f"{_LIBRARY}, {_BATCH:,} new events", measure_library_batches())
    if "lengths" in given.only:
        for window, found in measure_lengths().items():
            _tell(f"golden program, 100 new events, {window // HOUR} h", found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
