"""The working memory: against the reference at every query, and where too simple ones go wrong."""

import json
from collections import Counter
from functools import partial
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import phenesthe
from phenesthe.arrow import to_ints, wrap
from phenesthe.memory import Memory, Operations
from tests.equivalence.compare import Results, read_table
from tests.equivalence.late import WindowedCase
from tests.equivalence.naive_memory import NaiveMemory
from tests.equivalence.shares import list_session
from tests.equivalence.shrink_windowed import describe_windowed, shrink_windowed
from tests.equivalence.test_local import GOLDEN
from tests.equivalence.windowed import (
    compare_windowed,
    examine,
    list_expected,
    make_case,
    read_tables,
)  # fmt: skip
from tests.equivalence.windowed_coverage import WindowedCoverage
from tests.reference.windowed import Operation

#: Random cases in the tests; `python -m tests.soak --only windowed` runs many more.
CASES = 170

INPUTS = """\
input event e(); input event f(); input event g();
input state s(); input state t(); input state u();
"""
HOUR = 3600


def test_agrees_with_the_reference_on_random_replays() -> None:
    coverage = WindowedCoverage()
    features: Counter[str] = Counter()
    for number in range(CASES):
        case, program = make_case(number)
        expected = list_expected(case, program)
        features.update(list_session(case, expected))
        # The soak does all of this for every case.
        failure = examine(case, program, expected, Memory)
        if number % 4 == 0:
            failure = failure or examine(case, program, expected, Memory, remove=False)
        elif number % 4 < 3:
            failure = failure or examine(case, program, expected, Memory, resume=case.resume)
        if failure is not None:
            small = shrink_windowed(case, compare_windowed)
            shown = compare_windowed(small) or failure
            pytest.fail(f"case {number}\n{describe_windowed(small, shown)}")
        coverage.add(program, expected, case.window)
    # A memory that is never put to the test would show nothing.
    counts = coverage.counts
    assert features["a session without a start"] > CASES / 7
    assert features["a session with a late row before its first"] > 3
    assert features["a session that begins without a row"] > 1
    assert counts["late operations used"] > 1000
    assert counts["retractions used"] > 500
    assert counts["operations too late"] > 50
    assert counts["retractions of nothing"] > 5
    assert counts["queries that revise what was known before"] > 200
    assert counts["queries that revise what lies before the window"] > 80
    assert sum(count > 0 for count in coverage.far.values()) > 50


