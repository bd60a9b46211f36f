"""A local variable reaches through the smallest formula with all its occurrences.

`or` and `union` are such formulas too: a variable of several alternatives is one variable, however
much there is of each alternative between it and the `or`.
"""

from collections.abc import Callable

import pytest

import phenesthe
from phenesthe.check.program import CheckedProgram
from phenesthe.diagnostics.model import ProgramError
from tests.equivalence.compare import Results, find_local, run_reference
from tests.equivalence.in_windows import find_in_windows
from tests.equivalence.streams import Stream

Find = Callable[[CheckedProgram, Stream], Results]

INPUTS = """\
input state s(x: int); input state u(x: int); input state w();
input event a(x: int, y: int); input event b(x: int, y: int);
"""
ROWS = Stream(
    inputs={
        "s": [((1,), 1, 5), ((2,), 3, 8)],
        "u": [((1,), 30, 40)],
        "w": [((), 50, 60)],
        "a": [((1, 1), 2), ((1, 2), 4), ((2, 1), 6), ((2, 2), 7)],
        "b": [((1, 9), 3), ((2, 9), 9)],
    }
)


def find_in_small_windows(program: CheckedProgram, stream: Stream) -> Results:
    return find_in_windows(program, stream, window=5, step=3)


def find_by_reference(program: CheckedProgram, stream: Stream) -> Results:
    return run_reference(program, stream)[0]


#: The ways to a result that must agree.
WAYS = pytest.mark.parametrize(
    "find",
    [find_local, find_in_small_windows, find_by_reference],
    ids=["batch", "windows", "reference"],
)
#: Pairs of definitions: the first is as it is written, the second says where the variable ends.
PAIRS = {
    "a filter on one side of union": (
        "state found() : (s(L) lasting > 5) union u(L);",
        "state found() : ((s(L) lasting > 5) where L == L) union u(L);",
        {((), 30, 40)},
    ),
    "an end on one side of or": (
        "event found() : start(u(L)) or end(s(L));",
        "event found() : start(u(L)) or (end(s(L)) and L == L);",
        {((), 5), ((), 8), ((), 30)},
    ),
    "three alternatives, the middle one without the variable": (
        "state found() : (s(L) lasting > 5) union w() union u(L);",
        "state found() : ((s(L) lasting > 5) where L == L) union w() union (u(L) where L == L);",
        {((), 30, 40), ((), 50, 60)},
    ),
    "alternatives linked in a chain by two variables": (
        "state found() : (((a(L, M) ~> b(L, M)) intersection s(L)) lasting < 4)"
        " union (u(L) lasting > 5) union (u(M) lasting > 5);",
        "state found() : ((((a(L, M) ~> b(L, M)) intersection s(L)) lasting < 4) where L == L"
        " and M == M) union ((u(L) lasting > 5) where L == L) union (u(M) lasting > 5);",
        {((), 2, 5), ((), 6, 8), ((), 30, 40)},
    ),
    "nested unions": (
        "state found() : ((s(L) lasting > 5) union w()) union u(L);",
        "state found() : (((s(L) lasting > 5) where L == L) union w()) union u(L);",
        {((), 30, 40), ((), 50, 60)},
    ),
    "a union under a filter": (
        "state found() : ((s(L) lasting > 4) union (u(L) lasting > 4)) lasting > 5;",
        "state found() : (((s(L) lasting > 4) where L == L) union (u(L) lasting > 4)) lasting > 5;",
        {((), 30, 40)},
    ),
    "or inside and": (
        "event found(X) : a(X, _) and (start(s(L)) or not end(s(L) union u(L)) and b(L, _)"
        " or end(s(L)) or a(_, L));",
        "event found(X) : a(X, _) and (start(s(L)) or not end(s(L) union u(L)) and b(L, _)"
        " or (end(s(L)) and L == L) or a(_, L));",
        {((1,), 2), ((1,), 4), ((2,), 6), ((2,), 7)},
    ),
    "or under a negation": (
        "event found(X) : a(X, _) and not (a(L, L) in (s(L) lasting > 4) or b(L, _));",
        "event found(X) : a(X, _) and not ((a(L, L) in (s(L) lasting > 4) and L == L) or b(L, _));",
        {((1,), 2), ((1,), 4), ((2,), 6)},
    ),
    "or on a side of a range": (
        "state found() : start(s(L)) or start(s(L) lasting > 4) ~> end(s(K)) or start(u(K));",
        "state found() : start(s(L)) or (start(s(L) lasting > 4) and L == L)"
        " ~> (end(s(K)) and K == K) or start(u(K));",
        {((), 1, 5)},
    ),
}  # fmt: skip


@WAYS
@pytest.mark.parametrize("case", PAIRS)
def test_a_variable_of_several_alternatives_ends_with_all_of_them(case: str, find: Find) -> None:
    *written, expected = PAIRS[case]
    for definition in written:
        program = phenesthe.compile(text=INPUTS + definition).checked
        assert find(program, ROWS)["found"] == expected, definition


@pytest.mark.parametrize(
    ("definition", "code"),
    [
        # Another alternative has the variable too, so it is not local to what needs a value.
        ("event found() : b(L, _) or (a(_, _) and not a(L, _));", "V002"),
        ("event found() : b(L, _) or (a(_, _) not in s(L));", "V002"),
        ("state found() : s(L) union (a(_, _) ~> b(L, _));", "V003"),
        ("state found() : s(L) union (w() complement u(L));", "V003"),
    ],
)
def test_a_variable_of_another_alternative_is_not_local(definition: str, code: str) -> None:
    with pytest.raises(ProgramError) as raised:
        phenesthe.compile(text=INPUTS + definition)
    assert [one.code for one in raised.value.diagnostics if one.code[0] != "W"] == [code]
    phenesthe.compile(text=INPUTS + definition.replace("(L", "(_"))
