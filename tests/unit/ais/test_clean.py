"""Cleaning: what goes, why, and what is derived."""

import random
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from phenesthe.ais.checks import check_reports, is_ship
from phenesthe.ais.formats import BREST, Format, recognise
from phenesthe.ais.normalise import Chunk
from phenesthe.ais.settings import Settings
from tests.unit.ais.reports import V, clean, make_reports, sail

PLAIN = recognise(["vessel", "t", "lon", "lat"], {}, "plain")


def check(table: pa.Table, form: Format = BREST) -> tuple[pa.Table, Counter[str]]:
    found = check_reports(Chunk(table, table.num_rows), form, Settings())
    assert found.rows.num_rows + found.dropped.total() == table.num_rows
    return found.rows, found.dropped


def test_codes_are_unknown_values() -> None:
    rows, dropped = check(
        make_reports((V, 0, 1.0, 2.0, 102.3, 360.0, 511.0), (V, 1, 1.0, 2.0, -1.0, -0.1, 359.0))
    )
    assert rows["speed"].to_pylist() == [None, None]
    assert rows["course"].to_pylist() == [None, None]
    assert rows["heading"].to_pylist() == [None, 359.0]
    assert not dropped


def test_positions_that_cannot_be() -> None:
    table = make_reports(
        (V, 0, 181.0, 91.0),
        (V, 1, None, 2.0),
        (V, 2, 181.0, 2.0),
        (V, 3, 200.0, 2.0),
        (V, 4, 1.0, -90.5),
        (V, 5, 0.0, 0.0),
        (V, 6, 0.0, 51.0),
    )
    rows, dropped = check(table)
    assert rows["t"].to_pylist() == [6]
    assert dropped == {"no_position": 3, "impossible_position": 3}


@pytest.mark.parametrize(
    ("mmsi", "expected"),
    [
        (219001559, True),
        (775123456, True),
        (982190001, True),
        (2190015, False),  # a coast station
        (111219001, False),  # an aircraft
        (992191234, False),  # a buoy
        (970123456, False),  # a distress beacon
        (123456789, False),
        (222222222, False),
        (0, False),
        (2190015590, False),
        (-219001559, False),
    ],
)
def test_numbers_of_ships(mmsi: int, expected: bool) -> None:
    assert is_ship(np.array([mmsi])).tolist() == [expected]


def test_a_plain_table_may_count_its_vessels() -> None:
    table = make_reports((1, 0, 1.0, 2.0), (0, 0, 1.0, 2.0))
    assert check(table, PLAIN)[1] == {"bad_id": 1}
    assert check(table, BREST)[1] == {"bad_id": 2}


def test_duplicates_and_reports_of_one_instant() -> None:
    table = make_reports(
        (V, 10, 1.0, 50.0, None),
        (V, 10, 1.0, 50.0, 3.0),
        (V, 10, 1.0, 50.0, 3.0),
        (V, 10, 1.001, 50.0, 4.0),
        (V, 20, 1.0, 50.0, 5.0),
    )
    rows, dropped = clean(table)
    assert rows["speed"].to_pylist() == [3.0, 5.0]
    assert dropped == {"duplicate": 2, "same_instant": 1}


def test_across_the_date_line() -> None:
    rows, dropped = clean(make_reports((V, 0, 179.999, 5.0), (V, 60, -179.999, 5.0)))
    assert not dropped
    assert rows["speed"].to_pylist() == pytest.approx([7.18, 7.18], abs=0.1)
    assert rows["course"].to_pylist() == pytest.approx([90, 90], abs=0.1)


def test_speed_and_course_are_derived() -> None:
    bare = [row[:4] for row in sail(V, range(0, 300, 30), 5.0, 55.0, 12.0)]
    rows, _ = clean(make_reports(*bare))
    assert rows["speed"].to_pylist() == pytest.approx([12.0] * 10, abs=0.01)
    assert rows["course"].to_pylist() == pytest.approx([0.0] * 10, abs=0.01)
    assert rows["heading"].to_pylist() == rows["course"].to_pylist()


def test_told_speeds_and_courses_stay() -> None:
    rows, _ = clean(make_reports((V, 0, 5.0, 55.0, 3.0, 77.0, 80.0), (V, 9, 5.0, 55.1, 4.0, 78.0)))
    assert rows["speed"].to_pylist()[:1] == [3.0]
    assert rows["course"].to_pylist()[:1] == [77.0]
    assert rows["heading"].to_pylist()[:1] == [80.0]


def test_a_vessel_at_rest_keeps_its_course() -> None:
    table = make_reports(
        (V, 0, 5.0, 55.0, 0.0),
        (V, 60, 5.0, 55.0, 0.0, 33.0),
        (V, 120, 5.0, 55.0, 0.0),
        (V, 180, 5.0, 55.0, 0.0, None, 12.0),
        (V + 1, 0, 5.0, 55.0, 0.0),
    )
    rows, _ = clean(table)
    assert rows["course"].to_pylist() == [33.0, 33.0, 33.0, 12.0, 0.0]
    assert rows["heading"].to_pylist() == [33.0, 33.0, 33.0, 12.0, 0.0]


def test_a_report_alone_has_no_speed_to_derive() -> None:
    far = Settings().derive_within + 1
    rows, dropped = clean(make_reports((V, 0, 5.0, 55.0), (V, far, 5.0, 55.0, 1.0)))
    assert dropped == {"no_speed": 1}
    assert rows["t"].to_pylist() == [far]


def test_nothing_depends_on_the_order_of_rows_or_on_other_vessels() -> None:
    chance = random.Random(7)
    rows = [
        (
            chance.choice([V, V + 1, V + 2]),
            chance.randrange(40),
            round(chance.choice([5.0, 5.001, 6.0]), 3),
            chance.choice([55.0, 56.0]),
            chance.choice([None, 1.0, 2.0]),
            chance.choice([None, 90.0]),
            None,
            chance.choice([None, "70", "30"]),
        )
        for _ in range(400)
    ]
    expected, dropped = clean(make_reports(*rows))
    assert set(dropped) >= {"duplicate", "same_instant", "shared_id"}
    chance.shuffle(rows)
    again, _ = clean(make_reports(*rows))
    assert again.equals(expected)
    parts = [
        clean(make_reports(*[row for row in rows if row[0] == v]))[0] for v in (V, V + 1, V + 2)
    ]
    assert pa.concat_tables(parts).equals(expected)


def test_nothing_is_cleaned_to_nothing() -> None:
    rows, dropped = clean(make_reports())
    assert rows.num_rows == 0
    assert not dropped
