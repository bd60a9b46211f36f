"""The table of Φ⁼, with every way in which open ends can close."""

from collections.abc import Callable
from random import Random
from typing import get_args

import numpy as np
import pytest

from phenesthe.kernels.arrays import OPEN, Intervals
from phenesthe.kernels.order import sort_instants
from phenesthe.kernels.relations import Relation, find_related, mark_related, pair_related
from phenesthe.kernels.runs import find_first_after, find_last_before
from tests.unit.kernels.samples import (
    LAST,
    Interval,
    Spans,
    draw_cases,
    draw_dynamic,
    draw_dynamic_like,
    draw_interval,
    draw_state,
    draw_times,
    list_rows,
    read_intervals,
    rows_to_intervals,
    to_column,
    to_entities,
    to_intervals,
    to_runs,
)

NAMES: tuple[Relation, ...] = get_args(Relation)

CONDITIONS: dict[Relation, Callable[[float, float, float, float], bool]] = {
    "before": lambda _a, a_end, b, _b_end: a_end < b,
    "meets": lambda _a, a_end, b, _b_end: a_end == b,
    "overlaps": lambda a, a_end, b, b_end: a < b < a_end < b_end,
    "starts": lambda a, a_end, b, b_end: a == b and a_end < b_end,
    "finishes": lambda a, a_end, b, b_end: b < a and a_end == b_end,
    "equals": lambda a, a_end, b, b_end: a == b and a_end == b_end,
    "contains": lambda a, a_end, b, b_end: a < b and b_end < a_end,
}
#: The lines of the table for an instant on the side that may have one.
INSTANT_CONDITIONS: dict[Relation, Callable[[float, float, float, float], bool]] = {
    "starts": lambda a, _a_end, b, _b_end: a == b,
    "finishes": lambda a, _a_end, _b, b_end: a == b_end,
    "contains": lambda a, a_end, b, _b_end: a < b < a_end,
}


def close(end: int) -> list[float]:
    """Three ends after q are in any order with three others; and never."""
    return [end] if end != OPEN else [LAST + 1, LAST + 2, LAST + 3, float("inf")]


def is_detected(name: Relation, one: Interval, other: Interval) -> bool:
    condition = CONDITIONS[name]
    if name in INSTANT_CONDITIONS and (one[0] == one[1] or other[0] == other[1]):
        condition = INSTANT_CONDITIONS[name]
    return all(
        condition(one[0], a_end, other[0], b_end)
        for a_end in close(one[1])
        for b_end in close(other[1])
    )


Row = tuple[int, int, int]


def list_pairs(
    name: Relation,
    left: list[Row],
    right: list[Row],
    within: int | None = None,
    left_group: list[int] | None = None,
    right_group: list[int] | None = None,
) -> list[tuple[int, int]]:
    left_group = left_group or [row[0] for row in left]
    right_group = right_group or [row[0] for row in right]
    result = []
    for i, (key, a, a_end) in enumerate(left):
        for j, (other, b, b_end) in enumerate(right):
            if key != other or not is_detected(name, (a, a_end), (b, b_end)):
                continue
            if name == "before" and (
                any(
                    a_end < row[2] < b
                    for row, group in zip(left, left_group, strict=True)
                    if group == left_group[i]
                )
                or any(
                    a_end < row[1] < b
                    for row, group in zip(right, right_group, strict=True)
                    if group == right_group[j]
                )
                or (within is not None and b - a_end > within)
            ):
                continue
            result.append((i, j))
    return result


def give_result(name: Relation, one: Row, other: Row) -> Row:
    match name:
        case "before" | "meets" | "overlaps":
            return one[0], one[1], other[2]
        case "starts" | "finishes":
            return other
        case "equals" | "contains":
            return one


def read_pairs(pairs: tuple[object, object]) -> list[tuple[int, int]]:
    one, other = (np.asarray(column).tolist() for column in pairs)
    return list(zip(one, other, strict=True))


def draw_sides(random: Random, name: Relation) -> tuple[Spans, Spans]:
    """Kinds as the language admits them: instants where an event may stand."""
    left = draw_dynamic(random) if random.random() < 0.5 else draw_state(random)
    if name in ("before", "starts", "finishes") and random.random() < 0.4:
        left = to_entities(draw_times(random, 0.2))
    right = draw_dynamic_like(random, left)
    if random.random() < 0.4:
        right = draw_state(random)
    if name in ("before", "contains") and random.random() < 0.4:
        right = to_entities(draw_times(random, 0.2))
    return left, right


