"""A replay on Spark: each partition of a stage goes through all queries by itself.

There is one shuffle and one Python function for each stage, as in a batch run, however many queries
there are. What a stage finds travels to the next with the query at which it was found.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.storagelevel import StorageLevel

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.engines.share import Share, make_share
from phenesthe.engines.spark.admission import Admitted, admit
from phenesthe.engines.spark.exchange import lay, pick, send, take, write_filter
from phenesthe.engines.spark.failures import explained
from phenesthe.engines.spark.layout import Table, lay_out
from phenesthe.engines.spark.lineage import count_leaves, cut, is_too_large
from phenesthe.engines.spark.marks import FOUND, GIVEN, WHAT, What, mark
from phenesthe.engines.spark.progress import step
from phenesthe.engines.spark.reading.streaming import StreamInputs
from phenesthe.engines.spark.replay_worker import (
    STATISTICS,
    Emit,
    Replay,
    ReplayTask,
    Role,
    find_lags,
)
from phenesthe.engines.spark.run import (
    BROADCAST_ROWS,
    choose_partitions,
    list_arriving,
    list_exported,
    pack_facts,
    shuffle,
)
from phenesthe.engines.spark.sent import give_workers
from phenesthe.memory.replay import Schedule, begin_timeline
from phenesthe.plan.needed import list_columns, prune
from phenesthe.plan.routes import Route, Routes, find_routes
from phenesthe.plan.scans import find_scans
from phenesthe.plan.stages import Stage, find_stages

#: What is told of a definition that is reported.
_TOLD: dict[Emit, tuple[What, ...]] = {
    "final": (What.FINAL,),
    "changes": (What.ADDED, What.REMOVED),
    "snapshots": (What.SHOWN,),
}


@dataclass(frozen=True, slots=True)
class Played:
    """A stage: its task and what it finds, lazily."""

    task: ReplayTask
    frame: DataFrame

    def find_slot(self, name: str, column: str) -> tuple[Table, str]:
        at = self.task.list_leaving().index(name)
        table = self.task.leaving.tables[at]
        return table, table.columns[column]

    def choose(self, names: Collection[str]) -> DataFrame | None:
        """The rows that somebody outside asked for, of these definitions."""
        told = [int(what) for what in _TOLD[self.task.replay.emit]]
        wanted: list[Column] = []
        for name in names:
            table, slot = self.find_slot(name, WHAT)
            wanted.append((sf.col("tag") == table.tag) & sf.col(slot).isin(told))
        if self.task.replay.is_counted:
            table, _ = self.find_slot(STATISTICS.name, STATISTICS.arguments[0])
            wanted.append(sf.col("tag") == table.tag)
        return self.frame.filter(reduce(or_, wanted)) if wanted else None


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a replay finds; nothing of the stages is computed before it is asked for, except what
    had to be cut off for the plans to stay small."""

    stages: list[Played]
    admitted: Admitted

    def collect(
        self, *, only_statistics: bool = False
    ) -> tuple[dict[str, pa.Table], list[pa.Table]]:
        """What is told of each reported definition, with its marks; and the statistics."""
        tables: dict[str, pa.Table] = {}
        statistics: list[pa.Table] = []
        for number, stage in enumerate(self.stages, 1):
            names = () if only_statistics else stage.task.role.reported
            chosen = stage.choose(names)
            if chosen is None:
                continue
            doing = f"replaying stage {number} of {len(self.stages)}"
            with step(stage.frame.sparkSession, doing), explained(doing):
                batches = chosen.toArrow().to_batches()
            found = stage.task.leaving.split(batches)
            named = dict(zip(stage.task.list_leaving(), found, strict=True))
            statistics.append(named.pop(STATISTICS.name))
            tables |= {name: named[name] for name in names}
        return tables, statistics

    def list_frames(self) -> dict[str, DataFrame]:
        """The final results as frames."""
        found: dict[str, DataFrame] = {}
        for stage in self.stages:
            for name in stage.task.role.reported:
                table, _ = stage.find_slot(name, WHAT)
                rows = take(stage.frame, table)
                found[name] = rows.filter(pick(WHAT) == int(What.FINAL)).drop(*FOUND)
        return found

    def release(self) -> None:
        for frame in (*[stage.frame for stage in self.stages], *self.admitted.held):
            frame.unpersist()


def replay_spark(
    spark: SparkSession,
    program: CheckedProgram,
    stream: StreamInputs,
    *,
    schedule: Schedule,
    window: int,
    start: int | None = None,
    emit: Emit = "final",
    only: Collection[str] | None = None,
    partitions: int | None = None,
    is_counted: bool = False,
    together: bool = True,
) -> Replayed:
    """What `phenesthe.memory.replay` finds, row for row. Rows that are refused are set aside now.

    `together` is said by whoever takes all results at once, for then most stages need not be kept.
    """
    names = tuple(program.reported if only is None else only)
    pruned = prune(program, names)
    with step(spark, "judging the rows"), explained("judging the rows"):
        admitted = admit(spark, pruned, stream, schedule, window, partitions)
    first = begin_timeline(stream.first, start)
    replay = Replay(schedule, window, first, emit, is_counted)
    builder = _Builder(
        spark,
        pruned,
        replay,
        stream.is_plain,
        {**admitted.frames, **stream.facts},
        dict(stream.counts),
        partitions,
    )
    stages = find_stages(pruned)
    for stage in stages:
        reported = tuple(name for name in stage.definitions if name in names)
        exported = list_exported(stages, stage)
        keep = bool(exported) or (not together and len(reported) > 1)
        builder.add(stage, reported, exported, keep=keep)
    return Replayed(builder.stages, admitted)


