"""Lengths that vary: a column of one length finds what that length finds, and each row its own."""

from typing import get_args

import numpy as np
import pytest

from phenesthe.kernels.adjacency import pair_adjacent
from phenesthe.kernels.allen import PlainRelations
from phenesthe.kernels.arrays import OPEN, Array, Instants, Intervals
from phenesthe.kernels.nearly import (
    ExactRelation,
    find_nearly,
    mark_nearly,
    pair_nearly,
    pair_nearly_by_right,
)
from phenesthe.kernels.order import sort_intervals
from phenesthe.kernels.ranges import find_ranges_until
from phenesthe.kernels.repeat import find_repeats
from phenesthe.kernels.spans import Operator, add, compare, measure, subtract
from phenesthe.kernels.states import coalesce, mark_lasting

KEYS = 3
LENGTHS = (1, 2, 3, 5, 8, 2**63 - 1)


def make_intervals(seed: int, count: int = 40) -> Intervals:
    random = np.random.default_rng(seed)
    ts = random.integers(0, 40, count)
    te = np.where(random.random(count) < 0.1, OPEN, ts + random.integers(1, 9, count))
    return sort_intervals(np.sort(random.integers(0, KEYS, count)), ts, te)


def make_instants(seed: int) -> Instants:
    random = np.random.default_rng(seed)
    found = np.unique(random.integers(0, KEYS * 50, 30))
    return Instants(found // 50, found % 50)


def full(length: int, count: int) -> Array:
    return np.full(count, length, dtype=np.int64)


def show(found: Intervals) -> list[tuple[int, int, int]]:
    rows = (found.key.tolist(), found.ts.tolist(), found.te.tolist())
    return sorted(zip(*rows, strict=True))


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("seed", range(5))
def test_a_column_of_one_length_is_that_length(seed: int, length: int) -> None:
    one, other = make_intervals(seed), make_intervals(seed + 50)
    event, q = make_instants(seed), 49
    for sign in get_args(Operator):
        marks = mark_lasting(one, sign, full(length, len(one)), 48)
        assert marks.tolist() == mark_lasting(one, sign, length, 48).tolist()
        runs = find_repeats(event, sign, full(length, KEYS), q)
        assert show(runs) == show(find_repeats(event, sign, length, q))
    each = full(length, KEYS)
    for expires, limit, plain in (
        (each, None, (length, None)),
        (None, each, (None, length)),
        (each, each, (length, length)),
    ):
        stops = [(make_instants(seed + 9), None)]
        found = find_ranges_until(event, stops, q, expires, limit)
        assert show(found) == show(find_ranges_until(event, stops, q, *plain))
    pairs = pair_adjacent(one, other, full(length, len(one)))
    assert [*map(np.ndarray.tolist, pairs)] == [
        *map(np.ndarray.tolist, pair_adjacent(one, other, length))
    ]
    states = coalesce(one), coalesce(other)
    found_marks = PlainRelations(*states).mark("before", full(length, KEYS))
    plain_marks = PlainRelations(*states).mark("before", length)
    assert [m.tolist() for m in found_marks] == [m.tolist() for m in plain_marks]


@pytest.mark.parametrize("name", get_args(ExactRelation))
@pytest.mark.parametrize("seed", range(5))
def test_what_is_near(seed: int, name: ExactRelation) -> None:
    one, other = make_intervals(seed), make_intervals(seed + 50)
    for length in LENGTHS:
        lengths = full(length, len(one)), full(length, len(other))
        expected = set(
            zip(*map(np.ndarray.tolist, pair_nearly(name, one, other, length)), strict=True)
        )
        for pairs in (
            pair_nearly(name, one, other, lengths[0]),
            pair_nearly_by_right(name, one, other, lengths[1]),
        ):
            assert set(zip(*map(np.ndarray.tolist, pairs), strict=True)) == expected
        marks = mark_nearly(name, one, other, *lengths)
        assert set(np.flatnonzero(marks[0]).tolist()) == {a for a, _ in expected}
        assert set(np.flatnonzero(marks[1]).tolist()) == {b for _, b in expected}
        found = find_nearly(name, one, other, full(length, KEYS))
        assert show(found) == show(find_nearly(name, one, other, length))


@pytest.mark.parametrize("name", get_args(ExactRelation))
def test_each_row_has_its_own_length(name: ExactRelation) -> None:
    one, other = make_intervals(7), make_intervals(8)
    each = np.resize(np.array(LENGTHS, dtype=np.int64), len(one))
    found = set(zip(*map(np.ndarray.tolist, pair_nearly(name, one, other, each)), strict=True))
    expected = {
        (a, b)
        for length in LENGTHS
        for a, b in zip(*map(np.ndarray.tolist, pair_nearly(name, one, other, length)), strict=True)
        if each[a] == length
    }
    assert found == expected


def test_no_length_leaves_the_integers() -> None:
    times = np.array([-(2**62), 0, 2**62], dtype=np.int64)
    most = full(2**63 - 1, 3)
    assert add(times, most).tolist() == [2**62 - 1, 2**63 - 1, 2**63 - 1]
    assert subtract(times, most).tolist() == [-(2**63), 1 - 2**63, 1 - 2**62]
    spans = measure(np.array([2**62], dtype=np.int64), np.array([-(2**62)], dtype=np.int64))
    assert compare(spans, ">", full(2**63 - 1, 1)).tolist() == [True]
