"""Random streams as they really come: delayed, twice, out of order, corrected and withdrawn."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import TypeAlias

from phenesthe.check.program import CheckedProgram
from tests.equivalence.streams import Stream
from tests.reference import Row, Scalar
from tests.reference.windowed import Operation

#: How an interval's arguments, start and end become the operations that make it known.
Way: TypeAlias = Callable[[tuple[Scalar, ...], int, int], Iterator[Operation]]

#: Shortest and longest; short windows forget much, long ones let much be late.
_WINDOWS = ((1, 4), (3, 8), (4, 10), (8, 20), (15, 40))
_TOO_LATE = 0.03
_SESSIONS = 0.35


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowedCase:
    """A program, operations by input, and how they are replayed."""

    text: str
    operations: dict[str, list[Operation]] = field(default_factory=dict)
    facts: dict[str, list[tuple[Scalar, ...]]] = field(default_factory=dict)
    window: int
    step: int
    start: int | None = None
    until: int | None = None
    #: After this many queries the memory is written down and read again.
    resume: int = 1
    #: What the run says of parameters.
    params: dict[str, Scalar] = field(default_factory=dict)
    #: Whether the memory is not told where the timeline begins.
    session: bool = False


def make_windowed(
    text: str, program: CheckedProgram, stream: Stream, random: Random
) -> WindowedCase:
    """The rows of a stream that the program reads, arriving at random."""
    window = random.randint(*random.choice(_WINDOWS))
    step = random.randint(1, max(1, window // random.choice((1, 3))))
    inputs = {one.name: stream.inputs.get(one.name, []) for one in program.inputs}
    first = min((row[1] for rows in inputs.values() for row in rows), default=0)
    base = first - 1 if stream.start is None else stream.start
    disturber = Disturber(random, window, step, base)
    operations = {name: list(disturber.disturb(rows)) for name, rows in inputs.items()}
    session = stream.start is None and random.random() < _SESSIONS
    if session:
        operations = _delay_beginning(operations, first, window, step, random)
    for found in operations.values():
        random.shuffle(found)
    return WindowedCase(
        text=text,
        operations=operations,
        facts={one.name: stream.facts.get(one.name, []) for one in program.facts},
        window=window,
        step=step,
        start=stream.start,
        until=stream.until,
        resume=random.randint(1, 6),
        params=stream.params,
        session=session,
    )


def _delay_beginning(
    operations: dict[str, list[Operation]], first: int, window: int, step: int, random: Random
) -> dict[str, list[Operation]]:
    """What is about the first instants becomes known after others, in time for the window."""
    end = first + random.randint(1, max(1, window - step))
    arrivals: dict[int, int] = {}

    def delay(one: Operation) -> Operation:
        if one.time >= end:
            return one
        late = random.randint(end, end + step)
        arrival = arrivals.setdefault(one.time, min(late, one.time + window - step))
        return replace(one, arrival=max(one.arrived, arrival))

    return {name: [delay(one) for one in found] for name, found in operations.items()}


class Disturber:
    """Makes operations of rows; what is left in the end is mostly the rows."""

    def __init__(self, random: Random, window: int, step: int, base: int) -> None:
        self.random = random
        self.window = window
        self.step = step
        self.base = base
        self.calm = random.choice((0.2, 0.5, 0.8, 0.95))
        self.trouble = random.choice((0.0, 0.1, 0.3, 0.5))

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def arrive(self, time: int) -> int:
        """When something about a time becomes known: by a query that still accepts it, mostly."""
        if self.chance(self.calm):
            return time
        if self.chance(_TOO_LATE):
            return time + self.window + self.random.randint(0, self.step)
        first = self.base - (self.base - time) // self.step * self.step
        query = self.random.choice(range(first, time + self.window, self.step))
        return max(time, query - self.random.randrange(self.step))

    def insert(self, row: Row, after: int | None = None) -> Operation:
        """A row that arrives late or not, for a reason at `after` if not at its own time."""
        arrival = self.arrive(row[1] if after is None else after)
        if arrival == row[1] and self.chance(0.5):
            return Operation(row)
        return Operation(row, arrival=arrival)

    def retract(self, inserted: Operation, after: int | None = None) -> Operation:
        """Seldom before there is anything to retract."""
        arrival = self.arrive(inserted.time if after is None else after)
        if not self.chance(0.05):
            arrival = max(arrival, inserted.known)
        return Operation(inserted.row, retract=True, arrival=arrival)

    def disturb(self, rows: list[Row]) -> Iterator[Operation]:
        arguments = [row[0] for row in rows]
        for row in rows:
            if not self.chance(self.trouble):
                yield self.insert(row)
                continue
            match self.random.randrange(8):
                case 0:
                    yield from (self.insert(row), self.insert(row))
                case 1:
                    yield from self.withdraw(row)
                case 2:
                    # It comes back.
                    yield from self.withdraw(row)
                    yield self.insert(row)
                case 3:
                    yield from self.replace((self.random.choice(arguments), *row[1:]), row)
                case 4:
                    shifted = self.random.randint(1, 4)
                    yield from self.withdraw(_move(row, shifted))
                    yield self.insert(row)
                case _ if len(row) == 3 and row[2] is not None:
                    ways: tuple[Way, ...] = (
                        self.close, self.close, self.reopen, self.change_end, self.end_twice,
                    )  # fmt: skip
                    yield from self.random.choice(ways)(row[0], row[1], row[2])
                case _:
                    yield self.insert(row)

    def withdraw(self, row: Row) -> Iterator[Operation]:
        inserted = self.insert(row)
        yield inserted
        yield self.retract(inserted)

    def replace(self, wrong: Row, right: Row, after: int | None = None) -> Iterator[Operation]:
        """A correction: both operations at once, or each when it comes."""
        inserted = self.insert(wrong)
        retracted = self.retract(inserted, after)
        yield from (inserted, retracted)
        if self.chance(0.8):
            yield Operation(right, arrival=retracted.arrival)
        else:
            yield self.insert(right, after)

    # Intervals

    def close(self, arguments: tuple[Scalar, ...], ts: int, te: int) -> Iterator[Operation]:
        """First that it holds, then its end as a row of its own."""
        yield self.insert((arguments, ts, None))
        yield self.insert((arguments, ts, te), after=te)
        if self.chance(0.2):
            yield self.retract(Operation((arguments, ts, None)), after=te)

    def reopen(self, arguments: tuple[Scalar, ...], ts: int, te: int) -> Iterator[Operation]:
        """An end that was wrong, and the right one, if ever."""
        wrong = te + self.random.choice((-2, -1, 1, 2))
        yield self.insert((arguments, ts, None))
        if wrong > ts:
            ended = self.insert((arguments, ts, wrong), after=wrong)
            yield ended
            yield self.retract(ended, after=wrong)
        if self.chance(0.7):
            yield self.insert((arguments, ts, te), after=te)

    def change_end(self, arguments: tuple[Scalar, ...], ts: int, te: int) -> Iterator[Operation]:
        wrong = max(ts + 1, te + self.random.choice((-3, -1, 1, 3)))
        yield from self.replace((arguments, ts, wrong), (arguments, ts, te), min(te, wrong))

    def end_twice(self, arguments: tuple[Scalar, ...], ts: int, te: int) -> Iterator[Operation]:
        """Two intervals with one start, which are one as long as neither has ended."""
        yield self.insert((arguments, ts, te))
        other = self.insert((arguments, ts, te + self.random.randint(1, 4)))
        yield other
        if self.chance(0.5):
            yield self.retract(other, after=te)


def _move(row: Row, ticks: int) -> Row:
    if len(row) == 2:
        return (row[0], row[1] + ticks)
    return (row[0], row[1] + ticks, None if row[2] is None else row[2] + ticks)
