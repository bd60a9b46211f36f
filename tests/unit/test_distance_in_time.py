"""`from` and `within` of relations by hand, sentence by sentence of the language.

At once, in windows, in the reference. Times are ticks; `None` is an end that is not known.
"""

from collections.abc import Iterable
from typing import Any

import pytest

import phenesthe
from tests.equivalence.compare import find_local, run_reference
from tests.equivalence.in_windows import find_in_windows
from tests.equivalence.streams import Stream
from tests.reference import Row

INPUTS = "input event e(); input event f(); input state s(); input state t(); input dynamic d();\n"
Span = tuple[int, int | None]


def find(formula: str, until: int = 50, **rows: Iterable[int | Span]) -> list[tuple[Any, ...]]:
    """What is found is the same in all ways to find it."""
    program = phenesthe.compile(text=f"{INPUTS}dynamic found() : {formula};").checked
    inputs: dict[str, list[Row]] = {
        name: [((), *(at if isinstance(at, tuple) else (at,))) for at in times]
        for name, times in rows.items()
    }
    stream = Stream(inputs=inputs, until=until)
    expected, _ = run_reference(program, stream)
    assert find_local(program, stream) == expected
    for window, step in ((1, 1), (7, 3), (50, 20)):
        assert find_in_windows(program, stream, window=window, step=step) == expected
    return sorted((row[1:] for row in expected["found"]), key=lambda row: row[0])


@pytest.mark.parametrize(
    ("clauses", "left", "right", "held"),
    [
        # The nearest pairs that are far enough apart: what comes too soon is not in the way.
        ("from 5", [0, 4], [3, 6, 9], [(0, 6), (4, 9)]),
        ("from 5", [0], [5], [(0, 5)]),
        ("from 5", [0], [4], []),
        # Another right one far enough away is nearer, another left one is.
        ("from 5", [0], [6, 7], [(0, 6)]),
        ("from 5", [0, 1], [7], [(1, 7)]),
        ("from 5", [0, 2, 3], [7], [(2, 7)]),
        # Without it the nearest of all are taken.
        ("", [0, 4], [3, 6, 9], [(0, 3), (4, 6)]),
        ("from 1", [0, 4], [3, 6, 9], [(0, 3), (4, 6)]),
        # Both bounds, in either order; the distance D belongs to both.
        ("from 5 within 6", [0, 20], [6, 27], [(0, 6)]),
        ("within 6 from 5", [0, 20], [6, 27], [(0, 6)]),
        ("from 5 within 5", [0, 20], [5, 26], [(0, 5)]),
        # The nearest that is far enough is too far: a nearer one, which is not, does not help.
        ("from 5 within 6", [0], [4, 7], []),
        # No distance is in both.
        ("from 5 within 4", [0], [4, 5], []),
    ],
)
def test_before(clauses: str, left: list[int], right: list[int], held: list[Span]) -> None:
    assert find(f"e() before f() {clauses}", e=left, f=right) == held
    assert find(f"f() after e() {clauses}", e=left, f=right) == held


def test_before_counts_from_ends_to_starts() -> None:
    assert find("s() before d() from 4", s=[(0, 5)], d=[(8, 20), (9, 12)]) == [(0, 12)]
    assert find("s() before t() from 4", s=[(0, 5)], t=[(7, 9), (10, 12)]) == [(0, 12)]
    assert find("d() before t() from 4", d=[(0, 5), (2, 7)], t=[(10, 12)]) == [(0, 12)]
    # A left side that goes on precedes nothing, and a right one that goes on is found so.
    assert find("s() before t() from 4", s=[(0, None)], t=[(10, 12)]) == []
    assert find("s() before t() from 4", s=[(0, 5)], t=[(10, None)]) == [(0, None)]


@pytest.mark.parametrize(
    ("relation", "left", "right", "held"),
    [
        # meets: |b − a′| ≤ D, a < b, a′ < b′.
        ("meets", (0, 10), (12, 20), [(0, 20)]),
        ("meets", (0, 10), (8, 20), [(0, 20)]),
        ("meets", (0, 10), (13, 20), []),
        ("meets", (0, 10), (7, 20), []),
        ("meets", (0, 2), (0, 5), []),
        ("meets", (0, 5), (3, 5), []),
        # starts: |a − b| ≤ D, a′ < b′.
        ("starts", (2, 10), (0, 20), [(0, 20)]),
        ("starts", (0, 10), (2, 20), [(2, 20)]),
        ("starts", (3, 10), (0, 20), []),
        ("starts", (0, 20), (0, 20), []),
        # finishes: b < a, |a′ − b′| ≤ D.
        ("finishes", (5, 12), (0, 10), [(0, 10)]),
        ("finishes", (5, 8), (0, 10), [(0, 10)]),
        ("finishes", (5, 7), (0, 10), []),
        ("finishes", (0, 10), (0, 10), []),
        # equals: both within D; the result is the left one.
        ("equals", (0, 10), (2, 8), [(0, 10)]),
        ("equals", (2, 8), (0, 10), [(2, 8)]),
        ("equals", (0, 10), (3, 10), []),
        ("equals", (0, 10), (0, 13), []),
    ],
)
def test_the_same_instant_within(relation: str, left: Span, right: Span, held: list[Span]) -> None:
    assert find(f"s() {relation} t() within 2", s=[left], t=[right]) == held
    inverse = {"meets": "met_by", "starts": "started_by", "finishes": "finished_by"}.get(relation)
    if inverse is not None:
        assert find(f"t() {inverse} s() within 2", s=[left], t=[right]) == held


@pytest.mark.parametrize(
    ("relation", "instant", "right", "held"),
    [
        ("starts", 2, (0, 10), [(0, 10)]),
        ("starts", 0, (2, 10), [(2, 10)]),
        ("starts", 3, (0, 10), []),
        # An instant at the end of a short interval ends with it, and not before it.
        ("starts", 2, (1, 2), []),
        ("finishes", 8, (0, 10), [(0, 10)]),
        ("finishes", 12, (0, 10), [(0, 10)]),
        ("finishes", 7, (0, 10), []),
        ("finishes", 1, (1, 2), []),
    ],
)
def test_an_instant_counts_as_an_interval_without_length(
    relation: str, instant: int, right: Span, held: list[Span]
) -> None:
    assert find(f"e() {relation} t() within 2", e=[instant], t=[right]) == held


def test_zero_is_the_relation_itself() -> None:
    for relation, left, right, held in (
        ("meets", (0, 10), (10, 20), (0, 20)),
        ("starts", (0, 10), (0, 20), (0, 20)),
        ("finishes", (5, 10), (0, 10), (0, 10)),
        ("equals", (0, 10), (0, 10), (0, 10)),
    ):
        for within in ("", "within 0"):
            assert find(f"s() {relation} t() {within}", s=[left], t=[right]) == [held]


def test_open_ends_are_related_only_if_however_they_close() -> None:
    # The right one may end whenever it likes after the left one.
    assert find("s() meets t() within 2", s=[(0, 10)], t=[(12, None)]) == [(0, None)]
    assert find("s() starts t() within 2", s=[(0, 10)], t=[(1, None)]) == [(1, None)]
    # Equal ends are not known of what is open.
    assert find("s() equals t() within 2", s=[(0, None)], t=[(1, None)]) == []
    assert find("s() finishes t() within 2", s=[(5, None)], t=[(0, None)]) == []
    # The left one is open at 50 and may go on beyond the end of the right one.
    assert find("s() meets t() within 2", s=[(0, None)], t=[(49, None)]) == []
