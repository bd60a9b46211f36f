"""What a state is of: told by text that layout does not change, and by the rows of facts."""

import math
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

import phenesthe
from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.memory.header import Header, hash_rows, list_differences, make_header, read_header
from phenesthe.plan.needed import prune
from phenesthe.plan.print_program import print_program, read_program
from tests.equivalence.operators import OPERATORS
from tests.equivalence.windowed import make_case

PROGRAM = """\
unit millisecond;
param most: float = 0.5;
param wait: duration = 3s;
param unused: int = 1;
input event go(x: str, speed: float);
input event stop(x: str);
fact kind(x: str, sort: str);
event slow(X) : go(X, S) and S <= most and kind(X, ship);
state runs(X) : go(X, _) ~> stop(X) expires wait;
state rests(X) : slow(X) ~> go(X, _);
"""
SAME = """\
// Another layout, another order, another comment.
input event stop(x:str); input event go(x:str,speed:float);
unit millisecond; param unused: int = 7;
/// It goes on.
state rests(X) : slow(X) ↦ go(X, _);
state runs(X) : (go(X, _)) ⤳ (stop(X)) expires wait;
event slow(X):go(X,S)∧S≤most∧kind(X,"ship");
fact kind(x: str, sort: str);
param wait: duration = 3000; param most: float = 0.50;
"""


def compile_(text: str, **params: object) -> CheckedProgram:
    return phenesthe.compile(text=text, params=params).checked


def test_layout_comments_order_and_what_nobody_uses_change_nothing() -> None:
    one, other = print_program(compile_(PROGRAM)), print_program(compile_(SAME))
    assert sorted(one.items()) == sorted(other.items())
    assert list(one)[:3] == ["unit", "most", "wait"]
    assert one["wait"] == "param wait: duration = 3000;"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("millisecond", "second"),
        ("S <= most", "S < most"),
        ("expires wait", "expires 3s"),
        ("0.5", "0.25"),
        ("kind(X, ship)", "kind(X, boat)"),
        ("fact kind(x: str, sort: str)", "fact kind(x: str, type: str)"),
    ],
)
def test_whatever_means_something_else_changes_it(old: str, new: str) -> None:
    assert old in PROGRAM
    changed = print_program(compile_(PROGRAM.replace(old, new)))
    assert changed != print_program(compile_(PROGRAM))


def strip(program: CheckedProgram) -> Any:
    def drop(one: Signature) -> Signature:
        return replace(one, doc=None)

    definitions = [replace(one, signature=drop(one.signature)) for one in program.definitions]
    names = sorted(map(drop, (*program.inputs, *program.facts)), key=lambda one: one.name)
    return (
        program.unit, names, sorted(definitions, key=lambda one: one.signature.name),
    )  # fmt: skip


@pytest.mark.parametrize("number", range(0, 60, 2))
def test_the_text_of_a_program_is_that_program(number: int) -> None:
    _, program = make_case(number)
    needed = prune(program, program.reported)
    again = read_program(print_program(needed), needed.reported)
    assert strip(again) == strip(needed)


@pytest.mark.parametrize("value", ["inf", "-inf", "nan"])
def test_a_value_that_no_program_can_write_is_read_again(value: str) -> None:
    program = compile_(PROGRAM, most=value)
    (found, *_) = read_program(print_program(program), program.reported).parameters
    assert repr(found.value) == value


def test_every_operator_can_be_written() -> None:
    for text in OPERATORS:
        program = prune(compile_(text), compile_(text).reported)
        assert strip(compile_("\n".join(print_program(program).values()))) == strip(program)


def test_parameters_have_the_value_of_the_run() -> None:
    texts = print_program(compile_(PROGRAM, most="0.3", wait="1m"))
    assert texts["most"] == "param most: float = 0.3;"
    assert texts["wait"] == "param wait: duration = 60000;"
    again = compile_("\n".join(texts.values()))
    assert {one.name: one.value for one in again.parameters} == {"most": 0.3, "wait": 60000}


