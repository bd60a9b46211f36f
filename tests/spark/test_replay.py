"""A replay on Spark tells what the local engine tells, query by query."""

from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

import phenesthe
from phenesthe.engines.spark.replay_worker import Emit
from phenesthe.plan.stages import find_stages
from tests.equivalence.late import make_windowed
from tests.equivalence.plans import make_case
from tests.spark.compare_stored import compare_replay
from tests.spark.replays import (
    ReplayCase,
    count_rows,
    make_replay,
    show_difference,
    tell_locally,
    tell_on_spark,
)

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
HOUR = 3600
EMITS: tuple[Emit, ...] = ("changes", "final", "snapshots")
PARTITIONS = (2, 7, 1)
CASES = 12
#: Of those that `python -m tests.soak --only spark-replays` runs.
STORED = (1, 17, 19, 24, 30, 39)


def check_same(
    spark: SparkSession, replayed: ReplayCase, emit: Emit, partitions: int
) -> tuple[int, int]:
    expected, set_aside = tell_locally(replayed, emit)
    found, set_aside_there = tell_on_spark(spark, replayed, emit, partitions)
    assert found == expected, show_difference(expected, found)
    assert set_aside_there == set_aside
    return count_rows(expected), len(set_aside)


@pytest.mark.parametrize(("emit", "partitions"), list(zip(EMITS, PARTITIONS, strict=True)))
def test_golden_streams(spark: SparkSession, emit: Emit, partitions: int) -> None:
    program = phenesthe.compile(GOLDEN / "maritime.phe").checked
    given = {
        one.name: pq.read_table(GOLDEN / "m1k" / f"{one.name}.parquet")
        for one in (*program.inputs, *program.facts)
    }
    replayed = ReplayCase(program=program, given=given, window=8 * HOUR, step=2 * HOUR)
    told, _ = check_same(spark, replayed, emit, partitions)
    assert told > 100


def test_random_replays(spark: SparkSession) -> None:
    """Programs that are cut in every way, over streams that come late and are corrected."""
    told = refused = 0
    for number in range(CASES):
        plain, program = make_case(number)
        case = make_windowed(plain.text, program, plain.stream, Random(f"replay {number}"))
        replayed = make_replay(case, program)
        if replayed.plan(replayed.read()) is None:
            continue
        emit, partitions = EMITS[number % 3], PARTITIONS[number // 3 % 3]
        counts = check_same(spark, replayed, emit, partitions)
        told, refused = told + counts[0], refused + counts[1]
    assert told > 100
    assert refused > 3


@pytest.mark.parametrize("number", STORED)
def test_stored_rows(spark: SparkSession, number: int) -> None:
    """Parquet, CSV and lines, with rows that are too late, or without any."""
    seen = compare_replay(spark, number)
    assert seen.failure is None, seen.failure
    assert seen.told
    assert seen.too_late or "quiet" in seen.shapes


TEXT = """
input event go(x: str, speed: float);
input state lit(x: str);
input event tick(x: str);
state runs(X) : go(X, S) and S > 0.5 ~> go(X, Z) and Z <= 0.5;
dynamic runs_lit(X) : runs(X) contains lit(X);
event pulse(X) : tick(X) in runs(X);
"""
GO = [("a", 1.0, 3, 3, "insert"), ("a", 0.1, 20, 20, "insert"), ("b", 2.0, 7, 9, "insert"),
      ("b", 2.0, 7, 11, "retract"), ("b", 2.0, 7, 12, "retract"), ("c", 1.0, 5, 17, "insert"),
      ("d", 1.0, 1, 1, "insert")]  # fmt: skip


@pytest.mark.parametrize("start", [None, 2])
def test_rows_that_are_refused(spark: SparkSession, start: int | None) -> None:
    """Too late, before the start, of nothing: of inputs that are judged in workers and by Spark."""
    program = phenesthe.compile(text=TEXT).checked
    columns = zip(*GO, strict=True)
    go = dict(zip(("x", "speed", "t", "arrival", "op"), map(list, columns), strict=True))
    lit = {"x": ["a", "a"], "ts": [2, 5], "te": [4, 9]}
    tick = {"x": ["a"] * 9, "t": list(range(1, 10))}
    given = {name: pa.table(rows) for name, rows in (("go", go), ("lit", lit), ("tick", tick))}
    replayed = ReplayCase(program=program, given=given, window=8, step=4, start=start)
    for emit in EMITS:
        told, refused = check_same(spark, replayed, emit, 2)
        assert told > 5
        assert refused == (2 if start is None else 6)


def test_everything_is_taken_back(spark: SparkSession) -> None:
    """Then there is no timeline, as in a batch run."""
    text = "input event e(x: int); fact member(x: int);"
    text += "state quiet(X) : (member(X) and not e(X)) ~> e(X);"
    program = phenesthe.compile(text=text).checked
    e = {"x": [1, 1], "t": [5, 5], "arrival": [9, 13], "op": ["insert", "retract"]}
    given = {"e": pa.table(e), "member": pa.table({"x": [1, 2]})}
    replayed = ReplayCase(program=program, given=given, window=20, step=3, until=20)
    assert check_same(spark, replayed, "changes", 2) == (0, 0)
    assert phenesthe.compile(text=text).run({**given, "e": []}, until=20)["quiet"].num_rows == 0


def test_nothing_is_given(spark: SparkSession) -> None:
    program = phenesthe.compile(text=TEXT).checked
    assert check_same(
        spark, ReplayCase(program=program, given={}, window=9, step=9, until=9), "final", 3
    ) == (0, 0)


def test_stages_know_how_far_back_others_may_change(spark: SparkSession) -> None:
    """What will begin long ago, of a binding whose key is not known yet: all partitions wait."""
    program = phenesthe.compile(
        text="input state busy(v: int); input event calls(v: int, w: int);"
        "input event seen(w: int);"
        "dynamic far(V, W) : busy(V) before calls(V, W);"
        "dynamic found(W) : seen(W) starts far(_, W);"
    ).checked
    assert len(find_stages(program)) == 2
    others = range(2, 12)
    given = {
        "busy": pa.table({"v": [1], "ts": [1], "te": [3]}),
        "calls": pa.table({"v": [1 for _ in others], "w": [*others], "t": [50 for _ in others]}),
        "seen": pa.table({"w": [*others], "t": [1 for _ in others]}),
    }
    replayed = ReplayCase(program=program, given=given, window=5, step=5)
    assert check_same(spark, replayed, "final", 7) == (2 * len(others), 0)
