"""Which rows of a replay are used, and at which query: decided once for each, before the stages.

A row may go to several partitions of several stages, and must not be refused by each of them. Rows
that become known as time reaches them, and are never taken back, are judged by Spark alone; others
are brought together with all that is about the same, and a task plays them through the queries.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf
from pyspark.sql.types import LongType, StructField, StructType
from pyspark.storagelevel import StorageLevel

from phenesthe.arrow import list_numbers
from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.engines.spark.admission_worker import REASON, Gate
from phenesthe.engines.spark.exchange import pick
from phenesthe.engines.spark.failures import explained
from phenesthe.engines.spark.marks import GIVEN, QUERY, RANK, WHAT, What, cut_by_query
from phenesthe.engines.spark.progress import step
from phenesthe.engines.spark.reading.streaming import KNOWN, ORDER, RETRACT, StreamInputs
from phenesthe.io.columns import Reason, list_times
from phenesthe.memory.replay import Schedule


@dataclass(frozen=True, slots=True)
class Admitted:
    """The rows that are used, by input: arguments, times, and the marks of what is given.

    `refused` counts the others by the number of the query.
    """

    frames: dict[str, DataFrame]
    refused: dict[Reason, Counter[int]]
    #: The inputs some of whose rows may be late.
    judged: tuple[str, ...]
    #: Kept by Spark.
    held: list[DataFrame] = field(default_factory=list)


def admit(
    program: CheckedProgram,
    stream: StreamInputs,
    schedule: Schedule,
    window: int,
    partitions: Mapping[str, int],
) -> Admitted:
    """Judge the rows of the program's inputs; those refused are set aside."""
    frames: dict[str, DataFrame] = {}
    refused: dict[str, DataFrame] = {}
    held: list[DataFrame] = []
    judged: list[str] = []
    for one in program.inputs:
        time = list_times(one)[0]
        known = stream.frames[one.name].filter(pick(time) <= schedule.last)
        if stream.is_plain[one.name]:
            used = known.filter(pick(time) > schedule.start)
            frames[one.name] = _mark(one, used, schedule)
            if stream.begin is not None and stream.begin <= schedule.start:
                early = known.filter(pick(time) <= schedule.start)
                refused[one.name] = early.selectExpr(
                    "*", f"0L AS `{QUERY}`", f"{int(Reason.TOO_LATE)}L AS `{REASON}`"
                )
            continue
        played = _play(one, known, schedule, window, partitions[one.name])
        held.append(played)
        judged.append(one.name)
        frames[one.name] = played.filter(pick(REASON) == 0).select(
            *_list_own(one, played), *[pick(name) for name in GIVEN]
        )
        refused[one.name] = played.filter(pick(REASON) > 0).drop(RANK, WHAT)
    counts = _set_aside(stream, refused)
    return Admitted(frames, counts, tuple(judged), held)


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


def _play(
    signature: Signature, known: DataFrame, schedule: Schedule, window: int, count: int
) -> DataFrame:
    """All rows with their marks and reasons. Rows about the same go to one partition."""
    gate = Gate(signature, schedule, window, KNOWN, RETRACT, ORDER)
    arguments = [name for name in signature.arguments if name in known.columns]
    same = [pick(name) for name in (*arguments, list_times(signature)[0])]
    fields = [StructField(name, LongType()) for name in (*GIVEN, REASON)]
    schema = StructType([*known.schema.fields, *fields])
    played = known.repartition(count, *same).mapInArrow(gate.run, schema)
    return played.persist(StorageLevel.MEMORY_AND_DISK)


def _set_aside(
    stream: StreamInputs, refused: Mapping[str, DataFrame]
) -> dict[Reason, Counter[int]]:
    """Query by query, and in the order of the inputs and their rows, as it would have happened."""
    parts: list[tuple[int, int, str, pa.Table]] = []
    for at, (name, frame) in enumerate(refused.items()):
        doing = f"judging the rows of `{name}`"
        with step(frame.sparkSession, doing), explained(doing):
            rows = frame.toArrow()
        rows = rows.sort_by([(one, "ascending") for one in (QUERY, *ORDER)])
        for query, start, end in cut_by_query(list_numbers(rows[QUERY])):
            parts.append((query, at, name, rows.slice(start, end - start)))
    counts: dict[Reason, Counter[int]] = {}
    for query, _, name, rows in sorted(parts, key=lambda part: part[:2]):
        reasons = [Reason(one) for one in list_numbers(rows[REASON]).tolist()]
        stream.set_aside(name, rows.drop_columns([QUERY, REASON]), reasons)
        for reason in reasons:
            counts.setdefault(reason, Counter())[query] += 1
    return counts
