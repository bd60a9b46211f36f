"""Stages that use the one before twice, many times over: their plans stay small."""

from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
from pyspark.sql import DataFrame, SparkSession

import phenesthe
from phenesthe.engines.spark import lineage
from phenesthe.engines.spark.reading import read_given
from phenesthe.engines.spark.replay import Replayed
from phenesthe.engines.spark.run import run_spark
from phenesthe.plan.stages import find_stages
from tests.equivalence.compare import read_table
from tests.equivalence.shapes import SHAPES, STEP, WINDOW, find_at_once, make_rows
from tests.spark.replays import ReplayCase, show_difference, tell_locally, tell_on_spark

DEPTH = 5
#: Each doubling is a stage of its own.
TEXTS = {one.name: one.write(DEPTH) for one in SHAPES if one.name in ("swap", "wildcard")}
#: Small, so that few doublings are enough to need several cuts.
MOST = 4


@pytest.fixture(autouse=True)
def small_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lineage, "MOST_LEAVES", MOST)


def count_leaves(frame: DataFrame) -> int:
    return int(frame._jdf.queryExecution().analyzed().collectLeaves().size())


@pytest.mark.parametrize("name", TEXTS)
def test_a_run(spark: SparkSession, name: str) -> None:
    text, rows = TEXTS[name], make_rows()
    program = phenesthe.compile(text=text).checked
    assert len(find_stages(program)) == DEPTH + 1
    given = {"p": spark.createDataFrame(rows["p"].drop_columns(["arrival"]))}
    found = run_spark(spark, program, read_given(spark, program, given), partitions=2)
    try:
        leaves = [count_leaves(stage.frame) for stage in found.stages]
        # Two tables of a plan that was just not cut, and the row that wakes each stage.
        assert max(leaves) <= 4 * MOST, leaves
        expected = find_at_once(text, rows)
        for one in (f"s{DEPTH}", f"s{DEPTH - 3}"):
            assert read_table(found.frames[one].toArrow()) == expected[one]
            assert expected[one]
    finally:
        found.release()


def test_a_replay(spark: SparkSession) -> None:
    program = phenesthe.compile(text=TEXTS["swap"]).checked
    last = replace(program, reported=(f"s{DEPTH}",))
    replayed = ReplayCase(program=last, given={"p": make_rows()["p"]}, window=WINDOW, step=STEP)
    leaves: list[int] = []
    collect = Replayed.collect

    def count_first(self: Replayed) -> Any:
        leaves.extend(count_leaves(stage.frame) for stage in self.stages)
        return collect(self)

    with patch.object(Replayed, "collect", count_first):
        told, _ = tell_on_spark(spark, replayed, "final", 2)
    expected, _ = tell_locally(replayed, "final")
    assert len(leaves) == DEPTH + 1
    assert max(leaves) <= 8 * MOST, leaves
    assert expected
    assert told == expected, show_difference(expected, told)
