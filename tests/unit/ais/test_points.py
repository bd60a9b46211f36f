from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phenesthe.ais.points import find_critical_points
from phenesthe.ais.settings import Settings
from tests.unit.ais.tracks import make_random_track, make_track

SETTINGS = Settings()
KINDS = ("gap", "stop", "slow_motion", "change_in_speed")


def find(table: pa.Table, name: str) -> list[int]:
    found: list[int] = find_critical_points(table, SETTINGS)[name]["t"].to_pylist()
    return found


def test_a_silence_as_long_as_the_limit_is_a_gap() -> None:
    table = make_track([0, 1799, 1799 + 1800, 5000])
    assert (find(table, "gap_start"), find(table, "gap_end")) == ([1799], [3599])


def test_vessels_do_not_gap_into_each_other() -> None:
    assert find(make_track([0, 10, 9000, 9010], vessel=[1, 1, 2, 2]), "gap_start") == []


def test_a_stop_begins_and_ends_with_the_first_of_two_reports_that_agree() -> None:
    table = make_track([0, 10, 20, 30, 40, 50, 60], [9, 9, 0.3, 0.2, 0.1, 4, 5])
    assert (find(table, "stop_start"), find(table, "stop_end")) == ([20], [50])


@pytest.mark.parametrize("noise", [0.8, 7.0, None])
def test_one_noisy_report_does_not_end_a_stop(noise: float | None) -> None:
    table = make_track([0, 10, 20, 30, 40], [0.1, 0.1, noise, 0.1, 0.1])
    assert (find(table, "stop_start"), find(table, "stop_end")) == ([0], [])


def test_one_report_at_rest_is_no_stop() -> None:
    assert find(make_track([0, 10, 20, 30], [9, 9, 0, 9]), "stop_start") == []


def test_an_anchored_vessel_that_swings_below_a_knot_goes_on_being_stopped() -> None:
    assert (
        find(make_track(list(range(0, 60, 10)), [0.1, 0.2, 0.7, 0.9, 0.8, 0.3]), "stop_end") == []
    )


def test_class_b_reports_rarely_at_rest() -> None:
    rest, sail = list(range(0, 1800, 180)), list(range(1800, 2400, 30))
    table = make_track(rest + sail, [0.0] * len(rest) + [6.0] * len(sail))
    assert (find(table, "stop_start"), find(table, "stop_end")) == ([0], [1800])
    assert find(table, "gap_start") == []


def test_a_stop_outlives_a_silence_at_the_same_place_only() -> None:
    times, speeds = [0, 60, 9000, 9060], [0.0] * 4
    same = make_track(times, speeds, lon=[0, 0, 0.001, 0.001])
    assert (find(same, "stop_start"), find(same, "stop_end")) == ([0], [])
    moved = make_track(times, speeds, lon=[0, 0, 0.1, 0.1])
    assert (find(moved, "stop_start"), find(moved, "stop_end")) == ([0, 9000], [60])


def test_slow_motion_is_between_stopped_and_fast() -> None:
    table = make_track(list(range(0, 100, 10)), [9, 9, 4, 4, 4, 0, 0, 3, 9, 9])
    assert find(table, "slow_motion_start") == [20, 70]
    assert find(table, "slow_motion_end") == [50, 80]


def test_a_silence_ends_slow_motion_with_the_last_report_before_it() -> None:
    table = make_track([0, 10, 20, 9000, 9010], 3.0)
    assert find(table, "slow_motion_start") == [0, 9000]
    assert find(table, "slow_motion_end") == [20]


def test_a_change_of_speed_lasts_until_the_new_speed_is_usual() -> None:
    times = list(range(0, 1200, 30))
    speeds = [10.0 if t < 600 else 14.0 for t in times]
    (start,), (end,) = (
        find(make_track(times, speeds), f"change_in_speed_{edge}") for edge in ("start", "end")
    )
    assert start == 600
    assert 600 < end <= 600 + SETTINGS.recent


