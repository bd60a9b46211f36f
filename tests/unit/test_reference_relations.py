"""The reference evaluator: Φ⁼, open ends, and relations with an output mode."""

import json
from pathlib import Path
from typing import Any

import pytest

from phenesthe.syntax.tree import Formula
from tests.reference import build as b
from tests.reference.find import EX, D, E, F, Flat, G, K, S, T, U, find

#: Ends after the last query: an open interval beside a closed one with the same start.
Q = 20
LATER = 99


def relate(
    name: Any, left: Formula, right: Formula, within: Any = None, apart: Any = None, **given: Any
) -> Flat:
    return find("dynamic", b.relation(left, name, right, within, apart=apart), **given)


def select(name: Any, mode: Any, within: Any = None, **given: Any) -> Flat:
    return find("state", b.relation(S, name, T, within, mode), **given)


@pytest.mark.parametrize(
    ("name", "inverse", "left", "right", "expected"),
    [
        ("before", "after", [(1, 2), (1, 3)], [(5, 6)], {(1, 6)}),
        ("before", "after", [(1, 3), (2, 3)], [(5, 6), (7, 8)], {(1, 6), (2, 6)}),
        ("before", "after", [(1, 3)], [(5, 6), (5, 9)], {(1, 6), (1, 9)}),
        ("before", "after", [(1, 3), (2, None)], [(5, None)], {(1, None)}),
        ("before", "after", [(1, 2), (2, 3)], [(5, 6)], {(2, 6)}),
        ("before", "after", [(1, 3)], [(3, 6)], set()),
        ("meets", "met_by", [(1, 3), (2, None)], [(3, 5), (3, LATER), (4, 6)], {(1, 5), (1, None)}),
        ("overlaps", "overlapped_by", [(3, 5), (10, 15)], [(3, 8), (12, 20)], {(10, 20)}),
        ("overlaps", "overlapped_by", [(1, 5), (2, None)], [(3, None)], {(1, None)}),
        ("starts", "started_by", [(1, 3), (1, LATER)], [(1, 5), (1, LATER)], {(1, 5), (1, None)}),
        ("starts", "started_by", [(1, None)], [(1, LATER), (1, 4)], set()),
        ("finishes", "finished_by", [(3, 5), (1, 5), (3, LATER)], [(1, 5), (1, LATER)], {(1, 5)}),
        ("equals", "equals", [(1, 3), (1, 5)], [(1, 5)], {(1, 5)}),
        ("equals", "equals", [(1, None)], [(1, LATER), (1, 5)], set()),
        ("contains", "during", [(1, LATER), (1, 5)], [(3, 4), (3, 5)], {(1, None), (1, 5)}),
        ("contains", "during", [(1, None)], [(3, None)], set()),
    ],
)  # fmt: skip
def test_relations_and_their_inverses(
    name: Any, inverse: Any, left: list[Any], right: list[Any], expected: Flat
) -> None:
    assert relate(name, D, K, d=left, k=right, until=Q) == expected
    assert relate(inverse, D, K, d=right, k=left, until=Q) == expected


def test_relations_of_instants() -> None:
    assert relate("finishes", E, D, e=[2, 5], d=[(1, 5)]) == {(1, 5)}
    assert relate("finishes", E, D, e=[5], d=[(1, None)]) == set()
    assert relate("starts", E, D, e=[1, 5], d=[(1, 5), (2, 9), (1, LATER)], until=Q) == {
        (1, 5),
        (1, None),
    }
    assert relate("contains", D, E, e=[1, 5], d=[(1, 5)]) == set()
    assert relate("contains", D, E, e=[3], d=[(1, 5), (2, None)]) == {(1, 5), (2, None)}
    assert relate("before", E, F, e=[1, 2], f=[2, 5, 6]) == {(1, 2), (2, 5)}
    assert relate("after", F, E, e=[1, 2], f=[2, 5, 6]) == {(1, 2), (2, 5)}
    assert relate("before", E, D, e=[1], d=[(3, 5), (3, LATER)], until=Q) == {(1, 5), (1, None)}


def test_within_limits_the_distance() -> None:
    assert relate("before", S, T, s=[(1, 3)], t=[(8, 9)], within=5) == {(1, 9)}
    assert relate("before", S, T, s=[(1, 3)], t=[(8, 9)], within=4) == set()
    assert relate("after", T, S, s=[(1, 3)], t=[(8, 9)], within="p") == {(1, 9)}


