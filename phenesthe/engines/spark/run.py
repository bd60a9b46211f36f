"""A program on Spark: for each stage one shuffle and one Python function over its rows."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from math import ceil
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.storagelevel import StorageLevel

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.engines.share import Share, make_share
from phenesthe.engines.spark.exchange import lay, send, take, write_filter
from phenesthe.engines.spark.failures import explained
from phenesthe.engines.spark.layout import NO_TABLE, SQL_TYPES, Layout, Parcel, lay_out
from phenesthe.engines.spark.lineage import count_leaves, cut, is_too_large
from phenesthe.engines.spark.progress import step
from phenesthe.engines.spark.sent import give_workers
from phenesthe.engines.spark.ship import is_connect
from phenesthe.engines.spark.worker import Task
from phenesthe.engines.timeline import find_timeline
from phenesthe.io.columns import list_times
from phenesthe.plan.needed import list_columns, prune
from phenesthe.plan.routes import Routes, find_routes
from phenesthe.plan.scans import find_scans
from phenesthe.plan.stages import Stage, find_stages

if TYPE_CHECKING:
    from phenesthe.engines.spark.reading import Inputs

#: A partition of this many rows keeps a core busy for a second and fits into a few hundred MiB.
ROWS_PER_PARTITION = 1_000_000
#: Facts with more rows than this travel with the rows of the stage instead of with its tasks.
BROADCAST_ROWS = 100_000


@dataclass(frozen=True, slots=True)
class Computed:
    """What a stage finds, the tables of some definitions travelling together.

    `sent` are the rows that arrive at its task; `is_kept` says that the frame is computed once for
    several uses.
    """

    task: Task
    sent: DataFrame
    frame: DataFrame
    is_kept: bool

    @property
    def names(self) -> tuple[str, ...]:
        return self.task.wanted

    @property
    def layout(self) -> Layout:
        return self.task.leaving


@dataclass(slots=True)
class Found:
    """Results by name, as frames. Nothing is computed before one of them is used, except what had
    to be cut off for the plans to stay small.

    Each of the stages they are taken from is computed once, and kept until `release`.
    """

    frames: dict[str, DataFrame]
    stages: list[Computed]

    def collect(self) -> dict[str, pa.Table]:
        """All results in this process, with one job a stage."""
        tables: dict[str, pa.Table] = {}
        for number, stage in enumerate(self.stages, 1):
            if any(name in self.frames for name in stage.names):
                doing = f"evaluating stage {number} of {len(self.stages)}"
                with step(stage.frame.sparkSession, doing), explained(doing):
                    batches = stage.frame.toArrow().to_batches()
                tables |= zip(stage.names, stage.layout.split(batches), strict=True)
        return {name: tables[name] for name in self.frames}

    def release(self) -> None:
        for stage in self.stages:
            stage.frame.unpersist()


def run_spark(
    spark: SparkSession,
    program: CheckedProgram,
    inputs: "Inputs",
    *,
    until: int | None = None,
    start: int | None = None,
    only: Collection[str] | None = None,
    partitions: int | None = None,
    together: bool = False,
) -> Found:
    """What `run_local` finds, row for row.

    `together` is said by whoever takes all results at once, for then most stages need not be kept.
    """
    names = tuple(program.reported if only is None else only)
    pruned = prune(program, names)
    first, q = find_timeline(inputs.first, inputs.last, until, start)
    known = {**inputs.frames, **inputs.facts}
    if until is not None:
        known |= {
            one.name: inputs.frames[one.name].filter(sf.col(list_times(one)[0]) <= q)
            for one in pruned.inputs
        }
    builder = _Builder(spark, pruned, known, dict(inputs.counts), first, q, partitions)
    stages = find_stages(pruned)
    for stage in stages:
        reported = [name for name in stage.definitions if name in names]
        later = list_exported(stages, stage)
        wanted = tuple(dict.fromkeys([*reported, *later]))
        builder.add(stage, wanted, keep=bool(later) or (not together and len(reported) > 1))
    return Found({name: builder.known[name] for name in names}, builder.stages)


@dataclass(slots=True)
class _Builder:
    """The frames of a run so far."""

    spark: SparkSession
    program: CheckedProgram
    known: dict[str, DataFrame]
    counts: dict[str, int]
    first: int
    q: int
    partitions: int | None
    stages: list[Computed] = field(default_factory=list)
    leaves: dict[str, int] = field(default_factory=dict)

    def add(self, stage: Stage, wanted: tuple[str, ...], *, keep: bool) -> None:
        """Add what a stage finds to what is known."""
        share = make_share(self.program, stage, self.first, self.q)
        routes = find_routes(share.program, stage)
        rows = sum(self.counts[one] for one in {route.name for route in routes.rows})
        count = 1 if stage.is_global else choose_partitions(self.spark, rows, self.partitions)
        task = self._make_task(stage, share, routes, wanted)
        sent = self._send(task, count)
        found = give_workers(sent, task.run, task.leaving.write_schema())
        leaves = count_leaves(self.leaves, task.routes, task.everywhere)
        if keep and is_too_large(leaves):
            found, leaves = cut(found, stage.number), 1
        elif keep:
            found = found.persist(StorageLevel.MEMORY_AND_DISK)
        self.stages.append(Computed(task, sent, found, keep))
        for name, table in zip(wanted, task.leaving.tables, strict=True):
            self.known[name] = take(found, table)
            self.leaves[name] = leaves
            # No more is known before it is computed; most definitions shorten what they use.
            self.counts[name] = rows

    def _make_task(
        self, stage: Stage, share: Share, routes: Routes, wanted: tuple[str, ...]
    ) -> Task:
        small = tuple(name for name in routes.whole if self.counts[name] <= BROADCAST_ROWS)
        everywhere = tuple(name for name in routes.whole if name not in small)
        ways = (*routes.rows, *routes.owners)
        signatures = list_arriving(share)
        used = list_columns(share.program, stage.definitions)
        travelling = [
            (signatures[name], used.get(name, signatures[name].arguments))
            for name in (*(route.name for route in ways), *everywhere)
        ]
        results = {one.signature.name: one.signature for one in share.program.definitions}
        return Task(
            number=stage.number,
            share=share,
            routes=ways,
            everywhere=everywhere,
            facts=pack_facts(self.known, [signatures[name] for name in small]),
            wanted=wanted,
            arriving=lay_out(travelling),
            leaving=lay_out([(results[name], results[name].arguments) for name in wanted]),
        )

    def _send(self, task: Task, count: int) -> DataFrame:
        """All that travels, where it is needed."""
        signatures = list_arriving(task.share)
        scans = {scan.name: scan for scan in find_scans(task.share.program)}
        frames = {
            name: self.known[name].filter(write_filter(scans[name], signatures[name]))
            if name in scans and scans[name].alternatives
            else self.known[name]
            for name in {route.name for route in task.routes}
        }
        parts = [
            send(route, frames, signatures, table, task.arriving, count)
            for route, table in zip(task.routes, task.arriving.tables, strict=False)
        ]
        everywhere = [
            lay(self.known[name], table, task.arriving)
            for name, table in zip(
                task.everywhere, task.arriving.tables[len(task.routes) :], strict=True
            )
        ]
        is_global = not task.share.keys
        return shuffle(self.spark, task.arriving, parts, everywhere, count, is_global=is_global)


def list_exported(stages: Sequence[Stage], stage: Stage) -> tuple[str, ...]:
    """The definitions of a stage that later ones need under another key."""
    found = {
        exchange.name
        for other in stages
        for exchange in other.exchanges
        if exchange.source == stage.number
    }
    return tuple(sorted(found))


def choose_partitions(spark: SparkSession, rows: int, asked: int | None) -> int:
    if asked is not None:
        return asked
    needed = ceil(rows / ROWS_PER_PARTITION)
    # A task costs about as much as some ten thousand rows.
    useful = ceil(rows / (ROWS_PER_PARTITION // 20))
    return max(needed, min(useful, count_cores(spark)), 1)


def pack_facts(known: Mapping[str, DataFrame], facts: Sequence[Signature]) -> Parcel:
    """All rows of some facts, brought here by one job."""
    layout = lay_out([(one, one.arguments) for one in facts])
    laid = [
        lay(known[one.name], table, layout) for one, table in zip(facts, layout.tables, strict=True)
    ]
    rows = (
        reduce(DataFrame.unionAll, laid).toArrow() if laid else layout.make_schema().empty_table()
    )
    return Parcel(tuple(one.name for one in facts), layout, rows)


def shuffle(
    spark: SparkSession,
    layout: Layout,
    parts: Sequence[DataFrame],
    everywhere: Sequence[DataFrame],
    count: int,
    *,
    is_global: bool = False,
) -> DataFrame:
    """Laid-out rows in the partitions of their buckets, and those that all partitions need.

    Spark runs no task over nothing, but a stage of one partition may find something all the same
    (`not alarm(_)`). A row of no table therefore goes there, so that it is always evaluated. What
    is partitioned by a key finds nothing but for the keys that were sent.
    """
    buckets = spark.range(count).select(sf.col("id").cast("int").alias("bucket"))
    sent = [*parts, *[laid.crossJoin(buckets) for laid in everywhere]]
    if is_global:
        nulls = [f"CAST(NULL AS {SQL_TYPES[one]}) AS {slot}" for slot, one in layout.slots.items()]
        wake = spark.range(0, 1, 1, 1)
        sent.append(wake.selectExpr(f"int({NO_TABLE}) AS tag", *nulls, "int(0) AS bucket"))
    together = reduce(DataFrame.union, sent)
    return together.repartitionById(count, sf.col("bucket")).drop("bucket")


def list_arriving(share: Share) -> dict[str, Signature]:
    """What a stage takes, by name."""
    return {one.name: one for one in (*share.program.inputs, *share.program.facts)}


def count_cores(spark: SparkSession) -> int:
    """How many tasks run at a time, as far as Spark says: Spark Connect does not tell."""
    return 8 if is_connect(spark) else spark.sparkContext.defaultParallelism