def test_values_that_are_gone_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Codes move at nearly every query when there is no room for values that nobody has."""
    monkeypatch.setattr("phenesthe.memory.working_memory._MANY_VALUES", 1)
    for number in range(200, 220):
        case, _ = make_case(number)
        failure = compare_windowed(case, Memory)
        assert failure is None, f"case {number}\n{describe_windowed(case, failure)}"


def test_random_replays_are_the_same_every_time() -> None:
    assert make_case(6) == make_case(6)
    assert make_case(7) == make_case(7)


def test_computing_everything_again_agrees_too() -> None:
    """Otherwise the reference and the batch engine would not agree about a query."""
    for number in range(20):
        case, program = make_case(number)
        failure = examine(case, program, list_expected(case, program), NaiveMemory)
        assert failure is None, describe_windowed(case, failure)


def test_computing_the_window_again_agrees_too() -> None:
    """What the gain of computing changes is measured against must find the same."""
    for number in range(40):
        case, program = make_case(number)
        again = partial(Memory, incremental=False)
        failure = examine(case, program, list_expected(case, program), again)
        assert failure is None, describe_windowed(case, failure)


class Forgetful(NaiveMemory):
    """Looks no further back than its window."""

    def advance(self, query_time: int, operations: Any) -> Any:
        for name, table in self.tables.items():
            if "t" in table.column_names:
                kept = to_ints(table["t"]) > query_time - self.window
                self.tables[name] = table.filter(wrap(kept))
        return super().advance(query_time, operations)


def test_a_memory_of_the_window_alone_is_found_out() -> None:
    case, _ = replay(
        "dynamic found() : e() before f();", window=5, step=5, until=30, e=[1, 7], f=[20]
    )
    failure = compare_windowed(case, Forgetful)
    assert failure is not None
    assert failure.sort == "results"
    small = shrink_windowed(case, lambda one: compare_windowed(one, Forgetful))
    assert sum(map(len, small.operations.values())) < 3
    assert "expected" in describe_windowed(small, failure)


# Small streams


def replay(
    definition: str, *, window: int, step: int, until: int, **inputs: Any
) -> tuple[WindowedCase, dict[int, set[Any]]]:
    """The case, and by query what the reference finds of `found`.

    A row is an instant, two times, or an operation with such a row.
    """
    operations = {
        name: [row if isinstance(row, Operation) else Operation(((), *_pair(row))) for row in given]
        for name, given in inputs.items()
    }
    case = WindowedCase(
        text=INPUTS + definition, operations=operations, window=window, step=step, until=until
    )
    program = phenesthe.compile(text=case.text).checked
    return case, {
        one.query.time: {row[1:] for row in one.results["found"]}
        for one in list_expected(case, program)
    }


def find(definition: str, **given: Any) -> dict[int, set[Any]]:
    """The same, when the memory agrees."""
    case, found = replay(definition, **given)
    failure = compare_windowed(case)
    assert failure is None, describe_windowed(case, failure)
    return found


def late(row: Any, arrival: int, *, retract: bool = False) -> Operation:
    return Operation(((), *_pair(row)), retract, arrival)


def _pair(row: Any) -> tuple[Any, ...]:
    return row if isinstance(row, tuple) else (row,)


# Streams on which a too simple memory loses results


def test_before_keeps_a_left_that_a_later_one_hides() -> None:
    given = {"window": 10, "step": 5, "until": 105}
    found = find("dynamic found() : e() before f();", **given, e=[1, 96], f=[98])
    assert found[105] == {(96, 98)}
    found = find("dynamic found() : e() before f();", **given, e=[1, 96], f=[98, late(96, 105)])
    assert found[100] == {(96, 98)}
    assert found[105] == {(1, 96), (96, 98)}
    found = find(
        "dynamic found() : e() before f();",
        **given, e=[1, 96, late(96, 105, retract=True)], f=[98],
    )  # fmt: skip
    assert found[105] == {(1, 98)}


def test_repeat_keeps_a_run_that_a_late_event_continues() -> None:
    found = find(
        "state found() : repeat g() while gap < 10;",
        window=10, step=2, until=120, g=[80, 85, late(90, 96)],
    )  # fmt: skip
    assert found[95] == {(80, 85)}
    assert found[97] == {(80, None)}
    assert found[120] == {(80, 90)}


def test_before_waits_for_the_end_of_a_run_that_time_decides() -> None:
    found = find(
        "dynamic found() : e() before end(repeat g() while gap < 100);",
        window=5, step=5, until=200, e=[1], g=[5, 10, 15],
    )  # fmt: skip
    assert found[110] == set()
    assert found[200] == {(1, 15)}


def test_before_waits_for_an_interval_that_lasts_long_enough_later() -> None:
    found = find(
        "dynamic found() : e() before ((s() lasting > 20) union u());",
        window=5, step=1, until=40, e=[1], s=[(3, None)], u=[(4, 6)],
    )  # fmt: skip
    assert found[22] == {(1, 6)}
    assert found[23] == {(1, None)}


def test_complement_keeps_what_was_taken_away() -> None:
    found = find(
        "state found() : s() complement u();",
        window=3, step=1, until=30, s=[(1, None)], u=[(3, 5), (8, 9)],
    )  # fmt: skip
    assert found[30] == {(1, 2), (6, 7), (10, None)}


def test_a_complement_that_lasted_may_be_withdrawn() -> None:
    found = find(
        "state found() : (s() complement u()) lasting >= 4;",
        window=2, step=1, until=30, s=[(1, None)], u=[(5, 9)],
    )  # fmt: skip
    assert found[4] == {(1, None)}
    assert found[5] == set()
    assert found[30] == {(10, None)}


# Where the originals go wrong


@pytest.mark.parametrize("window", [2, 5, 20])
def test_a_left_outside_the_window_comes_before_a_relation(window: int) -> None:
    found = find(
        "dynamic found() : e() before (s() contains f());",
        window=window, step=2, until=60, e=[1], s=[(3, 40)], f=[35],
    )  # fmt: skip
    assert found[60] == {(1, 40)}


def test_an_intersection_is_not_cut_by_the_window() -> None:
    found = find(
        "state found() : s() intersection t();",
        window=5, step=5, until=30, s=[(1, 20)], t=[(4, 18)],
    )  # fmt: skip
    assert found[30] == {(4, 18)}


def test_a_run_over_two_windows_is_one() -> None:
    found = find(
        "state found() : repeat g() while gap < 4;",
        window=10, step=5, until=20, g=[2, 4, 5, 7, 8],
    )  # fmt: skip
    assert found[20] == {(2, 8)}


@pytest.mark.parametrize("until", [10, 11, 12, 13, 14, 15, 16])
def test_a_complement_whose_right_ends_where_the_window_starts(until: int) -> None:
    found = find(
        "state found() : s() complement t();",
        window=5, step=5, until=until, s=[(1, 30)], t=[(3, 10)],
    )  # fmt: skip
    assert found[until] == ({(1, 2), (11, None)} if until > 10 else {(1, 2)})


@pytest.mark.parametrize("relation", ["starts", "during", "overlaps", "finishes"])
@pytest.mark.parametrize("window", [10, 20, 50])
def test_a_window_does_not_cut_intervals_into_other_relations(relation: str, window: int) -> None:
    given = {"window": window, "step": 10, "until": 100, "s": [(30, 62)], "t": [(20, 70)]}
    expected = {(20, 70)} if relation == "during" else set()
    assert find(f"dynamic found() : s() {relation} t();", **given)[100] == expected
    found = find(f"state found() : s() {relation} t() as target;", **given)
    assert found[100] == expected


@pytest.mark.parametrize("window", [2 * HOUR, 8 * HOUR, 32 * HOUR])
@pytest.mark.parametrize("is_late", [False, True])
def test_no_trip_is_lost(window: int, is_late: bool) -> None:
    """The golden stream in windows gives the golden results, also if each row is late at random."""
    program = phenesthe.compile(GOLDEN / "maritime.phe").checked
    folder = GOLDEN / "m10k"
    facts = {one.name: pq.read_table(folder / f"{one.name}.parquet") for one in program.facts}
    step = window // 2
    random = np.random.default_rng(window)
    tables, known = {}, {}
    for one in program.inputs:
        table = pq.read_table(folder / f"{one.name}.parquet")
        times = to_ints(table["t"])
        delay = random.integers(0, step, len(times)) if is_late else 0
        order = np.argsort(times + delay, kind="stable")
        tables[one.name] = table.take(wrap(order))
        known[one.name] = (times + delay)[order]
    first = min(int(to_ints(table["t"]).min()) for table in tables.values())
    last = max(int(to_ints(table["t"]).max()) for table in tables.values())
    memory = Memory(program, facts, window=window, first=first)
    settled: dict[str, set[Any]] = {name: set() for name in program.reported}
    before = first - 1
    for q in [*range(first - 1 + step, last, step), last]:
        given = {
            name: cut(table, known[name], before, 2**62 if q == last else q)
            for name, table in tables.items()
        }
        advance = memory.advance(q, given)
        assert not any(len(one.rows) for one in advance.refused.values())
        for name, table in advance.settled.items():
            settled[name] |= read_table(table)
        before = q
    current = read_tables(memory.current())
    expected = read_expected(program.reported)
    assert {name: rows | current.get(name, set()) for name, rows in settled.items()} == expected
    assert sum(len(rows) for name, rows in expected.items() if "trip" in name) > 50


def cut(table: Any, known: Any, after: int, until: int) -> Operations:
    low, high = np.searchsorted(known, (after, until), side="right")
    return Operations(table.slice(low, high - low), None)


def read_expected(names: tuple[str, ...]) -> Results:
    expected: Results = {name: set() for name in names}
    for line in (GOLDEN / "m10k" / "expected.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        times = (row["t"],) if row["kind"] == "event" else (row["ts"], row["te"])
        expected[row["name"]].add((tuple(row["args"]), *times))
    return expected
