from random import Random

import numpy as np
import pytest

from phenesthe.kernels import order
from phenesthe.kernels.arrays import OPEN, Instants, Intervals
from phenesthe.kernels.order import (
    encode,
    order_rows,
    rank_codes,
    sort_codes,
    sort_instants,
    sort_intervals,
    sort_with_codes,
)
from phenesthe.kernels.search import MinimumTree, expand_ranges
from phenesthe.kernels.spans import add, compare, measure, subtract
from tests.unit.kernels.samples import (
    OPERATORS,
    draw_cases,
    draw_dynamic,
    holds,
    list_rows,
    read_intervals,
    read_times,
    rows_to_intervals,
    to_column,
)

FAR = 2**62


def draw_far_time(random: Random) -> int:
    return random.choice((-FAR, -FAR + 1, -1, 0, 1, 17, FAR - 1, FAR, OPEN))


@pytest.mark.parametrize("near", [True, False])
def test_codes_are_in_the_order_of_key_and_time(near: bool) -> None:
    for random in draw_cases(100):
        rows = [
            (random.randint(0, 4), random.randint(-9, 9) if near else draw_far_time(random))
            for _ in range(random.randint(1, 30))
        ]
        cut = random.randint(0, len(rows))
        parts = encode(
            *(
                (to_column(k for k, _ in p), to_column(t for _, t in p))
                for p in (rows[:cut], rows[cut:])
            )
        )
        codes = [*parts[0].tolist(), *parts[1].tolist()]
        assert all(0 <= code < OPEN for code in codes)
        for one, code in zip(rows, codes, strict=True):
            for other, other_code in zip(rows, codes, strict=True):
                assert (one < other) == (code < other_code)


def test_open_ends_do_not_stretch_the_codes(codes: str) -> None:
    """An open end among near times must not cost the sort that ranks need."""
    key = to_column([3, 4])
    parts = encode((key, to_column([5, 9])), (key, to_column([OPEN, OPEN])))
    expected = {"packed": [[0, 10], [5, 11]], "ranked": [[0, 4], [2, 5]]}
    assert [part.tolist() for part in parts] == expected[codes]


def test_codes_of_nothing_and_of_open_ends_only() -> None:
    assert [len(part) for part in encode((to_column([]), to_column([])))] == [0]
    assert encode((to_column([1, 2]), to_column([OPEN, OPEN])))[0].tolist() == [0, 1]


@pytest.mark.parametrize("span", [1, 5, 2**40, 2**52, 2**62, 2**64])
def test_codes_are_sorted_as_they_came(span: int) -> None:
    """Near ones together with their row numbers, far ones alone, and then what is equal."""
    for random in draw_cases(40):
        low = -(2**63) if span == 2**64 else random.choice((-(2**62), -1, 0, 1))
        edges = (low, low + span - 1)
        codes = [
            random.choice((*edges, low + random.randrange(span)))
            for _ in range(random.choice((0, 1, 2, 17, 1500)))
        ]
        if random.random() < 0.3:
            codes = codes * 2
        column = to_column(codes)
        before = column.copy()
        expected = sorted(range(len(codes)), key=codes.__getitem__)
        assert sort_codes(column).tolist() == expected
        assert column.tolist() == before.tolist()
        rows, found = sort_with_codes(column)
        assert (rows.tolist(), found.tolist()) == (expected, sorted(codes))
        first, rank = rank_codes(column)
        different = sorted(set(codes))
        assert column[first].tolist() == different
        assert first.tolist() == [codes.index(one) for one in different]
        assert column[first][rank].tolist() == codes


def test_sorting_gives_sets_in_order() -> None:
    for random in draw_cases(100):
        rows = list_rows(draw_dynamic(random)) * random.randint(1, 2)
        random.shuffle(rows)
        given = rows_to_intervals(rows)
        assert read_intervals(sort_intervals(given.key, given.ts, given.te)) == sorted(set(rows))
        expected = sorted({row[:2] for row in rows})
        assert read_times(sort_instants(given.key, given.ts)) == expected
        ordered = given.take(order_rows(given.key, given.ts, given.te))
        assert read_intervals(ordered) == sorted(rows)


def test_sorted_rows_are_not_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError("sorted again")

    monkeypatch.setattr(order, "sort_codes", fail)
    column = to_column([0, 0, 1, 1])
    rows = order_rows(column, to_column([1, 1, 0, 2]), to_column([2, 3, 4, OPEN]))
    assert rows.tolist() == [0, 1, 2, 3]


def test_spans_are_exact_at_the_far_ends_of_time() -> None:
    spans = measure(to_column([FAR, FAR]), to_column([-FAR, FAR]))
    assert spans.tolist() == [2**63, 0]
    assert measure(FAR, to_column([-FAR])).tolist() == [2**63]
    for operator in OPERATORS:
        for limit in (-1, 0, 1, 2**63 - 1, 2**63, 2**63 + 1):
            expected = [holds(operator, span, limit) for span in (2**63, 0)]
            assert compare(spans, operator, limit).tolist() == expected
    assert add(to_column([FAR, -FAR, OPEN]), FAR).tolist() == [OPEN, 0, OPEN]
    assert add(to_column([5]), 2**70).tolist() == [OPEN]
    assert subtract(to_column([-FAR, FAR]), FAR).tolist() == [-(2**63), 0]
    assert subtract(to_column([-5]), 2**70).tolist() == [-(2**63)]


def test_ranges_report_what_a_loop_would() -> None:
    found = 0
    for random in draw_cases(150):
        count = random.randint(1, 40)
        values = [random.randint(0, 20) for _ in range(count)]
        ranges = [
            (random.randint(0, count), random.randint(0, count), random.randint(0, 21))
            for _ in range(random.randint(0, 12))
        ]
        low, high, limit = (to_column(r[column] for r in ranges) for column in range(3))
        expected = [(i, j) for i, (a, b, _) in enumerate(ranges) for j in range(a, b)]
        assert list(zip(*(c.tolist() for c in expand_ranges(low, high)), strict=True)) == expected
        tree = MinimumTree(to_column(values))
        assert tree.find_minima(low, high).tolist() == [
            min(values[a:b], default=OPEN) for a, b, _ in ranges
        ]
        pairs = tree.report_below(low, high, limit)
        expected = [(i, j) for i, j in expected if values[j] < ranges[i][2]]
        assert list(zip(*(c.tolist() for c in pairs), strict=True)) == expected
        found += len(expected)
    assert found > 1000


def test_a_range_report_over_nothing_is_empty() -> None:
    none = to_column([])
    assert [len(c) for c in MinimumTree(none).report_below(none, none, none)] == [0, 0]
    assert len(MinimumTree(none).find_minima(none, none)) == 0


def test_relations_know_their_length() -> None:
    column = np.arange(3)
    assert len(Instants(column, column)) == len(Intervals(column, column, column)) == 3
