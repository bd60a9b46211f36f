"""The section "Windows, memory, late data" of the language specification, query by query.

What the text leaves open is read like this.

* A row becomes known at the later of its `arrival` and its `t` or `ts`; without an arrival at its
  `t` or `ts`. A row whose `t` or `ts` is after the last query is never known.
* Operations apply by the time at which they become known, then as they arrived, on a tie inserts
  first.
* The first instant of the timeline of a replay and the last query are those of a batch run, which
  looks at the rows that are not taken back in the end, too late or not; the queries are counted
  from the first row of all.
* A memory without a start begins at the least time of all operations it has not refused so far,
  also of a row that is taken back again.
* At one query the operations of an input on the same interval (the same arguments and `ts`) are
  judged together, by what changes when all of them have applied.
* An end that time has reached since the last query is no operation and never too late.
* An interval that began and, as far as is known, ended at or before q − ω is decided, and so is
  every instant there: whatever comes about it is too late, even what would change nothing. A
  memory need not know it any more.
* A row is late when it is used although the last query had reached all times it names: one that
  tells of an end after that query is news.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tests.reference.bindings import Arguments
from tests.reference.intervals import OPEN
from tests.reference.known import Row, find_first_instant, find_query_time, make_canonical

TOO_LATE = "too late"
OF_NOTHING = "retraction of nothing"


@dataclass(frozen=True, slots=True)
class Operation:
    """A row that is inserted or retracted."""

    row: Row
    retract: bool = False
    arrival: int | None = None

    @property
    def time(self) -> int:
        return self.row[1]

    @property
    def arrived(self) -> int:
        return self.time if self.arrival is None else self.arrival

    @property
    def known(self) -> int:
        """ "a row with an `arrival` becomes known as a whole then", but not before its time."""
        return max(self.arrived, self.time)

    @property
    def order(self) -> tuple[int, int, bool]:
        return self.known, self.arrived, self.retract


Operations: TypeAlias = Mapping[str, Sequence[Operation]]
#: The rows that hold, by what they are about: an event itself, or an interval without its end.
Held: TypeAlias = dict[tuple[Arguments, int], set[Row]]


@dataclass(frozen=True, slots=True)
class Query:
    """What a query is given, what it refuses, and what is known then."""

    time: int
    operations: dict[str, list[Operation]]
    #: By input: the numbers of operations that are not used, with the reason.
    refused: dict[str, dict[int, str]]
    rows: dict[str, list[Row]]
    #: How many operations are used although the last query had passed them.
    late: int
    #: "the least time accepted so far", where a memory without a start begins its timeline.
    first: int | None = None


def find_start(operations: Operations, start: int | None) -> int | None:
    """ "start: the instant before the first input, or `--start`"."""
    if start is not None:
        return start
    first = min((one.time for found in operations.values() for one in found), default=None)
    return None if first is None else first - 1


def find_timeline_start(operations: Operations, start: int | None) -> int | None:
    """ "the timeline (first input instant, or `--start`, … q)"; None where there is none."""
    return find_first_instant(list_remaining(operations)) if start is None else start


def list_queries(
    operations: Operations, *, step: int, start: int | None, until: int | None
) -> list[int]:
    """ "queries at start+s, start+2s, … and a last one at the last instant of the input, or
    `--until`"."""
    begin = find_start(operations, start)
    last = find_query_time(list_remaining(operations)) if until is None else until
    if last is None:
        return []
    return [*(range(begin + step, last, step) if begin is not None else ()), last]


def list_remaining(operations: Operations) -> list[Row]:
    """The rows that are not taken back in the end, as if none were too late."""
    remaining: list[Row] = []
    for found in operations.values():
        rows: set[Row] = set()
        for one in sorted(found, key=lambda one: one.order):
            row = (make_canonical(one.row[0]), *one.row[1:])
            (rows.discard if one.retract else rows.add)(row)
        remaining += rows
    return remaining


