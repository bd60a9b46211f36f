"""What is heard of a vessel: duty cycles, silences, and noise that grows with its level."""

import numpy as np
import pytest

from examples.maritime.fleet import Vessel
from examples.maritime.motion import MOORED, Motion, Pace, lie, sail
from examples.maritime.transmit import NO_HEADING, NO_LON, NO_SPEED, Reports, transmit


def make_vessel(
    motion: Motion, mobile: str = "A", silences: tuple[tuple[int, int], ...] = ()
) -> Vessel:
    return Vessel(
        mmsi=227_990_001, type="cargo", mobile=mobile, length=100, compass=mobile == "A",
        begins=100, motion=motion, silences=silences,
    )  # fmt: skip


def sail_straight(knots: float) -> Motion:
    pace = Pace(cruise=knots, first=knots, last=knots)
    return sail([(-5.0, 48.0), (-5.0, 48.4)], pace)


def hear(vessel: Vessel, noise: float = 0, every: int = 1) -> Reports:
    return transmit(vessel, noise, every, np.random.default_rng(7))


@pytest.mark.parametrize(
    ("motion", "mobile", "seconds"),
    [
        (sail_straight(10), "A", 10),
        (sail_straight(18), "A", 6),
        (sail_straight(25), "A", 2),
        (sail_straight(10), "B", 30),
        (lie((-5.0, 48.0), 7200, 0.0, MOORED), "A", 180),
        (lie((-5.0, 48.0), 7200, 0.0, MOORED), "B", 180),
    ],
)
def test_duty_cycle(motion: Motion, mobile: str, seconds: int) -> None:
    steps = np.diff(hear(make_vessel(motion, mobile)).t)
    assert abs(float(np.median(steps)) - seconds) <= 1
    assert abs(float(steps.mean()) - seconds) < 0.1 * seconds


def test_a_turn_is_reported_more_often() -> None:
    pace = Pace(cruise=10, first=10, last=10)
    turning = sail([(-5.0, 48.0), (-5.0, 48.1), (-4.8, 48.1)], pace)
    assert np.diff(hear(make_vessel(turning)).t).min() <= 4


def test_without_noise_reports_are_what_is_true() -> None:
    motion = sail_straight(12)
    reports = hear(make_vessel(motion))
    at = reports.t - 100
    assert np.abs(reports.lon - motion.lon[at]).max() < 1e-6
    assert np.abs(reports.speed - motion.speed[at]).max() <= 0.051
    assert set(np.abs(reports.heading)) == {0.0}


def test_class_b_without_compass_sends_no_heading() -> None:
    assert set(hear(make_vessel(sail_straight(10), "B"), noise=1).heading) == {NO_HEADING}


def test_a_transmitter_that_is_off_is_not_heard() -> None:
    motion = sail_straight(10)
    reports = hear(make_vessel(motion, silences=((1000, 3000),)), noise=0)
    assert not ((reports.t > 1000) & (reports.t < 3000)).any()
    assert np.diff(reports.t).max() >= 2000


def test_an_archive_keeps_one_report_in_a_while() -> None:
    reports = hear(make_vessel(sail_straight(10)), every=60)
    assert len(np.unique((reports.t - 100) // 60)) == len(reports)


def test_noise_grows_with_its_level() -> None:
    motion = lie((-5.0, 48.0), 40 * 86_400, 0.0)
    spreads, unknown, misplaced, repeated, lost = [], [], [], [], []
    for level in (1, 2, 3):
        reports = hear(make_vessel(motion), noise=level)
        near = np.abs(reports.lat - 48) < 0.005
        spreads.append(float(reports.lat[near].std()))
        unknown.append(int((reports.speed == NO_SPEED).sum()))
        misplaced.append(int((~near).sum()) + int((reports.lon == NO_LON).sum()))
        repeated.append(int((np.diff(reports.t) == 0).sum()))
        lost.append(-len(reports))
    for figures in (spreads, unknown, misplaced, repeated, lost):
        assert figures[0] < figures[1] < figures[2], figures
