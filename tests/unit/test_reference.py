"""The reference evaluator: what is known at q, Φ•, conditions and variables."""

import math
from typing import Any

import pytest

from tests.reference import build as b
from tests.reference.find import EX, FX, SX, D, E, F, S, find
from tests.reference.values import EARTH_RADIUS, call

# What is known at q


def test_query_time_is_the_last_instant_of_the_input() -> None:
    assert find("state", b.lasting(S, ">=", 9), s=[(1, None)], e=[9]) == {(1, None)}
    assert find("state", b.lasting(S, ">=", 9), s=[(1, None)], e=[8]) == set()
    assert find("state", b.lasting(S, ">=", 9), s=[(1, None)], t=[(2, 9)]) == {(1, None)}


def test_later_rows_are_unknown_and_later_ends_open() -> None:
    assert find("event", E, e=[1, 5, 6], until=5) == {(1,), (5,)}
    rows = [(1, 3), (4, 6), (6, 9)]
    assert find("dynamic", D, d=rows, until=5) == {(1, 3), (4, None)}
    assert find("dynamic", D, d=[(1, 3)], until=3) == {(1, 3)}


def test_input_states_coalesce_per_binding_and_dynamics_do_not() -> None:
    rows = [("x", 1, 3), ("x", 3, 6), ("x", 7, 8), ("y", 2, 4)]
    assert find("state", SX, "X", s=rows) == {("x", 1, 6), ("x", 7, 8), ("y", 2, 4)}
    assert find("dynamic", b.atom("d", "X"), "X", d=rows) == set(rows)


def test_an_end_closes_the_row_still_holding() -> None:
    assert find("state", S, s=[(1, None), (1, 4)], until=9) == {(1, 4)}
    assert find("dynamic", D, d=[(1, None), (1, 4), (2, None)], until=9) == {(1, 4), (2, None)}
    assert find("dynamic", D, d=[(1, None), (1, 4)], until=3) == {(1, None)}


def test_without_input_nothing_is_known() -> None:
    assert find("event", b.negation(E)) == set()
    assert find("event", b.negation(E), start=3, until=5) == {(3,), (4,), (5,)}


# Φ•


def test_connectives() -> None:
    given: dict[str, Any] = {"e": [1, 2, 3], "f": [2, 4]}
    assert find("event", b.conjunction(E, F), **given) == {(2,)}
    assert find("event", b.disjunction(E, F), **given) == {(1,), (2,), (3,), (4,)}
    assert find("event", b.conjunction(b.negation(F), E), **given) == {(1,), (3,)}
    assert find("event", b.negation(E), **given) == {(4,)}
    assert find("event", b.negation(F), **given, start=0) == {(0,), (1,), (3,)}


def test_guarded_negation_does_not_look_at_the_timeline() -> None:
    body = b.conjunction(b.negation(F), E)
    assert find("event", body, e=[1, 2, 3], f=[2], start=3) == {(1,), (3,)}


def test_unguarded_negation_takes_its_bindings_from_a_fact() -> None:
    body = b.maximal_range(b.conjunction(b.negation(EX), b.atom("v", "X")), EX)
    given: dict[str, Any] = {"facts": {"v": [("x",), ("y",)]}, "e": [("x", 2), ("z", 3)]}
    assert find("state", body, "X", **given) == {("x", 3, None), ("y", 2, None)}
    body = b.maximal_range(b.where(b.negation(EX), b.atom("v", "X")), EX)
    assert find("state", body, "X", **given) == {("x", 3, None), ("y", 2, None)}


def test_negation_inside_a_guarded_disjunction() -> None:
    body = b.conjunction(b.disjunction(b.negation(FX), b.atom("g", "X")), EX)
    given: dict[str, Any] = {
        "e": [("x", 1), ("x", 2), ("y", 3)],
        "f": [("x", 1), ("x", 2)],
        "g": [("x", 2)],
    }
    assert find("event", body, "X", **given) == {("x", 2), ("y", 3)}


def test_inclusion_counts_both_ends() -> None:
    given: dict[str, Any] = {"e": [1, 2, 4, 5], "s": [(2, 4)]}
    assert find("event", b.inclusion(E, S), **given) == {(2,), (4,)}
    assert find("event", b.inclusion(E, S, negated=True), **given) == {(1,), (5,)}
    assert find("event", b.inclusion(E, S), e=[5], s=[(2, None)]) == {(5,)}


def test_inclusion_joins_and_its_negation_is_bound_outside() -> None:
    given: dict[str, Any] = {
        "e": [("x", 3)],
        "f": [(1, 3), (2, 3)],
        "s": [("x", 1, 1, 4), ("x", 3, 1, 4)],
    }
    states = b.atom("s", "X", "Y")
    assert find("event", b.inclusion(EX, states), "XY", **given) == {("x", 1, 3), ("x", 3, 3)}
    body = b.conjunction(b.inclusion(EX, states, negated=True), b.atom("f", "Y"))
    assert find("event", body, "XY", **given) == {("x", 2, 3)}


def test_starts_and_known_ends() -> None:
    given: dict[str, Any] = {"s": [(1, 3), (5, None)]}
    assert find("event", b.start(S), **given) == {(1,), (5,)}
    assert find("event", b.end(S), **given) == {(3,)}


# Conditions


