"""What the local engine reads, and what Spark reads, side by side."""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from phenesthe import io
from phenesthe.check.program import CheckedProgram
from phenesthe.engines.spark import reading
from phenesthe.engines.spark.reading import here
from phenesthe.io import Loaded, Rejects
from phenesthe.io.retract import close_held

#: How much the driver reads itself: everything small, or nothing.
WAYS = {"driver": here.SMALL, "workers": -1}


def list_table(table: Any) -> Counter[str]:
    """The rows as a bag; NaN is like NaN."""
    rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
    return Counter(map(repr, rows)) if table.num_columns else Counter({"()": table.num_rows})


def list_frame(frame: DataFrame) -> Counter[str]:
    if not frame.columns:
        return Counter({"()": frame.count()})
    table = frame.toArrow()
    return list_table(close_held(table) if table.column_names[-1] == "te" else table)


def list_rejects(rejects: Rejects) -> Counter[str]:
    return Counter(json.dumps(json.loads(line), sort_keys=True) for line in rejects.read_lines())


def check_same(loaded: Loaded, inputs: reading.Inputs) -> None:
    """Tables and rejects as bags, counts of both, times and warnings."""
    expected = {**loaded.tables, **loaded.facts}
    found = {**inputs.frames, **inputs.facts}
    assert list(found) == list(expected)
    for name, frame in found.items():
        assert frame.columns == expected[name].column_names, name
        assert list_frame(frame) == list_table(expected[name]), name
        assert frame.count() == inputs.counts[name], name
    assert list_rejects(inputs.rejects) == list_rejects(loaded.rejects)
    assert inputs.rejects.counts == loaded.rejects.counts
    assert (inputs.first, inputs.last) == (loaded.first, loaded.last)
    assert inputs.warnings == loaded.warnings


def read_both(
    spark: SparkSession, program: CheckedProgram, path: Path, **options: Any
) -> tuple[Loaded, reading.Inputs]:
    """Read by both, found the same, and given back to look at."""
    loaded = io.read_input(program, path, **options)
    inputs = reading.read_input(spark, program, path, **options)
    try:
        check_same(loaded, inputs)
    finally:
        inputs.release()
    return loaded, inputs


def read_both_given(
    spark: SparkSession,
    program: CheckedProgram,
    local: Mapping[str, Any],
    given: Mapping[str, Any],
    **options: Any,
) -> tuple[Loaded, reading.Inputs]:
    loaded = io.read_given(program, local, **options)
    inputs = reading.read_given(spark, program, given, **options)
    try:
        check_same(loaded, inputs)
    finally:
        inputs.release()
    return loaded, inputs


def make_table(**columns: Any) -> pa.Table:
    return pa.table(columns)
