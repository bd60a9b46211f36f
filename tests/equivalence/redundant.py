"""Is anything kept in vain? `python -m tests.equivalence.redundant`.

On streams of a few instants every continuation is tried: a row of the working memory without which
all of them give the same results was kept in vain. Rows are let go one after the other, so of two
that stand for each other only one counts.
"""

import argparse
import copy
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import phenesthe
from phenesthe.memory import Memory, Operations
from tests.equivalence.continuations import Continuation, World, list_continuations
from tests.equivalence.windowed import (
    AnyMemory,
    Expected,
    Mismatch,
    Watch,
    build_operations,
    read_tables,
)  # fmt: skip
from tests.reference.windowed import Held, Operation, Query

INPUTS = {"e": "event", "f": "event", "s": "state", "u": "state", "d": "dynamic"}
_LENGTH = 8

#: One or two operators and no variable: one binding.
TINY = (
    "event found() : e() and not f();",
    "event found() : e() in s();",
    "event found() : e() not in s();",
    "event found() : start(s()) or end(s());",
    "state found() : e() ~> f();",
    "state found() : e() ~> f() expires 3;",
    "state found() : s() union u();",
    "state found() : s() intersection u();",
    "state found() : s() complement u();",
    *(f"state found() : s() lasting {sign} 3;" for sign in ("<", ">", "==")),
    *(f"state found() : repeat e() while gap {sign} 3;" for sign in ("<", ">", "==")),
    "state found() : s() then u();",
    "state found() : e() then f();",
    "exclusive state found(X) { a : e() ~> start(s()); b : f() ~> start(s()); }",
    "dynamic found() : e() before f();",
    "dynamic found() : e() before f() within 3;",
    "dynamic found() : s() before u();",
    *(f"dynamic found() : s() {name} u();"
      for name in ("meets", "overlaps", "starts", "finishes", "equals", "contains")),
    "dynamic found() : d() contains e();",
    *(f"state found() : s() before u() as {mode};" for mode in ("source", "target", "complement")),
    *(f"state found() : s() overlaps u() as {mode};" for mode in ("source", "union")),
    "dynamic found() : e() before (s() contains f());",
    "dynamic found() : e() before end(s() lasting > 2);",
    "state found() : (s() complement u()) lasting >= 3;",
)  # fmt: skip


@dataclass(slots=True)
class Tally:
    """Over some streams of one program."""

    streams: int = 0
    continuations: int = 0
    kept: int = 0
    vain: int = 0
    #: Rows of the input that the window has left behind, for comparison.
    given: int = 0


def declare_tiny(definition: str) -> str:
    used = set(re.findall(r"\w+", definition))
    inputs = [f"input {kind} {name}();\n" for name, kind in INPUTS.items() if name in used]
    return "".join(inputs) + definition


def tally(definition: str, numbers: Iterator[int] | range, most: int) -> Tally:
    """Count what is kept in vain on some streams; an error when something is missing."""
    total = Tally()
    for number in numbers:
        scene = Scene(declare_tiny(definition), Random(f"{definition} {number}"), most)
        scene.require_enough()
        vain = scene.count_vain()
        total.streams += 1
        total.continuations += len(scene.continuations)
        total.kept += len(scene.memory.list_rows())
        total.vain += vain
        total.given += scene.given
    return total


