"""Times as integers, timestamps and text."""

from datetime import UTC, datetime, timedelta, timezone

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phenesthe.io.columns import Fit
from phenesthe.io.text import fit_text_times
from phenesthe.io.times import (
    LIMIT,
    TICKS_PER_SECOND,
    format_time,
    format_times,
    read_time,
    scale_dates,
    scale_timestamps,
)
from phenesthe.syntax.tree import Unit

UNITS = st.sampled_from(sorted(TICKS_PER_SECOND))
TICKS = st.integers(-LIMIT + 1, LIMIT - 1) | st.integers(-(10**10), 10**10)


def chunk(values: list[object], target: object) -> object:
    return pa.chunked_array([pa.array(values, target)])


@pytest.mark.parametrize(
    ("text", "second", "millisecond"),
    [
        ("1", 1, 1),
        (" -12 ", -12, -12),
        ("+5", 5, 5),
        ("1970-01-01", 0, 0),
        ("1970-01-01T00", 0, 0),
        ("1970-01-01 00:01", 60, 60_000),
        ("1970-01-01T00:00:01.9999", 1, 1_999),
        ("1970-01-01T00:00:01,5Z", 1, 1_500),
        ("1969-12-31T23:59:59.5", -1, -500),
        ("1969-12-31T23:59:59.9999z", -1, -1),
        ("1970-01-01T00:00:00+01:00", -3_600, -3_600_000),
        ("1970-01-01T00:00:00-0130", 5_400, 5_400_000),
        ("1970-01-01T02:00+02", 0, 0),
        ("2000-02-29", 951_782_400, 951_782_400_000),
        ("2022-01-03T00:00:00", 1_641_168_000, 1_641_168_000_000),
        ("-000001-03-01", -62_193_657_600, -62_193_657_600_000),
        ("+010000-01-01", 253_402_300_800, 253_402_300_800_000),
    ],
)
def test_text_is_read_in_the_unit_and_rounded_down(
    text: str, second: int, millisecond: int
) -> None:
    assert read_time(text, "second") == second
    assert read_time(text, "millisecond") == millisecond
    assert fit_text_times(chunk([text], pa.string()), "second").values.to_pylist() == [second]


@pytest.mark.parametrize(
    "text",
    ["", "x", "1.5", "2022-13-01", "2022-02-29", "1900-02-29", "2022-01-00", "2022-01-03T24:00",
     "2022-01-03T23:60", "2022-01-03T23:59:60", "2022-01-03T00:00+24:00", "2022-01-03T00:00+01:60",
     "31/12/2015 23:59:59", "2022-01-03Z", "2022-01-03T00:00:01.", "٣"],
)  # fmt: skip
def test_other_text_is_no_time(text: str) -> None:
    with pytest.raises(ValueError, match=r"neither|calendar"):
        read_time(text, "second")
    assert fit_text_times(chunk([text], pa.string()), "second").problems is not None


@given(TICKS, UNITS)
def test_every_time_has_a_text_that_is_read_back(ticks: int, unit: Unit) -> None:
    text = format_time(ticks, unit)
    assert read_time(text, unit) == ticks
    assert format_times(chunk([ticks, None], pa.int64()), unit).to_pylist() == [text, None]


@given(st.datetimes(timezones=st.just(UTC)))
def test_text_agrees_with_the_calendar_of_python(moment: datetime) -> None:
    microseconds = (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    assert read_time(moment.isoformat(), "microsecond") == microseconds
    assert read_time(moment.isoformat(), "second") == microseconds // 1_000_000
    assert datetime.fromisoformat(format_time(microseconds, "microsecond")) == moment


def test_text_has_the_digits_of_the_unit() -> None:
    assert format_time(1_641_168_000, "second") == "2022-01-03T00:00:00Z"
    assert format_time(-1, "millisecond") == "1969-12-31T23:59:59.999Z"
    assert format_time(5, "microsecond") == "1970-01-01T00:00:00.000005Z"
    assert format_time(-62_198_755_200, "second") == "-000001-01-01T00:00:00Z"


ZONES = st.sampled_from(["", "Z", "+01:00", "-0930", "+02"])


@given(
    st.lists(st.tuples(st.datetimes(), ZONES).map(lambda one: one[0].isoformat() + one[1])),
    UNITS,
)
def test_columns_and_single_texts_are_read_alike(texts: list[str], unit: Unit) -> None:
    expected = [read_time(text, unit) for text in texts]
    assert fit_text_times(chunk([*texts, None], pa.string()), unit) == FitLike([*expected, None])
    mixed = [*texts, "12", " 2022-01-03 "]
    found = fit_text_times(chunk([*mixed], pa.string()), unit)
    assert found == FitLike([*expected, 12, read_time("2022-01-03", unit)])


class FitLike:
    """Equal to a column without problems that has these values."""

    def __init__(self, values: list[int | None]) -> None:
        self.values = values

    def __eq__(self, other: object) -> bool:
        assert isinstance(other, Fit)
        return other.problems is None and other.values.to_pylist() == self.values

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Paris"])
def test_timestamps_of_any_resolution_are_rounded_down(zone: str | None) -> None:
    for unit, per_second in {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}.items():
        column = chunk([-per_second, -1, 0, None, per_second], pa.timestamp(unit, zone))
        ticks, far = scale_timestamps(column, "second")
        assert ticks.to_pylist() == [-1, -1, 0, None, 1]
        assert far is None
    ticks, far = scale_timestamps(chunk([-1, 2**60], pa.timestamp("s", zone)), "microsecond")
    assert ticks.to_pylist() == [-1_000_000, 0]
    assert far is not None
    assert far.tolist() == [False, True]


def test_dates_begin_at_midnight() -> None:
    assert scale_dates(chunk([-1, 0, 1], pa.date32()), "second")[0].to_pylist() == [
        -86_400,
        0,
        86_400,
    ]
    day = chunk([86_400_000], pa.date64())
    assert scale_dates(day, "millisecond")[0].to_pylist() == [86_400_000]
    assert scale_dates(day, "second")[0].to_pylist() == [86_400]


def test_zone_of_a_text_counts() -> None:
    moment = datetime(2022, 1, 3, 12, tzinfo=timezone(timedelta(hours=-5)))
    assert read_time(moment.isoformat(), "second") == int(moment.timestamp())
