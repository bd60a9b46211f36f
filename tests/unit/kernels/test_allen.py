"""Plain Allen relations between states, and `as MODE`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from phenesthe.kernels.allen import AllenRelation, PlainRelations
from phenesthe.kernels.arrays import OPEN
from tests.unit.kernels.samples import (
    LAST,
    Interval,
    draw_cases,
    draw_states,
    list_rows,
    rows_to_intervals,
    to_intervals,
)

GOLDEN = json.loads((Path(__file__).parents[2] / "data" / "allen_200.json").read_text())
NAMES: tuple[AllenRelation, ...] = get_args(AllenRelation)
INVERSES: dict[AllenRelation, AllenRelation] = {
    "after": "before",
    "met_by": "meets",
    "overlapped_by": "overlaps",
    "started_by": "starts",
    "finished_by": "finishes",
    "contains": "during",
}
#: Table 1, with s and f the start and the end.
CONDITIONS: dict[AllenRelation, Callable[[float, float, float, float], bool]] = {
    "before": lambda _s, f, s2, _f2: f < s2,
    "meets": lambda _s, f, s2, _f2: f == s2,
    "starts": lambda s, f, s2, f2: s == s2 and f < f2,
    "finishes": lambda s, f, s2, f2: s > s2 and f == f2,
    "during": lambda s, f, s2, f2: s > s2 and f < f2,
    "overlaps": lambda s, f, s2, f2: s < s2 and f > s2 and f < f2,
    "equals": lambda s, f, s2, f2: s == s2 and f == f2,
}


def is_pair(name: AllenRelation, one: Interval, other: Interval, within: int | None) -> bool:
    """Does it hold for every way in which open ends can close?"""
    if name in INVERSES:
        return is_pair(INVERSES[name], other, one, within)

    def close(end: int) -> list[float]:
        return [end] if end != OPEN else [LAST + 1, LAST + 2, LAST + 3, float("inf")]

    return all(
        CONDITIONS[name](one[0], end, other[0], other_end)
        and (within is None or other[0] - end <= within)
        for end in close(one[1])
        for other_end in close(other[1])
    )


@pytest.mark.parametrize("name", NAMES)
def test_participants(name: AllenRelation) -> None:
    found = 0
    for random in draw_cases(150):
        left, right = map(list_rows, draw_states(random))
        within = random.choice((None, 1, 4)) if name in ("before", "after") else None
        pairs = [
            (i, j)
            for i, one in enumerate(left)
            for j, other in enumerate(right)
            if one[0] == other[0] and is_pair(name, one[1:], other[1:], within)
        ]
        relations = PlainRelations(rows_to_intervals(left), rows_to_intervals(right))
        is_source, is_target = relations.mark(name, within)
        assert np.flatnonzero(is_source).tolist() == sorted({i for i, _ in pairs})
        assert np.flatnonzero(is_target).tolist() == sorted({j for _, j in pairs})
        found += len(pairs)
    assert found > 100


def test_any_two_known_intervals_are_in_one_relation() -> None:
    """Jointly exhaustive, pairwise disjoint; and one object answers for all thirteen."""
    for random in draw_cases(100):
        a, b = random.randint(0, 5), random.randint(0, 5)
        relations = PlainRelations(
            to_intervals({0: {(a, a + random.randint(1, 5))}}),
            to_intervals({0: {(b, b + random.randint(1, 5))}}),
        )
        assert sum(int(relations.mark(name)[0].sum()) for name in NAMES) == 1


@pytest.mark.parametrize("name", sorted(GOLDEN["relations"]))
def test_results_of_the_original(name: str) -> None:
    left, right = ([(0, *row) for row in GOLDEN[side]] for side in ("left", "right"))
    relations = PlainRelations(rows_to_intervals(left), rows_to_intervals(right))
    relation = next(known for known in NAMES if known == {"equal": "equals"}.get(name, name))
    is_source, is_target = relations.mark(relation)
    expected = GOLDEN["relations"][name]
    assert [left[i][1:] for i in np.flatnonzero(is_source)] == list(map(tuple, expected["source"]))
    assert [right[i][1:] for i in np.flatnonzero(is_target)] == list(map(tuple, expected["target"]))


@pytest.mark.parametrize("name", NAMES)
def test_nothing(name: AllenRelation) -> None:
    none, some = to_intervals({}), to_intervals({0: {(1, 3)}})
    for left, right in ((none, some), (some, none), (none, none)):
        marks = PlainRelations(left, right).mark(name)
        assert [mark.tolist() for mark in marks] == [[False] * len(left), [False] * len(right)]


def test_distances_at_the_far_ends_of_time() -> None:
    far = 2**62
    relations = PlainRelations(
        to_intervals({0: {(-far, -far + 1)}}), to_intervals({0: {(far - 1, far)}})
    )
    assert relations.mark("before", 2**63 - 3)[0].tolist() == [False]
    assert relations.mark("before", 2**63 - 2)[0].tolist() == [True]