@pytest.mark.parametrize(
    ("left", "operator", "right", "holds"),
    [
        ("X", "<=", 2.0, True),
        (b.arithmetic("X", "/", 4), "==", 0.5, True),
        (b.arithmetic("X", "/", 0), ">", 0, False),
        (b.arithmetic("X", "/", 0), "!=", 0, False),
        (b.arithmetic(b.arithmetic("X", "/", 0.0), "*", 0), "==", 0, False),
        (b.call("max", "X", math.nan), "==", "X", False),
        (b.call("min", "X", 3), "==", 2, True),
        (b.call("max", "X", 3), "==", 3, True),
        (b.call("angle_diff", "X", math.inf), ">=", 0, False),
        (b.call("angle_diff", 350, 10), "==", 20, True),
        (b.call("angle_diff", -90.0, 450), "==", 180, True),
        (b.call("abs", b.arithmetic(1, "-", "X")), "==", 1, True),
        (b.arithmetic("$p", "*", "X"), "==", 10, True),
        ("a", "<", "b", True),
        (True, "!=", False, True),
    ],
)
def test_comparisons_and_their_negation(left: Any, operator: Any, right: Any, holds: bool) -> None:
    condition = b.comparison(left, operator, right)
    assert find("event", b.conjunction(EX, condition), "X", e=[(2, 1)]) == (
        {(2, 1)} if holds else set()
    )
    assert find("event", b.conjunction(EX, b.negation(condition)), "X", e=[(2, 1)]) == (
        set() if holds else {(2, 1)}
    )


def test_floor_of_an_int_beyond_floats_is_that_int() -> None:
    assert call("floor", [10**400]) == call("round", [10**400]) == 10**400


def test_distance_on_the_sphere() -> None:
    assert call("distance", [0, 0, 90, 0]) == pytest.approx(math.pi / 2 * EARTH_RADIUS)
    assert call("distance", [179, 60, -179, 60]) == pytest.approx(111_178, rel=1e-3)
    assert call("distance", [10, 90, -70, -90]) == pytest.approx(math.pi * EARTH_RADIUS)


def test_facts_bind_and_filter() -> None:
    facts = {"v": [("x", 1), ("x", 2), ("y", 3)]}
    given: dict[str, Any] = {"e": [("x", 1), ("z", 2)], "facts": facts}
    fact = b.atom("v", "X", "Y")
    assert find("event", b.conjunction(fact, EX), "XY", **given) == {("x", 1, 1), ("x", 2, 1)}
    condition = b.disjunction(b.comparison("Y", ">", 1), b.atom("v", "X", "nothing"))
    assert find("event", b.conjunction(condition, EX, fact), "XY", **given) == {("x", 2, 1)}
    body = b.conjunction(EX, b.negation(fact))
    assert find("event", body, "X", **given) == {("z", 2)}
    above = b.conjunction(b.comparison("Y", ">", 1), fact)
    body = b.conjunction(above, EX)
    assert find("event", body, "X", **given) == {("x", 1)}
    body = b.conjunction(b.where(b.comparison("Y", "==", "Z"), b.atom("w", "Z")), EX, fact)
    given["facts"] = {**facts, "w": [(2,), (3,)]}
    assert find("event", body, "XYZ", **given) == {("x", 2, 2, 1)}


def test_facts_filter_and_bind_states() -> None:
    facts = {"v": [("x", 1), ("x", 2), ("y", 3)]}
    fact = b.atom("v", "X", "Y")
    states: dict[str, Any] = {"s": [("x", 1, 5), ("y", 1, 5)], "facts": facts}
    body = b.where(SX, b.conjunction(b.comparison("Y", ">", 2), fact))
    assert find("state", body, "X", **states) == {("y", 1, 5)}
    assert find("state", b.where(SX, b.atom("v", "X", "_")), "X", **states) == set(states["s"])
    assert find("state", b.where(SX, fact), "XY", **states) == {
        ("x", 1, 1, 5), ("x", 2, 1, 5), ("y", 3, 1, 5),
    }  # fmt: skip


# Variables


def test_existential_over_each_kind() -> None:
    rows = [("x", 1, 1, 3), ("x", 2, 3, 5)]
    assert find("state", b.atom("s", "X", "_"), "X", s=rows) == {("x", 1, 5)}
    assert find("state", b.atom("s", "X", "Y"), "X", s=rows) == {("x", 1, 5)}
    assert find("dynamic", b.atom("d", "X", "Y"), "X", d=rows) == {
        ("x", 1, 3), ("x", 3, 5),
    }  # fmt: skip
    meals = b.maximal_range(EX, b.atom("f", "X", "_"))
    given: dict[str, Any] = {
        "e": [("ann", 1), ("bob", 2)],
        "f": [("ann", "soup", 4), ("ann", "pie", 6)],
    }
    assert find("state", meals, "X", **given) == {("ann", 1, 4), ("bob", 2, None)}


def test_repeated_variables_and_constants_select_rows() -> None:
    rows = [(1, 1, 5), (1, 2, 6)]
    assert find("event", b.atom("e", "X", "X"), "X", e=rows) == {(1, 5)}
    assert find("event", b.atom("e", "X", 2), "X", e=rows) == {(1, 6)}


@pytest.mark.parametrize("text", ["0.1", "nan"])
def test_equal_numbers_join(text: str) -> None:
    """Each call makes another object; a NaN is one value, as a duplicate row shows."""
    given = {"e": [(float(text), 1), (float(text), 1)], "f": [(float(text), 1), (2.0, 1)]}
    assert len(find("event", b.conjunction(EX, FX), "X", **given)) == 1


def test_an_unsafe_formula_is_refused() -> None:
    with pytest.raises(ValueError, match="unsafe"):
        find("event", b.conjunction(E, b.negation(FX)), "X", e=[1])
    with pytest.raises(ValueError, match="unsafe"):
        find("event", b.negation(FX), "X", e=[1])
