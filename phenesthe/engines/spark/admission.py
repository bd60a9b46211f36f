"""Which rows of a replay are used, and at which query: decided once for each, before the stages.

A row may go to several partitions of several stages, and must not be refused by each of them. Rows
that become known as time reaches them, and are never taken back, are judged by Spark alone; others
are brought together with all that is about the same, and a task plays them through the queries.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.storagelevel import StorageLevel

from phenesthe.arrow import to_ints
from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.engines.spark.admission_worker import REASON, Gate, Judge
from phenesthe.engines.spark.build import choose_partitions, shuffle
from phenesthe.engines.spark.dispatch import give_workers
from phenesthe.engines.spark.exchange import choose_bucket, lay, pick, take
from phenesthe.engines.spark.layout import lay_out
from phenesthe.engines.spark.progress import working
from phenesthe.engines.spark.reading.streaming import BESIDE, KNOWN, ORDER, RETRACT, StreamInputs
from phenesthe.engines.spark.replay_columns import (
    INPUT_COLUMNS,
    QUERY,
    RANK,
    WHAT,
    What,
    cut_by_query,
    extend_signature,
)
from phenesthe.io.columns import Reason, list_times
from phenesthe.memory.replay import Schedule
from phenesthe.vocabulary import ValueType

_DOING = "judging the rows"


@dataclass(frozen=True, slots=True)
class Admitted:
    """The rows that are used, by input: arguments, times, and the replay columns of an input.

    `refused` counts the others by the number of the query.
    """

    frames: dict[str, DataFrame]
    refused: dict[Reason, Counter[int]]
    #: The inputs some of whose rows may be late.
    judged: tuple[str, ...]
    #: Kept by Spark.
    held: list[DataFrame] = field(default_factory=list)


def admit(
    spark: SparkSession,
    program: CheckedProgram,
    stream: StreamInputs,
    schedule: Schedule,
    window: int,
    partitions: int | None,
) -> Admitted:
    """Judge the rows of the program's inputs; those refused are set aside."""
    frames: dict[str, DataFrame] = {}
    refused: dict[str, pa.Table] = {}
    judged: dict[str, DataFrame] = {}
    for one in program.inputs:
        time = list_times(one)[0]
        known = stream.frames[one.name].filter(pick(time) <= schedule.last)
        if not stream.is_plain[one.name]:
            judged[one.name] = known
            continue
        frames[one.name] = _mark(one, known.filter(pick(time) > schedule.start), schedule)
        if stream.begin is not None and stream.begin <= schedule.start:
            refused[one.name] = _find_early(known.filter(pick(time) <= schedule.start))
    held: list[DataFrame] = []
    if judged:
        signatures = [one for one in program.inputs if one.name in judged]
        count = choose_partitions(spark, sum(stream.counts[one] for one in judged), partitions)
        judge = _make_judge(signatures, judged, schedule, window)
        played = _play(spark, judge, judged, count)
        held.append(played)
        for gate, table in zip(judge.gates, judge.leaving.tables, strict=True):
            rows = take(played, table)
            frames[gate.signature.name] = rows.filter(pick(REASON) == 0).select(
                *_list_own(gate.signature, rows), *[pick(name) for name in INPUT_COLUMNS]
            )
        refused |= _find_refused(judge, played)
    ordered = {one.name: refused[one.name] for one in program.inputs if one.name in refused}
    return Admitted(frames, _set_aside(stream, ordered), tuple(judged), held)


def _list_own(signature: Signature, frame: DataFrame) -> list[Column]:
    """The columns of the row itself."""
    names = (*signature.arguments, *list_times(signature))
    return [pick(name) for name in names if name in frame.columns]


def _mark(signature: Signature, frame: DataFrame, schedule: Schedule) -> DataFrame:
    return frame.select(
        *_list_own(signature, frame),
        sf.expr(write_number(schedule)).alias(QUERY),
        sf.lit(0).cast("bigint").alias(RANK),
        sf.lit(int(What.ADDED)).cast("bigint").alias(WHAT),
    )


