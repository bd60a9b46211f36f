"""The local engine: against the reference, the specification's examples and the golden results."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq
import pytest

import phenesthe
from phenesthe.diagnostics.model import ProgramError
from phenesthe.engines.local import run_local
from tests.equivalence.cases import Sample
from tests.equivalence.compare import (
    Case,
    Difference,
    compare,
    describe,
    find_local,
    read_table,
    run_reference,
)  # fmt: skip
from tests.equivalence.coverage import Coverage
from tests.equivalence.shares import list_features
from tests.equivalence.shrink import shrink
from tests.equivalence.streams import Stream, make_stream, starts_late
from tests.equivalence.vocabulary import declare

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
#: Random cases in the tests; `python -m tests.soak --only equivalence` runs many more.
CASES = 300

INPUTS = """\
input event e(); input event f();
input event ex(x: str); input event fx(x: str); input event speed(v: float);
input state s(); input state t(); input state sx(x: str);
input dynamic d(); input dynamic k();
"""
KINDS = {
    **dict.fromkeys(("e", "f", "ex", "fx", "speed"), "event"),
    **dict.fromkeys(("s", "t", "sx"), "state"),
    **dict.fromkeys(("d", "k"), "dynamic"),
}


def find(definition: str, *, until: int | None = None, **inputs: Any) -> set[tuple[Any, ...]]:
    """What the definition `found` gives; rows are the arguments, then the times."""
    rows: dict[str, list[Any]] = {}
    for name, given in inputs.items():
        times = 1 if KINDS[name] == "event" else 2
        flat = [row if isinstance(row, tuple) else (row,) for row in given]
        rows[name] = [(row[:-times], *row[-times:]) for row in flat]
    program = phenesthe.compile(text=INPUTS + definition).checked
    found = find_local(program, Stream(inputs=rows, until=until))["found"]
    return {(*row[0], *row[1:]) for row in found}


def test_agrees_with_the_reference_on_random_programs() -> None:
    coverage = Coverage()
    late = 0
    features: Counter[str] = Counter()
    for number in range(CASES):
        sample = Sample(number)
        late += starts_late(sample.case.stream)
        features.update(list_features(sample.case.text, sample.case.stream.params))
        if sample.compare() is not None:
            case = shrink(sample.case)
            difference = compare(case)
            assert difference is not None
            pytest.fail(f"case {number}\n{describe(case, difference)}")
        if sample.formulas is not None:
            coverage.add(sample.program, sample.formulas, sample.expected)
    # Engines that agree about nothing would show nothing.
    # What is drawn a few times may come to nothing by chance.
    often = {one: seen for one, seen in coverage.evaluated.items() if seen >= 40}
    empty = [one for one, seen in often.items() if coverage.filled[one] < seen / 3]
    assert len(coverage.evaluated) > 120
    assert len(often) > 25
    assert not empty
    # Nor would programs without what once was wrong.
    assert late > CASES / 6
    for label in ("exists over or", "exists over union", "and, not inside or or not"):
        assert coverage.filled[label] >= CASES / 20, label
    assert len(features) == 9
    assert min(features.values()) >= CASES / 100, features


def test_random_programs_are_the_same_every_time() -> None:
    first, second = Sample(5), Sample(5)
    assert first.case == second.case
    assert first.expected == second.expected


@pytest.mark.parametrize(
    "definition",
    [
        # Negations of variables that only a neighbour binds.
        "event found(V) : seen(V) and (not calls(V, _) or not enters(V, _));",
        "event found(V) : seen(V) and (tick() and not enters(V, _));",
        "event found(V) : seen(V) and (enters(_, P) not in inside(V, P));",
        "event found(V) : seen(V) and ((tick() where V > 1) or (tick() and not calls(V, V)));",
        # Bound by a fact, and yet no negation that is true nearly always.
        "event found(V) : member(V) and (tick() and not enters(V, _));",
        "event found(V) : member(V) and not (member(V) and not seen(V));",
        "event found() : not not tick();",
        # Conditions that wait for a fact.
        "event found(V) : (V > W or W == 2) and tick() and home(V, _) and member(W);",
        "state found(V) : (home(W, _) and V >= W) and not seen(V) and member(V) ~> seen(V);",
        "state found() : repeat seen(V) while gap < 9 and pair(V, W) and (home(W, P) and P > a);",
        # A variable that is only compared, with one that a fact binds further out.
        "event found(V) : ((tick() where V >= W) and seen(W)) and pair(_, V);",
        "event found(V) : home(V, _) and (seen(W) and not calls(V, V)) and W > 0;",
        # Negation that no event limits, on every side that may have one.
        "state found(V) : (member(V) and not seen(V)) then busy(V);",
        "state found(V) : busy(V) then (member(V) and not seen(V));",
        "dynamic found(V) : (member(V) and not seen(V)) before trip(V, _);",
        "dynamic found(V) : trip(V, _) before (member(V) and not seen(V)) within 3;",
        "dynamic found(V) : (member(V) and not seen(V)) starts trip(V, _);",
        "dynamic found(V) : (member(V) and not seen(V)) finishes busy(V);",
        "dynamic found(V) : busy(V) contains (member(V) and not seen(V));",
    ],
)
def test_agrees_with_the_reference_on(definition: str) -> None:
    text = declare(definition) + definition
    filled = 0
    for number in range(12):
        case = Case(text, make_stream(Random(number), text))
        difference = compare(case)
        assert difference is None, describe(case, difference)
        program = phenesthe.compile(text=text).checked
        filled += bool(run_reference(program, case.stream)[0]["found"])
    assert filled > 0


def test_without_any_input_there_is_no_timeline() -> None:
    text = "state found(V) : member(V) and not seen(V) ~> seen(V);"
    program = phenesthe.compile(text=declare(text) + text).checked
    stream = Stream(facts={"member": [(1,)]}, until=5)
    assert find_local(program, stream) == {"found": set()}
    assert find_local(program, replace(stream, start=2)) == {"found": {((1,), 2, None)}}


# Where the originals go wrong


def test_a_case_is_shown_without_the_inputs_that_its_program_lacks() -> None:
    stream = Stream(inputs={"e": [((), 1)], "gone": [((), 2)]})
    case = Case("input event e(); event found() : e();", stream)
    shown = describe(case, Difference((), {}, {}))
    assert '"name": "e"' in shown
    assert "gone" not in shown


def test_complement_takes_the_common_instant_away() -> None:
    found = find("state found() : s() complement t();", s=[(1, 10)], t=[(10, 15)])
    assert found == {(1, 9)}


def test_overlaps_looks_beyond_the_first_intervals() -> None:
    found = find("dynamic found() : s() overlaps t();", s=[(3, 5), (10, 15)], t=[(3, 8), (12, 20)])
    assert found == {(10, 20)}


def test_any_instant_may_finish_a_dynamic() -> None:
    assert find("dynamic found() : e() finishes d();", e=[2, 5], d=[(1, 5)]) == {(1, 5)}


def test_equals_sees_all_intervals_with_one_start() -> None:
    found = find("dynamic found() : d() equals k();", d=[(1, 3), (1, 5)], k=[(1, 5)])
    assert found == {(1, 5)}


def test_a_pair_condition_may_break_the_first_pair() -> None:
    found = find(
        "state found() : repeat speed(V) while gap < 10 and abs(V - prev(V)) < 6;",
        speed=[(10.0, 1), (1.0, 2), (1.0, 3), (1.0, 4)],
        until=100,
    )
    assert found == {(2, 4)}


def test_union_keeps_bindings_of_one_side() -> None:
    found = find("state found(X) : (ex(X) ~> fx(X)) union sx(X);", fx=[("x", 8)], sx=[("y", 4, 9)])
    assert found == {("y", 4, 9)}


def test_a_second_definition_of_a_name_is_an_error() -> None:
    with pytest.raises(ProgramError, match="found"):
        find("event found() : e(); event found() : f();")


def test_a_last_line_without_a_newline_is_read(tmp_path: Path) -> None:
    lines = tmp_path / "ex.jsonl"
    lines.write_text('{"x": "a", "t": 1}\n{"x": "b", "t": 2}', encoding="utf-8")
    program = phenesthe.compile(text=INPUTS + "event found(X) : ex(X);")
    assert read_table(program.run({"ex": lines})["found"]) == {(("a",), 1), (("b",), 2)}


# The worked examples of the specification


def test_before_takes_the_nearest() -> None:
    found = find("dynamic found() : d() before k();", d=[(1, 2), (1, 3)], k=[(5, 6)])
    assert found == {(1, 6)}


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ([(1, 3), (5, 6)], [(9, 11)], {(5, 11)}),
        ([(8, 9), (12, 18)], [(1, 3), (25, 26)], {(12, 26)}),
    ],
)
def test_then_takes_the_nearest(left: Any, right: Any, expected: Any) -> None:
    assert find("state found() : s() then t();", s=left, t=right) == expected


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("source", {(2, 6)}),
        ("target", {(6, 9)}),
        ("union", {(2, 9)}),
        ("intersection", set()),
        ("complement", {(2, 5)}),
        ("inverse_complement", {(7, 9)}),
    ],
)
def test_modes_combine_what_takes_part(mode: str, expected: Any) -> None:
    """Two lists of two intervals of which one pair meets."""
    found = find(
        f"state found() : s() meets t() as {mode};", s=[(2, 6), (11, 14)], t=[(1, 3), (6, 9)]
    )
    assert found == expected


def test_during_gives_the_intervals_around() -> None:
    found = find(
        "state found() : (sx(a) union sx(b)) during t() as target;",
        sx=[("a", 1, 4), ("b", 3, 6), ("b", 10, 12)],
        t=[(2, 7), (9, 14), (20, 22)],
    )
    assert found == {(9, 14)}


@pytest.mark.parametrize("relation", ["equals", "starts", "before", "finishes", "meets"])
def test_two_open_ends_are_undecided(relation: str) -> None:
    text = f"dynamic found() : s() {relation} t();"
    assert find(text, s=[(1, None)], t=[(1, None)], until=9) == set()


def test_an_open_interval_contains() -> None:
    assert find("dynamic found() : s() contains t();", s=[(1, None)], t=[(3, 4)]) == {(1, None)}


def test_an_end_closes_the_row_that_was_still_holding() -> None:
    rows = [(2, None), (2, 9), (2, 5), (12, None)]
    assert find("dynamic found() : d();", d=rows, until=20) == {(2, 5), (2, 9), (12, None)}
    assert find("dynamic found() : d();", d=rows, until=7) == {(2, 5), (2, None)}


@pytest.mark.parametrize("size", ["m1k", "m10k"])
def test_golden_results(size: str) -> None:
    program = phenesthe.compile(GOLDEN / "maritime.phe").checked
    tables, facts = (
        {
            one.name: pq.read_table(GOLDEN / size / f"{one.name}.parquet")
            for one in declared
        }
        for declared in (program.inputs, program.facts)
    )  # fmt: skip
    expected: dict[str, set[Any]] = {one.signature.name: set() for one in program.definitions}
    for line in (GOLDEN / size / "expected.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        times = (row["t"],) if row["kind"] == "event" else (row["ts"], row["te"])
        expected[row["name"]].add((tuple(row["args"]), *times))
    found = run_local(program, tables, facts)
    assert {name: read_table(table) for name, table in found.items()} == expected
    assert sum(map(len, expected.values())) > 500
