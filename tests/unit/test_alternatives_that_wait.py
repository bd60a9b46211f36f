"""Alternatives that wait for each other's values: at once, in windows, in the reference."""

import pytest

import phenesthe
from tests.equivalence.compare import find_local, run_reference
from tests.equivalence.in_windows import find_in_windows
from tests.equivalence.streams import Stream
from tests.reference import Row, Scalar

INPUTS = """
input event e(x: int); input event a(x: int); input event b(x: int, y: int);
input state s(x: int);
fact f(x: int, y: int); fact g(x: int); fact h(x: int, y: int); fact k(y: int);
"""
EVENTS: dict[str, list[Row]] = {
    "e": [((1,), 1), ((2,), 2), ((5,), 4)],
    "a": [((1,), 1), ((2,), 1), ((3,), 3), ((7,), 4)],
    "b": [((1, 2), 1), ((2, 3), 2), ((3, 1), 2), ((5, 7), 4)],
    "s": [((2,), 3, 5)],
}
FACTS: dict[str, list[tuple[Scalar, ...]]] = {
    "f": [(1, 2)], "g": [(5,)], "h": [(1, 2)], "k": [(7,)]
}  # fmt: skip


@pytest.mark.parametrize(
    "definition",
    [
        # Events for events.
        "event found(X, Y) : (a(X) or b(X, Y)) and (e(Y) or b(X, Y));",
        "event found(X, Y, Z) : (a(X) or b(X, Y)) and (e(Y) or b(Y, Z)) and (a(Z) or b(Z, X));",
        "event found(X, Y) : e(_) and ((a(X) or b(X, Y)) and (e(Y) or b(X, Y)));",
        "event found(X, Y) : b(X, Y) and ((a(X) or b(X, Y)) and (a(Y) or b(X, Y)) or e(X));",
        "state found(X, Y) : b(X, Y) ~> (a(X) or b(X, Y)) and (e(Y) or b(X, Y));",
        "event found(X, Y) : not (b(X, Y) and e(_)) and (a(X) or b(X, Y)) and (e(Y) or b(X, Y));",
        # Facts for facts.
        "event found(X, Y) : e(_) and (f(X, Y) or g(X)) and (h(X, Y) or k(Y));",
        "event found(X, Y) : e(_) and ((f(X, Y) or g(X)) and (h(X, Y) or k(Y)));",
        "event found(X, Y) : e(X) and ((f(X, Y) or g(X)) and (h(X, Y) or k(Y)));",
        "state found(X, Y) : (e(_) ~> a(_)) where (f(X, Y) or g(X)) and (h(X, Y) or k(Y));",
        "event found(X) : a(X) and not ((f(X, Y) or g(X)) and (h(X, Y) or k(Y)));",
        # Events for facts.
        "event found(X, Y) : (a(X) or b(X, Y)) where (f(X, Y) or k(Y));",
        # Some values come of the context, which is no reason to wait.
        "dynamic found(X, Y) : (a(_) or b(_, Y) let X = 7 % 4 where Y != X) before start(s(Y));",
        # What is computed of rows with alternatives of their own gives others a value.
        "state found(X) : (b(_, _) let X = first(Y of b(Z, _) and (b(Z, Y) or a(Y)) past 3)) "
        "~> (a(_) or b(X, _) where X > 0);",
        "state found(X) : (((a(_) or b(Z, _)) and b(Z, _) let X = Z + 1) ~> e(7)) "
        "intersection ((e(_) ~> e(7)) union (b(X, _) ~> e(7)));",
        "dynamic found(K) : count X of ((s(_) union (b(X, Y) ~> e(7))) intersection "
        "(b(X, Y) ~> e(7))) as K before (s(_) union (b(9, K) ~> e(7)));",
        # What is filtered by an aggregate is looked at by itself, with what stands beside it.
        "event found(X, Y) : b(X, Y) and (e(_) and not a(X) and count(a(_) over 5) >= 1 or a(Y));",
        "event found(X, Y) : b(X, Y) and ((e(_) where count(a(_) over 5) >= Y) or a(Y));",
        "event found(X, Y) : b(X, Y) and ((e(_) where not count(a(_) over 5) >= Y) or a(Y));",
    ],
)
def test_they_find_what_the_reference_finds(definition: str) -> None:
    program = phenesthe.compile(text=f"{INPUTS}{definition}").checked
    stream = Stream(inputs=EVENTS, facts=FACTS, until=6)
    expected, _ = run_reference(program, stream)
    assert expected["found"]
    assert find_local(program, stream) == expected
    for window, step in ((1, 1), (3, 2)):
        assert find_in_windows(program, stream, window=window, step=step) == expected
