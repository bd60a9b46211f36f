"""What `compile` says is remembered is no less than what is."""

from random import Random

import pytest

import phenesthe
from phenesthe.memory import Memory
from phenesthe.operators.aggregates import AggregatedNode
from tests.equivalence.bounds import (
    Judged,
    count_needed,
    count_old,
    find_patience,
    judge,
    judge_case,
    list_claims,
    list_old,
)
from tests.equivalence.streams import Stream
from tests.equivalence.windowed import build_operations
from tests.reference import Row
from tests.reference.windowed import Operation, replay

#: The other cases are long programs, which the soak has time for.
SMALL = range(3, 80, 8)

INPUTS = """\
input event e(x: int);
input event f(x: int);
input event bell();
input state s(x: int);
input state u(x: int);
input state near(x: int, y: int);
input state on();
input state off();
input dynamic d(x: int);
fact known(x: int);
"""

WINDOW = 4


def test_nothing_that_is_said_to_be_bounded_remembers_more() -> None:
    judged = Judged()
    for number in SMALL:
        judged.merge(judge_case(number))
    assert not judged.excesses, "\n".join(map(str, judged.excesses))
    assert sum(judged.looked.values()) > 20
    assert sum(count for (_, bound), count in judged.filled.items() if bound != "unbounded") > 1


@pytest.mark.parametrize(
    "definition",
    [
        "event r(X) : e(X) and end(s(X) lasting > 9);",
        "dynamic r(X) : (d(X) lasting > 9) where X > 0;",
        "state r(X, Y) : s(X) before near(X, Y) within 3 as source;",
        "state r(X, Y) : s(X) before near(X, Y) within 3 as union;",
        "event r(X) : e(X) in (repeat f(X) while gap < 5);",
        "dynamic r(X) : d(X) contains e(X);",
        "exclusive state r(X, V) { a : e(X) ~> f(X) expires 5; b : f(X) ~> e(X) expires 3; }",
    ],
)
def test_what_is_over_is_forgotten(definition: str) -> None:
    rows: dict[str, list[Row]] = {
        "e": [((1,), 2), ((1,), 5), ((2,), 7)],
        "f": [((1,), 3), ((2,), 4)],
        "s": [((1,), 1, 4), ((2,), 2, 20)],
        "near": [((1, 2), 6, 8), ((2, 1), 5, 9)],
        "d": [((1,), 1, 20), ((1,), 3, 6), ((2,), 4, 15)],
    }
    program = phenesthe.compile(text=INPUTS + definition).checked
    judged = judge(program, Stream(inputs=rows), WINDOW, Random(definition))
    assert judged.looked
    assert not judged.excesses, "\n".join(map(str, judged.excesses))


OPEN = """\
input state open(x: int);
input state often(x: int, y: int);
input event g(x: int, y: int);
"""


def count_aggregated(asked: str, rounds: int) -> tuple[int, int, str]:
    """Rows of an interval without an end that are kept, and needed, and what is said of them.

    In each round come ten rows of the same three values.
    """
    program = phenesthe.compile(text=f"{OPEN}state r(X) : open(X) {asked};").checked
    rows: dict[str, list[Operation]] = {
        "open": [Operation(((1,), 1, None))],
        "g": [Operation(((1, at % 3), 2 + at)) for at in range(10 * rounds)],
        "often": [Operation(((1, at % 3), 2 + at, 3 + at)) for at in range(0, 10 * rounds, 2)],
    }
    used = {one.name for one in program.inputs}
    rows = {name: found for name, found in rows.items() if name in used}
    memory = Memory(program, {}, window=WINDOW)
    query = None
    for query in replay(rows, window=WINDOW, step=WINDOW, start=None, until=10 * rounds + 20):
        memory.advance(query.time, build_operations(program, query))
    assert query is not None
    (node,) = [one for one in memory.graph.operators.values() if isinstance(one, AggregatedNode)]
    frontier, ats = query.time - WINDOW, range(1, len(node.edges))
    bound = list_claims(memory)[node.operator.id].bound
    found = [(count_old(node, at, frontier), count_needed(node, at, frontier)) for at in ats]
    kept, needed = (sum(counts) for counts in zip(*found, strict=True))
    return kept, needed, bound


