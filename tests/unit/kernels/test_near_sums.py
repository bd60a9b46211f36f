"""Sums by two running sums of whole numbers, against `math.fsum` and Python's ints."""

import math
import struct
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phenesthe.kernels.exact_sums import sum_floats, sum_ints
from phenesthe.kernels.near_sums import add_floats, add_ints
from tests.unit.kernels.samples import draw_cases, to_column


def draw_ranges(random: Random, count: int) -> tuple[list[int], list[int]]:
    """Some are empty, some the wrong way round."""
    low = [random.randint(0, count) for _ in range(8)]
    return low, [random.randint(0, count) for _ in low]


def add(values: list[float], low: list[int], high: list[int]) -> list[float] | None:
    found = add_floats(np.array(values, dtype=np.float64), to_column(low), to_column(high))
    return None if found is None else found.tolist()


def write(values: list[float]) -> list[bytes]:
    return [struct.pack("d", value) for value in values]


def draw_near(random: Random) -> list[float]:
    """Within some powers of two, anywhere; zeros of both signs, ties, and what cancels."""
    place = random.choice((-800, -60, -3, 0, 3, 60, 800))
    width = random.choice((0, 1, 8, 20))
    values = []
    for _ in range(random.randint(1, 60)):
        size = random.choice((random.getrandbits(53), 2**52, 2**53 - 1, 1 << random.randrange(53)))
        value = math.ldexp(float(size | 1 << 52), place + random.randint(0, width) - 52)
        values.append(random.choice((0.0, -0.0, value, -value, value)))
    return values + [-value for value in values if random.random() < 0.4]


def test_numbers_of_like_size() -> None:
    negative = 0
    for random in draw_cases(1500):
        values = draw_near(random)
        random.shuffle(values)
        low, high = draw_ranges(random, len(values))
        found = add(values, low, high)
        expected = [
            math.fsum(values[one:other]) + 0.0 for one, other in zip(low, high, strict=True)
        ]
        assert found is not None, values
        assert write(found) == write(expected), values
        negative += all(one <= 0 for one in expected) and min(expected) < 0
    assert negative > 5


def test_decimals_as_they_are_measured() -> None:
    random = Random(5)
    values = [round(random.uniform(-180, 180), random.choice((1, 2, 6))) for _ in range(5000)]
    low = [random.randint(0, 5000) for _ in range(500)]
    high = [min(5000, one + random.randint(0, 900)) for one in low]
    found = add(values, low, high)
    assert found is not None
    parts = [values[one:other] for one, other in zip(low, high, strict=True)]
    assert found == [math.fsum(part) for part in parts]


@pytest.mark.parametrize(
    "values",
    [
        [1.0, math.nan],
        [1.0, math.inf],
        [math.inf, -math.inf],
        [-math.inf, 0.0],
        [1.0, 5e-324],
        [5e-324],
        [2.2250738585072014e-308, 1.0],
        [1.7976931348623157e308],
        [1e-300, 1e-300],
        [1e300],
        [1.0, 1e-40],
        [1e40, 1.0, -1e40],
    ],
)
def test_what_is_too_far_apart_is_left_to_others(values: list[float]) -> None:
    assert add(values, [0], [len(values)]) is None
    found = sum_floats(np.array(values), to_column([0, 1]), to_column([len(values), 1]))
    is_none = math.isnan(values[-1]) or {math.inf, -math.inf} <= set(values)
    expected = math.nan if is_none else math.fsum(values)
    assert write(found.tolist()) == write([expected, 0.0])


def test_a_sum_with_more_digits_than_a_float_has() -> None:
    """The high part alone would be rounded: all at once it is rounded once."""
    values = [math.ldexp(2.0**53 - 1, 60)] * 100 + [math.ldexp(1.0, 57)] * 3
    low, high = [0, 50, 99, 100], [103, 103, 101, 103]
    ranges = to_column(low), to_column(high)
    found = sum_floats(np.array(values), *ranges).tolist()
    parts = [values[one:other] for one, other in zip(low, high, strict=True)]
    assert found == [math.fsum(part) for part in parts]


@given(st.lists(st.floats(), max_size=40), st.randoms(use_true_random=False))
def test_any_floats(values: list[float], random: Random) -> None:
    low, high = draw_ranges(random, len(values))
    found = add(values, low, high)
    if found is None:
        return
    assert all(map(math.isfinite, values))
    parts = [values[one:other] for one, other in zip(low, high, strict=True)]
    assert write(found) == write([math.fsum(part) + 0.0 for part in parts])


def test_nothing() -> None:
    assert add([], [0, 0], [0, 0]) == [0.0, 0.0]
    assert add([], [], []) == []
    assert add([1.0], [], []) == []
    assert write(add([-0.0, -0.0], [0, 1, 2], [2, 2, 1]) or []) == write([0.0, 0.0, 0.0])


def test_ints() -> None:
    quick = 0
    for random in draw_cases(500):
        most = random.choice((0, 9, 2**40, 2**57, 2**63 - 1))
        values = [random.randint(-most, most) for _ in range(random.randint(0, 30))]
        if random.random() < 0.1:
            values += [-(2**63), 2**63 - 1]
        low, high = draw_ranges(random, len(values))
        expected = [sum(values[one:other]) for one, other in zip(low, high, strict=True)]
        found = add_ints(to_column(values), to_column(low), to_column(high))
        assert found is None or found.tolist() == expected
        assert sum_ints(to_column(values), to_column(low), to_column(high)).tolist() == expected
        quick += found is not None
    assert 200 < quick < 500
