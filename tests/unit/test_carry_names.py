"""Definitions that are called otherwise go on as if they had always been called so."""

import re
from random import Random
from typing import Any

import pyarrow as pa
import pytest

import phenesthe
from phenesthe.check.program import CheckedProgram
from phenesthe.memory import Advance, Memory
from phenesthe.memory.carry import carry
from phenesthe.memory.results import find_meanings
from phenesthe.runs.settled import Settled
from tests.equivalence.compare import build_facts
from tests.equivalence.late import make_windowed
from tests.equivalence.operators import OPERATORS
from tests.equivalence.streams import make_stream
from tests.equivalence.vocabulary import declare
from tests.equivalence.windowed import build_operations, choose_first, choose_operations
from tests.reference.windowed import replay

_NAMES = tuple(f"p_{letter}" for letter in "abcdefghijkl")
_HEAD = re.compile(r"(?:exclusive )?\b(?<!input )(?:event|state|dynamic|machine) (\w+)\(")
_PAIR = re.compile(r"(?<=dynamic )(\w+)\((\w), (\w)\)(?= :)")


def draw_bodies(random: Random) -> list[str]:
    """Definitions of three small programs, whose names are numbers in braces."""
    found: list[str] = []
    for text in random.sample(OPERATORS, 3):
        text = text.replace("\n", " ")
        heads = list(_HEAD.finditer(text))
        body, count = text[heads[0].start() :], len(found)
        for name in [one[1] for one in heads]:
            body = re.sub(rf"\b{name}\(", f"{{{count}}}(", body)
            count += 1
        found += [body] + [""] * (count - len(found) - 1)
    return found


def write(bodies: list[str], names: list[str], turned: Random) -> str:
    """Some with their two arguments in the other order."""
    text = "\n".join(bodies)
    for number, name in enumerate(names):
        text = text.replace(f"{{{number}}}(", f"{name}(")
    turn = [turned.random() < 0.5 for _ in range(text.count("dynamic "))]
    places = iter(turn)
    text = _PAIR.sub(lambda m: f"{m[1]}({m[3]}, {m[2]})" if next(places) else m[0], text)
    return declare(text) + text


def list_rows(table: pa.Table) -> list[tuple[Any, ...]]:
    return sorted((tuple(row.values()) for row in table.to_pylist()), key=repr)


class Told:
    """What changes, applied in their order, come to, by name."""

    def __init__(self) -> None:
        self.rows: dict[str, set[tuple[Any, ...]]] = {}

    def take(self, advance: Advance, ignored: frozenset[str] = frozenset()) -> None:
        for name in advance.added:
            held = self.rows.setdefault(name, set())
            for row in list_rows(advance.removed[name]):
                assert name in ignored or row in held
                held.discard(row)
            held.update(list_rows(advance.added[name]))

    def list_touching(self, name: str, after: int) -> list[tuple[Any, ...]]:
        rows = self.rows.get(name, set())
        return sorted((row for row in rows if row[-1] is None or row[-1] > after), key=repr)


def join(settled: Settled, name: str) -> list[tuple[Any, ...]]:
    return sorted((row for one in settled.list_all(name) for row in list_rows(one)), key=repr)


@pytest.mark.parametrize("number", range(40))
def test_carried_under_other_names_is_one_run_under_the_new_names(number: int) -> None:
    random = Random(f"names {number}")
    bodies = draw_bodies(random)
    names = random.sample(_NAMES[: len(bodies) + 1], len(bodies))
    # Most of them are names that others had.
    others = random.sample(_NAMES[: len(bodies) + 1], len(bodies))
    old, new = (
        phenesthe.compile(text=write(bodies, one, random)).checked for one in (names, others)
    )
    check(old, new, random, "".join(bodies))


def check(old: CheckedProgram, new: CheckedProgram, random: Random, text: str) -> None:
    """`text` has the calendar states, which say when something can be found."""
    case = make_windowed("", new, make_stream(random, text), random)
    facts = {one.name: build_facts(one, case.facts.get(one.name, [])) for one in new.facts}
    given: dict[str, Any] = {
        "window": case.window, "start": case.start, "first": choose_first(case, new),
    }  # fmt: skip
    memory, one_run = Memory(old, facts, **given), Memory(new, facts, **given)
    asked = list(
        replay(
            choose_operations(case, new),
            window=case.window, step=case.step, start=case.start, until=case.until,
        )
    )  # fmt: skip
    told, misfits = Told(), frozenset[str]()
    settled, expected = (Settled(find_meanings(one), {}) for one in (memory, one_run))
    middle = len(asked) // 2
    for at, query in enumerate(asked):
        if at == middle > 0:
            memory, same, misfits = carry(new, new.reported, *memory.dump(), {})
            assert same == set(new.reported)
            assert memory.whole == {}
            settled = Settled(find_meanings(memory), settled.join_kept(), is_all=True)
        found, wanted = (
            one.advance(query.time, build_operations(new, query)) for one in (memory, one_run)
        )
        told.take(found, misfits)
        settled.add(found)
        expected.add(wanted)
        if at < middle or not middle:
            continue
        after = query.time - case.window
        snapshots = memory.snapshot(), one_run.snapshot()
        for name in new.reported:
            rows = list_rows(snapshots[0][name])
            assert rows == list_rows(snapshots[1][name])
            if name not in misfits:
                assert told.list_touching(name, after) == rows
            assert join(settled, name) == join(expected, name)
        for name in set(told.rows) - set(new.reported):
            assert not told.list_touching(name, after)
