"""Ranges of rows and what is computed of them, against going through the rows one by one."""

import math
from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from phenesthe.kernels.aggregates import (
    average,
    count_distinct,
    count_rows,
    find_first,
    find_greatest,
    find_last,
    find_least,
    list_instants,
    mark_any,
    sum_shared,
)
from phenesthe.kernels.arrays import OPEN, Array, Intervals
from phenesthe.kernels.exact_sums import round_sums, split_floats, split_ints, sum_ranges
from phenesthe.kernels.row_ranges import Ranges, find_groups, find_over, find_past, find_within
from tests.unit.kernels.samples import draw_cases, to_column

Row = tuple[int, int, int]


def draw_rows(random: Random) -> list[Row]:
    """Key, time and value; several at one instant, and the same twice."""
    count = random.randint(0, 14)
    return sorted(
        (random.randint(0, 2), random.randint(0, 12), random.randint(0, 4)) for _ in range(count)
    )


def split(rows: list[Row]) -> tuple[Array, Array, Array]:
    return tuple(to_column([row[at] for row in rows]) for at in range(3))  # type: ignore[return-value]  # three


def read(ranges: Ranges, rows: list[Row]) -> list[list[Row]]:
    return [rows[low:high] for low, high in zip(*[one.tolist() for one in ranges], strict=True)]


def test_groups() -> None:
    for random in draw_cases(100):
        rows = draw_rows(random)
        key, _, _ = split(rows)
        expected = [[row for row in rows if row[0] == one] for one in sorted({r[0] for r in rows})]
        assert read(find_groups(key), rows) == expected


@pytest.mark.parametrize("find", [find_over, find_past])
def test_windows(find: Callable[[Array, Array, Array, Array, int], Ranges]) -> None:
    found = 0
    for random in draw_cases(300):
        rows = draw_rows(random)
        key, t, _ = split(rows)
        wanted = [(random.randint(0, 3), random.randint(-3, 15)) for _ in range(6)]
        span = random.choice((1, 2, 5, 30, 2**63 - 1))
        ranges = find(
            key, t, to_column([k for k, _ in wanted]), to_column([at for _, at in wanted]), span
        )
        expected = [
            [
                row
                for row in rows
                if row[0] == own
                and (at - span < row[1] <= at if find is find_over else at - span <= row[1] < at)
            ]
            for own, at in wanted
        ]
        assert read(ranges, rows) == expected, (rows, wanted, span)
        found += sum(map(len, expected))
    assert found > 500


def test_intervals_that_overlap() -> None:
    found = 0
    for random in draw_cases(300):
        rows = draw_rows(random)
        key, t, _ = split(rows)
        wanted = []
        for _ in range(6):
            start = random.randint(-2, 13)
            end = random.choice((start + 3, start + 9, OPEN))
            wanted.append((random.randint(0, 3), start, end))
        own, ts, te = split(wanted)
        expected = [[row for row in rows if row[0] == k and a <= row[1] <= b] for k, a, b in wanted]
        assert read(find_within(key, t, own, ts, te), rows) == expected
        found += sum(map(len, expected))
    assert found > 1000


def test_times_far_apart() -> None:
    key, t = to_column([0, 0, 0]), to_column([-(2**62), 0, 2**62])
    low, high = find_over(key, t, to_column([0, 0]), to_column([0, 2**62]), 2**62)
    assert list(zip(low.tolist(), high.tolist(), strict=True)) == [(1, 2), (2, 3)]
    low, high = find_past(key, t, to_column([0, 0]), to_column([0, 2**62]), 2**62)
    assert list(zip(low.tolist(), high.tolist(), strict=True)) == [(0, 1), (1, 2)]


