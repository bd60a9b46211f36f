"""Habits of other languages are recognised where they are, and nowhere else."""

import pytest

from phenesthe.diagnostics.fixes import apply_fixes
from phenesthe.syntax.parser import parse
from phenesthe.syntax.source import Source


def _codes(text: str) -> list[str]:
    return [d.code for d in parse(Source("main.phe", text)).diagnostics]


def _fix(text: str) -> str:
    found = parse(Source("main.phe", text)).diagnostics
    fix = next(d.fix for d in found if d.fix)
    return apply_fixes(text, fix)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("10 minutes", "10m"),
        ("1 hour", "1h"),
        ("5sec", "5s"),
        ("10 min", "10m"),
        ("2 weeks", "14d"),
        ("1.5 weeks", "10.5d"),
        ("250 millis", "250ms"),
        ("3 DAYS", "3d"),
        ("10 m", "10m"),
        ("INTERVAL '10' MINUTE", "10m"),
        ("INTERVAL 2 HOUR", "2h"),
    ],
)
def test_durations(written: str, meant: str) -> None:
    text = "state s(V) : a(V) lasting > {};"
    assert _codes(text.format(written)) == ["S022"]
    assert _fix(text.format(written)) == text.format(meant)


@pytest.mark.parametrize("written", ["1 month", "2 years"])
def test_months_have_no_fixed_length(written: str) -> None:
    (found,) = parse(Source("main.phe", f"state s(V) : a(V) lasting > {written};")).diagnostics
    assert found.fix is None
    assert "30d" in found.hint


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("S BETWEEN 1 AND 5", "S >= 1 and S <= 5"),
        ("S not between 1 and 5", "(S < 1 or S > 5)"),
        ("S in (1, 2, 3)", "(S == 1 or S == 2 or S == 3)"),
        ("S NOT IN ('x', 'y')", '(S != "x" and S != "y")'),
        ('S in ("a, b")', '(S == "a, b")'),
        ("1 < S < 5", "(1 < S and S < 5)"),
        ("1 < S + 2 <= 5", "(1 < S + 2 and S + 2 <= 5)"),
    ],
)
def test_comparisons(written: str, meant: str) -> None:
    text = "event e(V) : a(V, S) and {};"
    fixed = _fix(text.format(written))
    assert fixed == text.format(meant)
    assert _codes(fixed) == []


@pytest.mark.parametrize(
    "text",
    [
        "event e(AND) : a(AND, NOT) and NOT > 3;",
        "event e(V) : count(V) and avg(V) and hour(V);",
        "event e(IN) : a(IN) in (s(IN) union t(IN));",
        "event e(V) : a(V, S) and S --3 > 2;",
        "event e(V) : a(V, S) and S -- X > 2 and X > 1;",
        'event e(V) : a(V, "# -- % 10 minutes AND SELECT");',
        "event e(V) : a(V) /* AND -- # */ and b(V); // # -- %",
        "event every(V) : a(V, for, until, unless, if);",
        "param select: int = 3;",
    ],
)
def test_what_is_right_stays_right(text: str) -> None:
    assert _codes(text) == []


def test_a_definition_of_ones_own_is_not_taken_for_a_function() -> None:
    text = "event len(V) : a(V); event e(V) : len(b(V));"
    assert _codes(text) == ["S015"]


def test_comments_of_another_language_are_one_error_with_one_fix() -> None:
    text = "# a; b\nevent e(V) : # c\n  a(V); # d's\n"
    assert _codes(text) == ["S003"]
    assert _fix(text) == "// a; b\nevent e(V) : // c\n  a(V); // d's\n"
    assert _codes(_fix(text)) == []


def test_a_thousand_foreign_comments_leave_the_file_readable() -> None:
    text = "# comment\n" * 1000 + "event e(V) : a(V);\n"
    parsed = parse(Source("main.phe", text))
    assert [d.code for d in parsed.diagnostics] == ["S003"]
    assert len(parsed.declarations) == 1


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("event e(V) :- a(V).", "event e(V) : a(V);"),
        ("event e(V) :- a(V), b(V).", "event e(V) : a(V) and b(V);"),
        ("e(V) :- a(V).\nf(V) :- b(V).", "event e(V) : a(V);\nevent f(V) : b(V);"),
        ("s(V) : a(V) ~> b(V);", "state s(V) : a(V) ~> b(V);"),
        ("d(V) : a(V) before b(V);", "dynamic d(V) : a(V) before b(V);"),
        ("EVENT e(V) : a(V);", "event e(V) : a(V);"),
        ("const limit = 5;", "param limit: int = 5;"),
        ("let name := 'x';", 'param name: str = "x";'),
        ("duration stay = 10m;", "param stay: duration = 10m;"),
        ("event e(V) = a(V);", "event e(V) : a(V);"),
        ("event e(V) := a(V);", "event e(V) : a(V);"),
        ("param limit = 0.5;", "param limit: float = 0.5;"),
        ("input event a(int vessel, str name);", "input event a(vessel: int, name: str);"),
        ("input event a(vessel INTEGER);", "input event a(vessel: int);"),
        ("event e(v) : a(v, s) and s > 5;", "event e(V) : a(V, S) and S > 5;"),
        ("event e(my_bus) : a(my_bus, red);", "event e(MyBus) : a(MyBus, red);"),
    ],
)
def test_fixes_lead_to_what_was_meant(text: str, fixed: str) -> None:
    for _ in range(8):
        if not _codes(text):
            break
        text = _fix(text)
    assert text == fixed