def replay(
    operations: Operations, *, window: int, step: int, start: int | None, until: int | None
) -> Iterator[Query]:
    """One query after the other."""
    queries = list_queries(operations, step=step, start=start, until=until)
    begin = find_start(operations, start)
    held: dict[str, Held] = {name: defaultdict(set) for name in operations}
    before: float = -OPEN
    accepted: set[int] = set()
    for q in queries:
        taken: dict[str, list[Operation]] = {}
        refused: dict[str, dict[int, str]] = {}
        for name, given in operations.items():
            taken[name] = take(given, before, q, is_last=q == queries[-1])
            oldest = q - window if begin is None else max(q - window, begin)
            refused[name] = apply(held[name], taken[name], q, oldest)
            accepted |= {one.time for at, one in enumerate(taken[name]) if at not in refused[name]}
        late = sum(count_late(taken[name], refused[name], before) for name in taken)
        rows = {name: flatten(found) for name, found in held.items()}
        yield Query(q, taken, refused, rows, late, min(accepted, default=None))
        before = q


def take(
    operations: Iterable[Operation], before: float, q: int, *, is_last: bool
) -> list[Operation]:
    """What becomes known after the last query and by this one, in the order in which it applies.

    "Rows that arrive after the last query are taken in at that last query."
    """
    found = [
        one
        for one in operations
        if before < one.known and (one.known <= q or (is_last and one.time <= q))
    ]
    return sorted(found, key=lambda one: one.order)


def apply(held: Held, operations: Sequence[Operation], q: int, oldest: int) -> dict[int, str]:
    """Change what holds; the numbers of the operations that are refused, with the reason.

    What lies at or before `oldest` cannot change any more.
    """
    refused: dict[int, str] = {}
    about: dict[tuple[Arguments, int], list[int]] = defaultdict(list)
    for number, operation in enumerate(operations):
        about[make_canonical(operation.row[0]), operation.time].append(number)
    for key, numbers in about.items():
        rows, nothing = set(held[key]), []
        for number in numbers:
            row = (key[0], *operations[number].row[1:])
            if not operations[number].retract:
                rows.add(row)
            elif row in rows:
                rows.remove(row)
            else:
                nothing.append(number)
        if is_decided(key[1], held[key], q, oldest) or find_change(held[key], rows, q) <= oldest:
            refused |= dict.fromkeys(numbers, TOO_LATE)
            continue
        refused |= dict.fromkeys(nothing, OF_NOTHING)
        held[key] = rows
    return refused


def count_late(operations: Sequence[Operation], refused: Collection[int], before: float) -> int:
    """How many are used and tell of nothing after the last query."""
    return sum(
        number not in refused and all(time is None or time <= before for time in one.row[1:])
        for number, one in enumerate(operations)
    )


def is_decided(time: int, rows: set[Row], q: int, oldest: int) -> bool:
    """Whether all of it lies where nothing can change any more."""
    return time <= oldest and all(end <= oldest for end in see_ends(rows, q))


def find_change(before: set[Row], after: set[Row], q: int) -> float:
    """The earliest instant about which something else is known; OPEN when nothing changes.

    An interval whose end becomes known, unknown or another changes at the lesser of both ends, one
    that appears or vanishes at its start: "a new interval with ts ≤ q − ω, an end ≤ q − ω".
    """
    old, new = see_ends(before, q), see_ends(after, q)
    if old == new:
        return OPEN
    if len(old - new) == len(new - old) == 1:
        return min(*(old - new), *(new - old))
    return next(iter(before | after))[1]


def see_ends(rows: set[Row], q: int) -> set[float]:
    """The ends of an interval as known at q: "a row with a `te` closes the still-holding row with
    the same arguments and `ts`"; "an interval that ends after q is seen as `[a, ∞)`"."""
    ends = {row[-1] for row in rows}
    return {OPEN if end is None or end > q else end for end in ends - {None} or ends}


def flatten(held: Held) -> list[Row]:
    return [row for rows in held.values() for row in rows]
