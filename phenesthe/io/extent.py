"""How many rows there are, and when: of a table, of an input, of everything that is read."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pyarrow.compute as pc

from phenesthe.io.fit import Batch


@dataclass(slots=True)
class Extent:
    """Of rows: how many, their first and last time, whether some are retractions, whether some
    tell when they came, and whether their times are dates.
    """

    count: int = 0
    first: int | None = None
    last: int | None = None
    retracts: bool = False
    arrivals: bool = False
    dated: bool = False

    def add(self, other: "Extent") -> None:
        self.count += other.count
        self.first = choose(min, self.first, other.first)
        self.last = choose(max, self.last, other.last)
        self.retracts = self.retracts or other.retracts
        self.arrivals = self.arrivals or other.arrivals
        self.dated = self.dated or other.dated


def join_extents(extents: Iterable[Extent]) -> Extent:
    together = Extent()
    for one in extents:
        together.add(one)
    return together


def choose(take: Any, *times: int | None) -> int | None:
    """The least or greatest of the times there are."""
    there = [time for time in times if time is not None]
    return take(there) if there else None


def measure_batch(batch: Batch, times: Iterable[str]) -> Extent:
    extent = measure_table(batch.table, times)
    extent.retracts = batch.retract is not None and bool(batch.retract.any())
    extent.arrivals = batch.arrival is not None and batch.arrival.null_count < len(batch.arrival)
    extent.dated = batch.dated
    return extent


def measure_table(table: Any, times: Iterable[str]) -> Extent:
    ends = [pc.min_max(table[name]).as_py() for name in times]
    first = choose(min, *(one["min"] for one in ends))
    return Extent(table.num_rows, first, choose(max, *(one["max"] for one in ends)))
