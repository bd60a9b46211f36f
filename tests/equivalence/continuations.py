"""What may still come after a query, in small streams: new, late, corrected and withdrawn rows."""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import TypeAlias

from phenesthe.check.program import CheckedProgram
from phenesthe.memory import Operations
from tests.equivalence.compare import Results, run_reference
from tests.equivalence.streams import Stream
from tests.equivalence.windowed import Expected, build_operations
from tests.reference import Row
from tests.reference.windowed import Held, Operation, Query, apply, count_late, flatten

#: What happens to one row of an input.
Change: TypeAlias = tuple[str, tuple[Operation, ...]]

#: From one query to the one after: all durations in these programs are 2 or 3, and in the end
#: everything is decided that time alone decides.
_STEPS = (1, 3, 20)


@dataclass(frozen=True, slots=True)
class World:
    """What is known at a query of a stream that never ends, as the reference has it."""

    program: CheckedProgram
    window: int
    first: int
    q: int
    held: Mapping[str, Held]

    def go_on(self, q: int, operations: Mapping[str, list[Operation]]) -> tuple["World", Query]:
        """The next query."""
        held = {
            name: defaultdict(set, {key: set(rows) for key, rows in found.items()})
            for name, found in self.held.items()
        }
        refused = {
            name: apply(held[name], given, q, q - self.window) for name, given in operations.items()
        }
        late = sum(count_late(given, refused[name], self.q) for name, given in operations.items())
        rows = {name: flatten(found) for name, found in held.items()}
        query = Query(q, dict(operations), refused, rows, late)
        return World(self.program, self.window, self.first, q, held), query

    def evaluate(self) -> Results:
        rows = {name: flatten(found) for name, found in self.held.items()}
        stream = Stream(inputs=rows, until=self.q, start=self.first)
        return run_reference(self.program, stream)[0]


@dataclass(slots=True)
class Branch:
    """A query that may come next, with the right answer, and what may come after it."""

    world: World
    expected: Expected
    given: dict[str, Operations]
    later: list["Branch"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Future:
    """Continuations, those that begin alike together; `is_whole`: all there are of the kind."""

    branches: list[Branch]
    count: int
    is_whole: bool


def foresee(world: World, random: Random, changes: int, most: int) -> Future:
    """Two more queries each: up to two changes, then up to one, and not more than `changes`.

    The first is asked at the next tick, or once more at the last query, as a run that is resumed
    does. All of them, or when there are more than `most` those with the fewest changes, in any
    order.
    """
    tree = _Tree(world, random)
    tried = 0
    for branch, leaf in tree.grow(changes):
        if tried == most:
            break
        branch.later.append(leaf)
        tried += 1
    else:
        return Future(list(tree.branches.values()), tried, is_whole=True)
    return Future([one for one in tree.branches.values() if one.later], tried, is_whole=False)


class _Tree:
    """Grows by one continuation after the other; queries that are alike are foreseen once."""

    def __init__(self, world: World, random: Random) -> None:
        self.world, self.random = world, random
        self.firsts = [
            (q, chosen)
            for q in (world.q, world.q + 1)
            for count in range(3)
            for chosen in combinations(list_changes(world, q), count)
        ]
        self.branches: dict[int, Branch] = {}

    def grow(self, changes: int) -> Iterator[tuple[Branch, Branch]]:
        for total in range(changes + 1):
            counts = [total - len(chosen) for _, chosen in self.firsts]
            ways = [self.go_on(at, count) for at, count in enumerate(counts) if count in (0, 1)]
            self.random.shuffle(ways)
            waiting = deque(ways)
            while waiting:
                # In turn, so that those that are tried begin in many ways.
                way = waiting.popleft()
                for found in way:
                    yield found
                    waiting.append(way)
                    break

    def go_on(self, at: int, count: int) -> Iterator[tuple[Branch, Branch]]:
        """All that may follow on one first query with so many changes."""
        if at not in self.branches:
            self.branches[at] = ask(self.world, *self.firsts[at])
        branch = self.branches[at]
        later = [
            (q, chosen)
            for q in [branch.world.q + step for step in _STEPS]
            for chosen in combinations(list_changes(branch.world, q), count)
        ]
        self.random.shuffle(later)
        for q, chosen in later:
            yield branch, ask(branch.world, q, chosen)


def ask(world: World, q: int, changes: Iterable[Change]) -> Branch:
    operations: dict[str, list[Operation]] = {one.name: [] for one in world.program.inputs}
    for name, given in changes:
        operations[name] += given
    for listed in operations.values():
        listed.sort(key=lambda one: one.retract)
    after, query = world.go_on(q, operations)
    expected = Expected(query, after.evaluate())
    return Branch(after, expected, build_operations(world.program, query))


def list_changes(world: World, q: int) -> Iterator[Change]:
    """Everything that may happen to one row at a query and is not too late."""
    for name, operations in _list_operations(world, q):
        key = ((), operations[0].time)
        rows = set(world.held[name].get(key, ()))
        if not apply(defaultdict(set, {key: rows}), operations, q, q - world.window):
            yield name, operations


def _list_operations(world: World, q: int) -> Iterator[Change]:
    inside = range(q - world.window + 1, q + 1)
    for one in world.program.inputs:
        rows = {row for found in world.held[one.name].values() for row in found}
        if one.kind == "event":
            for t in inside:
                row: Row = ((), t)
                yield one.name, (Operation(row, retract=row in rows),)
            continue
        for ts in inside:
            for te in (None, *range(max(ts + 1, q - 1), q + 1)):
                row = ((), ts, te)
                yield one.name, (Operation(row, retract=row in rows),)
        for row in rows:
            for te in (None, *inside):
                changed = (row[0], row[1], te)
                if changed not in rows and (te is None or te > row[1]):
                    yield one.name, (Operation(row, retract=True), Operation(changed))
