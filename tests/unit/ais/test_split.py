"""Jumps, and one number that two ships use: whose each report is."""

import pytest

from phenesthe.ais.settings import Settings
from tests.unit.ais.reports import DEGREE, KNOT, V, clean, make_reports, sail

HOUR = 3600
#: Sails in four hours from 55.0 to past 55.6.
SHIP = sail(V, range(0, 4 * HOUR, 10), 5.0, 55.0)
#: A wrong position on the way of the ship, hours before it comes there.
AHEAD = (V, 5, 5.0, 55.6, 10.0)


def test_a_wrong_position_is_a_jump() -> None:
    good = sail(V, range(0, 600, 10), 5.0, 55.0)
    wrong = [(V, 305, 6.0, 55.0, 10.0), (V, 306, 5.0, 57.0, 10.0)]
    rows, dropped = clean(make_reports(*good, *wrong))
    assert dropped == {"jump": 2}
    assert rows["t"].to_pylist() == list(range(0, 600, 10))


def test_the_first_report_may_be_the_wrong_one() -> None:
    rows, dropped = clean(
        make_reports((V, 0, 9.0, 55.0, 1.0), *sail(V, range(5, 95, 10), 5.0, 55.0))
    )
    assert dropped == {"jump": 1}
    assert rows["t"][0].as_py() == 5


def test_two_ships_with_one_number_are_told_apart() -> None:
    one = sail(V, range(0, 600, 10), 5.0, 55.0)
    other = sail(V, range(3, 603, 20), 7.0, 56.0)
    rows, dropped = clean(make_reports(*one, *other))
    assert dropped == {"shared_id": 30}
    assert set(rows["lon"].to_pylist()) == {5.0}


def test_a_far_place_after_a_long_time_is_no_jump() -> None:
    rows, dropped = clean(make_reports((V, 0, 5.0, 55.0, 9.0), (V, 86_400, 8.0, 55.0, 9.0)))
    assert rows.num_rows == 2
    assert not dropped


def test_a_wrong_position_of_hours_ago_takes_no_track_over() -> None:
    away = (V, 12_005, 25.0, 55.0, 10.0)
    rows, dropped = clean(make_reports(*SHIP, AHEAD, away))
    assert dropped == {"jump": 2}
    assert rows["t"].to_pylist() == [row[1] for row in SHIP]


def test_ships_that_take_turns_are_told_apart_all_day() -> None:
    other = sail(V, range(3, 4 * HOUR, 20), 9.0, 56.0)
    rows, dropped = clean(make_reports(*SHIP, *other, AHEAD))
    assert dropped == {"shared_id": len(other), "jump": 1}
    assert rows["t"].to_pylist() == [row[1] for row in SHIP]


@pytest.mark.parametrize("lon", [9.0, 25.0], ids=["in reach", "out of reach"])
def test_a_wrong_position_at_the_end_of_a_long_silence(lon: float) -> None:
    """In reach it seems to be the ship, until the ship itself is heard again."""
    before, after = SHIP[:360], sail(V, range(5 * HOUR, 6 * HOUR, 10), 5.0, 55.83)
    wrong = [(V, 1805, 5.0, 55.8, 10.0), (V, 5 * HOUR - 5, lon, 55.0, 10.0)]
    rows, dropped = clean(make_reports(*before, *wrong, *after))
    assert dropped == {"jump": 2}
    assert rows["t"].to_pylist() == [row[1] for row in [*before, *after]]


def test_a_far_place_after_a_long_silence_is_the_ship_where_it_stays_there() -> None:
    before, after = SHIP[:60], sail(V, range(5 * HOUR, 6 * HOUR, 10), 9.0, 55.0)
    wrong = (V, 5 * HOUR + 15, 5.0, 55.0, 10.0)
    rows, dropped = clean(make_reports(*before, *after, wrong))
    assert dropped == {"jump": 1}
    assert rows["t"].to_pylist() == [row[1] for row in [*before, *after]]


def test_much_garbage_at_once_does_not_make_a_ship_forgotten() -> None:
    garbage = [(V, 600 + n, 10.0 * n, 20.0, 10.0) for n in range(1, 10)]
    rows, dropped = clean(make_reports(*SHIP, *garbage))
    assert dropped == {"jump": 9}
    assert rows["t"].to_pylist() == [row[1] for row in SHIP]


def test_what_could_just_be_reached_is_no_jump() -> None:
    """At the fastest speed, and at the slack, and a little beyond each."""
    settings = Settings()
    way = settings.max_speed * KNOT * 600
    for seconds, metres, jumps in (
        (600, way * 0.999, 0),
        (600, way * 1.001, 1),
        (1, settings.jump_slack * 0.999, 0),
        (1, settings.jump_slack * 1.001, 1),
    ):
        other = (V, 30 + seconds, 5.0, 55.0 + metres / DEGREE, 9.0)
        at_rest = [(V, t, 5.0, 55.0, 9.0) for t in (10, 20, 30)]
        assert clean(make_reports(*at_rest, other))[1].total() == jumps
