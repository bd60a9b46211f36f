"""`φ ~> ψ`, `expires`, `exclusive`: followed tick by tick."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from phenesthe.kernels.arrays import OPEN, Array, Event, Instants, Intervals
from phenesthe.kernels.exclusive import Branch, find_exclusive
from phenesthe.kernels.ranges import find_ranges_until
from phenesthe.kernels.runs import negate
from tests.unit.kernels.samples import (
    KEYS,
    LAST,
    Interval,
    Spans,
    Times,
    draw_cases,
    draw_query_time,
    draw_times,
    list_rows,
    read_intervals,
    to_column,
    to_instants,
    to_runs,
)


def find_ranges(
    start: Event,
    stop: Event,
    q: int,
    expires: int | None = None,
    limit: int | None = None,
    join: Array | None = None,
) -> Intervals:
    return find_ranges_until(start, [(stop, join)], q, expires, limit)


def follow(
    start: set[int], stop: set[int], q: int, expires: int | None, limit: int | None = None
) -> set[Interval]:
    result: set[Interval] = set()
    since = clock = None
    for t in range(q + 1):
        if since is not None and t - since == limit:
            result.add((since, t))
            since = None
        elif t in start:
            since, clock = t if since is None else since, t
        elif since is not None and clock is not None and (t in stop or t - clock == expires):
            result.add((since, t))
            since = None
    return result if since is None else result | {(since, OPEN)}


def follow_all(start: Times, stop: Times, q: int, expires: int | None, limit: int | None) -> Spans:
    return {
        key: follow(times, stop.get(key, set()), q, expires, limit) for key, times in start.items()
    }


@pytest.mark.parametrize("start_form", [to_instants, to_runs])
@pytest.mark.parametrize("stop_form", [to_instants, to_runs])
def test_maximal_ranges(
    start_form: Callable[[Times], Event], stop_form: Callable[[Times], Event]
) -> None:
    found = still_open = 0
    for random in draw_cases(150):
        start, stop, q = draw_times(random), draw_times(random), draw_query_time(random)
        expires = random.choice((None, 1, 2, 3, 6, 30))
        limit = random.choice((None, None, 1, 2, 5, 9, 30))
        expected = list_rows(follow_all(start, stop, q, expires, limit))
        result = find_ranges(start_form(start), stop_form(stop), q, expires, limit)
        assert read_intervals(result) == expected, (start, stop, q, expires, limit)
        found += len(expected)
        still_open += sum(te == OPEN for _, _, te in expected)
    assert found > 1500
    assert still_open > 150


def one_range(
    start: set[int],
    stop: set[int],
    q: int,
    expires: int | None = None,
    limit: int | None = None,
) -> list[Interval]:
    result = find_ranges(to_instants({0: start}), to_instants({0: stop}), q, expires, limit)
    return [(ts, te) for _, ts, te in read_intervals(result)]


def test_a_start_and_a_stop_together_do_not_end_it() -> None:
    assert one_range({1, 4}, {4}, 9) == [(1, OPEN)]
    assert one_range({1, 4}, {4, 6}, 9) == [(1, 6)]
    assert one_range({3}, {3, 5}, 9) == [(3, 5)]


def test_expiry() -> None:
    assert one_range({1}, set(), 4, 3) == [(1, 4)]
    assert one_range({1}, set(), 3, 3) == [(1, OPEN)]
    # A φ exactly at the deadline restarts the clock, one later begins anew.
    assert one_range({1, 4}, set(), 9, 3) == [(1, 7)]
    assert one_range({1, 5}, set(), 9, 3) == [(1, 4), (5, 8)]
    # The earlier of stop and deadline ends it; at the same instant they agree.
    assert one_range({1}, {3}, 9, 3) == [(1, 3)]
    assert one_range({1}, {4}, 9, 3) == [(1, 4)]
    assert one_range({1}, {6}, 9, 3) == [(1, 4)]
    # A stop before the deadline counts although a φ follows before it.
    assert one_range({1, 3}, {2}, 9, 5) == [(1, 2), (3, 8)]


def test_ranges_at_the_far_ends_of_time() -> None:
    far = 2**62
    assert one_range({-far, far - 1}, set(), far, 2**62) == [(-far, 0), (far - 1, OPEN)]
    assert one_range({-far, far}, set(), far, 2**63 - 1) == [(-far, far - 1), (far, OPEN)]
    assert one_range({-far, far - 1}, set(), far, 2**63 - 1) == [(-far, OPEN)]
    assert one_range({-far}, {far}, far) == [(-far, far)]


def test_what_begins_at_the_very_limit_belongs_to_it() -> None:
    assert one_range({1, 4}, set(), 9, limit=3) == [(1, 4)]
    assert one_range({1, 5}, set(), 9, limit=3) == [(1, 4), (5, 8)]
    assert one_range({1, 4, 7}, set(), 9, limit=3) == [(1, 4), (7, OPEN)]
    assert one_range({1, 4}, {4}, 9, limit=3) == [(1, 4)]


def test_of_two_limits_the_earlier_ends_it() -> None:
    assert one_range({1, 3, 5}, set(), 9, 2, 10) == [(1, 7)]
    assert one_range({1, 3, 5}, set(), 9, 2, 5) == [(1, 6)]
    assert one_range({1, 3, 5}, {4}, 9, 3, 5) == [(1, 4), (5, 8)]


def test_a_limit_cuts_what_is_true_nearly_always_into_pieces() -> None:
    day, keys = 10, to_column([4])
    silent = negate(to_instants({4: {5}}), keys, 0, day)
    found = read_intervals(find_ranges(silent, to_instants({}), day, limit=2))
    assert found == [(4, 0, 2), (4, 3, 5), (4, 6, 8), (4, 9, OPEN)]


def test_a_stop_with_fewer_variables_ends_all_its_bindings() -> None:
    """`hunger(P, X) ~> dinner(P)`: the keys 0, 1 and 2, 5 each share a stop."""
    join = to_column([0, 0, 1, 9, 9, 1])
    found = 0
    for random in draw_cases(100):
        start, meals, q = draw_times(random), draw_times(random, 0.15), draw_query_time(random)
        expected = {
            key: follow(times, meals.get(int(join[key]), set()), q, None)
            for key, times in start.items()
        }
        result = find_ranges(to_instants(start), to_instants(meals), q, join=join)
        assert read_intervals(result) == list_rows(expected)
        found += len(result)
    assert found > 500


def test_an_unguarded_negation_as_operand() -> None:
    """A whole day is two rows, and no second of it is looked at."""
    day, keys = 86_400, to_column([4])
    silent = negate(to_instants({4: {50, 51, 90}}), keys, 0, day)
    assert read_intervals(find_ranges(silent, to_instants({4: {50}}), day)) == [
        (4, 0, 50),
        (4, 52, OPEN),
    ]
    heard = to_instants({4: {50, 51, 90}})
    assert read_intervals(find_ranges(heard, silent, day)) == [(4, 50, 52), (4, 90, 91)]


def follow_exclusive(
    branches: list[tuple[Times, Times, int | None, int | None]], key: int, q: int
) -> list[set[Interval]]:
    """ "where several φ are true at once, only the first listed counts; then value v holds on
    φv ~> (ψv or any other value's φ)"."""
    winners: list[set[int]] = [set() for _ in branches]
    for t in range(q + 1):
        for value, (start, *_) in enumerate(branches):
            if t in start.get(key, set()):
                winners[value].add(t)
                break
    result = []
    for value, (_, stop, expires, limit) in enumerate(branches):
        others = set().union(*(w for other, w in enumerate(winners) if other != value))
        result.append(follow(winners[value], stop.get(key, set()) | others, q, expires, limit))
    return result


def draw_branch(random: Random) -> tuple[Times, Times, int | None, int | None]:
    expires, limit = (random.choice((None, None, 2, 4)) for _ in range(2))
    return draw_times(random), draw_times(random), expires, limit


@pytest.mark.parametrize("form", [to_instants, to_runs])
def test_exclusive_values(form: Callable[[Times], Event]) -> None:
    found = [0, 0, 0]
    for random in draw_cases(100):
        drawn = [draw_branch(random) for _ in range(random.randint(1, 3))]
        q = draw_query_time(random)
        branches = [
            Branch(
                start=form(start), stops=[(to_instants(stop), None)], expires=expires, limit=limit
            )
            for start, stop, expires, limit in drawn
        ]
        results = find_exclusive(branches, q)
        by_key = {key: follow_exclusive(drawn, key, q) for key in KEYS}
        for value, result in enumerate(results):
            expected = list_rows({key: values[value] for key, values in by_key.items()})
            assert read_intervals(result) == expected
            found[value] += len(expected)
    assert min(found) > 200


def test_exclusive_values_whose_stop_has_fewer_variables() -> None:
    join: Array = to_column([0, 0, 0, 0, 0, 0])
    start, stop, q = {0: {1}, 5: {2}}, {0: {4}}, LAST
    branch = Branch(start=to_instants(start), stops=[(to_instants(stop), join)])
    (result,) = find_exclusive([branch], q)
    assert read_intervals(result) == [(0, 1, 4), (5, 2, 4)]
    (result,) = find_exclusive([replace(branch, stops=[(to_instants(stop), None)])], q)
    assert read_intervals(result) == [(0, 1, 4), (5, 2, OPEN)]


def test_neighbouring_values_may_share_an_instant() -> None:
    def instant(t: int) -> Instants:
        return to_instants({0: {t}})

    first, second = find_exclusive(
        [Branch(start=instant(1), stops=[]), Branch(start=instant(6), stops=[])], 9
    )
    assert read_intervals(first) == [(0, 1, 6)]
    assert read_intervals(second) == [(0, 6, OPEN)]


def test_no_rows() -> None:
    never = to_instants({})
    assert len(find_ranges(never, never, 9, 3)) == 0
    assert len(find_exclusive([Branch(start=never, stops=[(never, None)])], 9)[0]) == 0
