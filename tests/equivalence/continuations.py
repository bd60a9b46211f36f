"""What may still come after a query, in small streams: new, late, corrected and withdrawn rows."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import TypeAlias

from phenesthe.check.program import CheckedProgram
from tests.equivalence.compare import Results, run_reference
from tests.equivalence.streams import Stream
from tests.reference import Row
from tests.reference.windowed import Held, Operation, Query, apply, flatten

#: Times of queries, each with what becomes known by then.
Continuation: TypeAlias = list[tuple[int, dict[str, list[Operation]]]]

#: Long enough for everything that time alone decides in these programs.
FAR = 20


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
        held = deepcopy(dict(self.held))
        refused = {
            name: apply(held[name], given, q, q - self.window) for name, given in operations.items()
        }
        rows = {name: flatten(found) for name, found in held.items()}
        query = Query(q, dict(operations), refused, rows)
        return World(self.program, self.window, self.first, q, held), query

    def evaluate(self) -> Results:
        rows = {name: flatten(found) for name, found in self.held.items()}
        stream = Stream(inputs=rows, until=self.q, start=self.first)
        return run_reference(self.program, stream)[0]


def list_continuations(world: World, step: int, random: Random, most: int) -> list[Continuation]:
    """Two more queries each: up to two changes, then up to one, near or far.

    All of them, or when there are more than `most` those with the fewest changes, in any order.
    """
    q = world.q + step
    found: list[Continuation] = []
    for some in choose_changes(world, q, 2):
        after, _ = world.go_on(q, some)
        for later in (q + step, q + FAR):
            found += [[(q, some), (later, one)] for one in choose_changes(after, later, 1)]
    random.shuffle(found)
    found.sort(key=lambda one: sum(len(given) for _, some in one for given in some.values()))
    return found[:most]


def choose_changes(world: World, q: int, most: int) -> Iterator[dict[str, list[Operation]]]:
    """Sets of at most that many changes at a query."""
    changes = list(list_changes(world, q))
    for count in range(most + 1):
        for chosen in combinations(changes, count):
            operations: dict[str, list[Operation]] = {one.name: [] for one in world.program.inputs}
            for name, given in chosen:
                operations[name] += given
            for listed in operations.values():
                listed.sort(key=lambda one: one.retract)
            yield operations


def list_changes(world: World, q: int) -> Iterator[tuple[str, tuple[Operation, ...]]]:
    """Everything that may happen to one row at a query and is not too late."""
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
