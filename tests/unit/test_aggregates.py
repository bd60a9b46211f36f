"""Aggregates, sentence by sentence: what counts as a row, what joins, what there is of nothing."""

import math
from random import Random
from typing import Any

import pytest

import phenesthe
from phenesthe.memory import Memory, Operations
from phenesthe.operators.aggregates import AggregatedNode
from tests.equivalence.compare import build_table, find_local
from tests.equivalence.streams import Stream

INPUTS = """
input event pay(card: int, amount: float, place: str);
input event visit(card: int, place: str, good: bool);
input event many(card: int, number: int);
input state stay(card: int, room: str);
input state open_at(room: str);
input dynamic trip(card: int);
"""
STAY = {"stay": [((1, "a"), 0, 10), ((2, "a"), 5, None)]}


def find(text: str, **inputs: list[Any]) -> set[tuple[Any, ...]]:
    program = phenesthe.compile(text=INPUTS + text).checked
    found = find_local(program, Stream(inputs=inputs, until=20))["found"]
    return {(*arguments, *times) for arguments, *times in found}


def ask(value: str, **inputs: list[Any]) -> dict[int, Any]:
    """Of each stay, by its card, what an aggregate is within it."""
    rows = find(f"state found(C, Out) : stay(C, _) let Out = {value};", **STAY, **inputs)
    return {row[0]: row[1] for row in rows}


def look(value: str, **inputs: list[Any]) -> dict[int, Any]:
    """Of each visit of card 1, by its instant, what an aggregate is."""
    rows = find(f"event found(C, Out) : visit(C, _, _) let Out = {value};", **inputs)
    return {row[2]: row[1] for row in rows if row[0] == 1}


VISITS = [((1, "x", True), 0), ((1, "x", True), 5), ((1, "y", False), 5), ((2, "x", True), 20)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        # "`_` included"
        ("count(visit(C, _, _))", {1: 3, 2: 1}),
        ('count(visit(C, "x", _))', {1: 2, 2: 1}),
        ("count(P of visit(C, P, _))", {1: 2, 2: 1}),
        ("count((P, G) of visit(C, P, G))", {1: 2, 2: 1}),
        # "`and` has those of both sides"
        ("count(visit(C, _, _) and visit(C, _, _))", {1: 5, 2: 1}),
        # "`or` those that are such variables of both sides by name"
        ("count(visit(C, _, _) or visit(C, _, _))", {1: 2, 2: 1}),
        ("count(visit(C, P, _) or visit(C, P, _))", {1: 3, 2: 1}),
        # "`in` and `where` those of their left, conditions, `not`, `start` and `end` none"
        ("count(visit(C, _, _) in stay(C, _))", {1: 3, 2: 1}),
        ("count(visit(C, P, _) where P == x)", {1: 2, 2: 1}),
        ("count(start(stay(C, _R)))", {1: 1, 2: 1}),
        ("count(visit(C, _, _) and not visit(C, y, _))", {1: 1, 2: 1}),
        # "an X named only in a `start` or `end` is part of the row too"
        ("max(R of start(stay(C, R)))", {1: "a", 2: "a"}),
        # Nothing that is shared
        ("count(visit(_, _, _))", {1: 3, 2: 3}),
        ("count(visit(_, _, _)) + count(visit(C, _, false))", {1: 4, 2: 3}),
    ],
)
def test_rows(value: str, expected: dict[int, Any]) -> None:
    assert ask(value, visit=VISITS) == expected


