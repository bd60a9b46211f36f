"""Stored rows played to a working memory, query by query, as they would have become known."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

import numpy as np

from phenesthe.io.columns import Numbers, Reason
from phenesthe.io.errors import DataError
from phenesthe.io.rejects import Rejects
from phenesthe.io.stream import Feed
from phenesthe.kernels.arrays import OPEN
from phenesthe.memory import Advance, Operations

#: A step of a second over years is a mistake, and would be found out too late.
MOST_QUERIES = 10_000_000


@dataclass(frozen=True, slots=True)
class Schedule:
    """Queries every `step` after `start`, and one at `last`, which is always there."""

    start: int
    step: int
    last: int

    def __len__(self) -> int:
        return max(1, -((self.start - self.last) // self.step))

    def __iter__(self) -> Iterator[int]:
        yield from range(self.start + self.step, self.last, self.step)
        yield self.last


def make_schedule(
    *, step: int, begin: int | None, last: int | None, start: int | None, until: int | None
) -> Schedule | None:
    """When to ask, or None where there is no instant to ask about.

    `begin` and `last` are those of the input, None if it is empty; `start` and `until` are given
    in their place.
    """
    end = last if until is None else until
    if end is None:
        return None
    if start is None:
        start = end - 1 if begin is None else begin - 1
    schedule = Schedule(start, step, end)
    # `len` would fail for what does not fit into a machine's word.
    if (end - start) // step > MOST_QUERIES:
        raise DataError(
            f"there would be {(end - start) // step:,} queries from {start} to {end}, "
            f"every {step} ticks",
            f"ask less often, or about less time: at most {MOST_QUERIES:,} queries are made",
        )
    return schedule


def begin_timeline(first: int | None, start: int | None) -> int:
    """The first instant of a replay's timeline, which all its queries have.

    `first` is that of the rows not taken back in the end, too late or not, None where all are; then
    there is none, as in a batch run. `start` is given in its place.
    """
    if start is not None:
        return start
    return OPEN if first is None else first


class Advances(Protocol):
    """A working memory, as far as a replay knows it."""

    def advance(self, query_time: int, operations: Mapping[str, Operations]) -> Advance: ...


@dataclass(frozen=True, slots=True)
class Turn:
    """One query of a replay."""

    advance: Advance
    #: How many rows became known.
    inputs: int
    refusals: tuple["Refusal", ...]
    seconds: float

    def count_refused(self, reason: Reason) -> int:
        return sum(one.reasons.count(reason) for one in self.refusals)

    def set_aside(self, rejects: Rejects) -> None:
        for one in self.refusals:
            one.feed.set_aside(one.rows, one.reasons, rejects)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Rows of a feed, by their numbers, that were not used."""

    feed: Feed
    rows: Numbers
    reasons: tuple[Reason, ...]


def replay(memory: Advances, schedule: Schedule, feeds: Mapping[str, Feed]) -> Iterator[Turn]:
    """All queries in their order. What becomes known after the last is taken in there.

    A query without new rows is asked too: time alone changes results.
    """
    lines = [_Line(name, feed.drop_after(schedule.last)) for name, feed in feeds.items()]
    for query in schedule:
        parts: dict[str, _Part] = {}
        for line in lines:
            part = line.take_all() if query == schedule.last else line.take_until(query)
            if part is not None:
                parts[line.name] = part
        began = perf_counter()
        advance = memory.advance(query, {name: part.operations for name, part in parts.items()})
        seconds = perf_counter() - began
        yield Turn(
            advance,
            sum(part.operations.table.num_rows for part in parts.values()),
            tuple(
                Refusal(parts[name].feed, parts[name].start + refused.rows, refused.reasons)
                for name, refused in advance.refused.items()
                if len(refused.rows)
            ),
            seconds,
        )


@dataclass(frozen=True, slots=True)
class _Part:
    """What becomes known of one input at one query, and where in its feed it begins."""

    operations: Operations
    feed: Feed
    start: int


class _Line:
    """The rows of one input that are still to come."""

    def __init__(self, name: str, feed: Feed) -> None:
        self.name = name
        self._feed = feed
        self._at = 0
        self._next = self._look(0)

    def take_until(self, query: int) -> _Part | None:
        if self._next is None or self._next > query:
            return None
        return self._take(int(np.searchsorted(self._feed.known, query, side="right")))

    def take_all(self) -> _Part | None:
        return None if self._next is None else self._take(len(self._feed.known))

    def _take(self, end: int) -> _Part:
        start, self._at, self._next = self._at, end, self._look(end)
        return _Part(slice_feed(self._feed, start, end), self._feed, start)

    def _look(self, at: int) -> int | None:
        return int(self._feed.known[at]) if at < len(self._feed.known) else None


def slice_feed(feed: Feed, start: int, end: int) -> Operations:
    """Some rows of a feed as a memory takes them."""
    retract = None if feed.retract is None else feed.retract[start:end]
    if retract is not None and not retract.any():
        retract = None
    return Operations(feed.table.slice(start, end - start), retract)