FACTS = {"kind": pa.table({"x": ["a", "b"], "sort": ["ship", "boat"]})}


def make(text: str = PROGRAM, only: tuple[str, ...] = ("rests",), **given: Any) -> Header:
    options: dict[str, Any] = {"window": 60, "step": 20, "start": None, "keeps_settled": True}
    facts = given.pop("facts", FACTS)
    return make_header(compile_(text), only, facts, **{**options, **given})


def test_a_header_is_read_as_it_was_written() -> None:
    header = replace(make(), start=3, last=9)
    assert read_header(header.as_json()) == header
    assert header.fingerprint == make(SAME).fingerprint
    assert header.fingerprint != make(PROGRAM.replace("0.5", "1.0")).fingerprint


def test_a_header_knows_only_what_is_asked_for() -> None:
    assert set(make().program) == {"unit", "most", "go", "kind", "slow", "rests"}
    assert set(make(only=("runs",)).program) == {"unit", "wait", "go", "stop", "runs"}
    assert make(only=("runs",)).facts == {}
    assert list(list_differences(make(), make(SAME))) == []


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"window": 80}, ["the window was 60 ticks, and is 80"]),
        ({"step": 10}, ["the step was 20 ticks, and is 10"]),
        ({"start": 4}, ["start was 3, and is 4"]),
        ({"start": 3}, []),
        ({"facts": {}}, []),
        ({"facts": {"kind": FACTS["kind"].slice(0, 0)}}, []),
        ({"facts": {"kind": FACTS["kind"].slice(1)}}, ["the rows of the fact `kind` are others"]),
        ({"facts": {"kind": FACTS["kind"].take([1, 0, 1])}}, []),
        ({"text": PROGRAM.replace("milli", "")}, ["the unit was millisecond, and is second"]),
        ({"text": PROGRAM.replace("0.5", "0.3")}, ["the parameter `most` was 0.5, and is 0.3"]),
        ({"text": PROGRAM.replace("~> go(X, _);", "~> stop(X);")},
         ["the definition `rests` changed", "the input `stop` is new"]),
        ({"text": PROGRAM.replace(" and kind(X, ship)", "")},
         ["the fact `kind` is gone", "the definition `slow` changed"]),
        ({"text": PROGRAM.replace("speed: float", "knots: float")}, ["the input `go` changed"]),
        ({"only": ("rests", "runs")},
         ["the definitions to report were `rests`, and are `rests`, `runs`"]),
        ({"only": ("runs",), "window": 61},
         ["the definitions to report were `rests`, and are `runs`",
          "the window was 60 ticks, and is 61"]),
        ({"text": PROGRAM.replace("expires wait", "expires 1s")}, []),
    ],
)  # fmt: skip
def test_what_is_different_is_named(given: dict[str, Any], expected: list[str]) -> None:
    before = replace(make(), start=3, last=9)
    assert list(list_differences(before, make(**given))) == expected


def test_the_order_of_what_is_asked_for_is_nothing() -> None:
    one, other = make(only=("rests", "runs")), make(only=("runs", "rests"))
    assert list(list_differences(one, other)) == []


def test_facts_are_the_same_in_any_order_and_however_often() -> None:
    nan = math.nan
    one = pa.table({"i": [1, 2], "f": [nan, 0.0], "s": ["ab", "c"], "b": [True, False]})
    assert hash_rows(one) == hash_rows(one.take([1, 0, 0]))
    assert hash_rows(one) == hash_rows(one.set_column(1, "f", pa.array([nan, -0.0])))
    for column, other in (
        (0, [1, 3]), (1, [1.0, 0.0]), (2, ["a", "bc"]), (3, [True, True]),
    ):  # fmt: skip
        name = one.column_names[column]
        assert hash_rows(one) != hash_rows(one.set_column(column, name, pa.array(other)))
