"""A program and a changed one that must find the same: no reference is asked what that is.

What both the engine and the reference read wrongly, or what both take from the checker, shows here.
"""

import re
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TypeAlias

import phenesthe
from phenesthe.check.program import CheckedProgram
from phenesthe.diagnostics.model import ProgramError
from tests.equivalence.cases import Sample
from tests.equivalence.compare import (
    Case,
    Difference,
    Results,
    describe,
    find_difference,
    find_local,
)
from tests.equivalence.in_windows import find_in_windows
from tests.equivalence.rewrites import REWRITES
from tests.equivalence.shrink import shrink
from tests.equivalence.streams import Stream
from tests.equivalence.surface import Surface
from tests.reference import Row

#: Each program is changed in so many ways, one by one, and in a few of them at once.
_SINGLE = 5
_TOGETHER = 3
#: Random places that are tried for a change before it counts as having none.
_TRIES = 4


@dataclass(frozen=True, slots=True)
class Variant:
    """A changed case; its results are those of the first one, this many ticks later."""

    case: Case
    later: int = 0

    def undo(self, row: Row) -> Row:
        if len(row) == 2:
            return (row[0], row[1] - self.later)
        return (row[0], row[1] - self.later, None if row[2] is None else row[2] - self.later)


#: What is called where instants are more than an order.
_ABSOLUTE = re.compile(r"\b(?:daily|weekly|yearly|dates|time|start_time|end_time)\(")

Change: TypeAlias = Callable[[Variant, Random], Variant | None]
Find: TypeAlias = Callable[[CheckedProgram, Stream], Results]


def rewriting(name: str) -> Change:
    def change(variant: Variant, random: Random) -> Variant | None:
        surface = Surface.read(variant.case.text)
        for _ in range(_TRIES):
            changed = REWRITES[name](surface, random)
            if changed is None:
                return None
            text = changed.write()
            try:
                phenesthe.compile(text=text)
            except ProgramError:
                # Not safe in this place, or nested too deep.
                continue
            return replace(variant, case=Case(text, variant.case.stream))
        return None

    return change


def repeat_rows(variant: Variant, random: Random) -> Variant:
    """ "All relations are sets: duplicate inputs change nothing." """
    inputs = {
        name: rows + random.choices(rows, k=len(rows)) if rows else rows
        for name, rows in variant.case.stream.inputs.items()
    }
    return _with_stream(variant, replace(variant.case.stream, inputs=inputs))


def shuffle_rows(variant: Variant, random: Random) -> Variant:
    stream = variant.case.stream
    inputs = {name: random.sample(rows, k=len(rows)) for name, rows in stream.inputs.items()}
    facts = {name: random.sample(rows, k=len(rows)) for name, rows in stream.facts.items()}
    return _with_stream(variant, replace(stream, inputs=inputs, facts=facts))


def shift_times(variant: Variant, random: Random) -> Variant | None:
    """Nothing depends on when time began, unless it asks for dates or for times as numbers."""
    if _ABSOLUTE.search(variant.case.text):
        return None
    ticks = random.choice((1, -7, 1000, -123_456_789))
    stream = variant.case.stream
    back = Variant(variant.case, -ticks)
    shifted = replace(
        stream,
        inputs={name: list(map(back.undo, rows)) for name, rows in stream.inputs.items()},
        until=None if stream.until is None else stream.until + ticks,
        start=None if stream.start is None else stream.start + ticks,
    )
    return replace(_with_stream(variant, shifted), later=variant.later + ticks)


def _with_stream(variant: Variant, stream: Stream) -> Variant:
    return replace(variant, case=Case(variant.case.text, stream))


CHANGES: dict[str, Change] = {
    **{name: rewriting(name) for name in REWRITES},
    "rows twice": repeat_rows,
    "rows in another order": shuffle_rows,
    "all times shifted": shift_times,
}


@dataclass(frozen=True, slots=True)
class Broken:
    """What was changed, and the variant that finds something else."""

    names: tuple[str, ...]
    variant: Variant
    difference: Difference

    @property
    def sort(self) -> str:
        return self.difference.sort


@dataclass(slots=True)
class Tally:
    """How often each change was made, and what there was to find."""

    made: Counter[str] = field(default_factory=Counter)
    wanted: Counter[str] = field(default_factory=Counter)
    definitions: int = 0
    filled: int = 0
    windowed: int = 0

    def merge(self, other: "Tally") -> None:
        self.made.update(other.made)
        self.wanted.update(other.wanted)
        self.definitions += other.definitions
        self.filled += other.filled
        self.windowed += other.windowed

    def list_lines(self) -> list[str]:
        lines = [f"{'change':32} {'made':>9} {'possible':>9}"]
        for name in CHANGES:
            share = self.made[name] / max(1, self.wanted[name])
            lines.append(f"{name:32} {self.made[name]:>9,} {share:>9.0%}")
        return lines


def examine(number: int, tally: Tally) -> Broken | None:
    """A random program by its number, changed in several ways; the first that matters."""
    random = Random(f"metamorphic {number}")
    return examine_case(Sample(number).case, random, list_plans(random), tally)


def list_plans(random: Random) -> list[tuple[str, ...]]:
    names = list(CHANGES)
    single = [(name,) for name in random.sample(names, k=_SINGLE)]
    return [*single, tuple(random.choices(names, k=_TOGETHER))]


def examine_case(
    case: Case, random: Random, plans: Sequence[tuple[str, ...]], tally: Tally
) -> Broken | None:
    find: Find = find_local
    if random.random() < 0.25:
        find = choose_windows(random)
        tally.windowed += 1
    expected = find(phenesthe.compile(text=case.text).checked, case.stream)
    tally.definitions += len(expected)
    tally.filled += sum(map(bool, expected.values()))
    for names in plans:
        variant = Variant(case)
        made: list[str] = []
        for name in names:
            changed = CHANGES[name](variant, random)
            tally.wanted[name] += 1
            if changed is not None:
                variant = changed
                made.append(name)
        tally.made.update(made)
        difference = compare_variant(variant, expected, find) if made else None
        if difference is not None:
            return Broken(tuple(made), variant, difference)
    return None


def choose_windows(random: Random) -> Find:
    window = random.randint(2, 40)
    step = random.randint(1, window)

    def find(program: CheckedProgram, stream: Stream) -> Results:
        return find_in_windows(program, stream, window=window, step=step)

    return find


def compare_variant(variant: Variant, expected: Results, find: Find) -> Difference | None:
    program = phenesthe.compile(text=variant.case.text).checked
    try:
        found = find(program, variant.case.stream)
    except Exception:
        return Difference((), expected, {}, traceback.format_exc())
    undone = {name: set(map(variant.undo, found[name])) for name in expected}
    return find_difference(expected, undone)


def shrink_broken(case: Case, broken: Broken) -> tuple[Case, Broken]:
    """The smallest case found that the same changes break; places are tried again in each."""

    def find(smaller: Case) -> Difference | None:
        found = find_broken(smaller, broken.names)
        return None if found is None else found.difference

    if find(case) is None:
        return case, broken
    small = shrink(case, find)
    return small, find_broken(small, broken.names) or broken


def find_broken(case: Case, names: tuple[str, ...]) -> Broken | None:
    """The same changes at random places, at once and in windows."""
    tried = (examine_case(case, Random(seed), [names], Tally()) for seed in range(30))
    return next((one for one in tried if one is not None), None)


def describe_broken(case: Case, broken: Broken) -> str:
    return (
        f"{', '.join(broken.names)}\n{describe(case, broken.difference)}"
        f"--- changed.phe\n{broken.variant.case.text}\n"
    )
