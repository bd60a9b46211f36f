"""Exact sums against fractions, and against `math.fsum` to the last bit."""

import math
import struct
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from phenesthe.kernels import exact_sums
from phenesthe.kernels.exact_sums import (
    Sums,
    fold_sums,
    round_sums,
    split_floats,
    split_ints,
    sum_floats,
    sum_ranges,
    to_ints,
)

_MAX = 1.7976931348623157e308
_EXTREMES = (
    0.0, -0.0, 5e-324, -5e-324, 2.2250738585072014e-308, 2.225073858507201e-308, _MAX, -_MAX, 1e308,
    -1e308, 1.0, -1.0, 2.0**53, 2.0**53 + 2, -(2.0**53), 2.0**-1022, 2.0**971, 0.1, -0.3, 1e16,
    1e-16,
)  # fmt: skip
_SPECIAL = (math.inf, -math.inf, math.nan)


def draw_sign(random: Random) -> int:
    return random.choice((-1, 1))


def draw_float(random: Random) -> float:
    match random.randrange(6):
        case 0:
            return random.choice(_EXTREMES)
        case 1:
            return math.ldexp(
                draw_sign(random) * random.getrandbits(53), random.randint(-1074, 971)
            )
        case 2:
            return round(random.uniform(-50, 50), random.randint(0, 6))
        case 3:
            # Halves of the last bit of another, so that ties come about.
            return math.ldexp(draw_sign(random) * random.choice((1, 3)), random.randint(-8, 60))
        case 4:
            return float(random.randint(-(10**6), 10**6))
        case _:
            return draw_sign(random) * (2.0 ** random.randint(-1074, 1023))


def draw_values(random: Random) -> list[float]:
    values = [draw_float(random) for _ in range(random.randint(0, 9))]
    # What cancels leaves little behind.
    values += [-one for one in values if random.random() < 0.4]
    random.shuffle(values)
    return values


def add_exactly(values: list[float]) -> float:
    """The nearest float to the exact sum."""
    if any(math.isnan(one) for one in values) or {math.inf, -math.inf} <= set(values):
        return math.nan
    for one in (math.inf, -math.inf):
        if one in values:
            return one
    total = sum(map(Fraction, values), Fraction(0))
    try:
        found = float(total)
    except OverflowError:
        return math.inf if total > 0 else -math.inf
    return found + 0.0


def same(found: float, expected: float) -> bool:
    if math.isnan(expected):
        return math.isnan(found)
    return struct.pack("d", found) == struct.pack("d", expected)


def draw_ranges(random: Random, count: int) -> tuple[list[int], list[int]]:
    low = [random.randint(0, count) for _ in range(5)]
    return low, [random.randint(0, count) for _ in low]


def test_ranges_of_floats() -> None:
    rounded = overflown = 0
    for seed in range(2500):
        random = Random(seed)
        values = draw_values(random)
        if random.random() < 0.1:
            values += random.choices(_SPECIAL, k=random.randint(1, 2))
        low, high = draw_ranges(random, len(values))
        found = sum_floats(np.array(values, dtype=np.float64), np.array(low), np.array(high))
        for number, (first, last) in enumerate(zip(low, high, strict=True)):
            part = values[first:last]
            expected = add_exactly(part)
            assert same(float(found[number]), expected), (seed, part, found[number], expected)
            overflown += math.isinf(expected) and not set(part) & {math.inf, -math.inf}
            if part and all(map(math.isfinite, part)) and not math.isinf(expected):
                rounded += 1
                try:
                    nearest = math.fsum(part)
                except OverflowError:  # on the way, not in the end
                    continue
                assert same(expected, nearest + 0.0), part
    assert rounded > 4000
    assert overflown > 5


def test_in_pieces_as_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(7)
    values = np.array([draw_float(random) for _ in range(500)])
    low = np.array([random.randint(0, 500) for _ in range(400)])
    high = np.array([random.randint(0, 500) for _ in low])
    whole = sum_floats(values, low, high)
    monkeypatch.setattr(exact_sums, "_AT_ONCE", 300)
    assert whole.tobytes() == sum_floats(values, low, high).tobytes()


