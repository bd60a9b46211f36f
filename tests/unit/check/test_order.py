"""Levels, the evaluation order and cycles."""

import itertools
import random

from tests.unit.check.programs import INPUTS, accept, check_files, find, reject

MOORED = (
    "event stop_start(V) : ais(V, S) and S < 0.5;",
    "event stop_end(V) : ais(V, S) and S >= 0.5;",
    "state stopped(V) : stop_start(V) ~> stop_end(V);",
    "state moored(V, P) : stopped(V) intersection in_port(V, P);",
    "dynamic visit(V) : ping(V) before moored(V, _);",
)


def test_a_definition_is_one_above_the_highest_it_uses() -> None:
    program = accept(INPUTS + "\n".join(MOORED))
    levels = {d.signature.name: d.signature.level for d in program.definitions}
    assert levels == {"stop_start": 1, "stop_end": 1, "stopped": 2, "moored": 3, "visit": 4}
    assert {signature.level for signature in (*program.inputs, *program.facts)} == {0}


def test_what_is_used_comes_first_however_the_file_is_ordered() -> None:
    for lines in itertools.permutations(MOORED):
        program = accept(INPUTS + "\n".join(lines))
        names = [d.signature.name for d in program.definitions]
        for at, definition in enumerate(program.definitions):
            defined = [name for name in definition.uses if name in names]
            assert set(defined) <= set(names[:at])
        assert set(names[:2]) == {"stop_start", "stop_end"}
        assert names[2:] == ["stopped", "moored", "visit"]


def test_within_a_level_the_order_is_that_of_the_file() -> None:
    names = [f"e{number}" for number in range(30)]
    random.Random(7).shuffle(names)
    program = accept(INPUTS + "".join(f"event {name}(V) : ping(V);\n" for name in names))
    assert [d.signature.name for d in program.definitions] == names
    assert program.reported == tuple(names)


def test_uses_are_listed_once_in_the_order_of_the_formula() -> None:
    program = accept(
        INPUTS + "event e(V) : (ping(V) and vessel_type(V, tug)) or ais(V, _) or ping(V);"
    )
    assert find(program, "e").uses == ("ping", "vessel_type", "ais")


def test_a_chain_longer_than_the_stack_is_ordered() -> None:
    length = 3_000
    lines = [f"event e{n}(V) : e{n + 1}(V);" for n in range(length)]
    program = accept(INPUTS + "\n".join([*lines, f"event e{length}(V) : ping(V);"]))
    assert find(program, "e0").signature.level == length + 1


def test_a_cycle_is_told_whole_and_once() -> None:
    _, found = check_files(
        INPUTS + "event a(V) : b(V);\nevent b(V) : c(V) or ping(V);\nevent c(V) : a(V);"
    )
    (cycle,) = [d for d in found if d.code == "C001"]
    assert "a → b → c → a" in cycle.message
    assert [label.span.text for label in cycle.related] == ["b", "c", "a"]


def test_a_definition_that_uses_itself_is_a_cycle() -> None:
    assert reject(INPUTS + "event a(V) : a(V);") == ["C001"]


def test_two_cycles_are_two_errors() -> None:
    text = "event a(V) : b(V);\nevent b(V) : a(V);\nevent c(V) : d(V);\nevent d(V) : c(V);"
    assert reject(INPUTS + text) == ["C001", "C001"]


def test_what_uses_a_cycle_has_no_error_of_its_own() -> None:
    assert reject(INPUTS + "event a(V) : a(V);\nevent b(V) : a(V) and ping(V);") == ["C001"]


def test_a_cycle_may_go_through_an_exclusive_state() -> None:
    text = "exclusive state m(V, X) { on : e(V) ~> ping(V); }\nevent e(V) : start(m(V, on));"
    assert reject(INPUTS + text) == ["C001"]


def test_diagnostics_come_in_the_order_of_the_text_every_time() -> None:
    text = INPUTS + "event b(V) : x(V);\nevent a(V, W) : ping(V);\nevent b(V) : y(V);"
    first = check_files(text)[1]
    assert [d.span.start for d in first] == sorted(d.span.start for d in first)
    assert all(check_files(text)[1] == first for _ in range(3))
