"""Is anything kept in vain? `python -m tests.equivalence.redundant`.

On streams of a few instants what may come next is tried: a row of the working memory without which
all continuations give the same results was kept in vain. Rows are let go one after the other, so of
two that stand for each other only one counts. Where there are too many continuations to try them
all, a row that seems useless may not be.
"""

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, fields
from random import Random
from typing import Any

import numpy as np

import phenesthe
from phenesthe.arrow import to_ints, wrap
from phenesthe.memory import Memory
from phenesthe.memory.inputs import EventInput, IntervalInput
from phenesthe.memory.working_memory import RowId
from tests.equivalence.continuations import Branch, World, foresee
from tests.equivalence.windowed import Expected, Mismatch, Watch, build_operations
from tests.reference.windowed import Held, Operation

INPUTS = {"e": "event", "f": "event", "s": "state", "u": "state", "d": "dynamic"}
_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Search:
    """How far it goes: lengths of windows, changes still to come, continuations of a stream."""

    windows: tuple[int, ...]
    changes: int
    most: int


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
    """Over some streams."""

    streams: int = 0
    continuations: int = 0
    kept: int = 0
    vain: int = 0

    def add(self, other: "Tally") -> None:
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


def declare_tiny(definition: str) -> str:
    used = set(re.findall(r"\w+", definition))
    inputs = [f"input {kind} {name}();\n" for name, kind in INPUTS.items() if name in used]
    return "".join(inputs) + definition


def tally(definition: str, numbers: Iterable[int], search: Search) -> tuple[Tally, Tally]:
    """What is kept in vain on some streams, of which all continuations were tried, or some.

    It is an error when something is missing.
    """
    whole, partial = Tally(), Tally()
    for number in numbers:
        scene = Scene(definition, Random(f"{definition} {number}"), search)
        scene.require_enough()
        kept = len(scene.memory.list_rows())
        found = Tally(1, scene.future.count, kept, scene.count_vain())
        (whole if scene.future.is_whole else partial).add(found)
    return whole, partial


class Scene:
    """A memory after a few queries, and what may come next."""

    def __init__(
        self, definition: str, random: Random, search: Search, *, remove: bool = True
    ) -> None:
        self.program = phenesthe.compile(text=declare_tiny(definition)).checked
        window = random.choice(search.windows)
        step = random.randint(1, window)
        self.memory = Memory(self.program, {}, window=window, first=0, remove=remove)
        held: dict[str, Held] = {one.name: defaultdict(set) for one in self.program.inputs}
        world = World(self.program, window, 0, -1, held)
        self.watch = Watch(self.program, window)
        for q in range(step - 1, random.randint(4, _LENGTH), step):
            world, query = world.go_on(q, self.choose(random, world.q, q))
            advance = self.memory.advance(q, build_operations(self.program, query))
            self.watch.examine(Expected(query, world.evaluate()), advance, self.memory)
        self.q = world.q
        self.future = foresee(world, random, search.changes, search.most)

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

    def require_enough(self) -> None:
        """Removal never changes a result, whatever comes."""
        self.watch.examine_memory(self.q, self.memory)
        for branch in self.future.branches:
            self.follow(branch, self.watch)

    def follow(self, branch: Branch, watch: Watch) -> None:
        """Go there and come back."""
        before = Checkpoint(self.memory)
        watch = watch.copy()
        try:
            advance = self.memory.advance(branch.expected.query.time, branch.given)
            watch.examine(branch.expected, advance, self.memory)
            for later in branch.later:
                self.follow(later, watch)
        finally:
            before.restore()

    def count_vain(self) -> int:
        """How many rows can be let go, one after the other."""
        at = vain = 0
        while at < len(rows := self.memory.list_rows()):
            before = Checkpoint(self.memory)
            forget(self.memory, rows[at])
            if self.suffices():
                vain += 1
            else:
                before.restore()
                at += 1
        return vain

    def suffices(self) -> bool:
        """Whether the memory is right in all continuations."""
        branches = self.future.branches
        try:
            self.watch.examine_memory(self.q, self.memory)
        except Mismatch:
            return False
        for number, branch in enumerate(branches):
            try:
                self.follow(branch, self.watch)
            except Exception:  # wrong, or it cannot do without the row
                # What shows one row's use will soon show the next one's.
                branches.insert(0, branches.pop(number))
                return False
        return True


def forget(memory: Memory, row: RowId) -> None:
    """Forget a row altogether: of an input also as it was given, or it would be seen again."""
    memory.forget(row)
    number, _, ts, te = row
    source = [*memory.graph.inputs.values(), *memory.graph.operators.values()][number]
    if isinstance(source, EventInput):
        source.chunks = [chunk.filter(wrap(to_ints(chunk["t"]) != ts)) for chunk in source.chunks]
    elif isinstance(source, IntervalInput):
        source.raw = source.raw.take((source.raw.ts < ts) | (source.raw.ts > te))


class Checkpoint:
    """A memory as it is, to come back to: quicker than to write it down and read it again.

    Enough for programs without variables, which have no values that come and go.
    """

    def __init__(self, memory: Memory) -> None:
        nodes = [*memory.graph.inputs.values(), *memory.graph.operators.values()]
        parts = [memory, *nodes, *(edge for node in nodes for edge in node.users)]
        self._states = [(part, copy_state(vars(part))) for part in parts]

    def restore(self) -> None:
        for part, state in self._states:
            # A copy again: there may be more than one way back.
            vars(part).update(copy_state(state))


def copy_state(state: Mapping[str, Any]) -> dict[str, Any]:
    """With copies of what is changed in place."""
    return {
        name: copy(value) if isinstance(value, np.ndarray | list) else value
        for name, value in state.items()
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.equivalence.redundant")
    parser.add_argument("--streams", type=int, default=3)
    parser.add_argument("--changes", type=int, default=2, help="in a continuation")
    parser.add_argument("--most", type=int, default=400, help="continuations of a stream")
    parser.add_argument("--windows", type=int, nargs="+", default=(1, 2), metavar="TICKS")
    parser.add_argument("--only", default="", help="programs with this text")
    given = parser.parse_args()
    search = Search(tuple(given.windows), given.changes, given.most)
    print(
        "| program | all tried: streams | kept | in vain | some tried: streams | kept | in vain |"
    )
    print("|---|---|---|---|---|---|---|")
    sums = Tally(), Tally()
    for definition in TINY:
        if given.only not in definition:
            continue
        try:
            found = tally(definition, range(given.streams), search)
        except Mismatch as mismatch:
            print(f"{definition}\n{mismatch.sort}\n{mismatch}", file=sys.stderr)
            return 1
        for total, part in zip(sums, found, strict=True):
            total.add(part)
        print(_show(f"`{definition}`", found), flush=True)
    print(_show("all", sums))
    print(f"{sum(one.continuations for one in sums):,} continuations")
    return 0


def _show(name: str, found: tuple[Tally, Tally]) -> str:
    cells = [name, *(str(n) for one in found for n in (one.streams, one.kept, one.vain))]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