def test_from_takes_the_nearest_pairs_that_are_far_enough_apart() -> None:
    given: dict[str, Any] = {"e": [0, 4], "f": [3, 6, 9]}
    assert relate("before", E, F, **given, apart=5) == {(0, 6), (4, 9)}
    assert relate("after", F, E, **given, apart=5, within=5) == {(4, 9)}
    assert relate("before", E, F, **given, apart=1) == relate("before", E, F, **given)
    assert relate("before", E, F, **given, apart=9) == {(0, 9)}
    assert relate("before", E, F, **given, apart=6, within=5) == set()


def test_contiguity_is_per_binding() -> None:
    body = b.relation(EX, "before", b.atom("f", "X", "Y"))
    given: dict[str, Any] = {"e": [("x", 1), ("y", 3)], "f": [("x", "a", 5), ("x", "b", 7)]}
    assert find("dynamic", body, "XY", **given) == {("x", "a", 1, 5), ("x", "b", 1, 7)}
    assert find("dynamic", body, "X", **given) == {("x", 1, 5)}


def test_nested_relations_offer_only_what_is_detected() -> None:
    body = b.relation(E, "before", b.relation(S, "contains", F))
    assert find("dynamic", body, e=[1], s=[(3, None)], f=[3]) == set()
    assert find("dynamic", body, e=[1], s=[(3, None)], f=[5]) == {(1, None)}


def test_time_alone_changes_results() -> None:
    end = b.relation(E, "before", b.end(b.repeat(G, "<", 100)))
    assert find("dynamic", end, e=[1], g=[5, 10, 15], until=200) == {(1, 15)}
    late = b.relation(E, "before", b.union(b.lasting(S, ">", 20), T))
    given: dict[str, Any] = {"e": [1], "s": [(3, None)], "t": [(4, 6)]}
    assert find("dynamic", late, **given, until=22) == {(1, 6)}
    assert find("dynamic", late, **given, until=23) == {(1, None)}
    short = b.lasting(b.complement(S, T), ">=", 4)
    assert find("state", short, s=[(1, None)], t=[(5, 9)], until=4) == {(1, None)}
    assert find("state", short, s=[(1, None)], t=[(5, 9)], until=5) == set()


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("source", {(3, 10)}),
        ("target", {(10, 13)}),
        ("union", {(3, 13)}),
        ("intersection", set()),
        ("complement", {(3, 9)}),
        ("inverse_complement", {(11, 13)}),
    ],
)
def test_output_modes(mode: str, expected: Flat) -> None:
    """As in the first illustration of RTEC_A: one pair of four meets."""
    given: dict[str, Any] = {"s": [(3, 10), (14, 16)], "t": [(1, 5), (10, 13)], "until": 20}
    assert select("meets", mode, **given) == expected


def test_output_mode_of_an_inverse_is_as_written() -> None:
    given: dict[str, Any] = {"s": [(10, 13)], "t": [(3, 10)]}
    assert select("met_by", "source", **given) == {(10, 13)}
    assert select("met_by", "target", **given) == {(3, 10)}


def test_during_with_a_union_as_source() -> None:
    """As in the second illustration of RTEC_A."""
    body = b.relation(b.union(S, T), "during", U, None, "target")
    given: dict[str, Any] = {"s": [(1, 3), (8, 10)], "t": [(2, 5), (9, 12)], "u": [(4, 6), (7, 20)]}
    assert find("state", body, **given) == {(7, 20)}


def test_output_modes_ask_for_detected_pairs_without_contiguity() -> None:
    given: dict[str, Any] = {"s": [(1, 2), (4, 5), (8, None)], "t": [(6, 7), (9, None)]}
    assert select("before", "source", **given) == {(1, 2), (4, 5)}
    assert select("before", "target", **given) == {(6, 7), (9, None)}
    assert select("before", "union", **given, within=1) == {(4, 5), (6, 7)}
    assert select("contains", "source", **given, until=9) == set()


def test_one_pair_is_in_one_relation() -> None:
    given: dict[str, Any] = {"s": [(30, 62)], "t": [(20, 70)]}
    names = ("before", "meets", "overlaps", "starts", "finishes", "equals", "contains", "during")
    assert [name for name in names if select(name, "source", **given)] == ["during"]


def test_allen_relations_of_two_hundred_intervals() -> None:
    """Results of RTEC_A itself."""
    golden = json.loads((Path(__file__).parents[1] / "data" / "allen_200.json").read_text())
    given: dict[str, Any] = {
        "s": list(map(tuple, golden["left"])),
        "t": list(map(tuple, golden["right"])),
    }
    for name, expected in golden["relations"].items():
        own = "equals" if name == "equal" else name
        for mode in ("source", "target"):
            assert select(own, mode, **given) == set(map(tuple, expected[mode])), (name, mode)
