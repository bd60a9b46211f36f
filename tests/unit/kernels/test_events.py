"""Φ•: "`and` intersects, `or` unites"; `in`, `not in`; `not` on the timeline."""

from collections.abc import Callable
from random import Random

import pytest

from phenesthe.kernels.arrays import OPEN, Event
from phenesthe.kernels.events import (
    intersect_events,
    keep_inside,
    keep_outside,
    subtract_events,
    unite_events,
)
from phenesthe.kernels.instants import (
    intersect_instants,
    list_ends,
    list_starts,
    mark_common,
    mark_held,
    pair_held,
    subtract_instants,
    unite_instants,
)
from phenesthe.kernels.runs import (
    combine_runs,
    find_first_after,
    find_last_before,
    list_instants,
    mark_occurring,
    negate,
)
from tests.unit.kernels.samples import (
    KEYS,
    LAST,
    Spans,
    Times,
    draw_cases,
    draw_dynamic,
    draw_query_time,
    draw_state,
    draw_times,
    list_rows,
    list_times,
    read_runs,
    read_times,
    to_column,
    to_instants,
    to_intervals,
    to_runs,
)

FORMS: list[tuple[Callable[[Times], Event], Callable[[Times], Event]]] = [
    (to_instants, to_instants),
    (to_instants, to_runs),
    (to_runs, to_instants),
    (to_runs, to_runs),
]


def combine(left: Times, right: Times, rule: Callable[[set[int], set[int]], set[int]]) -> Times:
    keys = left.keys() | right.keys()
    return {key: rule(left.get(key, set()), right.get(key, set())) for key in keys}


def is_held(spans: Spans, key: int, t: int) -> bool:
    return any(a <= t <= b for a, b in spans.get(key, set()))


def test_listed_instants() -> None:
    for random in draw_cases(60):
        left, right = draw_times(random), draw_times(random)
        one, other = to_instants(left), to_instants(right)
        common = combine(left, right, set.intersection)
        assert read_times(intersect_instants(one, other)) == list_times(common)
        united = combine(left, right, set.union)
        assert read_times(unite_instants(one, other)) == list_times(united)
        rest = combine(left, right, set.difference)
        assert read_times(subtract_instants(one, other)) == list_times(rest)


@pytest.mark.parametrize("forms", FORMS)
def test_connectives_on_either_form(
    forms: tuple[Callable[[Times], Event], Callable[[Times], Event]],
) -> None:
    for random in draw_cases(60):
        left, right = draw_times(random), draw_times(random)
        one, other = forms[0](left), forms[1](right)
        common = combine(left, right, set.intersection)
        assert read_times(intersect_events(one, other)) == list_times(common)
        united = combine(left, right, set.union)
        assert read_times(unite_events(one, other)) == list_times(united)
        rest = combine(left, right, set.difference)
        assert read_times(subtract_events(one, other)) == list_times(rest)
        # Dense results are maximal runs, whatever the operands looked like.
        assert read_runs(combine_runs(one, "or", other)) == read_runs(to_runs(united))
        assert read_runs(combine_runs(one, "and", other)) == read_runs(to_runs(common))
        assert read_runs(combine_runs(one, "and not", other)) == read_runs(to_runs(rest))


@pytest.mark.parametrize("form", [to_instants, to_runs])
def test_inclusion_on_either_form(form: Callable[[Times], Event]) -> None:
    inside = outside = 0
    for random in draw_cases(60):
        times, spans, q = draw_times(random), draw_state(random), draw_query_time(random)
        event, state = form(times), to_intervals(spans)
        expected = [(k, t) for k, t in list_times(times) if is_held(spans, k, t)]
        assert read_times(keep_inside(event, state, q)) == expected
        others = [row for row in list_times(times) if row not in expected]
        assert read_times(keep_outside(event, state, q)) == others
        inside, outside = inside + len(expected), outside + len(others)
    assert min(inside, outside) > 500


def test_inclusion_in_intervals_that_overlap_and_for_rows_in_any_order() -> None:
    for random in draw_cases(60):
        times, spans = draw_times(random), draw_dynamic(random)
        rows = list_times(times)
        random.shuffle(rows)
        instants = to_instants(times)
        instants = type(instants)(to_column(k for k, _ in rows), to_column(t for _, t in rows))
        held = mark_held(instants, to_intervals(spans)).tolist()
        assert held == [is_held(spans, k, t) for k, t in rows]