PAID = [((1, 2.5, "b"), 0), ((1, 2.5, "a"), 0), ((1, -1.0, "c"), 10), ((1, 9.0, "d"), 11)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        # Two payments of one amount at one instant, told apart by `_`
        ("sum(A of pay(C, A, _))", {1: 4.0, 2: 9.0}),
        ("count(A of pay(C, A, _))", {1: 2, 2: 1}),
        ("avg(A of pay(C, A, _))", {1: 4.0 / 3, 2: 9.0}),
        ("min(A of pay(C, A, _))", {1: -1.0, 2: 9.0}),
        ("max(P of pay(C, _, P))", {1: "c", 2: "d"}),
        # "the least X of their instant"
        ("first(P of pay(C, _, P))", {1: "a", 2: "d"}),
        ("last(P of pay(C, _, P))", {1: "c", 2: "d"}),
    ],
)
def test_values(value: str, expected: dict[int, Any]) -> None:
    paid = [*PAID, ((2, 9.0, "d"), 12), ((2, 9.0, "d"), 12)]
    assert ask(value, pay=paid) == expected


def test_nothing_to_aggregate() -> None:
    assert ask("count(pay(C, _, _))") == {1: 0, 2: 0}
    assert ask("sum(A of pay(C, A, _))") == {1: 0.0, 2: 0.0}
    assert ask("sum(N of many(C, N))") == {1: 0, 2: 0}
    assert ask("total(open_at(_))") == {1: 0, 2: 0}
    for one in ("avg", "min", "max", "first", "last"):
        assert ask(f"{one}(A of pay(C, A, _))") == {}
    for text in ("max(P of pay(C, _, P)) > a", "not (min(A of pay(C, A, _)) != 3)"):
        rows = find(f"state found(C) : stay(C, _) where {text};", **STAY)
        assert bool(rows) == text.startswith("not")
    assert not find(
        "state found(C) : stay(C, _) where starts_with(max(P of pay(C, _, P)), d);", **STAY
    )


def test_borders_of_over_and_past() -> None:
    rows = [((1, 1), t) for t in (0, 1, 4, 5)]
    visit = [((1, "x", True), t) for t in (0, 4, 5, 8)]
    assert look("count(many(C, _) over 4)", many=rows, visit=visit) == {0: 1, 4: 2, 5: 2, 8: 1}
    assert look("count(many(C, _) past 4)", many=rows, visit=visit) == {0: 0, 4: 2, 5: 2, 8: 2}


def test_a_conjunction_is_one_however_it_is_put_in_parentheses() -> None:
    inputs: dict[str, list[Any]] = {
        "visit": [((1, "x", True), 5)], "many": [((1, 7), 5), ((1, 7), 3)],
    }  # fmt: skip
    for text in (
        "visit(C, _, _) and many(C, N) and count(many(C, N) over 9) > 1",
        "(visit(C, _, _) and count(many(C, N) over 9) > 1) and many(C, N)",
        "(visit(C, _, _) where count(many(C, N) over 9) > 1) and many(C, N)",
    ):
        assert find(f"event found(C, N) : {text};", **inputs) == {(1, 7, 5)}


def test_whole_numbers_are_exact() -> None:
    many = [((1, 2**63 - 1), 1), ((1, 2**63 - 1), 2), ((2, 5), 6), ((2, 2**62), 7)]
    # A `let` of one beyond 64 bits drops the row.
    assert ask("sum(N of many(C, N))", many=many) == {2: 2**62 + 5}
    text = "state found(C) : stay(C, _) where sum(N of many(C, N)) == 2 * 9223372036854775807;"
    assert find(text, **STAY, many=many) == {(1, 0, 10)}
    assert ask("avg(N of many(C, N))", many=many)[1] == float(2**63)


def test_what_is_no_number_and_what_is_infinite() -> None:
    paid = [((1, math.nan, "a"), 1), ((1, 1.0, "b"), 1), ((1, 2.0, "c"), 2)]
    for one in ("sum", "avg", "min", "max"):
        assert ask(f"{one}(A of pay(C, A, _))", pay=paid) == ({2: 0.0} if one == "sum" else {})
    assert ask("first(A of pay(C, A, _))", pay=paid) == {1: 1.0}
    paid = [((1, math.inf, "a"), 1), ((1, 1.0, "b"), 1), ((2, math.inf, "c"), 7)]
    paid.append(((2, -math.inf, "c"), 7))
    assert ask("sum(A of pay(C, A, _))", pay=paid) == {1: math.inf}
    great = 1.7e308
    paid = [((1, great, "a"), 1), ((1, great, "b"), 2), ((1, -great, "c"), 3)]
    assert ask("sum(A of pay(C, A, _))", pay=paid)[1] == great


