"""`repeat φ while gap OP D and COND`."""

from itertools import pairwise, product

import numpy as np
import pytest

from phenesthe.kernels.arrays import OPEN, Array, Instants, Mask
from phenesthe.kernels.neighbours import Verdict, connect, find_first, find_neighbours, meet
from phenesthe.kernels.repeat import find_repeats, group_occurrences, mark_following
from phenesthe.kernels.spans import Operator
from tests.unit.kernels.samples import (
    KEYS,
    OPERATORS,
    Interval,
    draw_cases,
    draw_query_time,
    holds,
    list_rows,
    read_intervals,
    to_column,
    to_instants,
)


def follow(
    times: list[int], links: list[bool], operator: Operator, gap: int, q: int
) -> set[Interval]:
    """`links[i]` is the word of COND on times i and i + 1."""
    result: set[Interval] = set()
    run: list[int] = []
    for i, t in enumerate(times):
        if run and not (holds(operator, t - run[-1], gap) and links[i - 1]):
            result |= {(run[0], run[-1])} if len(run) > 1 else set()
            run = []
        run.append(t)
    if len(run) > 1:
        can_go_on = any(holds(operator, t - run[-1], gap) for t in range(q + 1, q + 60))
        result.add((run[0], OPEN if can_go_on else run[-1]))
    return result


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("with_condition", [False, True])
def test_runs(operator: Operator, with_condition: bool) -> None:
    found = still_open = closed_last = 0
    for random in draw_cases(150):
        q, gap = draw_query_time(random), random.randint(1, 5)
        times = {key: sorted(random.sample(range(25), random.randint(0, 16))) for key in KEYS}
        links = {
            key: [not with_condition or random.random() < 0.7 for _ in ts]
            for key, ts in times.items()
        }
        expected = {key: follow(ts, links[key], operator, gap, q) for key, ts in times.items()}
        # Row i tells of the pair before it; of a first instant it may tell anything.
        connects = np.array(
            [link for key, ts in times.items() for link in [True, *links[key]][: len(ts)]],
            dtype=np.bool_,
        )
        instants = to_instants({key: set(ts) for key, ts in times.items()})
        result = find_repeats(instants, operator, gap, q, connects if with_condition else None)
        assert read_intervals(result) == list_rows(expected)
        found += len(result)
        still_open += int(np.sum(result.te == OPEN))
        closed_last += sum(
            any(b == ts[-1] for _, b in expected[key]) for key, ts in times.items() if ts
        )
    assert found > 100
    assert still_open > 15
    assert closed_last > 15 or operator in (">", ">=", "!=")


def one_repeat(times: set[int], operator: Operator, gap: int, q: int) -> list[Interval]:
    result = find_repeats(to_instants({0: times}), operator, gap, q)
    return [(ts, te) for _, ts, te in read_intervals(result)]


def test_when_a_run_is_open() -> None:
    assert one_repeat({2, 4, 5, 7, 8}, "<", 4, 30) == [(2, 8)]
    assert one_repeat({1, 3}, "<", 4, 5) == [(1, OPEN)]  # 6 could follow
    assert one_repeat({1, 3}, "<", 4, 6) == [(1, 3)]
    assert one_repeat({1, 3}, "==", 2, 4) == [(1, OPEN)]
    assert one_repeat({1, 3}, "==", 2, 5) == [(1, 3)]
    assert one_repeat({1, 9, 10}, ">", 3, 10) == [(1, 9)]  # 10 came too early, for good
    assert one_repeat({1, 9}, ">", 3, 99) == [(1, OPEN)]
    assert one_repeat({7}, "<", 4, 7) == []  # one instant is no run yet


def test_runs_at_the_far_ends_of_time() -> None:
    far = 2**62
    assert one_repeat({-far, far}, ">", 2**63 - 1, far) == [(-far, OPEN)]
    assert one_repeat({-far, far}, "<=", 2**63 - 1, far) == []
    assert one_repeat({-far, -far + 1}, "<=", 2**62, far) == [(-far, -far + 1)]


