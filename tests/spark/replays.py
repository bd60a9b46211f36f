"""A replay on the local engine and on Spark, side by side."""

import json
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import SparkSession

from phenesthe.check.program import CheckedProgram
from phenesthe.engines.spark import reading
from phenesthe.engines.spark.reading.streaming import StreamInputs, spread_stream
from phenesthe.engines.spark.replay import replay_spark
from phenesthe.engines.spark.replay_columns import QUERY, WHAT, What
from phenesthe.engines.spark.replay_worker import Emit
from phenesthe.io.stream import Stream, read_stream, stream_given
from phenesthe.memory import Memory
from phenesthe.memory.replay import Schedule, begin_timeline, make_schedule, replay
from phenesthe.plan.needed import list_columns
from tests.equivalence.late import WindowedCase
from tests.equivalence.windowed_partitioned import Told, add_told
from tests.spark.stored import build_operations


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayCase:
    """What is replayed, and how: tables that are given, or those that are stored at a path."""

    program: CheckedProgram
    given: Mapping[str, Any] = field(default_factory=dict)
    path: Path | None = None
    window: int
    step: int
    start: int | None = None
    until: int | None = None

    def read(self) -> Stream:
        if self.path is None:
            return stream_given(self.program, self.given)
        return read_stream(self.program, self.path, columns=self.list_columns())

    def read_on_spark(self, spark: SparkSession) -> StreamInputs:
        if self.path is None:
            return spread_stream(spark, self.program, self.read())
        return reading.read_stream(
            spark, self.program, self.path,
            columns=self.list_columns(), placed=self.start is not None,
        )  # fmt: skip

    def list_columns(self) -> Mapping[str, Collection[str]]:
        return list_columns(self.program, self.program.reported)

    def plan(self, stream: Stream | StreamInputs) -> Schedule | None:
        return make_schedule(
            step=self.step,
            begin=stream.begin,
            last=stream.last,
            start=self.start,
            until=self.until,
        )


def make_replay(case: WindowedCase, program: CheckedProgram) -> ReplayCase:
    """A random case as tables that people would give."""
    return ReplayCase(
        program=program, given=build_operations(program, case), window=case.window, step=case.step,
        start=case.start, until=case.until,
    )  # fmt: skip


def tell_locally(replayed: ReplayCase, emit: Emit) -> tuple[Told, list[str]]:
    """What is told, and the rows set aside, in their replayed."""
    stream = replayed.read()
    schedule = replayed.plan(stream)
    assert schedule is not None
    memory = Memory(
        replayed.program,
        stream.facts,
        window=replayed.window,
        first=begin_timeline(stream.first, replayed.start),
        start=schedule.start,
    )
    told: Told = {}
    for number, turn in enumerate(replay(memory, schedule, stream.feeds)):
        turn.set_aside(stream.rejects)
        advance = turn.advance
        found: list[tuple[What, int, Mapping[str, pa.Table]]] = []
        match emit:
            case "changes":
                found = [(What.ADDED, number, advance.added)]
                found += [(What.REMOVED, number, advance.removed)]
            case "snapshots":
                found = [(What.SHOWN, number, memory.snapshot())]
            case "final":
                found = [(What.FINAL, 0, advance.settled)]
        for what, at, tables in found:
            for name, table in tables.items():
                add_told(told, at, name, what, table)
    if emit == "final":
        for name, table in memory.current().items():
            add_told(told, 0, name, What.FINAL, table)
    return told, list(stream.rejects.read_lines())


def tell_on_spark(
    spark: SparkSession, replayed: ReplayCase, emit: Emit, partitions: int
) -> tuple[Told, list[str]]:
    stream = replayed.read_on_spark(spark)
    schedule = replayed.plan(stream)
    assert schedule is not None
    found = replay_spark(
        spark, replayed.program, stream, schedule=schedule, window=replayed.window,
        start=replayed.start, emit=emit, partitions=partitions,
    )  # fmt: skip
    try:
        tables, _ = found.collect()
    finally:
        found.release()
        stream.release()
    told: Told = {}
    for name, table in tables.items():
        marks = Counter(zip(table[QUERY].to_pylist(), table[WHAT].to_pylist(), strict=True))
        for number, what in sorted(marks):
            mask = (pc.field(QUERY) == number) & (pc.field(WHAT) == what)
            part = table.filter(mask).drop_columns([QUERY, WHAT])
            add_told(told, 0 if what == What.FINAL else number, name, What(what), part)
    return told, list(stream.rejects.read_lines())


def count_rows(told: Told) -> int:
    return sum(map(len, told.values()))


def show_difference(expected: Told, found: Told) -> str:
    keys = sorted({*expected, *found}, key=str)
    different = [key for key in keys if expected.get(key) != found.get(key)]
    return json.dumps(
        [[str(key), str(expected.get(key)), str(found.get(key))] for key in different[:5]], indent=1
    )
