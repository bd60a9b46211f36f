"""Set operations and `lasting`, on sets of instants where the meaning is one."""

from functools import partial

import numpy as np
import pytest

from phenesthe.kernels.arrays import OPEN, Intervals
from phenesthe.kernels.spans import Operator
from phenesthe.kernels.states import (
    coalesce,
    cut_states,
    intersect_states,
    mark_lasting,
    pair_overlapping,
    subtract_states,
)
from tests.unit.kernels.samples import (
    OPERATORS,
    Interval,
    by_key,
    draw_cases,
    draw_dynamic,
    draw_query_time,
    draw_state,
    holds,
    list_rows,
    read_intervals,
    rows_to_intervals,
    to_intervals,
)


def unite_states(*states: Intervals) -> Intervals:
    """`union`, as its operator makes it of the kernel."""
    key, ts, te = (
        np.concatenate([getattr(state, name) for state in states]) for name in ("key", "ts", "te")
    )
    return coalesce(Intervals(key, ts, te))


def unite(left: set[Interval], right: set[Interval]) -> set[Interval]:
    """Put two that share an instant together, until no two do."""
    found = left | right
    while clash := [(x, y) for x in found for y in found if x != y and x[0] <= y[0] <= x[1]]:
        one, other = clash[0]
        found = found - {one, other} | {(one[0], max(one[1], other[1]))}
    return found


def intersect(left: set[Interval], right: set[Interval]) -> set[Interval]:
    """The maximal ones among all intervals that lie in one of the left and one of the right."""
    ends = {b for _, b in left | right}
    common = {
        (a, b)
        for a in {a for a, _ in left | right}
        for b in ends
        if a < b
        and any(x <= a and b <= y for x, y in left)
        and any(x <= a and b <= y for x, y in right)
    }
    return {
        (a, b)
        for a, b in common
        if not any((x, y) != (a, b) and x <= a and b <= y for x, y in common)
    }


def subtract(left: set[Interval], right: set[Interval], q: int) -> set[Interval]:
    """Runs of instants inside one left interval; q + 1 stands for all the time after q."""
    result: set[Interval] = set()
    for a, b in left:
        free = {t for t in range(a, min(b, q + 1) + 1) if not any(x <= t <= y for x, y in right)}
        for first in free:
            last = first
            while last + 1 in free:
                last += 1
            if first - 1 not in free and first < last and first <= q:
                result.add((first, OPEN if last > q else last))
    return result


def test_union_and_coalescing() -> None:
    for random in draw_cases(120):
        left, right = draw_state(random), draw_state(random)
        found = unite_states(to_intervals(left), to_intervals(right))
        assert read_intervals(found) == by_key(unite, left, right)
        spans = draw_dynamic(random)
        rows = list_rows(spans)
        random.shuffle(rows)
        assert read_intervals(coalesce(rows_to_intervals(rows))) == by_key(unite, spans, {})


def test_intersection() -> None:
    found = 0
    for random in draw_cases(120):
        left, right = draw_state(random), draw_state(random)
        result = intersect_states(to_intervals(left), to_intervals(right))
        assert read_intervals(result) == by_key(intersect, left, right)
        found += len(result)
    assert found > 1000


def test_overlapping_pairs_of_sides_that_overlap_themselves() -> None:
    found = 0
    for random in draw_cases(100):
        left, right = list_rows(draw_dynamic(random)), list_rows(draw_dynamic(random))
        pairs = pair_overlapping(rows_to_intervals(left), rows_to_intervals(right))
        expected = [
            (i, j)
            for i, (key, a, a_end) in enumerate(left)
            for j, (other, b, b_end) in enumerate(right)
            if key == other and max(a, b) < min(a_end, b_end)
        ]
        assert sorted(zip(*(c.tolist() for c in pairs), strict=True)) == expected
        found += len(expected)
    assert found > 1000


def test_complement() -> None:
    found = 0
    for random in draw_cases(150):
        left, right, q = draw_state(random), draw_state(random), draw_query_time(random)
        result = subtract_states(to_intervals(left), to_intervals(right), q)
        assert read_intervals(result) == by_key(partial(subtract, q=q), left, right)
        found += len(result)
    assert found > 1000


