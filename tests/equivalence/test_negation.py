"""`not` beside an event looks at that event's instant, however deep it stands."""

from collections.abc import Callable
from dataclasses import replace

import pytest

import phenesthe
from phenesthe.check.program import CheckedProgram
from tests.equivalence.compare import Results, find_local, run_reference
from tests.equivalence.in_windows import find_in_windows
from tests.equivalence.streams import Stream

Find = Callable[[CheckedProgram, Stream], Results]

INPUTS = """\
input event z(x: int); input event a(x: int); input event g(x: int); input event h(x: int);
input state s(x: int);
fact f(x: int);
"""
START = 3
ROWS = Stream(
    inputs={
        "z": [((1,), 1), ((1,), 5), ((2,), 2)],
        "a": [((3,), 1), ((3,), 5)],
        "g": [((7,), 9)],
        "h": [((1,), 1), ((2,), 6)],
        "s": [((1,), 0, 2), ((1,), 4, 7)],
    },
    facts={"f": [(1,), (2,), (3,)]},
    start=START,
)
#: What is true of the event at its instants, which lie before the start of the timeline and after.
GUARDED = {
    "not": ("z(X) and not g(_)", {(1, 1), (1, 5), (2, 2)}),
    "not not": ("z(X) and not not a(_)", {(1, 1), (1, 5)}),
    "not of or with not": ("z(X) and not (g(_) or not a(_))", {(1, 1), (1, 5)}),
    "or with not": ("z(X) and (g(_) or not g(_))", {(1, 1), (1, 5), (2, 2)}),
    "or that binds": ("z(X) and (h(Y) or f(Y) and not a(Y)) and Y == X", {(1, 1), (1, 5), (2, 2)}),
    "not not that binds": ("z(X) and (f(Y) and not (f(Y) and not h(Y))) and Y == X", {(1, 1)}),
    "and of negations": ("z(X) and (not g(_) and not not a(_))", {(1, 1), (1, 5)}),
    "in": ("z(X) and (not g(_) in s(1))", {(1, 1), (1, 5), (2, 2)}),
    "not in": ("z(X) and (not a(_) not in s(2))", {(2, 2)}),
    "where": ("z(X) and (not not a(_) where X == 1)", {(1, 1), (1, 5)}),
    "exists": ("z(X) and (f(Y) and not (f(Y) and not h(Y)))", {(1, 1)}),
    "a boundary": ("start(s(X)) and (g(_) or not g(_))", {(1, 0), (1, 4)}),
    "deep": ("z(X) and not (a(_) and not (not g(_) and not not a(_)))", {(1, 1), (1, 5), (2, 2)}),
    "beside what no event limits": (
        "z(X) and ((z(X) and not g(_)) or (f(X) and not a(_)))", {(1, 1), (1, 5), (2, 2)},
    ),
}  # fmt: skip
#: Nothing but the timeline says where to look.
UNGUARDED = {
    "not not": ("f(X) and not (f(X) and not h(X))", {(2, 6)}),
    "not of or with not": ("f(X) and not (g(X) or (f(X) and not h(X)))", {(2, 6)}),
    # What is computed with is its own.
    "let": ("z(X) and (not not a(_) let Y = 1) where Y == 1", {(1, 5)}),
}  # fmt: skip


def find_in_small_windows(program: CheckedProgram, stream: Stream) -> Results:
    return find_in_windows(program, stream, window=4, step=2)


def find_by_reference(program: CheckedProgram, stream: Stream) -> Results:
    return run_reference(program, stream)[0]


def find(ways: Find, body: str, stream: Stream = ROWS) -> set[tuple[object, int]]:
    program = phenesthe.compile(text=f"{INPUTS}event found(X) : {body};").checked
    return {(arguments[0], t) for arguments, t in ways(program, stream)["found"]}  # type: ignore[misc]  # an event's rows


BATCH = pytest.mark.parametrize("ways", [find_local, find_by_reference], ids=["batch", "reference"])


@BATCH
@pytest.mark.parametrize("case", GUARDED)
def test_a_guarded_not_looks_at_its_own_instant(case: str, ways: Find) -> None:
    body, expected = GUARDED[case]
    assert find(ways, body) == expected


@BATCH
@pytest.mark.parametrize("case", UNGUARDED)
def test_without_an_event_the_timeline_says_where_to_look(case: str, ways: Find) -> None:
    body, expected = UNGUARDED[case]
    assert find(ways, body) == expected


@BATCH
def test_a_guarded_alternative_of_what_no_event_limits(ways: Find) -> None:
    """At 1 the first alternative begins it, though the timeline begins at 3."""
    text = "state found(X) : (z(X) and not not a(_)) or (f(X) and not a(_) and not z(X)) ~> g(_);"
    program = phenesthe.compile(text=INPUTS + text).checked
    assert ways(program, ROWS)["found"] == {((1,), 1, None), ((2,), 3, None), ((3,), 3, None)}


@pytest.mark.parametrize("case", GUARDED)
def test_in_windows_what_lies_before_the_start_is_too_late(case: str) -> None:
    body, expected = GUARDED[case]
    known = {row for row in expected if row[1] > START}
    assert find(find_in_small_windows, body) == known
    earlier = replace(ROWS, start=None)
    assert find(find_in_small_windows, body, earlier) == find(find_local, body, earlier) == expected
