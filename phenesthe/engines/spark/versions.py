"""What a replay on Spark told, query by query, as it is written; and what is counted of it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from phenesthe.arrow import to_floats, to_ints, wrap
from phenesthe.check.program import CheckedProgram
from phenesthe.engines.spark.admission import Admitted, write_number
from phenesthe.engines.spark.admission_worker import find_query
from phenesthe.engines.spark.exchange import pick
from phenesthe.engines.spark.failures import explained
from phenesthe.engines.spark.progress import step
from phenesthe.engines.spark.reading.streaming import StreamInputs
from phenesthe.engines.spark.replay_columns import FOUND_COLUMNS, QUERY, WHAT, What, cut_by_query
from phenesthe.engines.spark.replay_worker import STATISTICS
from phenesthe.io.columns import Reason, list_times
from phenesthe.memory.changes import classify
from phenesthe.memory.replay import Schedule

#: By the number of a query, the rows that each definition or input has there.
Parts = dict[int, dict[str, pa.Table]]


def list_versions(
    program: CheckedProgram, tables: Mapping[str, pa.Table], schedule: Schedule
) -> Iterator[tuple[int, dict[str, pa.Table]]]:
    """The time of each query at which something is told, with the rows by definition.

    Rows that came or went are changes, and are told as such; others are as they are.
    """
    signatures = program.defined
    parts: Parts = {}
    for name, table in tables.items():
        for number, rows in _cut(table):
            parts.setdefault(number, {})[name] = rows
    for number in sorted(parts):
        found = {}
        for name, rows in parts[number].items():
            what, own = to_ints(rows[WHAT]), rows.drop_columns([*FOUND_COLUMNS])
            if what[0] == What.SHOWN:
                found[name] = own
            else:
                came = what == What.ADDED
                sides = own.filter(wrap(came)), own.filter(wrap(~came))
                found[name] = classify(signatures[name], *sides)
        yield find_query(schedule, number), found


def _cut(table: pa.Table) -> Iterator[tuple[int, pa.Table]]:
    queries = to_ints(table[QUERY])
    order = np.argsort(queries, kind="stable")
    ordered = table.take(wrap(order))
    for number, start, end in cut_by_query(queries[order]):
        yield number, ordered.slice(start, end - start)


@dataclass(slots=True)
class Counts:
    """What is counted of one query."""

    query: int
    inputs: int = 0
    late: int = 0
    too_late: int = 0
    #: Retractions of nothing.
    rejected: int = 0
    incomplete: int = 0
    seconds: float = 0.0
    #: What is remembered, by definition or input.
    rows: Counter[str] = field(default_factory=Counter)


def list_counts(
    program: CheckedProgram,
    stream: StreamInputs,
    admitted: Admitted,
    statistics: list[pa.Table],
    schedule: Schedule,
) -> list[Counts]:
    """Every query. Rows that several partitions remember are counted by each of them."""
    counts = [Counts(query) for query in schedule]
    for number, inputs in _count(_number_inputs(program, stream, schedule)).items():
        counts[number].inputs = inputs
    for number, late in _count(_find_late(program, admitted, schedule)).items():
        counts[number].late = late
    for number, one in enumerate(counts):
        one.too_late = admitted.refused.get(Reason.TOO_LATE, Counter())[number]
        one.rejected = admitted.refused.get(Reason.RETRACTION_OF_NOTHING, Counter())[number]
    for table in statistics:
        _add_statistics(counts, table)
    return counts


def _number_inputs(
    program: CheckedProgram, stream: StreamInputs, schedule: Schedule
) -> list[DataFrame]:
    return [
        stream.frames[one.name]
        .filter(pick(list_times(one)[0]) <= schedule.last)
        .selectExpr(f"{write_number(schedule)} AS number")
        for one in program.inputs
    ]


def _find_late(program: CheckedProgram, admitted: Admitted, schedule: Schedule) -> list[DataFrame]:
    """Rows that are used although the query before had passed their time."""
    found = []
    for one in program.inputs:
        if one.name not in admitted.judged:
            continue
        before = f"({schedule.start}L) + `{QUERY}` * {schedule.step}L"
        time, *end = [f"`{name}`" for name in list_times(one)]
        is_late = f"`{QUERY}` > 0 AND {time} <= {before}"
        for te in end:
            is_late += f" AND ({te} IS NULL OR {te} <= {before})"
        late = admitted.frames[one.name].filter(sf.expr(is_late))
        found.append(late.selectExpr(f"`{QUERY}` AS number"))
    return found


def _count(numbered: list[DataFrame]) -> dict[int, int]:
    if not numbered:
        return {}
    together = reduce(DataFrame.unionAll, numbered)
    with step(together.sparkSession, "counting"), explained("counting the rows of each query"):
        return {row["number"]: row["count"] for row in together.groupBy("number").count().collect()}


def _add_statistics(counts: list[Counts], table: pa.Table) -> None:
    numbers, names, rows, incomplete, seconds = (table[name] for name in STATISTICS.arguments)
    for number, name, size, open_, spent in zip(
        to_ints(numbers).tolist(),
        names.to_pylist(),
        to_ints(rows).tolist(),
        to_ints(incomplete).tolist(),
        to_floats(seconds).tolist(),
        strict=True,
    ):
        one = counts[number]
        one.incomplete += open_
        one.seconds += spent
        if name is not None:
            one.rows[name] += size
