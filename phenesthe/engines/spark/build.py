"""What runs and replays on Spark have in common: the rows of a stage sent to its workers.

A stage is one shuffle and one Python function over its rows. What they find is known to the stages
after it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from math import ceil
from typing import Protocol

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.storagelevel import StorageLevel

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.engines.share import Share
from phenesthe.engines.spark.dispatch import give_workers
from phenesthe.engines.spark.exchange import lay, send, write_filter
from phenesthe.engines.spark.layout import NO_TABLE, SQL_TYPES, Layout, Parcel, lay_out
from phenesthe.engines.spark.lineage import cut, is_too_large
from phenesthe.engines.spark.ship import is_connect
from phenesthe.plan.needed import list_columns
from phenesthe.plan.routes import Route, find_routes
from phenesthe.plan.scans import find_scans
from phenesthe.plan.stages import Stage

#: A partition of this many rows keeps a core busy for a second and fits into a few hundred MiB.
ROWS_PER_PARTITION = 1_000_000
#: Facts with more rows than this travel with the rows of the stage instead of with its tasks.
BROADCAST_ROWS = 100_000


class Work(Protocol):
    """What a partition does with the rows of a stage that arrive together."""

    @property
    def number(self) -> int: ...

    @property
    def leaving(self) -> Layout: ...

    @property
    def run(self) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Arriving:
    """What a stage takes, and how it gets there.

    The tables of the layout are those of `routes`, then the facts `everywhere`. `facts` are those
    small enough to come along with the task.
    """

    share: Share
    routes: tuple[Route, ...]
    everywhere: tuple[str, ...]
    facts: Parcel
    layout: Layout
    #: Rows that are sent to the partitions of their keys, and the number of these partitions.
    rows: int
    partitions: int


@dataclass
class Builder:
    """The frames so far: those of inputs, of facts and of what stages have found."""

    spark: SparkSession
    program: CheckedProgram
    known: dict[str, DataFrame]
    counts: dict[str, int]
    partitions: int | None
    leaves: dict[str, int] = field(default_factory=dict)

    def choose_columns(
        self, signature: Signature, _share: Share, used: Mapping[str, tuple[str, ...]]
    ) -> tuple[Signature, tuple[str, ...]]:
        """What travels of a table."""
        return signature, used.get(signature.name, signature.arguments)

    def let_pass(self, condition: Column) -> Column:
        """The rows that are sent, of a table of which only some are of use."""
        return condition

    def find_pending(
        self, _frame: DataFrame, _signature: Signature, _route: Route, _share: Share
    ) -> DataFrame | None:
        """What of a table every partition must know."""
        return None

    def arrange(self, stage: Stage, share: Share) -> Arriving:
        routes = find_routes(share.program, stage)
        rows = sum(self.counts[one] for one in {route.name for route in routes.rows})
        small = tuple(name for name in routes.whole if self.counts[name] <= BROADCAST_ROWS)
        everywhere = tuple(name for name in routes.whole if name not in small)
        ways = (*routes.rows, *routes.owners)
        signatures = share.program.given
        used = list_columns(share.program, stage.definitions)
        travelling = [
            self.choose_columns(signatures[name], share, used)
            for name in (*(route.name for route in ways), *everywhere)
        ]
        return Arriving(
            share=share,
            routes=ways,
            everywhere=everywhere,
            facts=pack_facts(self.known, [signatures[name] for name in small]),
            layout=lay_out(travelling),
            rows=rows,
            partitions=1
            if stage.is_global
            else choose_partitions(self.spark, rows, self.partitions),
        )

    def send(self, arriving: Arriving) -> DataFrame:
        """All that travels, where it is needed."""
        share, layout, count = arriving.share, arriving.layout, arriving.partitions
        signatures = share.program.given
        scans = {scan.name: scan for scan in find_scans(share.program)}
        frames = {}
        for name in {route.name for route in arriving.routes}:
            frames[name] = self.known[name]
            if name in scans and scans[name].alternatives:
                passing = self.let_pass(write_filter(scans[name], signatures[name]))
                frames[name] = frames[name].filter(passing)
        parts: list[DataFrame] = []
        everywhere: list[DataFrame] = []
        for route, table in zip(arriving.routes, layout.tables, strict=False):
            parts.append(send(route, frames, signatures, table, layout, count))
            pending = self.find_pending(frames[route.name], signatures[route.name], route, share)
            if pending is not None:
                everywhere.append(lay(pending, table, layout))
        facts = layout.tables[len(arriving.routes) :]
        for name, table in zip(arriving.everywhere, facts, strict=True):
            everywhere.append(lay(self.known[name], table, layout))
        return shuffle(self.spark, layout, parts, everywhere, count, is_global=not share.keys)

    def give(
        self, task: Work, sent: DataFrame, leaves: int, *, keep: bool
    ) -> tuple[DataFrame, int]:
        """What the workers find, and how large its plan is, in leaves.

        What is kept is computed once for several uses.
        """
        found = give_workers(sent, task.run, task.leaving.write_schema())
        if keep and is_too_large(leaves):
            return cut(found, task.number), 1
        return (found.persist(StorageLevel.MEMORY_AND_DISK) if keep else found), leaves

    def know(self, name: str, frame: DataFrame, arriving: Arriving, leaves: int) -> None:
        """Let later stages use what one has found."""
        self.known[name] = frame
        self.leaves[name] = leaves
        # No more is known before it is computed; most definitions shorten what they use.
        self.counts[name] = arriving.rows


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


def count_cores(spark: SparkSession) -> int:
    """How many tasks run at a time, as far as Spark says: Spark Connect does not tell."""
    return 8 if is_connect(spark) else spark.sparkContext.defaultParallelism