def write_number(schedule: Schedule) -> str:
    """`number_queries` in SQL."""
    begin, end = schedule.start + 1, max(schedule.last, schedule.start + 1)
    inside = f"least(greatest(`{KNOWN}`, ({begin}L)), ({end}L))"
    return f"least(({inside} - ({begin}L)) div {schedule.step}L, {len(schedule) - 1}L)"


def _find_early(early: DataFrame) -> pa.Table:
    """Rows at or before the start: the first query refuses them."""
    with working(early.sparkSession, _DOING):
        return early.selectExpr(
            "*", f"0L AS `{QUERY}`", f"{int(Reason.TOO_LATE)}L AS `{REASON}`"
        ).toArrow()


_TYPES: dict[str, ValueType] = {"bigint": "int", "int": "int", "boolean": "bool", "string": "str"}


def _make_judge(
    signatures: list[Signature], frames: Mapping[str, DataFrame], schedule: Schedule, window: int
) -> Judge:
    """All columns travel, for rows that are refused are shown."""
    arriving = []
    for one in signatures:
        there = frames[one.name].columns
        own = [at for at, name in enumerate(one.arguments) if name in there]
        arriving.append(
            replace(
                one,
                arguments=(*[one.arguments[at] for at in own], *BESIDE),
                types=(
                    *[one.types[at] for at in own],
                    *[_TYPES[sql] for sql, _ in BESIDE.values()],
                ),
            )
        )
    leaving = [extend_signature(one, (*INPUT_COLUMNS, REASON)) for one in arriving]
    return Judge(
        tuple(Gate(one, schedule, window, KNOWN, RETRACT, ORDER) for one in signatures),
        lay_out([(one, one.arguments) for one in arriving]),
        lay_out([(one, one.arguments) for one in leaving]),
    )


def _play(
    spark: SparkSession, judge: Judge, frames: Mapping[str, DataFrame], count: int
) -> DataFrame:
    """All rows with their replay columns and reasons. Rows about the same go to one partition."""
    parts = []
    for gate, table in zip(judge.gates, judge.arriving.tables, strict=True):
        signature = gate.signature
        arguments = [name for name in signature.arguments if name in table.columns]
        bucket = choose_bucket([*arguments, list_times(signature)[0]], count)
        frame = frames[signature.name]
        parts.append(lay(frame, table, judge.arriving, f"{bucket} AS bucket"))
    sent = shuffle(spark, judge.arriving, parts, [], count)
    played = give_workers(sent, judge.run, judge.leaving.write_schema())
    return played.persist(StorageLevel.MEMORY_AND_DISK)


def _find_refused(judge: Judge, played: DataFrame) -> dict[str, pa.Table]:
    """One job for all inputs, which also leaves the rows that are used where they are kept."""
    refused = [
        (sf.col("tag") == table.tag) & (sf.col(table.columns[REASON]) > 0)
        for table in judge.leaving.tables
    ]
    with working(played.sparkSession, _DOING):
        batches = played.filter(reduce(or_, refused)).toArrow().to_batches()
    found = judge.leaving.split(batches)
    return {
        gate.signature.name: table.drop_columns([RANK, WHAT])
        for gate, table in zip(judge.gates, found, strict=True)
    }


def _set_aside(stream: StreamInputs, refused: Mapping[str, pa.Table]) -> dict[Reason, Counter[int]]:
    """Query by query, and in the order of the inputs and their rows, as it would have happened."""
    parts: list[tuple[int, int, str, pa.Table]] = []
    for at, (name, table) in enumerate(refused.items()):
        rows = table.sort_by([(one, "ascending") for one in (QUERY, *ORDER)])
        for query, start, end in cut_by_query(to_ints(rows[QUERY])):
            parts.append((query, at, name, rows.slice(start, end - start)))
    counts: dict[Reason, Counter[int]] = {}
    for query, _, name, rows in sorted(parts, key=lambda part: part[:2]):
        reasons = [Reason(one) for one in to_ints(rows[REASON]).tolist()]
        stream.set_aside(name, rows.drop_columns([QUERY, REASON]), reasons)
        for reason in reasons:
            counts.setdefault(reason, Counter())[query] += 1
    return counts
