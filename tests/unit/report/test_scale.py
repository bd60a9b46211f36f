"""Columns and axes."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phenesthe.report.drawing_marks import ASCII, UNICODE, Marks, choose_marks
from phenesthe.report.scale import Scale, draw_axis, fit_scale
from phenesthe.syntax.tree import Unit


def seconds(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def axis(first: int, last: int, unit: Unit | None = None, room: int = 50) -> list[str]:
    return draw_axis(fit_scale(first, last, room), room, unit, ASCII)


def test_few_instants_get_whole_columns_each() -> None:
    assert fit_scale(1, 17, 60) == Scale(1, 17, 49)
    assert fit_scale(5, 6, 60) == Scale(5, 6, 9)
    assert fit_scale(5, 5, 60) == Scale(5, 5, 1)
    assert fit_scale(0, 59, 60) == Scale(0, 59, 60)
    assert fit_scale(0, 60, 60) == Scale(0, 60, 60)


@given(st.integers(-(2**62), 2**62), st.integers(0, 2**62), st.integers(38, 300))
def test_columns_are_in_order_and_inside(first: int, span: int, room: int) -> None:
    scale = fit_scale(first, first + span, room)
    middle = scale.find_column(first + span // 2)
    assert scale.find_column(first) == 0 <= middle <= scale.find_column(first + span)
    assert scale.find_column(first + span) == scale.columns - 1 < room


def test_round_numbers() -> None:
    assert axis(0, 1000) == [
        "0        200       400       600       800",
        "+........+.........+.........+.........+.........+",
    ]
    assert axis(-7, 33) == [
        "  -5   0    5    10   15   20   25   30",
        "..+....+....+....+....+....+....+....+...",
    ]
    assert axis(3, 3) == ["3", "+"]


@pytest.mark.parametrize("span", [2, 1000])
def test_an_axis_has_a_label_even_if_no_round_number_fits(span: int) -> None:
    first = 4_611_686_018_427_387_001
    labels, ruler = axis(first, first + span, room=40)
    assert labels == str(first)
    assert ruler.startswith("+.")
    assert "+" not in ruler[1:]


def test_an_axis_of_dates_has_a_label_too() -> None:
    first, last = seconds("2001-02-01T00:00:01"), seconds("2019-01-01T00:00:00")
    assert axis(first, last, "second", 19) == ["2001-02-01T00:00:01", "+.................."]


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (
            "2022-01-03T10:00:00",
            "2022-01-03T10:00:03",
            ["2022-01-03", "10:00:00        10:00:02", "+...............+........"],
        ),
        (
            "2022-01-03T10:00:00",
            "2022-01-03T11:00:00",
            [
                "2022-01-03",
                "10:00   10:10   10:20   10:30   10:40   10:50",
                "+.......+.......+.......+.......+.......+........+",
            ],
        ),
        (
            "2022-01-03T18:00:00",
            "2022-01-04T06:00:00",
            [
                "2022-01-03              2022-01-04",
                "18:00   20:00   22:00   00:00   02:00   04:00",
                "+.......+.......+.......+.......+.......+........+",
            ],
        ),
        (
            "2022-01-01T00:00:00",
            "2022-01-20T00:00:00",
            [
                "     2022-01-03        2022-01-10",
                ".....+.................+.................+........",
            ],
        ),
        (
            "2021-12-15T00:00:00",
            "2022-12-15T00:00:00",
            [
                "  2022-01-01  2022-04-01  2022-07-01  2022-10-01",
                "..+...........+...........+...........+...........",
            ],
        ),
        (
            "1990-05-01T00:00:00",
            "2022-12-15T00:00:00",
            [
                "              2000-01-01     2010-01-01",
                "..............+..............+..............+.....",
            ],
        ),
    ],
)
def test_dates(first: str, last: str, expected: list[str]) -> None:
    assert axis(seconds(first), seconds(last), "second") == expected


def test_labels_do_not_touch() -> None:
    first, last = seconds("2022-01-01T12:00:00"), seconds("2022-01-04T00:00:00")
    assert axis(first, last, "second", 51)[:2] == [
        "2022-01-01                    2022-01-03",
        "12:00     00:00     12:00     00:00     12:00",
    ]


def test_dates_are_as_fine_as_the_unit() -> None:
    assert axis(0, 3, "millisecond")[1] == "00:00:00.000    00:00:00.002"
    assert axis(0, 9, "microsecond")[1] == "00:00:00.000000          00:00:00.000005"
    assert axis(0, 0, "second")[:2] == ["1970-01-01", "00:00:00"]


def test_outside_the_calendar_there_are_numbers() -> None:
    assert axis(2**60, 2**60 + 9, "second") == axis(2**60, 2**60 + 9)
    first = -62_135_596_800
    assert axis(first - 1, 0, "second") == axis(first - 1, 0)
    assert axis(first, 0, "second")[0].split() == ["0500-01-01", "1000-01-01", "1500-01-01"]


@given(
    st.integers(-(2**61), 2**61),
    st.integers(0, 2**61) | st.integers(0, 10**6),
    st.integers(38, 200),
    st.sampled_from((None, "second", "millisecond", "microsecond")),
)
def test_labels_stand_on_ticks_inside_the_room(
    first: int, span: int, room: int, unit: Unit | None
) -> None:
    *labels, ruler = axis(first, first + span, unit, room)
    assert labels
    for line in labels:
        assert len(line) <= room
        starts = [i for i in range(len(line)) if line[i] != " " and (i == 0 or line[i - 1] == " ")]
        assert all(ruler[start] == "+" for start in starts)


def test_marks_follow_the_encoding() -> None:
    assert choose_marks("utf-8") is UNICODE
    for encoding in ("latin-1", "ascii", "cp1252", "unknown", None):
        assert choose_marks(encoding) is ASCII


@pytest.mark.parametrize("marks", [UNICODE, ASCII])
def test_no_two_marks_look_alike(marks: Marks) -> None:
    *drawn, _ = marks
    assert len(set(drawn)) == len(drawn)
    assert all(len(mark) == 1 for mark in drawn)
