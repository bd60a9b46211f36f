"""Arguments called as columns of ours are, on Spark."""

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import phenesthe
from phenesthe.check.program import CheckedProgram
from phenesthe.engines.spark import reading
from phenesthe.engines.spark.case_sensitivity import refuse_folded
from phenesthe.engines.spark.reading import small_files
from phenesthe.engines.spark.reading.bring_to_driver import bring_to_driver
from phenesthe.engines.spark.replay import replay_spark
from phenesthe.engines.spark.replay_columns import FOUND_COLUMNS
from phenesthe.engines.spark.run import run_spark
from phenesthe.io.errors import DataError
from phenesthe.memory import Memory
from phenesthe.memory.replay import begin_timeline, make_schedule, replay
from tests import column_names
from tests.unit.io.samples import list_rows

#: One of each kind, and one that joins with a fact.
ONLY = ("both", "d_out", "lasts", "begins")
NAMED = phenesthe.compile(text=column_names.write_program(plain=False)).checked


@pytest.fixture(scope="module")
def expected() -> dict[str, list[tuple[Any, ...]]]:
    """What the local engine finds under plain names."""
    program = phenesthe.compile(text=column_names.write_program(plain=True))
    result = program.run(column_names.make_tables(plain=True), only=ONLY)
    found = {name: list_rows(result[name]) for name in ONLY}
    assert all(found.values())
    return found


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files are read by workers, as large ones are."""
    monkeypatch.setattr(small_files, "SMALL", -1)


@pytest.mark.usefixtures("workers")
@pytest.mark.parametrize("form", ["one file", "parquet"])
def test_every_name_in_every_form(
    spark: SparkSession, tmp_path: Path, form: str, expected: dict[str, Any]
) -> None:
    place = column_names.write_rows(tmp_path / "in", form, plain=False)
    inputs = reading.read_input(spark, NAMED, place)
    found = run_spark(spark, NAMED, inputs, only=ONLY, partitions=2, together=True)
    try:
        assert not inputs.rejects
        assert {name: list_rows(one) for name, one in found.collect().items()} == expected
    finally:
        found.release()
        inputs.release()


@pytest.mark.usefixtures("workers")
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_every_name_in_a_replay(
    spark: SparkSession, tmp_path: Path, form: str, expected: dict[str, Any]
) -> None:
    place = column_names.write_rows(tmp_path / "in", form, plain=False)
    stream = reading.read_stream(spark, NAMED, place)
    schedule = make_schedule(step=3, begin=stream.begin, last=stream.last, start=None, until=None)
    assert schedule is not None
    found = replay_spark(
        spark, NAMED, stream, schedule=schedule, window=9, only=ONLY, partitions=2
    )  # fmt: skip
    try:
        tables, _ = found.collect()
        told = {name: list_rows(one.drop_columns([*FOUND_COLUMNS])) for name, one in tables.items()}
        assert told == expected
        assert play_brought(NAMED, stream) == expected
    finally:
        found.release()
        stream.release()


def play_brought(program: CheckedProgram, inputs: reading.StreamInputs) -> dict[str, Any]:
    """Brought to the memory of a `--state`."""
    stream = bring_to_driver(program, inputs)
    schedule = make_schedule(step=3, begin=stream.begin, last=stream.last, start=None, until=None)
    assert schedule is not None
    first = begin_timeline(stream.first, None)
    memory = Memory(program, stream.facts, window=90, only=ONLY, first=first)
    for turn in replay(memory, schedule, stream.feeds):
        assert not turn.refusals
    return {name: list_rows(one) for name, one in memory.current().items()}


TEXT = """\
input event e(tS: int, ts: int);
fact one(x: int);
event d(T, TS) : e(T, TS);
event late(T) : d(T, TS) and TS > 7;
state s(TS, Te, X) : e(Te, X) and one(TS) ~> e(_, Te);
"""


def test_a_variable_differs_from_a_time_in_case_only(spark: SparkSession) -> None:
    """Other people's sessions take `T` for `t`, unless they say otherwise."""
    program = phenesthe.compile(text=TEXT)
    rows = spark.createDataFrame([(7, 8, 1), (9, 7, 4)], "tS bigint, ts bigint, t bigint")
    one = spark.createDataFrame([(1,)], "x bigint")
    before = spark.conf.get("spark.sql.caseSensitive")
    spark.conf.set("spark.sql.caseSensitive", "false")
    try:
        result = program.run({"e": rows, "one": one}, partitions=2)
        assert sorted(map(tuple, result["d"].collect())) == [(7, 8, 1), (9, 7, 4)]
        assert sorted(map(tuple, result["late"].collect())) == [(7, 1)]
        found = sorted(map(tuple, result["s"].collect()))
        assert found == [(1, 7, 8, 1, 4), (1, 9, 7, 4, None)]
        assert result["s"].columns == ["TS", "Te", "X", "ts", "te"]
        assert spark.conf.get("spark.sql.caseSensitive") == "false"
    finally:
        spark.conf.set("spark.sql.caseSensitive", before or "true")


def test_names_that_spark_connect_would_take_for_one_are_refused() -> None:
    with pytest.raises(DataError, match="`tS` and `ts` of `e` differ in case only"):
        refuse_folded(phenesthe.compile(text=TEXT).checked)
    refuse_folded(phenesthe.compile(text="input event e(x: int);\nevent d(X) : e(X);\n").checked)
