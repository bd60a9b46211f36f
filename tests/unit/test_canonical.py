"""Formulas that are computed once: the same but for the names of their variables, and no others."""

from pathlib import Path

import pytest

import phenesthe
from phenesthe.check.program import CheckedDefinition
from phenesthe.plan.canonical import canonical
from tests.e2e.test_docs import find

INPUTS = """
input event a(x: int, y: float);
input event b(x: int);
input state s(x: int);
fact f(x: int, d: int);
"""


def key(body: str) -> object:
    program = phenesthe.compile(text=f"{INPUTS}{body}\n").checked
    (definition,) = program.definitions
    assert isinstance(definition, CheckedDefinition)
    return canonical(definition.body)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("event e(X) : a(X, Y) and Y > 1.0;", "event e(V) : a(V, W) and W > 1.0;"),
        ("state e(X) : a(X, Y) ~> b(X) expires 1m;", "state e(V) : a(V, W) ~> b(V) expires 60s;"),
        (
            "state e(X) : repeat a(X, Y) while gap < 5 and Y > prev(Y);",
            "state e(V) : repeat a(V, W) while gap < 5 and W > prev(W);",
        ),
        (
            "event e(X) : b(X) and count(Y of a(X, Y) over 5m) > 2;",
            "event e(V) : b(V) and count(W of a(V, W) over 5m) > 2;",
        ),
    ],
)
def test_names_of_variables_do_not_matter(one: str, other: str) -> None:
    assert key(one) == key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('b(X) in daily("08:00", "18:00")', 'b(X) in daily("20:00", "06:00")'),
        ('b(X) in daily("08:00", "18:00")', 'b(X) in daily("08:00", "18:00", "Asia/Tokyo")'),
        ('b(X) in daily("08:00", "18:00")', "b(X) in always()"),
        ("a(X, Y) and Y > 1.0", "a(X, Y) and Y >= 1.0"),
        ("a(X, Y) and X > 1", "a(X, Y) and X > 2"),
        ("a(X, Y) and floor(Y) > 1", "a(X, Y) and round(Y) > 1"),
        ("b(X) and count(a(X, _) over 5m) > 2", "b(X) and count(a(X, _) past 5m) > 2"),
        ("b(X) and count(a(X, _) over 5m) > 2", "b(X) and count(a(X, _) over 6m) > 2"),
        ("b(X) and sum(Y of a(X, Y) over 5m) > 2", "b(X) and avg(Y of a(X, Y) over 5m) > 2"),
        ("b(X) in s(X)", "b(X) not in s(X)"),
        ("start(s(X) lasting > 5)", "start(s(X) lasting > 6)"),
        ("start(b(X) ~> a(X, _) expires 5)", "start(b(X) ~> a(X, _) limit 5)"),
        ("start(at least 2 Y of (a(X, Y) ~> b(X)))", "start(at least 3 Y of (a(X, Y) ~> b(X)))"),
    ],
)
def test_everything_else_does(one: str, other: str) -> None:
    assert key(f"event e(X) : {one};") != key(f"event e(X) : {other};")


def test_two_calendar_states_are_two(tmp_path: Path) -> None:
    program = """
input event tick();
event by_day() : tick() in daily("08:00", "18:00");
event by_night() : tick() in daily("20:00", "06:00");
event day_begins() : start(daily("08:00", "18:00"));
event night_begins() : start(daily("20:00", "06:00"));
"""
    rows = "".join(f'{{"name": "tick", "args": [], "t": {t}}}\n' for t in (0, 36000, 79200))
    assert find(tmp_path, program, rows) == {
        ("by_day", 36000), ("by_night", 0), ("by_night", 79200),
        ("day_begins", 28800), ("night_begins", 72000),
    }  # fmt: skip


def test_what_is_computed_is_joined_with_what_a_row_has(tmp_path: Path) -> None:
    """Nothing else asks for the second argument of `b`, and its values are joined all the same."""
    program = """
input event a(x: int);
input event b(x: int, y: int);
state k(X, N) : a(X) ~> b(X, 9) let N = 8;
event e(X) : b(_, Y) and (a(X) let Y = 1);
event f(X) : b(_, Y) and (a(X) let Y = 8);
"""
    rows = (
        '{"name": "a", "args": [1], "t": 16}\n{"name": "b", "args": [1, 8], "t": 16}\n'
        '{"name": "b", "args": [1, 8], "t": 17}\n'
    )
    found = find(tmp_path, program, rows)
    assert {row for row in found if row[0] in ("e", "f")} == {("f", 1, 16)}
