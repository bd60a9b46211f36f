"""Types that Spark converts by itself: only where it does as the local engine does."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sf

from phenesthe.engines.spark.reading.conversions import (
    Held,
    Made,
    find_held,
    is_tick,
    join_conditions,
    make_argument,
    make_time,
)
from phenesthe.engines.spark.reading.footers import read_footers
from phenesthe.engines.spark.reading.scans import read_parquet
from phenesthe.io.columns import Fit
from phenesthe.io.typed import fit_typed, fit_typed_times
from phenesthe.syntax.tree import Unit
from tests.spark.columns import COLUMNS, pad

TYPES: tuple[Any, ...] = ("int", "float", "str", "bool")
UNITS: tuple[Unit, ...] = ("second", "millisecond", "microsecond")
COUNT = 12
#: Of Spark's own types, without what it cannot read.
FOREIGN = ("duration", "float16", "decimal256", "time", "ns", "ns_zone", "ms", "ms_zone")
#: Whole numbers that are written as floats beyond 2⁵³ are left to the local engine.
LARGE = {
    f"{name} as {what}"
    for name in ("float32", "float64")
    for what in ("int", *(f"a time in {unit}s" for unit in UNITS))
}


@pytest.fixture(scope="module")
def table() -> pa.Table:
    return pa.table({name: pad(column, COUNT) for name, column in COLUMNS.items()})


def list_cases(
    held: dict[str, tuple[Column, Held]], table: pa.Table
) -> Iterator[tuple[str, Made, Fit]]:
    """Every conversion that Spark is trusted with, and what the local engine makes of it."""
    for name, (column, form) in held.items():
        for declared in TYPES:
            made = make_argument(column, form, declared)
            if made is not None:
                yield f"{name} as {declared}", made, fit_typed(table[name], declared)
        for unit in UNITS:
            made = make_time(column, form, unit)
            if made is not None:
                near = Made(made.value, [*made.conditions, *is_tick(made.value)])
                yield f"{name} as a time in {unit}s", near, fit_typed_times(table[name], unit)


def check_cases(frame: DataFrame, cases: list[tuple[str, Made, Fit]]) -> set[str]:
    """Where Spark is sure of a row, it fits, with the same value. Gives where else one fits."""
    columns: list[Column] = []
    for at, (_, made, _) in enumerate(cases):
        conditions = join_conditions([made.value.isNotNull(), *made.conditions])
        is_sure = sf.coalesce(conditions, sf.lit(False))
        columns += [sf.when(is_sure, made.value).alias(f"v{at}"), is_sure.alias(f"s{at}")]
    found = frame.select(*columns).toArrow()
    missed = set()
    for at, (name, _, fit) in enumerate(cases):
        values, expected = found[f"v{at}"].to_pylist(), fit.values.to_pylist()
        for row, is_sure in enumerate(found[f"s{at}"].to_pylist()):
            fits = expected[row] is not None and (fit.problems is None or not fit.problems[row])
            if is_sure:
                assert fits, (name, row)
                assert repr(values[row]) == repr(expected[row]), (name, row)
            elif fits:
                missed.add(name)
    return missed


def test_columns_of_files(spark: SparkSession, tmp_path: Path, table: pa.Table) -> None:
    path = tmp_path / "all.parquet"
    pq.write_table(table, path)
    (footer,) = read_footers([path], table.column_names)
    stored = {name: one for name, one in footer.stored.items() if one is not None}
    assert set(table.column_names) - set(stored) == {"float16", "decimal256", "list"}
    scan = read_parquet(spark, [f"file://{path}"], {name: one.sql for name, one in stored.items()})
    held = {name: (sf.col(f"c{at}"), one.held) for at, (name, one) in enumerate(stored.items())}
    cases = list(list_cases(held, table))
    assert len(cases) == 78
    assert check_cases(scan.bare, cases) == LARGE


def test_columns_of_frames(spark: SparkSession, tmp_path: Path, table: pa.Table) -> None:
    path = tmp_path / "all.parquet"
    pq.write_table(table.drop_columns(list(FOREIGN)), path)
    frame = spark.read.parquet(f"file://{path}")
    held = {one.name: (sf.col(one.name), find_held(one.dataType)) for one in frame.schema}
    zone = spark.conf.get("spark.sql.session.timeZone", "UTC")
    assert zone is not None
    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    try:
        assert check_cases(frame, list(list_cases(held, table))) == LARGE
    finally:
        spark.conf.set("spark.sql.session.timeZone", zone)