@pytest.mark.parametrize(
    ("asked", "bound", "most"),
    [
        ("where count(g(X, _)) > 0", "binding", 0),
        ("where sum(Y of g(X, Y)) > 0", "binding", 0),
        ("where avg(Y of g(X, Y)) > 0", "binding", 0),
        ("where total(often(X, _)) > 0", "binding", 0),
        ("where max(Y of g(X, Y)) > 0", "binding", 1),
        ("where first(Y of g(X, Y)) >= 0", "binding", 1),
        ("where last(Y of g(X, Y)) >= 0", "binding", 1),
        ("where min(Y of g(X, Y)) >= 0", "binding", 2),
        ("where min(Y of g(X, Y)) >= 0 and count(g(X, _)) > 0", "binding", 2),
        ("where count(Y of g(X, Y)) > 0", "values", 3),
        ("where count(Y of g(X, Y)) > 0 and max(Z of g(X, Z)) > 0", "values", 4),
    ],
)
def test_of_an_interval_that_holds_on_is_kept_what_is_said(
    asked: str, bound: str, most: int
) -> None:
    for rounds in (4, 12):
        kept, needed, said = count_aggregated(asked, rounds)
        assert said == bound
        assert kept <= needed <= most
    assert bound != "values" or kept >= 3


def test_what_joins_with_an_earlier_value_keeps_rows_and_says_so() -> None:
    asked = "let Y = count(g(X, _)), N = count(g(X, Y))"
    (few, _, said), (many, _, _) = (count_aggregated(asked, rounds) for rounds in (4, 12))
    assert said == "rows"
    assert many - few >= 50


def count_waiting(definition: str, inputs: tuple[str, ...], count: int) -> int:
    """The rows from before the window, after so many rows of each of these inputs, that are kept
    for operators without a bound. Of `name!` there is but one row, the first."""
    program = phenesthe.compile(text=INPUTS + definition).checked
    rows: dict[str, list[Operation]] = {one.name: [] for one in program.inputs}
    for one in program.inputs:
        times = count if one.name in inputs else int(f"{one.name}!" in inputs)
        for number in range(times):
            at = 10 * number + (inputs.index(one.name) if one.name in inputs else 0)
            values = (number, number + 1)[: len(one.arguments)]
            row: Row = (values, at) if one.kind == "event" else (values, at, at + 3)
            rows[one.name].append(Operation(row))
    memory = Memory(program, {}, window=WINDOW)
    claims = list_claims(memory)
    until = 10 * count + find_patience(memory) + 2 * WINDOW
    query = None
    for query in replay(rows, window=WINDOW, step=WINDOW, start=None, until=until):
        memory.advance(query.time, build_operations(program, query))
    assert query is not None
    return sum(
        len(list_old(memory, node, query.time - WINDOW))
        for id_, node in memory.graph.operators.items()
        if claims[id_].bound == "unbounded"
    )


@pytest.mark.parametrize(
    ("definition", "inputs"),
    [
        ("dynamic r(X) : e(X) before f(X);", ("e",)),
        ("dynamic r(X) : e(X) before bell();", ("e",)),
        ("dynamic r(X) : e(X) after f(X);", ("f",)),
        ("dynamic r(X) : bell() before e(X);", ("bell!", "e")),
        ("state r(X) : e(X) then f(X);", ("e",)),
        ("state r() : on() before off() as source;", ("on",)),
        ("state r() : on() after off() as target;", ("off",)),
        ("state r() : on() before off() as complement;", ("on",)),
        ("state r(X) : s(X) before u(X) as target;", ("s",)),
        ("state r(X) : repeat e(X) while gap > 5;", ("e",)),
        ("dynamic r(X) : s(X) contains not e(X) and known(X);", ("s", "e")),
        # Because of an operand
        ("dynamic w() : e(_) before bell(); dynamic r(X) : d(X) equals w();", ("e!", "d")),
        ("dynamic w() : e(_) before bell(); dynamic r(X) : d(X) during w();", ("e!", "d")),
        ("event r(X) : e(X) and start(on() before off() as source);", ("on", "e")),
        ("event r(X) : e(X) and end(on() then off());", ("on!", "e")),
    ],
)
def test_what_is_said_to_be_unbounded_grows(definition: str, inputs: tuple[str, ...]) -> None:
    few, more, many = (count_waiting(definition, inputs, count) for count in (4, 8, 16))
    assert few < more < many
    assert many - more >= 6
