"""Spark finds what the local engine finds, row for row, however many partitions there are."""

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import phenesthe
from phenesthe.engines.spark.results import SparkResults
from tests.equivalence.compare import describe, find_difference, find_local, read_table
from tests.equivalence.on_spark import find_on_spark
from tests.equivalence.overrides import compile_with
from tests.equivalence.plans import make_case
from tests.spark.compare_stored import compare_run

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
CASES = 6
PARTITIONS = (1, 2, 7)
#: Of those that `python -m tests.soak --only spark` runs: without rows, and with zeros of both
#: signs, in every form.
STORED = (1, 7, 9, 11, 13, 15, 17)


def test_random_programs(spark: SparkSession) -> None:
    filled = 0
    for number in range(CASES):
        case, checked = make_case(number)
        expected = find_local(checked, case.stream)
        filled += sum(map(bool, expected.values()))
        program = compile_with(case.text, case.stream.params)
        for partitions in PARTITIONS:
            found = find_on_spark(spark, program, case.stream, partitions)
            difference = find_difference(expected, found)
            assert difference is None, (
                f"case {number}, {partitions} partitions\n{describe(case, difference)}"
            )
    assert filled > CASES


@pytest.mark.parametrize("number", STORED)
def test_stored_rows(spark: SparkSession, number: int) -> None:
    seen = compare_run(spark, number, (PARTITIONS[number % 3],))
    assert seen.failure is None, seen.failure
    assert seen.filled


@pytest.mark.parametrize("size", ["m1k", "m10k"])
@pytest.mark.parametrize("partitions", PARTITIONS)
def test_golden_results(spark: SparkSession, size: str, partitions: int) -> None:
    program = phenesthe.compile(GOLDEN / "maritime.phe")
    given = {
        one.name: spark.read.parquet(str(GOLDEN / size / f"{one.name}.parquet"))
        for one in (*program.checked.inputs, *program.checked.facts)
    }
    results = program.run(given, partitions=partitions)
    assert isinstance(results, SparkResults)
    expected: dict[str, set[object]] = {name: set() for name in results}
    for line in (GOLDEN / size / "expected.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        times = (row["t"],) if row["kind"] == "event" else (row["ts"], row["te"])
        expected[row["name"]].add((tuple(row["args"]), *times))
    found = results.to_arrow()
    results.release()
    assert {name: read_table(table) for name, table in found.items()} == expected


def test_one_key_with_nearly_all_rows(spark: SparkSession) -> None:
    program = phenesthe.compile(
        text="input event seen(v: int); input event gone(v: int);"
        "state here(V) : seen(V) ~> gone(V);"
        "state busy(V, W) : here(V) intersection (seen(V) and pair(V, W) ~> gone(W));"
        "fact pair(v: int, w: int);"
    )
    rows = [(1, at) for at in range(0, 4000, 2)] + [(v, v) for v in range(2, 40)]
    seen = spark.createDataFrame(rows, "v bigint, t bigint")
    gone = spark.createDataFrame([(v, at + 1) for v, at in rows], "v bigint, t bigint")
    pairs = spark.createDataFrame([(1, v) for v in range(2, 40)], "v bigint, w bigint")
    given = {"seen": seen, "gone": gone, "pair": pairs}
    expected = program.run({name: frame.toArrow() for name, frame in given.items()})
    found = program.run(given, partitions=7)
    assert isinstance(found, SparkResults)
    for name, table in found.to_arrow().items():
        assert read_table(table) == read_table(expected[name])
        assert table.num_rows > 30
    found.release()