def check_all(
    name: Relation,
    left: list[Row],
    right: list[Row],
    within: int | None = None,
    left_group: list[int] | None = None,
    right_group: list[int] | None = None,
) -> int:
    """Pairs, participants and, where there are no groups, results."""
    one, other = rows_to_intervals(left), rows_to_intervals(right)
    groups = [None if g is None else to_column(g) for g in (left_group, right_group)]
    expected = list_pairs(name, left, right, within, left_group, right_group)
    assert sorted(read_pairs(pair_related(name, one, other, within, *groups))) == expected
    is_left, is_right = mark_related(name, one, other, within, *groups)
    assert np.flatnonzero(is_left).tolist() == sorted({i for i, _ in expected})
    assert np.flatnonzero(is_right).tolist() == sorted({j for _, j in expected})
    if left_group is None and right_group is None:
        results = sorted({give_result(name, left[i], right[j]) for i, j in expected})
        assert read_intervals(find_related(name, one, other, within)) == results
    return len(expected)


@pytest.mark.parametrize("name", NAMES)
def test_relations(name: Relation) -> None:
    found = 0
    for random in draw_cases(250):
        left, right = draw_sides(random, name)
        within = random.choice((None, 1, 3, 100)) if name == "before" else None
        found += check_all(name, list_rows(left), list_rows(right), within)
    assert found > 250


@pytest.mark.parametrize("name", NAMES)
def test_relations_of_rows_in_any_order(name: Relation) -> None:
    for random in draw_cases(40):
        left, right = map(list_rows, draw_sides(random, name))
        random.shuffle(left)
        random.shuffle(right)
        check_all(name, left, right)


def draw_grouped(random: Random) -> tuple[list[Row], list[int]]:
    """Rows with their groups; groups of the same parity have the same key."""
    groups = random.randint(2, 6)
    rows = set()
    for _ in range(random.randint(0, 25)):
        group, span = random.randrange(groups), draw_interval(random)
        rows.add((group, (group % 2, span[0], random.choice(span))))
    mixed = sorted(rows)
    random.shuffle(mixed)
    return [row for _, row in mixed], [group for group, _ in mixed]


def test_before_is_contiguous_per_full_binding() -> None:
    """Sides with variables of their own: groups inside the shared key."""
    found = 0
    for random in draw_cases(250):
        left, left_group = draw_grouped(random)
        right, right_group = draw_grouped(random)
        within = random.choice((None, 2, 5))
        found += check_all("before", left, right, within, left_group, right_group)
        check_all("before", left, right, within, left_group, None)
        check_all("before", left, right, within, None, right_group)
    assert found > 1000


def relate(name: Relation, left: list[Interval], right: list[Interval]) -> list[Interval]:
    found = find_related(name, to_intervals({0: set(left)}), to_intervals({0: set(right)}))
    return [(ts, te) for _, ts, te in read_intervals(found)]


@pytest.mark.parametrize(
    ("name", "left", "right", "expected"),
    [
        ("before", [(1, 2), (1, 3)], [(5, 6)], [(1, 6)]),
        ("overlaps", [(3, 5), (10, 15)], [(3, 8), (12, 20)], [(10, 20)]),
        ("finishes", [(2, 2), (5, 5)], [(1, 5)], [(1, 5)]),
        ("equals", [(1, 3), (1, 5)], [(1, 5)], [(1, 5)]),
        # Detected however the open ends close:
        ("contains", [(1, OPEN)], [(3, 4)], [(1, OPEN)]),
        ("contains", [(1, OPEN)], [(20, 20)], [(1, OPEN)]),
        ("before", [(1, 2)], [(5, OPEN)], [(1, OPEN)]),
        ("meets", [(1, 5)], [(5, OPEN)], [(1, OPEN)]),
        ("overlaps", [(1, 5)], [(3, OPEN)], [(1, OPEN)]),
        ("starts", [(1, 5)], [(1, OPEN)], [(1, OPEN)]),
        ("starts", [(1, 1)], [(1, OPEN)], [(1, OPEN)]),
        # An open left end is not in (2, 5), since 5 is known and it is not.
        ("before", [(1, 2), (0, OPEN)], [(5, 6)], [(1, 6)]),
        # Undecided, or decided otherwise:
        ("equals", [(1, OPEN)], [(1, OPEN)], []),
        ("starts", [(1, OPEN)], [(1, OPEN)], []),
        ("finishes", [(3, OPEN)], [(1, OPEN)], []),
        ("overlaps", [(1, OPEN)], [(3, OPEN)], []),
        ("contains", [(1, OPEN)], [(3, OPEN)], []),
        ("contains", [(1, 9)], [(3, OPEN)], []),
        ("before", [(1, OPEN)], [(5, 6)], []),
        ("meets", [(1, OPEN)], [(5, 6)], []),
    ],
)
def test_worked_examples(
    name: Relation, left: list[Interval], right: list[Interval], expected: list[Interval]
) -> None:
    assert relate(name, left, right) == expected


