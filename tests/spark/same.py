"""What the local engine reads, and what Spark reads, side by side."""

import json
from collections import Counter
from collections.abc import Mapping
from functools import reduce
from os import PathLike
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from phenesthe import io
from phenesthe.check.program import CheckedProgram
from phenesthe.engines.spark import reading
from phenesthe.engines.spark.exchange import lay
from phenesthe.engines.spark.layout import lay_out
from phenesthe.io import Loaded, Rejects
from phenesthe.io.retract import close_held


def collect(program: CheckedProgram, inputs: reading.Inputs) -> dict[str, pa.Table]:
    """All frames in one job. One without columns is a table of rows that are nothing."""
    frames = {**inputs.frames, **inputs.facts}
    signatures = [one for one in (*program.inputs, *program.facts) if frames[one.name].columns]
    layout = lay_out(
        [(one, [a for a in one.arguments if a in frames[one.name].columns]) for one in signatures]
    )
    laid = [
        lay(frames[one.name], table, layout)
        for one, table in zip(signatures, layout.tables, strict=True)
    ]
    together = reduce(DataFrame.unionAll, laid).toArrow()
    names = [one.name for one in signatures]
    found = dict(zip(names, layout.split(together.to_batches()), strict=True))
    for name, frame in frames.items():
        if name not in found:
            found[name] = pa.table({"nothing": pa.nulls(frame.count())}).select([])
    return {name: found[name] for name in frames}


def bag_rows(table: Any) -> Counter[str]:
    """NaN is like NaN."""
    if not table.num_columns:
        return Counter({"()": table.num_rows})
    return Counter(map(repr, zip(*(one.to_pylist() for one in table.columns), strict=True)))


def bag_rejects(rejects: Rejects) -> Counter[str]:
    return Counter(json.dumps(json.loads(line), sort_keys=True) for line in rejects.read_lines())


def check_same(program: CheckedProgram, loaded: Loaded, inputs: reading.Inputs) -> None:
    """Tables and rejects as bags, counts of both, times and warnings."""
    assert list(inputs.frames) == list(loaded.tables)
    assert list(inputs.facts) == list(loaded.facts)
    for name, table in collect(program, inputs).items():
        expected = loaded.tables[name] if name in loaded.tables else loaded.facts[name]
        assert table.schema == expected.schema, name
        assert table.num_rows == inputs.counts[name], name
        held = table.column_names[-1:] == ["te"]
        assert bag_rows(close_held(table) if held else table) == bag_rows(expected), name
    assert bag_rejects(inputs.rejects) == bag_rejects(loaded.rejects)
    assert inputs.rejects.counts == loaded.rejects.counts
    assert (inputs.first, inputs.last) == (loaded.first, loaded.last)
    assert inputs.warnings == loaded.warnings


def read_both(
    spark: SparkSession, program: CheckedProgram, path: str | PathLike[str], **options: Any
) -> reading.Inputs:
    """Read by both engines, and found the same."""
    inputs = reading.read_input(spark, program, path, **options)
    try:
        check_same(program, io.read_input(program, path, **options), inputs)
    finally:
        inputs.release()
    return inputs


def read_both_given(
    spark: SparkSession,
    program: CheckedProgram,
    local: Mapping[str, Any],
    given: Mapping[str, Any],
    **options: Any,
) -> reading.Inputs:
    inputs = reading.read_given(spark, program, given, **options)
    try:
        check_same(program, io.read_given(program, local, **options), inputs)
    finally:
        inputs.release()
    return inputs
