"""Durations that facts or rows say, by hand: at once, in windows, in the reference.

Times are ticks; `None` is an end that is not known.
"""

from typing import Any

import pytest

import phenesthe
from tests.equivalence.compare import find_local, run_reference
from tests.equivalence.in_windows import find_in_windows
from tests.equivalence.streams import Stream
from tests.reference import Row

INPUTS = """
input event e(x: int); input event f(x: int); input event timed(x: int, d: int);
input state s(x: int); input state t(x: int); input state held(x: int, d: int);
fact long(x: int, d: int);
"""


def find(
    definition: str, facts: tuple[tuple[int, int], ...] = (), until: int = 50, **rows: Any
) -> set[Any]:
    """What is found of 1 is the same in all ways to find it."""
    program = phenesthe.compile(text=f"{INPUTS}{definition}").checked
    inputs: dict[str, list[Row]] = {
        name: [
            ((1, *row[2:]), *row[:2]) if name in ("s", "t", "held") else ((1, *row[1:]), row[0])
            for row in found
        ]
        for name, found in rows.items()
    }
    stream = Stream(inputs=inputs, facts={"long": list(facts)}, until=until)
    expected, _ = run_reference(program, stream)
    assert find_local(program, stream) == expected
    for window, step in ((1, 1), (7, 3), (50, 20)):
        assert find_in_windows(program, stream, window=window, step=step) == expected
    return {row[1:] for row in expected["found"]}


LASTING = "state found(X) : (s(X) lasting {} D) where long(X, D);"


@pytest.mark.parametrize(
    ("sign", "durations", "held"),
    [
        (">", [4], {(10, 20)}),
        (">", [4, 2], {(0, 3), (10, 20)}),
        ("==", [3], {(0, 3)}),
        ("==", [3, 10], {(0, 3), (10, 20)}),
        ("<", [4], {(0, 3)}),
        # One that is not positive holds nothing, whatever the comparison; nor is there one.
        (">", [0], set()),
        ("!=", [-5], set()),
        (">=", [-5, 10], {(10, 20)}),
        (">", [], set()),
        ("<", [2**63 - 1], {(0, 3), (10, 20)}),
        (">", [-(2**63)], set()),
    ],
)
def test_lasting(sign: str, durations: list[int], held: set[Any]) -> None:
    facts = tuple((1, one) for one in durations)
    assert find(LASTING.format(sign), facts, s=[(0, 3), (10, 20)]) == held


def test_an_open_interval_is_there_when_the_least_of_its_durations_is_up() -> None:
    rows: Any = {"s": [(0, None)]}
    assert find(LASTING.format(">="), ((1, 8), (1, 30)), until=7, **rows) == {(0, None)}
    assert find(LASTING.format(">="), ((1, 8), (1, 30)), until=6, **rows) == set()


def test_each_row_has_its_own_clock() -> None:
    clock = "state found(X) : timed(X, D) ~> f(X) expires D;"
    assert find(clock, timed=[(0, 3), (2, 10)], f=[]) == {(0, 12)}
    # That of 3 is restarted by 3 alone.
    each = "state found(X, D) : timed(X, D) ~> f(X) expires D;"
    assert find(each, timed=[(0, 3), (2, 10), (3, 3)], f=[(8,)]) == {(0, 6), (2, 8)}


def test_a_limit_from_a_fact() -> None:
    limit = "state found(X) : (e(X) limit D) where long(X, D);"
    assert find(limit, ((1, 3),), e=[(1,), (4,), (7,)]) == {(1, 4), (7, 10)}
    assert find(limit, ((1, 3), (1, 4)), e=[(1,), (4,), (7,)]) == {(1, 5), (7, 11)}


def test_a_gap_is_the_same_in_a_run() -> None:
    run = "state found(X) : repeat timed(X, D) while gap <= D;"
    assert find(run, timed=[(0, 4), (4, 4), (8, 4), (2, 5), (20, 5)]) == {(0, 8)}


@pytest.mark.parametrize(
    ("clauses", "held"),
    [
        ("within D", {(0, 6)}),
        ("from D", {(0, 8)}),
        ("from 2 within D", {(0, 6)}),
    ],
)
def test_the_right_side_may_have_it(clauses: str, held: set[Any]) -> None:
    """At 0 something ends; at 6 and 8 something begins that says how far that may be."""
    text = f"dynamic found(X) : e(X) before timed(X, D) {clauses};"
    assert find(text, e=[(0,)], timed=[(6, 7), (8, 8)]) == held | (
        {(0, 8)} if clauses != "from D" else set()
    )


def test_the_same_instant_up_to_what_a_fact_says() -> None:
    text = "dynamic found(X) : (s(X) meets t(X) within D) where long(X, D);"
    rows: Any = {"s": [(0, 5)], "t": [(7, 10)]}
    assert find(text, ((1, 2),), **rows) == {(0, 10)}
    assert find(text, ((1, 1),), **rows) == set()


def test_clocks_of_one_value_do_not_end_each_other() -> None:
    doing = (
        "exclusive state found(X, W) { talks : timed(X, D) ~> f(X) expires D;"
        " sits : e(X) ~> f(X); }"
    )
    found = find(doing, timed=[(0, 10), (2, 3)], e=[(7,)], f=[(20,)])
    assert found == {(0, 7), (7, 20)}


def test_what_begins_a_value_counts_also_if_it_holds_nothing() -> None:
    doing = (
        "exclusive state found(X, W) { talks : timed(X, D) ~> f(X) expires D;"
        " sits : e(X) ~> f(X); }"
    )
    assert find(doing, timed=[(5, 0)], e=[(0,), (5,)], f=[(9,)]) == {(0, 5)}


def test_the_value_may_be_the_length() -> None:
    assert find("exclusive state found(X, D) : timed(X, D) expires D;", timed=[(0, 9), (4, 2)]) == {
        (0, 4),
        (4, 6),
    }


def test_an_alternative_has_every_duration_of_its_context() -> None:
    text = "state found(X, D) : ((s(X) lasting > D) union t(X)) where long(X, D);"
    rows: Any = {"s": [(0, 10)], "t": [(20, 22)]}
    assert find(text, ((1, 3), (1, 30)), **rows) == {(0, 10), (20, 22)}