def test_one_dense_side_is_replaced_by_its_candidates() -> None:
    """`not e before s`, `s before not e` and `s contains not e` without its seconds."""
    for random in draw_cases(60):
        dense, spans = draw_times(random, 0.7), draw_dynamic(random)
        runs, intervals = to_runs(dense), to_intervals(spans)
        entities, rows = list_rows(to_entities(dense)), list_rows(spans)

        def expect(name: Relation, left: list[Row], right: list[Row]) -> list[Row]:
            pairs = list_pairs(name, left, right)
            return sorted({give_result(name, left[i], right[j]) for i, j in pairs})

        found, last = find_last_before(runs, intervals.key, intervals.ts)
        lefts = sort_instants(intervals.key[found], last[found]).view_as_intervals()
        result = read_intervals(find_related("before", lefts, intervals))
        assert result == expect("before", entities, rows)
        found, first = find_first_after(runs, intervals.key, intervals.te)
        rights = sort_instants(intervals.key[found], first[found]).view_as_intervals()
        result = read_intervals(find_related("before", intervals, rights))
        assert result == expect("before", rows, entities)
        found, first = find_first_after(runs, intervals.key, intervals.ts)
        inner = sort_instants(intervals.key[found], first[found]).view_as_intervals()
        result = read_intervals(find_related("contains", intervals, inner))
        assert result == expect("contains", rows, entities)


@pytest.mark.parametrize("name", NAMES)
def test_nothing(name: Relation) -> None:
    none, some = to_intervals({}), to_intervals({0: {(1, 3), (2, OPEN)}})
    for left, right in ((none, some), (some, none), (none, none)):
        assert len(find_related(name, left, right)) == 0
        assert [len(column) for column in pair_related(name, left, right)] == [0, 0]
        groups = left.key, right.key
        assert [len(c) for c in pair_related(name, left, right, 3, *groups)] == [0, 0]
        marks = mark_related(name, left, right, 3)
        assert [mark.tolist() for mark in marks] == [[False] * len(left), [False] * len(right)]


def test_relations_at_the_far_ends_of_time() -> None:
    far = 2**62
    left = Intervals(to_column([0, 0]), to_column([-far, 1]), to_column([-far + 5, far]))
    right = Intervals(to_column([0, 0]), to_column([-far + 3, 7]), to_column([far - 1, far]))
    assert read_intervals(find_related("overlaps", left, right)) == [(0, -far, far - 1)]
    assert read_intervals(find_related("before", left, right)) == [(0, -far, far)]
    assert read_intervals(find_related("before", left, right, 2**61)) == []
    assert read_intervals(find_related("before", left, right, 2**63 - 1)) == [(0, -far, far)]
    is_left, is_right = mark_related("before", left, right, 2**63 - 1)
    assert (is_left.tolist(), is_right.tolist()) == ([True, False], [False, True])


@pytest.mark.parametrize("name", ["overlaps", "starts", "finishes", "contains", "equals"])
def test_results_of_many_pairs_with_one_interval_do_not_list_them(name: Relation) -> None:
    """20,000 × 20,000 pairs, of which no more than a line of each side may be looked at."""
    count = 20_000
    rise, flat = np.arange(1, count + 1), np.zeros(count, dtype=np.int64)
    sides = {
        # All lefts start at 0, all rights end at 10 · count.
        "overlaps": (flat, count + 1 + rise, rise, flat + 10 * count),
        "starts": (flat, rise, flat, count + rise),
        "finishes": (count + rise, flat + 5 * count, rise, flat + 5 * count),
        "contains": (rise, 10 * count + rise, 2 * count + rise, 4 * count + rise),
        "equals": (rise, count + rise, rise, count + rise),
    }
    a, a_end, b, b_end = sides[name]
    left, right = Intervals(flat, a, a_end), Intervals(flat, b, b_end)
    assert len(find_related(name, left, right)) == (1 if name == "overlaps" else count)


def test_bursts_of_many_groups_are_not_combined_pair_by_pair() -> None:
    """200 × 200 groups of 100 instants each, all lefts first: one pair per combination."""
    groups, each = 200, 100
    group = np.repeat(np.arange(groups), each)
    t = np.tile(np.arange(each), groups)
    key = np.zeros(groups * each, dtype=np.int64)
    left, right = Intervals(key, t, t), Intervals(key, each + t, each + t)
    one, other = pair_related("before", left, right, None, group, group)
    assert len(one) == groups * groups
    assert set(left.te[one].tolist()) == {each - 1}
    assert set(right.ts[other].tolist()) == {each}