def test_a_silence_longer_than_the_mean_ends_a_change_of_speed() -> None:
    times = [*range(0, 630, 10), *range(930, 1230, 10)]
    speeds = [10.0 if t < 600 else 14.0 for t in times]
    table = make_track(times, speeds)
    assert find(table, "change_in_speed_start") == [600]
    assert find(table, "change_in_speed_end") == [620]


def test_a_change_of_speed_ends_with_the_last_report_before_a_stop() -> None:
    slowing, at_rest = list(range(0, 660, 10)), list(range(800, 1800, 180))
    speeds = [10.0 if t < 600 else 7.0 - (t - 600) / 10 for t in slowing] + [0.1] * len(at_rest)
    table = make_track(slowing + at_rest, speeds)
    assert find(table, "change_in_speed_start") == [600]
    assert find(table, "change_in_speed_end") == [650]


@pytest.mark.parametrize(("speed", "starts"), [(12.5, []), (13.5, [300]), (7.5, []), (6.5, [300])])
def test_a_quarter_is_no_change_yet(speed: float, starts: list[int]) -> None:
    times = list(range(0, 600, 30))
    table = make_track(times, [10.0 if t < 300 else speed for t in times])
    assert find(table, "change_in_speed_start") == starts


def test_jitter_at_rest_and_a_single_wrong_speed_are_no_change() -> None:
    times = list(range(0, 600, 10))
    assert find(make_track(times, [0.1, 0.3] * 30), "change_in_speed_start") == []
    wrong = [8.0] * 60
    wrong[30] = 25.0
    assert find(make_track(times, wrong), "change_in_speed_start") == []


def test_a_turn_is_told_once_and_again_for_each_further_turn_of_the_limit() -> None:
    times = list(range(0, 1800, 10))
    kink = make_track(times, course=[350.0 if t < 600 else 10.0 for t in times])
    assert find(kink, "change_in_heading") == [600]
    circle = make_track(times, course=[float(t) % 360 for t in times])
    turns = find(circle, "change_in_heading")
    assert max(later - earlier for earlier, later in pairwise(turns)) <= 30
    assert turns[-1] > 1750


def test_noise_is_no_turn() -> None:
    times = list(range(0, 600, 10))
    wrong: list[float | None] = [359.0, 1.0] * 30
    wrong[20], wrong[40] = 90.0, None
    assert find(make_track(times, course=wrong), "change_in_heading") == []
    swinging = make_track(times, 0.4, [(7.0 * t) % 360 for t in times])
    assert find(swinging, "change_in_heading") == []


def test_nothing_is_found_in_nothing() -> None:
    points = find_critical_points(make_track([]), SETTINGS)
    assert {name: len(table) for name, table in points.items() if len(table)} == {}
    assert len(points) == 9


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_many_vessels_are_as_each_alone(seed: int) -> None:
    table = make_random_track(seed)
    together = find_critical_points(table, SETTINGS)
    for vessel in range(4):
        alone = find_critical_points(select(table, vessel), SETTINGS)
        for name, rows in alone.items():
            assert select(together[name], vessel).equals(rows), name


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_starts_and_ends_are_those_of_a_plain_reading_and_alternate(seed: int) -> None:
    for vessel in range(2):
        table = select(make_random_track(seed, vessels=2), vessel)
        points = find_critical_points(table, SETTINGS)
        expected = read_plainly(table.to_pylist())
        for kind in KINDS:
            starts, ends = (points[f"{kind}_{edge}"]["t"].to_pylist() for edge in ("start", "end"))
            assert (starts, ends) == expected[kind], kind
            both = [t for pair in zip(starts, [*ends, 10**9], strict=False) for t in pair]
            assert both == sorted(both)
            assert len(starts) - len(ends) in (0, 1)


def select(table: pa.Table, vessel: int) -> pa.Table:
    return table.filter(pa.array(np.asarray(table["vessel"]) == vessel)).combine_chunks()