def test_a_total_counts_a_tick_once_and_open_ends_up_to_the_query() -> None:
    rooms = [(("a",), 2, 6), (("b",), 4, 8), (("c",), 18, None)]
    assert ask("total(open_at(_))", open_at=rooms) == {1: 6, 2: 5}
    assert ask('total(open_at("a"))', open_at=rooms) == {1: 4, 2: 1}
    text = "state found(C, R, N) : stay(C, R) let N = total(open_at(R));"
    assert find(text, **STAY, open_at=rooms) == {(1, "a", 4, 0, 10), (2, "a", 1, 5, None)}


def replay(text: str, queries: list[tuple[int, dict[str, list[Any]]]], window: int) -> Any:
    """What is there after each query, and the memory in the end."""
    program = phenesthe.compile(text=INPUTS + text).checked
    memory = Memory(program, {}, window=window, first=0)
    signatures = {one.name: one for one in program.inputs}
    found = []
    for q, rows in queries:
        given = {
            name: Operations(build_table(signatures[name], some)) for name, some in rows.items()
        }
        memory.advance(q, given)
        found.append(memory.current()["found"].to_pylist())
    return found, memory


def test_what_is_filtered_appears_and_vanishes_as_an_interval_goes_on() -> None:
    text = "state found(C) : stay(C, _) where count(many(C, _)) == 2;"
    queries: list[tuple[int, dict[str, list[Any]]]] = [
        (q, {"many": [((1, 0), q)]} | ({"stay": [((1, "a"), 1, None)]} if q == 1 else {}))
        for q in (1, 2, 3, 4)
    ]
    found, _ = replay(text, queries, 1)
    assert [len(one) for one in found] == [0, 1, 0, 0]
    # A row that comes late, and is inside the window.
    found, _ = replay(text, [*queries[:1], (5, {"many": [((1, 3), 3)]}), (6, {})], 4)
    assert [len(one) for one in found] == [0, 1, 1]


@pytest.mark.parametrize(
    ("value", "most"),
    [
        ("count(many(C, _))", 0),
        ("sum(N of many(C, N))", 0),
        ("avg(A of pay(C, A, _))", 0),
        ("min(A of pay(C, A, _))", 2),
        ("last(N of many(C, N))", 1),
        ("count(N of many(C, N))", 3),
        ("total(open_at(_))", 1),
    ],
)
def test_an_interval_that_holds_on_keeps_no_rows(value: str, most: int) -> None:
    """Numbers, one row, or one row for each value; and the result is that of a batch run."""
    text = f"state found(C, V) : stay(C, _) let V = {value};"
    random = Random(value)
    every: dict[str, list[Any]] = {"many": [], "pay": [], "open_at": [], "stay": []}
    queries = []
    for q in range(10, 410, 10):
        rows: dict[str, list[Any]] = {
            "many": [((1, random.randrange(3)), t) for t in range(q - 9, q + 1)],
            "pay": [((1, random.choice((0.1, 1e16, -1e16)), "a"), t) for t in range(q - 9, q)],
            "open_at": [(("a",), q - 8, q - 4)],
        }
        rows |= {"stay": [((1, "a"), 1, None)]} if q == 10 else {}
        for name, some in rows.items():
            every[name] += some
        queries.append((q, rows))
    found, memory = replay(text, queries, 20)
    (node,) = (one for one in memory.graph.operators.values() if isinstance(one, AggregatedNode))
    old = [edge.rows().te <= 380 for edge in node.edges[1:]]
    assert sum(int(one.sum()) for one in old) <= most
    program = phenesthe.compile(text=INPUTS + text).checked
    (((_, expected), *_),) = find_local(program, Stream(inputs=every))["found"]
    assert found[-1][0]["V"] == expected
