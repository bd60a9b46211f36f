"""Columns as files have them, with whatever can be wrong in them."""

from decimal import Decimal
from typing import Any

import pyarrow as pa

FAR = 2**62
LONGS = [-(2**63), -FAR, 1 - FAR, -1_500_000_001, -1, 0, 1, None, 1_500_000_001, FAR - 1, FAR]
REALS = [None, 0.0, -0.0, 1.0, -3.0, 1.5, float("nan"), float("inf"), 2.0**53, 2.0**60, 2.0**63]
TEXTS = ["7", " 8 ", "x", None, "", "1970-01-01T00:00:07.5", "1969-12-31 23:59:59.5+01:00", "Z"]

COLUMNS: dict[str, Any] = {
    "int8": pa.array([1, None, -3], pa.int8()),
    "int16": pa.array([1, None, -3], pa.int16()),
    "int32": pa.array([1, None, -3], pa.int32()),
    "int64": pa.array(LONGS, pa.int64()),
    "uint8": pa.array([1, None, 2**8 - 1], pa.uint8()),
    "uint16": pa.array([1, None, 2**16 - 1], pa.uint16()),
    "uint32": pa.array([1, None, 2**32 - 1], pa.uint32()),
    "uint64": pa.array([1, None, 2**64 - 1], pa.uint64()),
    "float16": pa.array([1.0, None, 1.5], pa.float16()),
    "float32": pa.array(REALS, pa.float32()),
    "float64": pa.array(REALS, pa.float64()),
    "decimal128": pa.array([Decimal("1.00"), Decimal("1.50"), None], pa.decimal128(10, 2)),
    "decimal256": pa.array([Decimal(1), None], pa.decimal256(60, 2)),
    "bool": pa.array([True, None, False]),
    "string": pa.array(TEXTS),
    "large_string": pa.array(TEXTS, pa.large_string()),
    "dictionary": pa.array(TEXTS).dictionary_encode(),
    "broken": pa.array([b"a", None, b"\xff", b"7"], pa.binary()).view(pa.string()),
    "binary": pa.array([b"7", None, b"\xff"], pa.binary()),
    "fixed": pa.array([b"7", None, b"\xff"], pa.binary(1)),
    "null": pa.nulls(2),
    "list": pa.array([[1], None]),
    "date": pa.array([-1, 0, None, 2**30], pa.date32()),
    "duration": pa.array([1, None], pa.duration("s")),
    "time": pa.array([1, None], pa.time64("us")),
    **{
        f"{unit}{'_zone' if zone else ''}": pa.array(LONGS, pa.timestamp(unit, zone))
        for unit in ("ms", "us", "ns")
        for zone in (None, "Europe/Paris")
    },
}


def pad(column: Any, count: int) -> Any:
    """The column with nulls at its end."""
    return pa.concat_arrays([column, pa.nulls(count - len(column), column.type)])