def test_what_is_computed_of_ranges() -> None:
    for random in draw_cases(600):
        rows = draw_rows(random)
        _, _, value = split(rows)
        bounds = [(random.randint(0, len(rows)), random.randint(0, len(rows))) for _ in range(5)]
        low, high = to_column([a for a, _ in bounds]), to_column([b for _, b in bounds])
        parts = [rows[a:b] for a, b in bounds]
        values = [[row[2] for row in part] for part in parts]
        pairs = list(zip(bounds, values, strict=True))
        assert count_rows(low, high).tolist() == list(map(len, parts))
        assert count_distinct(value, low, high).tolist() == [len(set(part)) for part in values]
        least = [a + part.index(min(part)) if part else -1 for (a, _), part in pairs]
        assert find_least(value, low, high).tolist() == least
        greatest = [b - 1 - part[::-1].index(max(part)) if part else -1 for (_, b), part in pairs]
        assert find_greatest(value, low, high).tolist() == greatest
        marks = value == 3
        assert mark_any(marks, low, high).tolist() == [3 in part for part in values]
        sums = round_sums(sum_ranges(split_ints(value), low, high))
        means = average(sums, count_rows(low, high)).tolist()
        for mean, part in zip(means, values, strict=True):
            assert mean == sum(part) / len(part) if part else math.isnan(mean)


def test_first_and_last_take_the_least_of_their_instant() -> None:
    for random in draw_cases(300):
        rows = draw_rows(random)
        key, t, _ = split(rows)
        at = random.randint(0, 14)
        ranges = find_over(key, t, to_column([0, 1]), to_column([at, at]), random.randint(1, 9))
        parts = read(ranges, rows)
        first = find_first(*ranges).tolist()
        last = find_last(list_instants(key, t), *ranges).tolist()
        for part, one, other in zip(parts, first, last, strict=True):
            if not part:
                assert (one, other) == (-1, -1)
                continue
            assert rows[one] == min(part)
            assert rows[other] == min(row for row in part if row[1] == part[-1][1])


def test_ticks_that_are_shared() -> None:
    q, found = 20, 0
    for random in draw_cases(500):
        state = []
        for key in range(3):
            at = random.randint(0, 4)
            while at < q and random.random() < 0.8:
                end = at + random.randint(1, 6)
                state.append((key, at, end if end <= q else OPEN))
                at = end + random.randint(1, 4)
        wanted = []
        for _ in range(6):
            start = random.randint(0, q)
            end = random.choice((OPEN, start + 4, start + 9))
            wanted.append((random.randint(0, 3), start, end))
        wanted = [(key, start, end if end <= q else OPEN) for key, start, end in wanted]
        expected = [
            sum(
                any(own == key and a <= t and t + 1 <= b for own, a, b in state)
                for t in range(start, min(end, q))
            )
            for key, start, end in wanted
        ]
        shared = sum_shared(*split(wanted), Intervals(*split(state)), q)
        assert shared.tolist() == expected, (wanted, state)
        found += sum(expected)
    assert found > 3000


def test_ticks_of_all_time() -> None:
    far = 2**62
    state = Intervals(to_column([0, 1, 1]), to_column([-far, -far, 5]), to_column([far, 0, OPEN]))
    shared = sum_shared(
        to_column([1, 0, 1]), to_column([-far, -far, 0]), to_column([OPEN, 0, 9]), state, far - 1
    )
    assert shared.tolist() == [far + far - 6, far, 4]


def test_sums_of_windows_are_those_of_their_rows() -> None:
    random = Random(3)
    key = np.repeat(np.arange(20), 50)
    t = np.concatenate([np.sort([random.randint(0, 99) for _ in range(50)]) for _ in range(20)])
    values = np.array([random.uniform(-1, 1) * 10 ** random.randint(-9, 9) for _ in key])
    low, high = find_over(key, t, key, t, 10)
    found = round_sums(sum_ranges(split_floats(values), low, high)).tolist()
    for row, total in enumerate(found):
        part = values[low[row] : high[row]].tolist()
        assert len(part) >= 1
        assert total == math.fsum(part)