def read_plainly(rows: list[dict[str, Any]]) -> dict[str, tuple[list[int], list[int]]]:
    """Report by report: the meaning of `points`, but for turns."""
    jumps = [0] + [later["t"] - earlier["t"] for earlier, later in pairwise(rows)]
    silent = [jump >= SETTINGS.gap for jump in jumps]
    moved = [False] + [
        measure(earlier, later) > SETTINGS.stop_radius for earlier, later in pairwise(rows)
    ]
    cut = [at == 0 or silent[at] for at in range(len(rows))]
    stop_cut = [at == 0 or (silent[at] and moved[at]) for at in range(len(rows))]
    stopped = settle([judge(row["speed"], SETTINGS.stop_speed) for row in rows], stop_cut)
    below = settle([judge(row["speed"], SETTINGS.slow_speed) for row in rows], cut)
    slow = [one and not other for one, other in zip(below, stopped, strict=True)]
    lost = [one or jump > SETTINGS.recent for one, jump in zip(cut, jumps, strict=True)]
    deviates = settle([deviate(rows, at, lost) for at in range(len(rows))], lost)
    changing = [one and not other for one, other in zip(deviates, stopped, strict=True)]
    rests = [one or other for one, other in zip(lost, stopped, strict=True)]
    gaps = [at for at in range(len(rows)) if silent[at]]
    times = [row["t"] for row in rows]
    return {
        "gap": ([times[at - 1] for at in gaps], [times[at] for at in gaps]),
        "stop": list_periods(times, stopped, stop_cut),
        "slow_motion": list_periods(times, slow, cut),
        "change_in_speed": list_periods(times, changing, rests),
    }


def measure(one: dict[str, Any], other: dict[str, Any]) -> float:
    east = (other["lon"] - one["lon"]) * np.cos(np.radians((one["lat"] + other["lat"]) / 2))
    return float(np.hypot(east, other["lat"] - one["lat"]) * 111_195.08)


def judge(speed: float | None, limit: float) -> bool | None:
    if speed is None or limit < speed <= limit + SETTINGS.speed_margin:
        return None
    return speed <= limit


def deviate(rows: list[dict[str, Any]], at: int, cut: list[bool]) -> bool | None:
    since = max(one for one in range(at + 1) if cut[one])
    recent = [
        row["speed"]
        for row in rows[since:at]
        if row["speed"] is not None and row["t"] >= rows[at]["t"] - SETTINGS.recent
    ]
    if not recent or rows[at]["speed"] is None:
        return None
    # In tenths of a knot, as AIS has them: whole numbers, so that a limit is met exactly.
    total, count = round(sum(recent) * 10), len(recent)
    away = abs(round(rows[at]["speed"] * 10) * count - total)
    return bool(away > max(SETTINGS.speed_change * total, SETTINGS.speed_margin * 10 * count))


def settle(votes: list[bool | None], cut: list[bool]) -> list[bool]:
    """A vote counts from its own row on when the next vote before a cut is the same, or the one
    before it has counted."""
    holds, state = [], False
    for at, vote in enumerate(votes):
        if cut[at]:
            state = False
        stop = next((one for one in range(at + 1, len(votes)) if cut[one]), len(votes))
        following = next((one for one in votes[at + 1 : stop] if one is not None), None)
        if vote is not None and vote == following:
            state = vote
        holds.append(state)
    return holds


def list_periods(
    times: list[int], holds: list[bool], cut: list[bool]
) -> tuple[list[int], list[int]]:
    starts: list[int] = []
    ends: list[int] = []
    for at, t in enumerate(times):
        was = at > 0 and holds[at - 1]
        if was and (cut[at] or not holds[at]):
            end = times[at - 1] if cut[at] else t
            if starts[-1] == end:
                starts.pop()
            else:
                ends.append(end)
        if holds[at] and (cut[at] or not was):
            starts.append(t)
    return starts, ends
