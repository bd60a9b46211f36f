"""The reference evaluator: the operators of Φ⁻ and exclusive states, on the worked examples."""

from fractions import Fraction
from typing import Any

import pytest

from phenesthe.syntax.tree import Formula
from tests.reference import build as b
from tests.reference import evaluate
from tests.reference.find import EX, FX, KINDS, SX, D, E, F, Flat, G, S, T, find


@pytest.mark.parametrize(
    ("starts", "stops", "until", "expected"),
    [
        ([1, 3], [5, 7], None, {(1, 5)}),
        ([1, 5], [5, 7], None, {(1, 7)}),
        ([1], [1], 9, {(1, None)}),
        ([1, 6], [4], None, {(1, 4), (6, None)}),
        ([], [4], None, set()),
    ],
)
def test_maximal_range(starts: list[int], stops: list[int], until: int, expected: Flat) -> None:
    body = b.maximal_range(E, F)
    assert find("state", body, e=starts, f=stops, until=until) == expected


@pytest.mark.parametrize(
    ("starts", "stops", "until", "expected"),
    [
        ([1], [], 6, {(1, 6)}),
        ([1], [], 5, {(1, None)}),
        ([1, 6], [], 11, {(1, 11)}),
        ([1, 7], [], 20, {(1, 6), (7, 12)}),
        ([1, 4], [7], 20, {(1, 7)}),
        ([1, 8], [3], 20, {(1, 3), (8, 13)}),
    ],
)
def test_expires(starts: list[int], stops: list[int], until: int, expected: Flat) -> None:
    for limit in (5, "p", Fraction(5_000_000)):
        body = b.maximal_range(E, F, limit)
        assert find("state", body, e=starts, f=stops, until=until) == expected


@pytest.mark.parametrize(
    ("rows", "until", "expected"),
    [
        ([("p", 1, 5), ("q", 5, 9)], None, set()),
        ([("p", 1, 5), ("q", 1, 9), ("r", 5, 9)], None, {(1, 9)}),
        ([("p", 1, 5), ("q", 1, 5), ("r", 5, 9), ("u", 5, 9)], None, {(1, 9)}),
        ([("p", 1, 5), ("q", 2, None)], 9, {(2, 5)}),
        ([("p", 1, None), ("q", 2, None)], 9, {(2, None)}),
    ],
)
def test_so_many_at_once(rows: list[Any], until: int | None, expected: Flat) -> None:
    assert find("state", b.at_least(2, "X", SX), s=rows, until=until) == expected


@pytest.mark.parametrize(
    ("rows", "until", "expected"),
    [
        ([("p", 1, 5), ("q", 5, 9)], None, {(1, 1, 9)}),
        ([("p", 1, 5), ("q", 3, 9)], None, {(1, 1, 3), (2, 3, 5), (1, 5, 9)}),
        ([("p", 1, 5), ("q", 1, 5), ("r", 6, 7)], None, {(2, 1, 5), (1, 6, 7)}),
        ([("p", 1, None), ("q", 3, 4)], 4, {(1, 1, 3), (2, 3, 4), (1, 4, None)}),
        ([("p", 1, None), ("q", 3, 4)], 3, {(1, 1, 3), (2, 3, None)}),
    ],
)
def test_how_many_at_once(rows: list[Any], until: int | None, expected: Flat) -> None:
    assert find("state", b.count("X", SX, "K"), "K", s=rows, until=until) == expected


def test_parameters_can_be_overridden() -> None:
    body = b.maximal_range(E, F, "p")
    assert find("state", body, e=[1], until=9, params={"p": 3}) == {(1, 4)}


@pytest.mark.parametrize(
    ("body", "left", "right", "until", "expected"),
    [
        (b.union(S, T), [(1, 3)], [(4, 6)], None, {(1, 3), (4, 6)}),
        (b.union(S, T), [(1, 3)], [(3, 6)], None, {(1, 6)}),
        (b.union(S, T), [(1, 3), (8, 9)], [(2, None)], None, {(1, None)}),
        (b.intersection(S, T), [(1, 20)], [(4, 18)], None, {(4, 18)}),
        (b.intersection(S, T), [(1, 5)], [(5, 9)], None, set()),
        (b.intersection(S, T), [(1, None)], [(3, None)], None, {(3, None)}),
        (b.complement(S, T), [(1, 10)], [(3, 5)], None, {(1, 2), (6, 10)}),
        (b.complement(S, T), [(1, 10)], [(10, 15)], None, {(1, 9)}),
        (b.complement(S, T), [(1, 10)], [(2, 8)], None, {(9, 10)}),
        (b.complement(S, T), [(1, None)], [(3, 5), (8, 9)], 9, {(1, 2), (6, 7)}),
        (b.complement(S, T), [(1, None)], [(3, 5), (8, 9)], 10, {(1, 2), (6, 7), (10, None)}),
        (b.complement(S, T), [(1, None)], [(3, 5)], 4, {(1, 2)}),
        (b.complement(S, T), [(1, 5)], [], None, {(1, 5)}),
        (b.then(S, T), [(1, 3), (5, 6)], [(9, 11)], None, {(5, 11)}),
        (b.then(S, T), [(8, 9), (12, 18)], [(1, 3), (25, 26)], None, {(12, 26)}),
        (b.then(S, T), [(1, 3), (5, None)], [(4, 6), (8, None)], None, {(1, 6)}),
        (b.then(S, T), [(1, 3)], [(3, 4), (6, None)], None, {(1, None)}),
        (b.then(S, T), [(1, 3), (6, 8)], [(5, 9), (10, 12)], None, {(1, 12)}),
    ],
)
def test_set_operations_and_sequence(
    body: Formula, left: list[Any], right: list[Any], until: int | None, expected: Flat
) -> None:
    assert find("state", body, s=left, t=right, until=until) == expected


