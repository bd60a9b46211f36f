"""A state goes on with a program that has changed, as far as that means the same."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pytest

import phenesthe
from phenesthe.memory import Memory, Operations
from phenesthe.memory.carry import carry
from tests.equivalence.compare import build_facts
from tests.equivalence.windowed import build_operations, list_expected, make_case

BEFORE = """
input event a(x: int, y: int);
input event b(x: int);
fact good(x: int);
state r(X) : a(X, _) ~> b(X);
event e(X) : b(X) and good(X);
"""
AFTER = BEFORE + "state longer(V) : (a(V, Y) and Y > 1 ~> b(V)) lasting > 2;\n"


def events(x: list[int], t: list[int], y: list[int] | None = None) -> Operations:
    columns: dict[str, list[int]] = {"x": x, **({"y": y} if y is not None else {}), "t": t}
    return Operations(pa.table(columns))


def make(text: str, facts: Mapping[str, pa.Table]) -> Memory:
    return Memory(phenesthe.compile(text=text).checked, facts, window=10)


def go_on(memory: Memory, text: str, facts: Mapping[str, pa.Table] | None = None) -> Memory:
    program = phenesthe.compile(text=text).checked
    return carry(program, program.reported, *memory.dump(), facts or {}).memory


def list_rows(memory: Memory, name: str) -> list[tuple[int | None, ...]]:
    return [tuple(row.values()) for row in memory.current()[name].to_pylist()]


def test_what_did_not_change_goes_on_and_what_is_new_says_what_it_has_not_seen() -> None:
    memory = make(BEFORE, {"good": pa.table({"x": [1]})})
    memory.advance(10, {"a": events([1], [5], [9])})
    memory.advance(20, {"a": events([1], [15], [9])})
    after = go_on(memory, AFTER)
    assert after.whole == {"longer": 10}
    after.advance(30, {"b": events([1], [25])})
    # The first start lies before what is new has seen anything.
    assert list_rows(after, "r") == [(1, 5, 25)]
    assert list_rows(after, "longer") == [(1, 15, 25)]
    assert list_rows(after, "e") == [(1, 25)]
    assert go_on(after, AFTER).whole == {"longer": 10}


def test_a_definition_is_the_same_under_other_names() -> None:
    memory = make(BEFORE, {"good": pa.table({"x": [1]})})
    memory.advance(10, {"a": events([1], [5], [9])})
    renamed = BEFORE.replace("state r(X) : a(X, _) ~> b(X);", "state s(U) : a(U, _) ~> b(U);")
    after = go_on(memory, renamed)
    assert after.whole == {}
    assert list_rows(after, "s") == [(1, 5, None)]


def test_what_asks_a_fact_with_other_rows_begins_anew() -> None:
    memory = make(BEFORE, {"good": pa.table({"x": [1]})})
    memory.advance(10, {"a": events([1], [5], [0])})
    memory.advance(20, {"b": events([1, 2], [15, 16])})
    after = go_on(memory, BEFORE, {"good": pa.table({"x": [2, 777]})})
    assert after.whole == {"e": 10}
    after.advance(21, {"b": events([777], [21])})
    assert list_rows(after, "e") == [(2, 16), (777, 21)]
    assert list_rows(after, "r") == [(1, 5, 15)]


def test_an_input_of_which_more_is_asked_begins_with_its_window_if_that_is_known() -> None:
    memory = make("input event a(x: int, y: int);\nevent e(X) : a(X, _);\n", {})
    asked = "input event a(x: int, y: int);\nevent e(X) : a(X, Y) and Y > 1;\n"
    memory.advance(20, {"a": events([1, 2], [15, 16], [1, 2])})
    assert go_on(memory, asked).whole == {"e": 10}
    memory = make("input event a(x: int, y: int);\nevent e(X) : a(X, _);\n", {})
    memory.advance(20, {"a": events([1, 2], [15, 16])})
    after = go_on(memory, asked)
    assert after.whole == {"e": 20}
    after.advance(22, {"a": events([7], [21], [2])})
    assert list_rows(after, "e") == [(7, 21)]


def asks_more(memory: Memory, name: str, manifest: Mapping[str, Any]) -> bool:
    """Whether a column of an input that was only compared is joined as well."""
    _, _, compared, _ = manifest["inputs"][name]
    return bool(set(compared) & set(memory.graph.inputs[name].source.variables))


def write_rows(table: pa.Table) -> list[str]:
    """As texts: a NaN is not equal to itself."""
    return [repr(row) for row in table.to_pylist()]


@pytest.mark.parametrize("number", range(60))
def test_definitions_that_stay_go_on_as_if_nothing_had_happened(number: int) -> None:
    case, program = make_case(number)
    facts = {one.name: build_facts(one, case.facts.get(one.name, [])) for one in program.facts}
    names = program.reported
    kept = names[: max(1, len(names) // 2)]
    given = {"window": case.window, "start": case.start}
    whole = Memory(program, facts, **given)  # type: ignore[arg-type]
    memory = Memory(program, facts, only=kept, **given)  # type: ignore[arg-type]
    expected = list_expected(case, program)
    for at, one in enumerate(expected):
        operations = build_operations(program, one.query)
        if at == len(expected) // 2 and memory.last is not None:
            manifest, tables = memory.dump()
            new = {name: table for name, table in facts.items() if name not in manifest["facts"]}
            memory = carry(program, names, manifest, tables, new).memory
            anew = set(kept) & set(memory.whole)
            # A number that was only compared and is joined now is kept in another way.
            assert not anew or any(asks_more(memory, name, manifest) for name in manifest["inputs"])
            kept = tuple([name for name in kept if name not in anew])
        found, wanted = (m.advance(one.query.time, operations) for m in (memory, whole))
        for name in kept:
            assert write_rows(found.added[name]) == write_rows(wanted.added[name])
            assert write_rows(found.removed[name]) == write_rows(wanted.removed[name])
            assert write_rows(found.settled[name]) == write_rows(wanted.settled[name])