def test_no_order_and_no_cut_matters() -> None:
    for seed in range(300):
        random = Random(seed)
        values = [value for _ in range(4) for value in draw_values(random)]
        whole = add_exactly(values)
        random.shuffle(values)
        cuts = sorted(random.choices(range(len(values) + 1), k=3))
        low, high = np.array([0, *cuts]), np.array([*cuts, len(values)])
        parts = sum_ranges(split_floats(np.array(values, dtype=np.float64)), low, high)
        folded = fold_sums(parts, np.zeros(4, dtype=np.int64), 1)
        added = Sums.zeros(1)
        for at in random.sample(range(4), k=4):
            added = added.add(parts.take(np.array([at]))).trim()
        assert same(float(round_sums(folded)[0]), whole), values
        assert same(float(round_sums(added)[0]), whole), values


def test_what_was_added_can_be_taken_away() -> None:
    for seed in range(500):
        random = Random(seed)
        kept, gone = (
            draw_values(random),
            [*draw_values(random), *random.choices(_SPECIAL, k=seed % 3)],
        )
        values = np.array([*kept, *gone], dtype=np.float64)
        ranges = np.array([0, len(kept)]), np.array([len(values), len(values)])
        sums = sum_ranges(split_floats(values), *ranges)
        left = sums.take(np.array([0])).subtract(sums.take(np.array([1])))
        assert same(float(round_sums(left)[0]), add_exactly(kept)), (kept, gone)
        if not gone:
            assert left.trim().special.any() == any(map(math.isinf, kept))


def test_what_is_trimmed_is_the_same_and_small() -> None:
    values = np.array([1.5, -2.5, 1e300, -1e300, 5e-324])
    low, high = np.array([0, 0, 2, 1]), np.array([1, 2, 4, 2])
    sums = sum_ranges(split_floats(values), low, high)
    trimmed = sums.trim()
    assert trimmed.limbs.shape[1] <= 2 < sums.limbs.shape[1]
    assert round_sums(trimmed).tolist() == round_sums(sums).tolist() == [1.5, -1.0, 0.0, -2.5]
    assert Sums.zeros(2).trim().limbs.shape == (2, 0)
    assert round_sums(Sums.zeros(2)).tolist() == [0.0, 0.0]


def test_ranges_of_ints() -> None:
    large = 0
    edges = (2**63 - 1, -(2**63), 2**32, -(2**32), 2**31, 2**53 + 1, -1, 0, 1)
    for seed in range(2000):
        random = Random(seed)
        small = random.random() < 0.5
        values = [
            random.randint(-9, 9) if small else random.choice(edges) + random.choice((0, 0, 1, -1))
            for _ in range(random.randint(0, 12))
        ]
        values = [min(max(one, -(2**63)), 2**63 - 1) for one in values]
        low, high = draw_ranges(random, len(values))
        sums = sum_ranges(split_ints(np.array(values, np.int64)), np.array(low), np.array(high))
        expected = [sum(values[one:other]) for one, other in zip(low, high, strict=True)]
        found = to_ints(sums)
        assert found.tolist() == expected, values
        assert to_ints(sums.trim()).tolist() == expected, values
        assert round_sums(sums).tolist() == [float(one) for one in expected]
        is_large = any(not -(2**63) <= one < 2**63 for one in expected)
        assert (found.dtype == object) == is_large
        large += is_large
    assert large > 100


def test_nothing_at_all() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    assert len(sum_floats(np.zeros(0), nothing, nothing)) == 0
    assert sum_floats(np.zeros(0), np.zeros(1, np.int64), np.zeros(1, np.int64)).tolist() == [0.0]
    assert to_ints(sum_ranges(split_ints(nothing), nothing, nothing)).tolist() == []
    assert to_ints(Sums.zeros(2)).tolist() == [0, 0]