def test_pairs_of_instants_and_the_intervals_around_them() -> None:
    found = 0
    for random in draw_cases(60):
        times, spans = list_times(draw := draw_times(random)), list_rows(draw_dynamic(random))
        random.shuffle(spans)
        intervals = to_intervals({})
        columns = [to_column(row[i] for row in spans) for i in range(3)]
        intervals = type(intervals)(*columns)
        instant, interval = pair_held(to_instants(draw), intervals)
        expected = [
            (i, j)
            for j, (key, a, b) in enumerate(spans)
            for i, (other, t) in enumerate(times)
            if key == other and a <= t <= b
        ]
        assert list(zip(instant.tolist(), interval.tolist(), strict=True)) == expected
        found += len(expected)
    assert found > 1000


def test_membership_of_rows_in_any_order() -> None:
    for random in draw_cases(60):
        left, right = draw_times(random), draw_times(random)
        rows = list_times(left)
        random.shuffle(rows)
        columns = to_column(k for k, _ in rows), to_column(t for _, t in rows)
        wanted = to_instants({})
        expected = [t in right.get(k, set()) for k, t in rows]
        assert mark_common(type(wanted)(*columns), to_instants(right)).tolist() == expected
        for form in (to_instants, to_runs):
            assert mark_occurring(form(right), *columns).tolist() == expected


@pytest.mark.parametrize("form", [to_instants, to_runs])
def test_negation_is_the_rest_of_the_timeline(form: Callable[[Times], Event]) -> None:
    for random in draw_cases(80):
        times = draw_times(random)
        first, last = random.randint(-3, 8), random.randint(-1, LAST + 4)
        keys = sorted(random.sample([*KEYS, 7], 3))
        expected = {
            key: {t for t in range(first, last + 1) if t not in times.get(key, set())}
            for key in keys
        }
        found = negate(form(times), to_column(keys), first, last)
        assert read_runs(found) == read_runs(to_runs(expected))


def test_a_timeline_of_one_instant() -> None:
    assert read_runs(negate(to_instants({0: {4}}), to_column([0, 1]), 4, 4)) == [(1, 4, 4)]


def test_negation_of_a_day_is_a_few_rows() -> None:
    found = negate(to_instants({3: {40_000}}), to_column([3, 4]), 0, 86_399)
    assert read_runs(found) == [(3, 0, 39_999), (3, 40_001, 86_399), (4, 0, 86_399)]


@pytest.mark.parametrize("form", [to_instants, to_runs])
def test_nearest_instants(form: Callable[[Times], Event]) -> None:
    def draw_wanted(random: Random) -> int:
        return random.choice((random.randint(-2, LAST + 2), random.randint(0, LAST), OPEN))

    for random in draw_cases(80):
        times = draw_times(random)
        event = form(times)
        rows = [(random.choice(KEYS), draw_wanted(random)) for _ in range(20)]
        columns = to_column(k for k, _ in rows), to_column(t for _, t in rows)
        found, before = find_last_before(event, *columns)
        for (key, t), there, instant in zip(rows, found.tolist(), before.tolist(), strict=True):
            earlier = [other for other in times.get(key, set()) if other < t]
            assert there == bool(earlier)
            assert not earlier or instant == max(earlier)
        found, after = find_first_after(event, *columns)
        for (key, t), there, instant in zip(rows, found.tolist(), after.tolist(), strict=True):
            later = [other for other in times.get(key, set()) if other > t]
            assert there == bool(later)
            assert not later or instant == min(later)


def test_runs_listed_one_by_one() -> None:
    for random in draw_cases(20):
        times = draw_times(random)
        assert read_times(list_instants(to_runs(times))) == list_times(times)


def test_starts_and_known_ends() -> None:
    for random in draw_cases(20):
        rows = list_rows(spans := draw_state(random))
        state = to_intervals(spans)
        assert read_times(list_starts(state)) == [(key, a) for key, a, _ in rows]
        assert read_times(list_ends(state)) == [(key, b) for key, _, b in rows if b != OPEN]


def test_nothing_at_all() -> None:
    none, state = to_instants({}), to_intervals({})
    for left in (none, to_runs({})):
        for right in (none, to_runs({})):
            for operator in (intersect_events, unite_events, subtract_events):
                assert len(operator(left, right)) == 0
        assert len(keep_inside(left, state, 9)) == len(keep_outside(left, state, 9)) == 0
    assert read_times(keep_outside(to_instants({1: {3}}), state, 9)) == [(1, 3)]
    assert len(keep_inside(to_instants({1: {3}}), state, 9)) == 0