def test_sequence_of_instants() -> None:
    given: dict[str, Any] = {"e": [1, 2, 9], "f": [4, 6]}
    assert find("state", b.then(E, F), **given) == {(2, 4)}
    for body in (b.then(E, b.then(F, G)), b.then(b.then(E, F), G)):
        assert find("state", body, **given, g=[8]) == {(2, 8)}


def test_union_keeps_bindings_only_one_side_has() -> None:
    body = b.union(b.maximal_range(EX, FX), SX)
    assert find("state", body, "X", f=[("x", 8)], s=[("y", 4, 9)]) == {("y", 4, 9)}


@pytest.mark.parametrize(
    ("operator", "until", "expected"),
    [
        (">", 7, {(1, 6)}), (">", 8, {(1, 6), (4, None)}),
        (">=", 7, {(1, 5), (1, 6), (4, None)}), ("<", 9, {(1, 3)}), ("<=", 9, {(1, 3), (1, 5)}),
        ("==", 8, {(1, 5)}), ("!=", 7, {(1, 3), (1, 6)}), ("!=", 8, {(1, 3), (1, 6), (4, None)}),
    ],
)  # fmt: skip
def test_lasting(operator: Any, until: int, expected: Flat) -> None:
    rows = [(1, 3), (1, 5), (1, 6), (4, None)]
    assert find("dynamic", b.lasting(D, operator, 4), d=rows, until=until) == expected


@pytest.mark.parametrize(
    ("operator", "gap", "instants", "until", "expected"),
    [
        ("<", 4, [2, 4, 5, 7, 8], 99, {(2, 8)}),
        ("<", 10, [80, 85, 90], 98, {(80, None)}),
        ("<", 10, [80, 85, 90], 99, {(80, 90)}),
        ("<", 3, [1, 2, 9, 10], 10, {(1, 2), (9, None)}),
        (">=", 5, [1, 7, 8], 99, {(1, 7)}),
        (">=", 5, [1, 7], 99, {(1, None)}),
        ("==", 2, [1, 3], 4, {(1, None)}),
        ("==", 2, [1, 3], 5, {(1, 3)}),
        ("!=", 2, [1, 2], 3, {(1, None)}),
        ("<", 4, [1], 2, set()),
    ],
)
def test_repeat(operator: Any, gap: int, instants: list[int], until: int, expected: Flat) -> None:
    assert find("state", b.repeat(E, operator, gap), e=instants, until=until) == expected


def test_repeat_with_a_pair_condition() -> None:
    change = b.call("abs", b.arithmetic("Y", "-", b.previous("Y")))
    condition = b.comparison(change, "<", 6)
    body = b.repeat(b.atom("e", "X", "Y"), "<", 9, condition)
    broken = [("x", 10, 1), ("x", 1, 2), ("x", 1, 3), ("x", 1, 4)]
    assert find("state", body, "X", e=broken, until=99) == {("x", 2, 4)}
    small = b.conjunction(condition, b.atom("v", "X", "Z"))
    body_with_fact = b.repeat(b.atom("e", "X", "Y"), "<", 9, small)
    facts = {"v": [("x", "a"), ("x", "b"), ("z", "c")]}
    assert find("state", body_with_fact, "XZ", e=broken, until=99, facts=facts) == {
        ("x", "a", 2, 4), ("x", "b", 2, 4),
    }  # fmt: skip
    some_pair = [("x", 1, 1), ("x", 20, 2), ("x", 2, 2), ("x", 21, 3), ("y", 1, 2)]
    assert find("state", body, "X", e=some_pair, until=99) == {("x", 1, 3)}


def test_exclusive_state() -> None:
    program = b.program(
        b.exclusive(
            "one",
            "XV",
            ("a", b.maximal_range(EX, b.atom("g", "X"))),
            ("b", b.maximal_range(FX, b.atom("g", "X"), 20)),
        ),
        b.definition("any", "state", "X", b.atom("one", "X", "_")),
        inputs=KINDS,
    )  # fmt: skip
    inputs = {
        "e": [(("x",), 1), (("x",), 9)],
        "f": [(("x",), 1), (("x",), 4), (("x",), 9), (("y",), 2)],
        "g": [(("x",), 6), (("x",), 12)],
    }
    found = evaluate(program, inputs, {}, until=30)
    assert found["one"] == {
        (("x", "a"), 1, 4), (("x", "b"), 4, 6), (("x", "a"), 9, 12), (("y", "b"), 2, 22),
    }  # fmt: skip
    assert found["any"] == {(("x",), 1, 6), (("x",), 9, 12), (("y",), 2, 22)}


def test_branches_of_one_value_do_not_end_each_other() -> None:
    program = b.program(
        b.exclusive("one", "V", ("a", b.maximal_range(E, G)), ("a", b.maximal_range(F, G))),
        inputs=KINDS,
    )
    found = evaluate(program, {"e": [((), 1)], "f": [((), 3)], "g": [((), 9)]}, {})
    assert found["one"] == {(("a",), 1, 9)}
