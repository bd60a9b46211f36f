"""Remedies speak of what the program speaks of, and headlines of the mistake that was made."""

import pytest

from phenesthe.diagnostics.fixes import apply_fixes
from tests.mistakes.programs import diagnose, errors_of

_BESIDE = """
input event door(room: int, force: float);
input event bell(room: int);
input state dark(room: int);
input state locked(room: int);
"""

_ANSWERS = {
    "count": (
        "event busy(R) : door(R, _) and count(*) > 3;",
        "`count(door(R, _) over 1h)`",
    ),
    "rows of sums": (
        "event hard(R) : bell(R) and sum(F + 1 of door(R, F) over 5) > 3;",
        "`sum(X of (door(R, F) let X = F + 1) over 5)`",
    ),
    "rows of averages": (
        "event hard(R) : bell(R) and mean(F of door(R, F) over 5) > 3;",
        "`avg(F of door(R, F) over 5)`",
    ),
    "rows of counts": (
        "event busy(R) : bell(R) and count(door(R, _) within 5) > 3;",
        "`count(door(R, _) over 5)`",
    ),
    "length of looking back": (
        "event busy(R) : bell(R) and count(door(R, _) over 2.5) > 3;",
        "write a duration",
    ),
    "average": ("event hard(R) : door(R, F) and avg(F) > 3;", "`avg(F2 of door(R, F2) over 1h)`"),
    "maximum": ("event hard(R) : door(R, F) and max(F) > 3;", "`max(F2 of door(R, F2) over 1h)`"),
    "previous": (
        "event hard(R) : door(R, F) and F > lag(F);",
        "`last(F2 of door(R, F2) past 1h)`",
    ),
    "clock": ("event late(R) : bell(R) and hour() > 22;", "`bell(R) in daily("),
    "length": ("state long(R) : duration(dark(R)) > 20m;", "`dark(R) lasting >= 20m`"),
    "happens": ("event ring(R) : happensAt(bell(R), T);", "`bell(R)`"),
    "holds": ("event ring(R) : bell(R) and holdsAt(dark(R), T);", "`… in dark(R)`"),
    "like": ("event a(R) : door(R, F) and F NOT LIKE 'x%y';", "`not matching(F)`"),
    "column": ("event a(R) : door(R, F) and door.force > 3;", "`F` instead of `door.force`"),
    "loop": ("for r in rooms: event late(r) : bell(r);", "`event late(R) : …;`"),
    "chain": ("event a(R) : door(R, F) and 1 < F <= 3;", "`1 < F and F <= 3`"),
    "begins": (
        "initiatedAt(open(R) = true, T) :- happensAt(bell(R), T).",
        "`state open(R) : bell(R) ~> …;`",
    ),
    "ends": (
        "terminatedAt(open(R) = true, T) :- happensAt(bell(R), T).",
        "`state open(R) : … ~> bell(R);`",
    ),
}


@pytest.mark.parametrize(("program", "said"), _ANSWERS.values(), ids=_ANSWERS)
def test_a_remedy_is_in_the_names_of_the_program(program: str, said: str) -> None:
    first = diagnose(f"{program}\n{_BESIDE}")[0]
    assert said in str(first.hint)
    others = ("ping", "ais", "towing", "stop_end", "speed")
    assert [word for word in others if word in f"{first.message} {first.hint}"] == []


def test_what_begins_and_what_ends_a_fluent_is_found_in_the_file() -> None:
    begins = "initiatedAt(open(R) = true, T) :- happensAt(bell(R), T).\n"
    ends = "terminatedAt(open(R) = true, T) :- happensAt(door(R, _), T).\n"
    for first in diagnose(begins + ends + _BESIDE)[:2]:
        assert "`state open(R) : bell(R) ~> door(R, _);`" in str(first.hint)


@pytest.mark.parametrize("word", ["True", "None"])
def test_a_constant_of_another_language_is_the_headline(word: str) -> None:
    (first,) = errors_of(f"event a(R) : door(R, F) and F == {word};\n{_BESIDE}")
    assert f"`{word}` is not a value" in first


def test_a_constant_as_an_argument_is_the_headline() -> None:
    program = "input event lamp(room: int, on: bool);\nevent a(R) : lamp(R, True);"
    assert "`True` is not a value" in diagnose(program)[0].message


def test_one_fix_for_all_states_that_are_joined_with_and() -> None:
    program = f"event a(R) : bell(R) and not dark(R) and locked(R);\n{_BESIDE}"
    fixes = {d.fix for d in diagnose(program) if d.code == "K002"}
    assert len(fixes) == 1
    fixed = apply_fixes(program, fixes.pop() or ())
    assert "bell(R) not in dark(R) in locked(R);" in fixed
    assert errors_of(fixed) == []


def test_how_long_with_for_has_a_fix() -> None:
    program = f"state a(R) : dark(R) for more than 20 minutes;\n{_BESIDE}"
    fixed = apply_fixes(program, diagnose(program)[0].fix or ())
    assert "dark(R) lasting > 20m;" in fixed
    assert errors_of(fixed) == []
