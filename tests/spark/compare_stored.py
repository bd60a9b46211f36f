"""A random case, stored and read by both engines: what they find must be the same."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
from pyspark.sql import SparkSession

from phenesthe.engines.spark.replay_worker import Emit
from tests.equivalence.compare import Case, describe, find_difference, find_local
from tests.spark.drawn import PARTITIONS, Drawn, draw_replay, draw_run
from tests.spark.replays import ReplayCase, count_rows, show_difference, tell_locally, tell_on_spark
from tests.spark.stored import (
    build_operations,
    build_tables,
    find_stored_locally,
    find_stored_on_spark,
    reading_as,
    write_tables,
)

EMITS: tuple[Emit, ...] = ("final", "changes", "snapshots")


@dataclass(slots=True)
class Seen:
    """What some cases came to; `failure` says what is wrong with one."""

    shapes: Counter[str] = field(default_factory=Counter)
    definitions: int = 0
    filled: int = 0
    told: int = 0
    too_late: int = 0
    of_nothing: int = 0
    failure: str | None = None

    def merge(self, other: "Seen") -> None:
        self.shapes += other.shapes
        self.definitions += other.definitions
        self.filled += other.filled
        self.told += other.told
        self.too_late += other.too_late
        self.of_nothing += other.of_nothing
        self.failure = self.failure or other.failure


def compare_run(spark: SparkSession, number: int, partitions: Iterable[int] = PARTITIONS) -> Seen:
    drawn = draw_run(number)
    seen = Seen(Counter(drawn.seen))
    in_memory = find_local(drawn.program, drawn.stream)
    expected = {name: in_memory[name] for name in drawn.program.reported}
    seen.definitions = len(expected)
    seen.filled = sum(map(bool, expected.values()))
    seen.told = sum(map(len, expected.values()))
    with TemporaryDirectory() as folder:
        tables = build_tables(drawn.program, drawn.stream)
        path = write_tables(Path(folder) / "in", drawn.program, tables, drawn.form)
        stored = find_stored_locally(drawn.program, path, drawn.stream)
        difference = find_difference(expected, stored)
        for count in partitions:
            if difference is None:
                with reading_as(drawn.is_large):
                    found = find_stored_on_spark(spark, drawn.program, path, drawn.stream, count)
                difference = find_difference(expected, found)
                if difference is not None:
                    seen.failure = f"{count} partitions, {drawn.seen}, large: {drawn.is_large}\n"
    if difference is not None:
        seen.failure = (seen.failure or "the local engine\n") + describe(
            Case(drawn.text, drawn.stream), difference
        )
    return seen


def compare_replay(spark: SparkSession, number: int) -> Seen:
    """Number by number one way to tell what is found after the other, and one partitioning."""
    drawn, case = draw_replay(number)
    emit, partitions = EMITS[number % 3], PARTITIONS[number // 3 % 3]
    shapes = (*drawn.seen, f"emit {emit}", f"partitions {partitions}")
    with TemporaryDirectory() as folder:
        there = {*drawn.stream.inputs, *drawn.stream.facts}
        built = build_operations(drawn.program, case)
        tables = {name: one for name, one in built.items() if name in there}
        path = write_tables(Path(folder) / "in", drawn.program, tables, drawn.form)
        replayed = ReplayCase(
            program=drawn.program, path=path, window=case.window, step=case.step,
            start=case.start, until=case.until,
        )  # fmt: skip
        if replayed.plan(replayed.read()) is None:
            return Seen(Counter(["without an instant to ask about"]))
        expected, aside = tell_locally(replayed, emit)
        with reading_as(drawn.is_large):
            found, aside_there = tell_on_spark(spark, replayed, emit, partitions)
        seen = Seen(Counter(shapes))
        filled = {name for _, name, _ in expected}
        seen.definitions, seen.filled = len(drawn.program.reported), len(filled)
        seen.told = count_rows(expected)
        reasons = [json.loads(line)["reason"] for line in aside]
        seen.too_late = reasons.count("too late")
        seen.of_nothing = reasons.count("retraction of nothing")
        if found != expected:
            seen.failure = show_difference(expected, found)
        elif aside_there != aside:
            seen.failure = "\n".join(["set aside", *aside, "on Spark", *aside_there])
        if seen.failure is not None:
            seen.failure = _show(drawn, replayed, shapes, tables) + seen.failure
    return seen


def _show(
    drawn: Drawn, replayed: ReplayCase, shapes: tuple[str, ...], tables: dict[str, pa.Table]
) -> str:
    rows = "\n".join(f"{name}: {one.to_pylist()}" for name, one in tables.items())
    return (
        f"{shapes}, large: {drawn.is_large}\n{drawn.text}\n{rows}\nwindow {replayed.window}, step "
        f"{replayed.step}, start {replayed.start}, until {replayed.until}\n"
    )