@dataclass(slots=True)
class _Builder:
    """The frames of a replay so far."""

    spark: SparkSession
    program: CheckedProgram
    replay: Replay
    is_plain: Mapping[str, bool]
    known: dict[str, DataFrame]
    counts: dict[str, int]
    partitions: int | None
    lags: dict[str, int] = field(default_factory=dict)
    stages: list[Played] = field(default_factory=list)
    leaves: dict[str, int] = field(default_factory=dict)

    def add(
        self, stage: Stage, reported: tuple[str, ...], exported: tuple[str, ...], *, keep: bool
    ) -> None:
        """Add what a stage finds to what is known."""
        last = self.replay.schedule.last
        share = make_share(self.program, stage, last, last)
        routes = find_routes(share.program, stage)
        rows = sum(self.counts[one] for one in {route.name for route in routes.rows})
        count = 1 if stage.is_global else choose_partitions(self.spark, rows, self.partitions)
        role = Role(reported, exported, {name: self.lags[name] for name in share.derived})
        task = self._make_task(stage, share, routes, role)
        sent = self._send(task, count)
        found = give_workers(sent, task.run, task.leaving.write_schema())
        # What may still change is sent beside what came and went.
        leaves = 2 * count_leaves(self.leaves, task.routes, task.everywhere)
        if keep and is_too_large(leaves):
            found, leaves = cut(found, stage.number), 1
        elif keep:
            found = found.persist(StorageLevel.MEMORY_AND_DISK)
        self.stages.append(Played(task, found))
        self.lags |= find_lags(share, self.replay, role)
        for name, table in zip(role.wanted, task.leaving.tables, strict=False):
            rows_of = take(found, table)
            self.known[name] = rows_of.filter(pick(WHAT) <= int(What.NOT_PENDING))
            self.leaves[name] = leaves
            self.counts[name] = rows

    def _make_task(self, stage: Stage, share: Share, routes: Routes, role: Role) -> ReplayTask:
        small = tuple(name for name in routes.whole if self.counts[name] <= BROADCAST_ROWS)
        everywhere = tuple(name for name in routes.whole if name not in small)
        ways = (*routes.rows, *routes.owners)
        signatures = list_arriving(share)
        used = list_columns(share.program, stage.definitions)
        travelling = [
            self._choose_columns(signatures[name], share, used)
            for name in (*(route.name for route in ways), *everywhere)
        ]
        results = {one.signature.name: one.signature for one in share.program.definitions}
        leaving = [*[mark(results[name], FOUND) for name in role.wanted], STATISTICS]
        return ReplayTask(
            number=stage.number,
            share=share,
            replay=self.replay,
            role=role,
            routes=ways,
            everywhere=everywhere,
            facts=pack_facts(self.known, [signatures[name] for name in small]),
            arriving=lay_out(travelling),
            leaving=lay_out([(one, one.arguments) for one in leaving]),
        )

    def _choose_columns(
        self, signature: Signature, share: Share, used: Mapping[str, tuple[str, ...]]
    ) -> tuple[Signature, tuple[str, ...]]:
        """All that tells rows apart, where they are compared; of other events what is used."""
        name, arguments = signature.name, signature.arguments
        if signature.kind is None:
            return signature, arguments
        if name in share.derived:
            return mark(signature, FOUND), (*arguments, *FOUND)
        if signature.kind == "event":
            there = self.known[name].columns
            chosen = used[name] if self.is_plain[name] else arguments
            arguments = tuple(one for one in chosen if one in there)
        return mark(signature, GIVEN), (*arguments, *GIVEN)

    def _send(self, task: ReplayTask, count: int) -> DataFrame:
        """All that travels, where it is needed."""
        signatures = list_arriving(task.share)
        scans = {scan.name: scan for scan in find_scans(task.share.program)}
        frames = {}
        for name in {route.name for route in task.routes}:
            frames[name] = self.known[name]
            if name in scans and scans[name].alternatives:
                # What is said of bindings is said of all, whatever their values.
                passing = (pick(WHAT) > int(What.REMOVED)) | write_filter(
                    scans[name], signatures[name]
                )
                frames[name] = frames[name].filter(passing)
        layout = task.arriving
        parts: list[DataFrame] = []
        everywhere: list[DataFrame] = []
        for route, table in zip(task.routes, layout.tables, strict=False):
            parts.append(send(route, frames, signatures, table, layout, count))
            if route.name in task.share.derived and route.positions:
                pending = _choose_pending(frames[route.name], signatures[route.name], route)
                everywhere.append(lay(pending, table, layout))
        for name, table in zip(task.everywhere, layout.tables[len(task.routes) :], strict=True):
            everywhere.append(lay(self.known[name], table, layout))
        is_global = not task.share.keys
        return shuffle(self.spark, layout, parts, everywhere, count, is_global=is_global)


def _choose_pending(frame: DataFrame, signature: Signature, route: Route) -> DataFrame:
    """What is said of bindings whose key is not known: it goes to every partition."""
    key = [pick(signature.arguments[at]).isNull() for at in route.positions]
    return frame.filter((pick(WHAT) > int(What.REMOVED)) & reduce(or_, key))
