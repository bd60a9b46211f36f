"""Columns of anything as numbers and times."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from phenesthe.ais.numbers import read_floats, read_times, read_whole


def column(values: list[Any], kind: Any) -> Any:
    return pa.chunked_array([pa.array(values, kind)])


@pytest.mark.parametrize(
    ("values", "kind", "expected"),
    [
        ([" 1.5", "2", "", "x", None, "1e2"], pa.string(), [1.5, 2.0, None, None, None, 100.0]),
        (["nan", "inf", "-1"], pa.string(), [None, None, -1.0]),
        ([1, None], pa.int32(), [1.0, None]),
        ([1.5, float("nan"), None], pa.float32(), [1.5, None, None]),
        ([Decimal("2.5")], pa.decimal128(5, 1), [2.5]),
        ([b"1"], pa.binary(), [None]),
    ],
)
def test_floats(values: list[Any], kind: Any, expected: list[float | None]) -> None:
    assert read_floats(column(values, kind)).to_pylist() == expected


@pytest.mark.parametrize(
    ("values", "kind", "expected"),
    [
        (["219001559", " 7 ", "-1", "1.5", "A", ""], pa.string(), [219001559, 7, -1, *[None] * 3]),
        (["219001559", " 7 ", "-1"], pa.string(), [219001559, 7, -1]),
        ([7.0, 7.5, None, 1e300], pa.float64(), [7, None, None, None]),
    ],
)
def test_whole_numbers(values: list[Any], kind: Any, expected: list[int | None]) -> None:
    assert read_whole(column(values, kind)).to_pylist() == expected


NEW_YEAR = 1640995200  # 2022-01-01 in UTC


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([NEW_YEAR], pa.int64()),
        ([NEW_YEAR * 1000 + 999], pa.int64()),
        ([NEW_YEAR * 10**9], pa.int64()),
        ([NEW_YEAR + 0.7], pa.float64()),
        ([str(NEW_YEAR)], pa.string()),
        ([f"{NEW_YEAR}.75"], pa.string()),
        (["2022-01-01T00:00:00"], pa.string()),
        (["2022-01-01 00:00:00.250Z"], pa.string()),
        (["2022-01-01T01:00:00+01:00"], pa.string()),
        (["2022-01-01"], pa.string()),
        ([datetime(2022, 1, 1, tzinfo=UTC)], pa.timestamp("us", "UTC")),
        ([datetime(2022, 1, 1)], pa.timestamp("ns")),
        ([date(2022, 1, 1)], pa.date32()),
    ],
)
def test_times(values: list[Any], kind: Any) -> None:
    assert read_times(column(values, kind), days_first=False).to_pylist() == [NEW_YEAR]


def test_unreadable_times_are_null_and_others_are_not() -> None:
    texts = ["2022-01-01T00:00:00", "2022-02-31T00:00:00", "soon", "", None, str(NEW_YEAR)]
    found = read_times(column(texts, pa.string()), days_first=False).to_pylist()
    assert found == [NEW_YEAR, None, None, None, None, NEW_YEAR]


def test_days_first() -> None:
    texts = ["01/01/2022 00:00:00", "31/02/2022 00:00:00", "2022-01-01T00:00:00", "", None]
    found = read_times(column(texts, pa.string()), days_first=True).to_pylist()
    assert found == [NEW_YEAR, None, None, None, None]
