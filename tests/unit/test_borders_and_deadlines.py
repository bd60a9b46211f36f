"""`without`, `limit` and `expires` by hand, sentence by sentence of the language.

At once, in windows, in the reference. Times are ticks; `None` is an end that is not known.
"""

from collections.abc import Collection, Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import phenesthe
from tests.equivalence.compare import find_local, run_reference
from tests.equivalence.in_windows import find_in_windows
from tests.equivalence.streams import Stream
from tests.reference import Row

INPUTS = """\
input event e(x: int); input event f(x: int); input event g(x: int);
input state s(x: int); input state t(x: int);
"""
Span = tuple[int, int | None]


def find(
    text: str, until: int = 30, **rows: Iterable[int | Span]
) -> dict[str, list[tuple[Any, ...]]]:
    """What each definition has for the binding 1, the same in all ways to find it."""
    program = phenesthe.compile(text=INPUTS + text).checked
    inputs: dict[str, list[Row]] = {
        name: [((1,), *(at if isinstance(at, tuple) else (at,))) for at in times]
        for name, times in rows.items()
    }
    stream = Stream(inputs=inputs, until=until)
    expected, _ = run_reference(program, stream)
    assert find_local(program, stream) == expected
    for window, step in ((1, 1), (7, 3), (50, 20)):
        assert find_in_windows(program, stream, window=window, step=step) == expected
    return {
        # The last time may be None, which compares with nothing.
        name: sorted(((*row[0][1:], *row[1:]) for row in found), key=lambda row: row[:-1])
        for name, found in expected.items()
    }


@pytest.mark.parametrize(
    ("left", "right", "parts"),
    [
        # What the language says of [1, 10].
        ([(1, 10)], [(3, 5)], [(1, 3), (5, 10)]),
        ([(1, 10)], [(3, 4)], [(1, 3), (4, 10)]),
        ([(1, 10)], [(10, 15)], [(1, 10)]),
        ([(1, 10)], [(3, None)], [(1, 3)]),
        # No part is a single instant, and none is cut where only a border is shared.
        ([(1, 10)], [(1, 10)], []),
        ([(1, 10)], [(0, 12)], []),
        ([(1, 10)], [(1, 5)], [(5, 10)]),
        ([(1, 10)], [(2, 9)], [(1, 2), (9, 10)]),
        ([(5, 10)], [(1, 5)], [(5, 10)]),
        ([(5, 10)], [(1, None)], []),
        ([(5, 10)], [(10, None)], [(5, 10)]),
        # What is open stays open behind what was cut, also from the query time on.
        ([(1, None)], [(3, 5)], [(1, 3), (5, None)]),
        ([(1, None)], [(3, 30)], [(1, 3), (30, None)]),
        ([(1, None)], [(30, None)], [(1, 30)]),
        ([(1, None)], [(3, None)], [(1, 3)]),
        # Several on either side.
        ([(1, 10)], [(2, 4), (6, 8)], [(1, 2), (4, 6), (8, 10)]),
        ([(1, 4), (6, 10)], [(3, 7)], [(1, 3), (7, 10)]),
        ([], [(3, 7)], []),
        ([(1, 4)], [], [(1, 4)]),
    ],
)
def test_without_keeps_borders(
    left: Collection[Span], right: Collection[Span], parts: list[Span]
) -> None:
    text = "state found(X) : s(X) without t(X);"
    assert find(text, s=left, t=right)["found"] == parts


def test_complement_does_not() -> None:
    text = "state found(X) : s(X) complement t(X);"
    assert find(text, s=[(1, 10)], t=[(3, 5)])["found"] == [(1, 2), (6, 10)]


#: Intervals that do not touch, the last one perhaps open.
STATES = st.lists(st.integers(0, 20), unique=True, max_size=7).map(
    lambda ends: [
        (a, b) for a, b in zip(sorted(ends)[::2], [*sorted(ends)[1::2], None], strict=False)
    ]
)


@settings(max_examples=150, deadline=None)
@given(STATES, STATES)
def test_what_is_left_and_what_was_taken_away_are_both_together(
    left: list[Span], right: list[Span]
) -> None:
    """`(σ without τ) union τ` is `σ union τ`, and a part meets what cut it."""
    text = (
        "state parts(X) : s(X) without t(X); state again(X) : parts(X) union t(X);"
        "state both(X) : s(X) union t(X);"
    )
    found = find(text, 20, s=left, t=right)
    assert found["again"] == found["both"]
    borders = {end for span in left for end in span}
    ends = {a for a, _ in right}, {b for _, b in right if b is not None}
    for part in found["parts"]:
        a, b = part
        assert a in borders or a in ends[1]
        assert b in borders or b in ends[0] or b is None


@pytest.mark.parametrize(
    ("times", "held"),
    [
        # An e inside does not extend it.
        ([1, 2, 3], [(1, 4)]),
        # One at the very end belongs to it, one after it begins a new one.
        ([1, 4], [(1, 4)]),
        ([1, 4, 7], [(1, 4), (7, 10)]),
        ([1, 5], [(1, 4), (5, 8)]),
        # Open as long as its limit is after the query time, and no longer.
        ([28], [(28, None)]),
        ([27], [(27, 30)]),
        ([24, 27], [(24, 27)]),
        ([24, 28], [(24, 27), (28, None)]),
    ],
)
def test_a_limit_and_what_is_at_the_very_limit(times: list[int], held: list[Span]) -> None:
    assert find("state found(X) : e(X) limit 3;", e=times)["found"] == held
    ended = find("state found(X) : e(X) ~> f(X) limit 3;", e=times, f=[])["found"]
    assert ended == held


