"""Values, and where timelines begin, as the local engine has them."""

import itertools
import math
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

import phenesthe
from phenesthe.engines.spark.results import SparkResults
from tests.spark.replays import ReplayCase, tell_locally, tell_on_spark
from tests.unit import test_constants
from tests.unit.io.samples import list_rows


def run(spark: SparkSession, program: phenesthe.Program, rows: dict[str, Any]) -> dict[str, Any]:
    frames = {name: spark.createDataFrame(table) for name, table in rows.items()}
    result = program.run(frames, partitions=2)
    assert isinstance(result, SparkResults)
    try:
        return {name: list_rows(table) for name, table in result.to_arrow().items()}
    finally:
        result.release()


def test_the_constant_minus_zero_is_zero(spark: SparkSession) -> None:
    program = phenesthe.compile(text=test_constants.CONSTANTS)
    expected = [("x", 1), ("y", 2)]
    assert run(spark, program, test_constants.ZEROS) == dict.fromkeys(("d", "c", "k"), expected)
    replayed = ReplayCase(program=program.checked, given=test_constants.ZEROS, window=2, step=1)
    told, _ = tell_on_spark(spark, replayed, "final", 2)
    assert told == tell_locally(replayed, "final")[0]
    assert sum(map(len, told.values())) == 6


@pytest.mark.parametrize("wanted", [-0.0, math.nan, math.inf, 5e-324])
def test_a_parameter_joins_as_a_row_does(spark: SparkSession, wanted: float) -> None:
    """All of them at once, so that each row is one of many."""
    values = list(itertools.chain.from_iterable(test_constants.ROWS.values()))
    texts = [f"s{at}" for at in range(len(values))]
    rows = {
        "e": pa.table({"s": texts, "f": values, "t": range(len(values))}),
        "w": pa.table(
            {"s": texts, "f": values, "ts": range(len(values)), "te": [99] * len(values)}
        ),
        "k": pa.table({"s": texts, "f": values}),
    }
    program = phenesthe.compile(text=test_constants.TEXT, params={"wanted": wanted})
    local = program.run(rows)
    expected = {name: list_rows(local[name]) for name in local}
    assert len(expected["by_event"]) == len(expected["by_fact"]) == 2
    assert run(spark, program, rows) == expected


def test_what_is_too_large_for_a_float_is_undefined(spark: SparkSession) -> None:
    product = " * ".join(["X"] * 17)
    text = f"input event g(a: int);\nevent d(X) : g(X) and {product} / 2 > 1;\n"
    text += f"event n(X) : g(X) and not ({product} / 2 > 1);\n"
    rows = {"g": pa.table({"a": [2**63 - 1, 3], "t": [1, 1]})}
    found = run(spark, phenesthe.compile(text=text), rows)
    assert found == {"d": [(3, 1)], "n": [(2**63 - 1, 1)]}


def test_a_row_that_is_too_late_begins_the_timeline_of_a_replay(spark: SparkSession) -> None:
    text = "input event e(x: int);\nfact k(x: int);\nstate idle(X) : k(X) and not e(X) ~> e(X);\n"
    e = {"x": [9, 9, 9], "t": [100, 103, 0], "arrival": [None, None, 103]}
    replayed = ReplayCase(
        program=phenesthe.compile(text=text).checked,
        given={"e": pa.table(e), "k": pa.table({"x": [1]})},
        window=5,
        step=5,
    )
    told, rejects = tell_on_spark(spark, replayed, "final", 2)
    assert (told, rejects) == tell_locally(replayed, "final")
    assert [row for rows in told.values() for row in rows] == [((1,), 0, None)]
    assert len(rejects) == 1
