"""Tests that pass, that fail, and that cannot be run."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from phenesthe.program import compile
from phenesthe.testing import run_tests as module
from phenesthe.testing.model import Entry
from phenesthe.testing.run_tests import run_tests
from tests.unit.testing.samples import PROGRAM, event, expect, run, run_reference, write

DROP = event("drop", 4, "alice", "wallet")
FIND = event("pick_up", 10, "bob", "wallet")
LYING = expect("lying", "wallet", ts=4, te=10)


def test_what_is_expected_is_found(tmp_path: Path) -> None:
    file = write(tmp_path, {"test": "one"}, DROP, FIND, LYING, {"expect": "search", "none": True})
    (outcome,) = run(file)
    assert outcome.passed
    assert outcome.test is not None
    assert outcome.test.name == "one"


@pytest.mark.parametrize(
    ("expected", "missing", "unexpected"),
    [
        ([{"expect": "lying", "none": True}], [], [(4, 10)]),
        ([expect("lying", "wallet", ts=4, te=9)], [(4, 9)], [(4, 10)]),
        ([expect("lying", "wallet", ts=4, te=None)], [(4, None)], [(4, 10)]),
        ([LYING, expect("lying", "wallet", ts=20, te=30)], [(20, 30)], []),
    ],
)
def test_differences_are_exact_and_complete(
    tmp_path: Path, expected: list[Any], missing: list[Any], unexpected: list[Any]
) -> None:
    (outcome,) = run(write(tmp_path, {"test": "one"}, DROP, FIND, *expected))
    assert not outcome.passed
    (difference,) = outcome.differences
    assert difference.signature.name == "lying"
    assert difference.missing == [Entry(("wallet",), *span) for span in missing]
    assert difference.unexpected == [Entry(("wallet",), *span) for span in unexpected]


def test_other_arguments_are_a_difference(tmp_path: Path) -> None:
    wrong = expect("lying", "Wallet", ts=4, te=10)
    (outcome,) = run(write(tmp_path, {"test": "one"}, DROP, FIND, LYING, wrong))
    assert outcome.differences[0].missing == [Entry(("Wallet",), 4, 10)]


def test_each_test_has_its_own_inputs_facts_until_and_parameters(tmp_path: Path) -> None:
    weigh = event("weigh", 1, "wallet", 7, 1, True)
    file = write(
        tmp_path,
        {"test": "until", "until": 8},
        DROP,
        FIND,
        expect("lying", "wallet", ts=4, te=None),
        {"test": "until as a date", "until": "1970-01-01T00:00:08"},
        DROP,
        FIND,
        expect("lying", "wallet", ts=4, te=None),
        {"test": "no fact"},
        DROP,
        {"expect": "loss", "none": True},
        {"expect": "rest", "none": True},
        {"test": "facts"},
        {"fact": "dear", "args": ["wallet"]},
        {"fact": "sunday", "args": []},
        DROP,
        expect("loss", "alice", "wallet", t=4),
        expect("rest", "alice", t=4),
        {"test": "default"},
        weigh,
        {"expect": "light", "none": True},
        {"test": "parameter", "params": {"limit": 7.5}},
        weigh,
        expect("light", "wallet", t=1),
    )
    assert [outcome.passed for outcome in run(file)] == [True] * 6


def test_retractions_and_closed_rows(tmp_path: Path) -> None:
    held = {"name": "open_at", "args": ["bakery"], "ts": 3, "te": None}
    file = write(
        tmp_path,
        {"test": "retracted", "until": 9},
        event("drop", 4, "alice", "wallet", op="retract", arrival=6),
        DROP,
        event("drop", 5, "bob", "coin"),
        expect("lying", "coin", ts=5, te=None),
        {"test": "inserted again", "until": 9},
        DROP,
        event("drop", 4, "alice", "wallet", op="retract"),
        event("drop", 4, "alice", "wallet", arrival=8),
        expect("lying", "wallet", ts=4, te=None),
        {"test": "closed"},
        held,
        held | {"te": 7},
        expect("closed", "bakery", ts=3, te=7),
        {"test": "a fact taken back"},
        {"fact": "dear", "args": ["wallet"]},
        {"fact": "dear", "args": ["wallet"], "op": "retract"},
        DROP,
        {"expect": "loss", "none": True},
    )
    assert [outcome.passed for outcome in run(file)] == [True] * 4


def test_the_engine_gets_what_the_test_says(tmp_path: Path) -> None:
    seen: list[Any] = []

    def record(program: Any, tables: Mapping[str, Any], facts: Any, **options: Any) -> Any:
        seen.append((tables, facts, options))
        return run_reference(program, tables, facts, **options)

    weigh = event("weigh", 1, "wallet", 7, 1, True)
    head = {"test": "one", "until": 8, "start": -3}
    held = {"name": "open_at", "args": ["bakery"], "ts": 3}
    rows = (weigh, weigh, held | {"te": None}, held | {"te": 7}, held | {"ts": 8, "te": None})
    file = write(tmp_path, head, *rows, {"expect": "light", "none": True})
    assert [outcome.passed for outcome in run_tests([file], record)] == [True]
    ((tables, facts, options),) = seen
    assert options == {"until": 8, "start": -3, "only": ("light",)}
    assert tables["weigh"].to_pylist() == [
        {"thing": "wallet", "grams": 7.0, "times": 1, "fragile": True, "t": 1}
    ]
    assert [str(field.type) for field in tables["weigh"].schema] == [
        "string", "double", "int64", "bool", "int64",
    ]  # fmt: skip
    assert tables["open_at"].to_pylist() == [
        {"shop": "bakery", "ts": 3, "te": 7},
        {"shop": "bakery", "ts": 8, "te": None},
    ]
    assert tables["drop"].column_names == ["person", "thing", "t"]
    assert tables["drop"].num_rows == facts["sunday"].num_rows == facts["dear"].num_rows == 0


def test_a_program_is_compiled_once_for_all_its_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[object] = []

    def count(*args: Any, **options: Any) -> Any:
        compiled.append(options.get("params"))
        return compile(*args, **options)

    monkeypatch.setattr(module, "compile", count)
    test = ({"expect": "lying", "none": True},)
    with_limit = {"test": "b", "params": {"limit": 1}}
    file = write(tmp_path, {"test": "a"}, *test, {"test": "c"}, *test, with_limit, *test,
                 with_limit, *test)  # fmt: skip
    assert len(run(file)) == 4
    assert compiled == [None, {"limit": 1}]


def test_a_broken_program_is_told_once(tmp_path: Path) -> None:
    test = ({"test": "a"}, {"expect": "lying", "none": True})
    file = write(tmp_path, *test, *test, program=PROGRAM + "state broken(X) : nothing(X);\n")
    (outcome,) = run(file)
    assert not outcome.passed
    assert outcome.not_run == 2
    assert "nothing" in outcome.diagnostics[0].message


def test_a_file_without_its_program(tmp_path: Path) -> None:
    file = write(tmp_path, {"test": "a"}, {"expect": "lying", "none": True})
    (tmp_path / "things.phe").unlink()
    (outcome,) = run(file)
    assert outcome.not_run == 1
    assert "there is no program" in outcome.problems[0].reason


def test_one_bad_test_does_not_stop_the_others(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        '{"nonsense"',
        {"test": "a"},
        "{",
        {"test": "b"},
        event("dorp", 4, "alice", "wallet"),
        LYING,
        {"test": "c", "params": {"limt": 3, "limit": "x"}},
        LYING,
        {"test": "d"},
        DROP,
        FIND,
        LYING,
    )
    outcomes = run(file)
    assert [outcome.passed for outcome in outcomes] == [False, False, False, False, True]
    assert [outcome.not_run for outcome in outcomes] == [0, 1, 1, 1, 0]
    assert [problem.line for outcome in outcomes for problem in outcome.problems] == [1, 3, 5, 7, 7]
    assert [(problem.reason, problem.remedy) for problem in outcomes[3].problems] == [
        ("there is no parameter `limt`", "did you mean `limit`?"),
        ("`limit` is of type `float`, but `x` is not a number", "give a number, such as 0.5"),
    ]


def test_an_empty_file(tmp_path: Path) -> None:
    (outcome,) = run(write(tmp_path))
    assert outcome.problems[0].reason == "there is no test in this file"
