"""Relations between sides with variables of their own: each result, and none of them often."""

from random import Random

import numpy as np
import pytest

from phenesthe.kernels.arrays import Intervals
from phenesthe.kernels.combinations import combine_related
from phenesthe.kernels.nearly import ExactRelation, mark_nearly, pair_nearly
from phenesthe.kernels.relations import Relation
from tests.unit.kernels.samples import draw_cases, rows_to_intervals, to_column
from tests.unit.kernels.test_relations import (
    NAMES,
    draw_grouped,
    give_result,
    list_pairs,
    read_pairs,
)  # fmt: skip

EXACT: tuple[ExactRelation, ...] = ("meets", "starts", "finishes", "equals")
#: Which relations take events on their left, on their right.
TAKE_INSTANTS = {"before", "starts", "finishes"}, {"before", "contains"}


def draw_side(
    random: Random, *, may_be_instant: bool
) -> tuple[list[tuple[int, int, int]], list[int]]:
    rows, groups = draw_grouped(random)
    chosen = [at for at, row in enumerate(rows) if may_be_instant or row[1] < row[2]]
    return [rows[at] for at in chosen], [groups[at] for at in chosen]


@pytest.mark.parametrize("name", NAMES)
def test_every_result_of_every_combination(name: Relation) -> None:
    found = paired = 0
    for random in draw_cases(250):
        left, left_group = draw_side(random, may_be_instant=name in TAKE_INSTANTS[0])
        right, right_group = draw_side(random, may_be_instant=name in TAKE_INSTANTS[1])
        within = random.choice((None, 2)) if name == "before" else None

        def give(
            pairs: list[tuple[int, int]],
            left: list[tuple[int, int, int]] = left,
            right: list[tuple[int, int, int]] = right,
            groups: tuple[list[int], list[int]] = (left_group, right_group),
        ) -> list[tuple[object, ...]]:
            return [
                (groups[0][i], groups[1][j], *give_result(name, left[i], right[j]))
                for i, j in pairs
            ]

        every = list_pairs(name, left, right, within, left_group, right_group)
        sides = rows_to_intervals(left), rows_to_intervals(right)
        groups = to_column(left_group), to_column(right_group)
        pairs = read_pairs(combine_related(name, *sides, *groups, within))
        assert set(pairs) <= set(every)
        assert sorted(set(give(pairs))) == sorted(set(give(every)))
        if name in ("contains", "starts", "finishes", "equals"):
            assert len(pairs) == len(set(give(pairs)))
        found += len(pairs)
        paired += len(every)
    assert 20 < found <= paired


@pytest.mark.parametrize("name", EXACT)
def test_pairs_that_are_nearly_so(name: ExactRelation) -> None:
    found = 0
    for random in draw_cases(150):
        left, _ = draw_side(random, may_be_instant=name in TAKE_INSTANTS[0])
        right, _ = draw_side(random, may_be_instant=name in TAKE_INSTANTS[1])
        within = random.choice((0, 1, 3))
        sides = rows_to_intervals(left), rows_to_intervals(right)
        pairs = read_pairs(pair_nearly(name, *sides, within))
        assert len(pairs) == len(set(pairs))

        def is_near(
            i: int, j: int, sides: tuple[Intervals, Intervals] = sides, within: int = within
        ) -> bool:
            one, other = sides[0].take(to_column([i])), sides[1].take(to_column([j]))
            return bool(mark_nearly(name, one, other, within)[0].any())

        assert sorted(pairs) == [
            (i, j) for i in range(len(left)) for j in range(len(right)) if is_near(i, j)
        ]
        found += len(pairs)
    assert found > 100


def test_one_of_many_is_enough() -> None:
    """A long interval and a hundred rows of one binding inside it: one pair, not a hundred."""
    right = [(0, at, at) for at in range(1, 101)]
    sides = rows_to_intervals([(0, 0, 200)]), rows_to_intervals(right)
    one = np.zeros(100, dtype=np.int64)
    assert len(combine_related("contains", *sides, one[:1], one)[0]) == 1
    assert len(combine_related("contains", *sides, one[:1], np.arange(100))[0]) == 100
