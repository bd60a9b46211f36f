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

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.engines.share import Share, make_share
from phenesthe.engines.spark.admission import Admitted, admit
from phenesthe.engines.spark.build import Builder, list_exported
from phenesthe.engines.spark.exchange import pick, take
from phenesthe.engines.spark.layout import Table, lay_out
from phenesthe.engines.spark.lineage import count_leaves
from phenesthe.engines.spark.progress import working
from phenesthe.engines.spark.reading.streaming import StreamInputs
from phenesthe.engines.spark.replay_columns import (
    FOUND_COLUMNS,
    INPUT_COLUMNS,
    WHAT,
    What,
    extend_signature,
)
from phenesthe.engines.spark.replay_worker import (
    STATISTICS,
    Emit,
    Replay,
    ReplayTask,
    Role,
    find_lags,
)
from phenesthe.memory.replay import Schedule, begin_timeline
from phenesthe.plan.calendar_years import check_years, find_calendar
from phenesthe.plan.needed import prune
from phenesthe.plan.routes import Route
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
        """What is told of each reported definition, with its replay columns; and the statistics."""
        tables: dict[str, pa.Table] = {}
        statistics: list[pa.Table] = []
        for number, stage in enumerate(self.stages, 1):
            names = () if only_statistics else stage.task.role.reported
            chosen = stage.choose(names)
            if chosen is None:
                continue
            doing = f"replaying stage {number} of {len(self.stages)}"
            with working(stage.frame.sparkSession, doing):
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
                found[name] = rows.filter(pick(WHAT) == int(What.FINAL)).drop(*FOUND_COLUMNS)
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
    first = begin_timeline(stream.first, start)
    if (calendar := find_calendar(pruned)) is not None:
        check_years(calendar, pruned.unit, first, schedule.last)
    with working(spark, "judging the rows"):
        admitted = admit(spark, pruned, stream, schedule, window, partitions)
    replay = Replay(schedule, window, first, emit, is_counted)
    builder = _ReplayBuilder(
        spark,
        pruned,
        {**admitted.frames, **stream.facts},
        dict(stream.counts),
        partitions,
        replay=replay,
        is_plain=stream.is_plain,
    )
    stages = find_stages(pruned)
    for stage in stages:
        reported = tuple(name for name in stage.definitions if name in names)
        exported = list_exported(stages, stage)
        keep = bool(exported) or (not together and len(reported) > 1)
        builder.add(stage, reported, exported, keep=keep)
    return Replayed(builder.stages, admitted)


@dataclass(kw_only=True)
class _ReplayBuilder(Builder):
    """The frames of a replay so far."""

    replay: Replay
    is_plain: Mapping[str, bool]
    lags: dict[str, int] = field(default_factory=dict)
    stages: list[Played] = field(default_factory=list)

    def add(
        self, stage: Stage, reported: tuple[str, ...], exported: tuple[str, ...], *, keep: bool
    ) -> None:
        """Add what a stage finds to what is known."""
        last = self.replay.schedule.last
        share = make_share(self.program, stage, last, last)
        arriving = self.arrange(stage, share)
        role = Role(reported, exported, {name: self.lags[name] for name in share.derived})
        results = share.program.defined
        leaving = [
            *[extend_signature(results[name], FOUND_COLUMNS) for name in role.wanted],
            STATISTICS,
        ]
        task = ReplayTask(
            number=stage.number,
            share=share,
            replay=self.replay,
            role=role,
            routes=arriving.routes,
            everywhere=arriving.everywhere,
            facts=arriving.facts,
            arriving=arriving.layout,
            leaving=lay_out([(one, one.arguments) for one in leaving]),
        )
        # What may still change is sent beside what came and went.
        leaves = 2 * count_leaves(self.leaves, task.routes, task.everywhere)
        found, leaves = self.give(task, self.send(arriving), leaves, keep=keep)
        self.stages.append(Played(task, found))
        self.lags |= find_lags(share, self.replay, role)
        for name, table in zip(role.wanted, task.leaving.tables, strict=False):
            rows = take(found, table).filter(pick(WHAT) <= int(What.NOT_PENDING))
            self.know(name, rows, arriving, leaves)

    def choose_columns(
        self, signature: Signature, share: Share, used: Mapping[str, tuple[str, ...]]
    ) -> tuple[Signature, tuple[str, ...]]:
        """All that tells rows apart, where they are compared; of other events what is used."""
        name, arguments = signature.name, signature.arguments
        if signature.kind is None:
            return signature, arguments
        if name in share.derived:
            return extend_signature(signature, FOUND_COLUMNS), (*arguments, *FOUND_COLUMNS)
        if signature.kind == "event":
            there = self.known[name].columns
            chosen = used[name] if self.is_plain[name] else arguments
            arguments = tuple(one for one in chosen if one in there)
        return extend_signature(signature, INPUT_COLUMNS), (*arguments, *INPUT_COLUMNS)

    def let_pass(self, condition: Column) -> Column:
        # What is said of bindings is said of all, whatever their values.
        return (pick(WHAT) > int(What.REMOVED)) | condition

    def find_pending(
        self, frame: DataFrame, signature: Signature, route: Route, share: Share
    ) -> DataFrame | None:
        """What is said of bindings whose key is not known."""
        if route.name not in share.derived or not route.positions:
            return None
        key = [pick(signature.arguments[at]).isNull() for at in route.positions]
        return frame.filter((pick(WHAT) > int(What.REMOVED)) & reduce(or_, key))