def connect_by_values(
    rows: list[tuple[int, int, int]], gap: int, budget: int
) -> tuple[Instants, Mask, list[list[tuple[int, int]]]]:
    """The condition `abs(X - prev(X)) < 6` on rows (key, t, X), and the pairs it was asked of."""
    key, t, speed = (to_column(row[column] for row in rows) for column in range(3))
    occurrences = group_occurrences(key, t)
    candidates = np.flatnonzero(mark_following(occurrences.instants, "<", gap))
    neighbours = find_neighbours(occurrences, candidates, None, None)
    chunks: list[list[tuple[int, int]]] = []

    def holds(previous: Array, current: Array) -> Mask:
        chunks.append(list(zip(previous.tolist(), current.tolist(), strict=True)))
        found: Mask = np.abs(speed[current] - speed[previous]) < 6
        return found

    connects = np.zeros(len(occurrences.instants), dtype=np.bool_)
    meetings = meet(neighbours.instant, neighbours.previous, neighbours.current)
    connect(meetings, holds, connects, budget)
    return occurrences.instants, connects, chunks


@pytest.mark.parametrize("budget", [1, 3, 7, 10_000])
def test_pair_conditions_over_several_bindings_at_an_instant(budget: int) -> None:
    found = 0
    for random in draw_cases(50):
        gap, q = random.randint(2, 7), draw_query_time(random)
        rows = sorted(
            (random.choice(KEYS), random.randint(0, 24), random.randint(0, 30))
            for _ in range(random.randint(0, 60))
        )
        expected_pairs: set[tuple[int, int]] = set()
        hopeless: set[tuple[int, int]] = set()
        expected = {}
        for key in KEYS:
            at: dict[int, list[int]] = {}
            for i, (other, t, _) in enumerate(rows):
                if other == key:
                    at.setdefault(t, []).append(i)
            links = []
            for earlier, later in pairwise(sorted(at)):
                pairs = list(product(at[earlier], at[later]))
                links.append(any(abs(rows[j][2] - rows[i][2]) < 6 for i, j in pairs))
                if later - earlier < gap:
                    expected_pairs |= set(pairs)
                    hopeless |= set() if links[-1] else set(pairs)
            expected[key] = follow(sorted(at), links, "<", gap, q)
        instants, connects, chunks = connect_by_values(rows, gap, budget)
        listed = [pair for chunk in chunks for pair in chunk]
        assert len(listed) == len(set(listed))
        assert hopeless <= set(listed) <= expected_pairs
        assert all(len(chunk) <= budget for chunk in chunks)
        result = find_repeats(instants, "<", gap, q, connects)
        assert read_intervals(result) == list_rows(expected)
        found += len(result)
    assert found > 100


def test_a_condition_broken_by_the_first_pair() -> None:
    speeds = [(0, 1, 10), (0, 2, 1), (0, 3, 1), (0, 4, 1)]
    instants, connects, _ = connect_by_values(speeds, 600, 100)
    assert read_intervals(find_repeats(instants, "<", 600, 10_000, connects)) == [(0, 2, 4)]


def exceed(values: Array) -> Verdict:
    return lambda one, other: values[other] > values[one] + 2


def test_the_first_place_from_which_on_something_holds() -> None:
    found = 0
    for random in draw_cases(50):
        values = to_column(sorted(random.randint(0, 9) for _ in range(12)))
        key = to_column([0] * 12)
        occurrences = group_occurrences(key, to_column([0] * random.randint(1, 11) + [1] * 12)[:12])
        neighbours = find_neighbours(occurrences, to_column([1]), None, None)
        meetings = meet(neighbours.instant, neighbours.previous, neighbours.current)
        first = find_first(meetings, exceed(values))
        for row, low, high, at in zip(
            meetings.row, meetings.low, meetings.high, first, strict=True
        ):
            places = [i for i in range(low, high) if values[i] > values[row] + 2]
            assert at == (places[0] if places else high)
            found += bool(places)
    assert found > 50


def test_no_rows() -> None:
    instants, connects, chunks = connect_by_values([], 5, 10)
    assert chunks == []
    assert len(find_repeats(instants, "<", 5, 9, connects)) == 0