class Scene:
    """A memory after a few queries, and what may come next."""

    def __init__(self, text: str, random: Random, most: int) -> None:
        self.program = phenesthe.compile(text=text).checked
        self.window = random.randint(1, 3)
        self.step = random.randint(1, self.window)
        self.memory = Memory(self.program, {}, window=self.window, first=0)
        held: dict[str, Held] = {one.name: defaultdict(set) for one in self.program.inputs}
        world = World(self.program, self.window, 0, -1, held)
        watch = Watch(self.program, self.window)
        self.given = 0
        for q in range(self.step - 1, random.randint(4, _LENGTH), self.step):
            operations = self.choose(random, world.q, q)
            world, query = world.go_on(q, operations)
            advance = self.memory.advance(q, self.build(query))
            watch.examine(Expected(query, world.evaluate()), advance, self.memory)
            self.given = sum(len(rows) for rows in query.rows.values())
        self.watch = watch
        # The next query may be as soon as it likes: a memory does not know of steps.
        self.continuations = [
            self.foresee(world, one) for one in list_continuations(world, 1, random, most)
        ]

    def choose(self, random: Random, before: int, q: int) -> dict[str, list[Operation]]:
        """New rows, at times of their own."""
        found: dict[str, list[Operation]] = {}
        for one in self.program.inputs:
            found[one.name] = []
            for t in range(before + 1, q + 1):
                if one.kind == "event" and random.random() < 0.35:
                    found[one.name].append(Operation(((), t)))
                elif one.kind != "event" and random.random() < 0.3:
                    te = random.choice((None, t + 1, t + 2, t + 3, t + 5))
                    found[one.name].append(Operation(((), t, te)))
        return found

    def foresee(self, world: World, queries: Continuation) -> list[Expected]:
        """The right results at the queries of a continuation."""
        found = []
        for q, operations in queries:
            world, query = world.go_on(q, operations)
            found.append(Expected(query, world.evaluate()))
        return found

    def require_enough(self) -> None:
        """Removal never changes a result, whatever comes."""
        for continuation in self.continuations:
            watch, memory = copy.deepcopy(self.watch), copy.deepcopy(self.memory)
            for expected in continuation:
                advance = memory.advance(expected.query.time, self.build(expected.query))
                watch.examine(expected, advance, memory)

    def build(self, query: Query) -> dict[str, Operations]:
        return build_operations(self.program, query)

    def count_vain(self) -> int:
        """How many rows can be let go, one after the other."""
        memory, at, vain = self.memory, 0, 0
        while at < len(rows := memory.list_rows()):
            smaller = copy.deepcopy(memory)
            smaller.forget(rows[at])
            if self.suffices(smaller):
                memory, vain = smaller, vain + 1
            else:
                at += 1
        return vain

    def suffices(self, memory: AnyMemory) -> bool:
        """Whether the memory finds the right changes in all continuations."""
        for number, continuation in enumerate(self.continuations):
            if not self.is_right(copy.deepcopy(memory), continuation):
                # What shows one row's use will soon show the next one's.
                self.continuations.insert(0, self.continuations.pop(number))
                return False
        return True

    def is_right(self, memory: AnyMemory, continuation: list[Expected]) -> bool:
        held = self.watch.held
        for expected in continuation:
            try:
                advance = memory.advance(expected.query.time, self.build(expected.query))
            except Exception:
                return False  # it cannot do without the row
            added, removed = read_tables(advance.added), read_tables(advance.removed)
            for name, before in held.items():
                now = (before - removed.get(name, set())) | added.get(name, set())
                if now != expected.results[name]:
                    return False
            held = expected.results
        return True


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.equivalence.redundant")
    parser.add_argument("--streams", type=int, default=3)
    parser.add_argument("--most", type=int, default=400, help="continuations of a stream")
    parser.add_argument("--only", default="", help="programs with this text")
    given = parser.parse_args()
    print(f"{'kept':>5} {'needed':>6} {'in vain':>7} {'given':>5} {'tried':>6}")
    total = Tally()
    for definition in TINY:
        if given.only not in definition:
            continue
        try:
            found = tally(definition, range(given.streams), given.most)
        except Mismatch as mismatch:
            print(f"{definition}\n{mismatch.sort}\n{mismatch}", file=sys.stderr)
            return 1
        total.kept, total.vain = total.kept + found.kept, total.vain + found.vain
        print(
            f"{found.kept:>5} {found.kept - found.vain:>6} {found.vain:>7} {found.given:>5} "
            f"{found.continuations:>6}  {definition}",
            flush=True,
        )
    print(f"{total.kept:>5} {total.kept - total.vain:>6} {total.vain:>7}  in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
