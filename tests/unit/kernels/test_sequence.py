"""`σ then τ`, from Definitions 6–8."""

from random import Random

import pytest

from phenesthe.kernels.arrays import OPEN
from phenesthe.kernels.order import sort_instants
from phenesthe.kernels.runs import find_first_after, find_last_before
from phenesthe.kernels.sequence import find_dense_sequence, find_sequence
from tests.unit.kernels.samples import (
    Interval,
    Spans,
    by_key,
    draw_cases,
    draw_state,
    draw_times,
    read_intervals,
    to_entities,
    to_intervals,
    to_runs,
)
from tests.unit.kernels.test_states import unite


def sequence(left: set[Interval], right: set[Interval]) -> set[Interval]:
    """Definition 6 word for word: an open end precedes nothing."""

    def precedes(one: Interval, other: Interval) -> bool:
        return one[1] < other[0]

    pairs = {
        (one[0], other[1])
        for one in left
        for other in right
        if precedes(one, other)
        and not any(precedes(one, x) and precedes(x, other) for x in right)
        and not any(precedes(one, x) and precedes(x, other) for x in left)
    }
    return unite(pairs, set())


def draw_kind(random: Random, kind: str) -> Spans:
    return draw_state(random) if kind == "state" else to_entities(draw_times(random, 0.15))


@pytest.mark.parametrize("left_kind", ["state", "event"])
@pytest.mark.parametrize("right_kind", ["state", "event"])
def test_sequences(left_kind: str, right_kind: str) -> None:
    found = 0
    for random in draw_cases(120):
        left, right = draw_kind(random, left_kind), draw_kind(random, right_kind)
        result = find_sequence(to_intervals(left), to_intervals(right))
        assert read_intervals(result) == by_key(sequence, left, right)
        found += len(result)
    assert found > 400


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ([(1, 3), (5, 6)], [(9, 11)], [(5, 11)]),
        ([(8, 9), (12, 18)], [(1, 3), (25, 26)], [(12, 26)]),
        ([(1, 3)], [(5, OPEN)], [(1, OPEN)]),
        ([(1, OPEN)], [(5, 7)], []),
        ([(1, 3), (6, OPEN)], [(7, 8)], [(1, 8)]),  # the open one ends after q, not in between
        ([(1, 3)], [(3, 5)], []),
    ],
)
def test_worked_examples(
    left: list[Interval], right: list[Interval], expected: list[Interval]
) -> None:
    found = find_sequence(to_intervals({0: set(left)}), to_intervals({0: set(right)}))
    assert [row[1:] for row in read_intervals(found)] == expected


def test_dense_sequences() -> None:
    found = 0
    for random in draw_cases(150):
        left, right = draw_times(random), draw_times(random)
        result = find_dense_sequence(to_runs(left), to_runs(right))
        assert read_intervals(result) == by_key(sequence, to_entities(left), to_entities(right))
        found += len(result)
    assert found > 500


def test_one_dense_side_is_replaced_by_its_candidates() -> None:
    for random in draw_cases(100):
        dense, state = draw_times(random), draw_state(random)
        runs, intervals = to_runs(dense), to_intervals(state)
        found, last = find_last_before(runs, intervals.key, intervals.ts)
        lefts = sort_instants(intervals.key[found], last[found]).view_as_intervals()
        expected = by_key(sequence, to_entities(dense), state)
        assert read_intervals(find_sequence(lefts, intervals)) == expected
        found, first = find_first_after(runs, intervals.key, intervals.te)
        rights = sort_instants(intervals.key[found], first[found]).view_as_intervals()
        expected = by_key(sequence, state, to_entities(dense))
        assert read_intervals(find_sequence(intervals, rights)) == expected


def test_nothing() -> None:
    none, some = to_intervals({}), to_intervals({0: {(1, 3)}})
    assert len(find_sequence(none, some)) == len(find_sequence(some, none)) == 0
    assert len(find_dense_sequence(to_runs({}), to_runs({0: {1}}))) == 0