def test_a_stop_ends_it_before_its_limit_and_begins_nothing() -> None:
    text = "state found(X) : e(X) ~> f(X) limit 5;"
    assert find(text, e=[1], f=[3])["found"] == [(1, 3)]
    # Both at the limit: it ends there, once, and neither begins a new one.
    assert find(text, e=[1, 6], f=[6])["found"] == [(1, 6)]
    # A start together with a stop goes on: the start wins, and the limit still counts from 1.
    assert find(text, e=[1, 3], f=[3])["found"] == [(1, 6)]


@pytest.mark.parametrize("clauses", ["limit 5 expires 2", "expires 2 limit 5"])
def test_of_limit_and_expires_the_earlier_ends_it(clauses: str) -> None:
    for text in (f"e(X) {clauses}", f"e(X) ~> f(X) {clauses}"):
        text = f"state found(X) : {text};"
        assert find(text, e=[1])["found"] == [(1, 3)]
        assert find(text, e=[1, 3, 5])["found"] == [(1, 6)]
        assert find(text, e=[1, 3, 5, 7])["found"] == [(1, 6), (7, 9)]
        # An e at the end of both belongs to it.
        assert find(text, e=[1, 2, 4, 6])["found"] == [(1, 6)]


def test_recently() -> None:
    text = "state found(X) : e(X) expires 4;"
    assert find(text, e=[1, 3, 7, 12])["found"] == [(1, 11), (12, 16)]
    assert find(text, e=[27])["found"] == [(27, None)]


def test_an_open_end_may_be_any_instant_after_q_also_where_a_deadline_bounds_it() -> None:
    text = (
        "state short(X) : (e(X) limit 5) lasting <= 5; state long(X) : (e(X) limit 5) lasting > 2;"
    )
    assert find(text, until=4, e=[1]) == {"short": [], "long": [(1, None)]}
    assert find(text, until=6, e=[1]) == {"short": [(1, 6)], "long": [(1, 6)]}
    # Open states are not equal, although both can only end at 6.
    text = "dynamic found(X) : (e(X) limit 5) equals (f(X) limit 5);"
    assert find(text, until=4, e=[1], f=[1])["found"] == []
    assert find(text, until=6, e=[1], f=[1])["found"] == [(1, 6)]


VALUES = "exclusive state found(X, V) { a : e(X) limit 3; b : f(X) limit 3; }"


def test_what_belongs_to_the_very_end_of_a_value_keeps_the_others_from_counting() -> None:
    assert find(VALUES, e=[1, 4], f=[4])["found"] == [("a", 1, 4)]
    # Of the one that is listed later it counts as well, but it keeps nobody from counting.
    assert find(VALUES, f=[1, 4], e=[4])["found"] == [("a", 4, 7), ("b", 1, 4)]
    # Nothing of the first at the end: the other begins there.
    assert find(VALUES, e=[1], f=[4])["found"] == [("a", 1, 4), ("b", 4, 7)]


def test_values_end_each_other_before_their_limits() -> None:
    assert find(VALUES, e=[1], f=[2])["found"] == [("a", 1, 2), ("b", 2, 5)]
    text = "exclusive state found(X, V) { a : e(X) expires 3; b : f(X) ~> g(X) expires 5 limit 6; }"
    assert find(text, e=[1, 3, 20], f=[5, 9], g=[10])["found"] == [
        ("a", 1, 5), ("a", 20, 23), ("b", 5, 10),
    ]  # fmt: skip


def test_one_value_at_a_time_of_any_domain_with_a_limit() -> None:
    text = "input event go(x: int, p: str);exclusive state found(X, P) : go(X, P) ~> f(X) limit 5;"
    program = phenesthe.compile(text=INPUTS + text).checked
    rows: list[Row] = [((1, "b"), 1), ((1, "a"), 1), ((1, "a"), 3), ((1, "b"), 4), ((1, "b"), 9)]
    stream = Stream(inputs={"go": rows, "f": [((1,), 20)]}, until=30)
    expected, _ = run_reference(program, stream)
    # Of a and b at 1 only the least counts; b at 9 belongs to the very end of [4, 9].
    assert expected["found"] == {((1, "a"), 1, 4), ((1, "b"), 4, 9)}
    assert find_local(program, stream) == expected
    assert find_in_windows(program, stream, window=4, step=3) == expected


def test_parts_meet_what_cut_them() -> None:
    text = (
        "state parts(X) : s(X) without t(X);"
        "dynamic cut(X) : parts(X) meets t(X); dynamic on(X) : t(X) meets parts(X);"
    )
    found = find(text, s=[(1, 10)], t=[(3, 5)])
    assert (found["cut"], found["on"]) == ([(1, 5)], [(3, 10)])
