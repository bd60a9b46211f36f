"""Speeds and courses that no report tells."""

import numpy as np
import pytest

from tests.unit.ais.reports import DEGREE, clean, make_reports

V = 219001559
KNOT = 1852 / 3600
NORTH = 0.0

Report = tuple[float | None, ...]


def fill(*reports: Report) -> list[float]:
    rows, _ = clean(make_reports(*reports))
    speeds: list[float] = rows["speed"].to_pylist()
    return speeds


def test_a_missing_speed_lies_between_those_told_before_and_after() -> None:
    told = [(V, 0, 5.0, 55.0, 6.0), (V, 10, 5.0, 55.0), (V, 30, 5.0, 55.0), (V, 40, 5.0, 55.0, 8.0)]
    assert fill(*told) == pytest.approx([6.0, 6.5, 7.5, 8.0])


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ((0, 300, 700), [4.0, 4.0, 9.0]),
        ((0, 400, 700), [4.0, 9.0, 9.0]),
        ((0, 301, 602), [4.0, 0.0, 9.0]),
    ],
)
def test_a_speed_told_too_long_ago_says_nothing(
    times: tuple[int, int, int], expected: list[float]
) -> None:
    first, missing, last = times
    speeds = fill((V, first, 5.0, 55.0, 4.0), (V, missing, 5.0, 55.0), (V, last, 5.0, 55.0, 9.0))
    assert speeds == pytest.approx(expected)


def test_speeds_of_other_vessels_say_nothing() -> None:
    speeds = fill(
        (V - 1, 0, 5.0, 55.0, 4.0),
        (V, 10, 5.0, 55.0),
        (V, 70, 5.0, 55.0),
        (V + 1, 0, 5.0, 55.0, 9.0),
    )
    assert speeds == [4.0, 0.0, 0.0, 9.0]


def test_positions_a_few_seconds_apart_are_read_over_a_minute() -> None:
    random = np.random.default_rng(3)
    times = range(0, 1200, 3)
    reports = [(V, t, 5.0, 55.0 + (t * 8.0 * KNOT + random.normal(0, 6)) / DEGREE) for t in times]
    rows, _ = clean(make_reports(*reports))
    # The first and the last reports have neighbours on one side only.
    speeds = np.array(rows["speed"])[10:-10]
    assert np.abs(speeds - 8.0).max() < 1.2
    assert np.array(rows["course"])[10:-10].round(6).tolist() == [NORTH] * len(speeds)


def test_of_positions_far_apart_in_time_the_next_ones_count() -> None:
    ways = {0: 0.0, 100: 1000.0, 200: 2000.0, 300: 2400.0, 400: 2800.0}
    speeds = fill(*[(V, t, 5.0, 55.0 + metres / DEGREE) for t, metres in ways.items()])
    expected = [10.0, 10.0, 7.0, 4.0, 4.0]
    assert speeds == pytest.approx([one / KNOT for one in expected], rel=1e-3)