def test_complement_row_by_row_of_a_left_that_overlaps() -> None:
    for random in draw_cases(60):
        left, right, q = (
            list_rows(draw_dynamic(random)),
            draw_state(random),
            draw_query_time(random),
        )
        random.shuffle(left)
        pieces = cut_states(rows_to_intervals(left), to_intervals(right), q)
        expected = [
            (i, *piece)
            for i, (key, a, b) in enumerate(left)
            for piece in sorted(subtract({(a, b)}, right.get(key, set()), q))
        ]
        assert list(zip(*(c.tolist() for c in pieces), strict=True)) == expected


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ([(1, 10)], [(3, 5)], [(1, 2), (6, 10)]),
        ([(1, 10)], [(10, 15)], [(1, 9)]),
        ([(1, 3), (4, 6)], [], [(1, 3), (4, 6)]),
        ([(1, OPEN)], [(3, 20)], [(1, 2)]),  # the rest would start after q
        ([(1, OPEN)], [(3, 19)], [(1, 2), (20, OPEN)]),
        ([(1, OPEN)], [(4, OPEN)], [(1, 3)]),
        ([(1, 4)], [(2, 3)], []),
        ([(1, OPEN)], [(0, OPEN)], []),
    ],
)
def test_complements_at_20(
    left: list[Interval], right: list[Interval], expected: list[Interval]
) -> None:
    found = subtract_states(to_intervals({0: set(left)}), to_intervals({0: set(right)}), 20)
    assert [row[1:] for row in read_intervals(found)] == expected


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ([(1, 3)], [(4, 6)], [(1, 3), (4, 6)]),
        ([(1, 3)], [(3, 6)], [(1, 6)]),
        ([(1, OPEN)], [(3, 6), (8, 9)], [(1, OPEN)]),
        ([(1, 4)], [(2, 3), (4, OPEN)], [(1, OPEN)]),
    ],
)
def test_unions(left: list[Interval], right: list[Interval], expected: list[Interval]) -> None:
    found = unite_states(to_intervals({0: set(left)}), to_intervals({0: set(right)}))
    assert [row[1:] for row in read_intervals(found)] == expected


def test_a_union_keeps_bindings_of_one_side_only() -> None:
    """`(a(X) ~> b(X)) union p(X)` with p(y) = [4, 9] and nothing else of y."""
    found = unite_states(to_intervals({0: {(2, 8)}}), to_intervals({1: {(4, 9)}}))
    assert read_intervals(found) == [(0, 2, 8), (1, 4, 9)]


def test_a_single_common_instant_is_no_interval() -> None:
    one, other = to_intervals({0: {(1, 5)}}), to_intervals({0: {(5, OPEN)}})
    assert len(intersect_states(one, other)) == 0


@pytest.mark.parametrize("operator", OPERATORS)
def test_lasting(operator: Operator) -> None:
    kept = dropped = kept_open = 0
    for random in draw_cases(80):
        spans, q, duration = draw_dynamic(random), draw_query_time(random), random.randint(0, 10)
        rows = list_rows(spans)
        expected = [
            # Ends up to q + 40 and "never" show every way in which an open end can close.
            all(
                holds(operator, end - a, duration)
                for end in ([b] if b != OPEN else [*range(q + 1, q + 40), float("inf")])
            )
            for _, a, b in rows
        ]
        assert mark_lasting(to_intervals(spans), operator, duration, q).tolist() == expected
        kept, dropped = kept + sum(expected), dropped + len(rows) - sum(expected)
        kept_open += sum(mark and row[2] == OPEN for mark, row in zip(expected, rows, strict=True))
    assert min(kept, dropped) > 50
    assert (kept_open > 20) == (operator in (">", ">=", "!="))


def test_lasting_at_the_far_ends_of_time() -> None:
    far = 2**62
    intervals = rows_to_intervals([(0, -far, far), (1, -far, OPEN)])
    assert mark_lasting(intervals, ">=", 2**63 - 1, far).tolist() == [True, True]
    assert mark_lasting(intervals, "<=", 2**63 - 1, far).tolist() == [False, False]
    assert mark_lasting(intervals, ">", 2**62, -far).tolist() == [True, False]


def test_operations_on_nothing() -> None:
    none, some = to_intervals({}), to_intervals({0: {(1, 3)}})
    assert read_intervals(unite_states(none, none)) == []
    assert read_intervals(unite_states(none, some)) == [(0, 1, 3)]
    assert read_intervals(intersect_states(none, some)) == []
    assert read_intervals(subtract_states(none, some, 9)) == []
    assert read_intervals(subtract_states(some, none, 9)) == [(0, 1, 3)]
    assert mark_lasting(none, ">", 3, 9).tolist() == []
