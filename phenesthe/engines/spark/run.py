"""A program on Spark: for each stage one shuffle and one Python function over its rows."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from phenesthe.check.program import CheckedProgram
from phenesthe.engines.share import make_share
from phenesthe.engines.spark.build import Builder, list_exported
from phenesthe.engines.spark.exchange import take
from phenesthe.engines.spark.layout import Layout, lay_out
from phenesthe.engines.spark.lineage import count_leaves
from phenesthe.engines.spark.progress import working
from phenesthe.engines.spark.worker import Task
from phenesthe.engines.timeline import find_timeline
from phenesthe.io.columns import list_times
from phenesthe.plan.calendar_years import check_years, find_calendar
from phenesthe.plan.needed import prune
from phenesthe.plan.stages import Stage, find_stages

if TYPE_CHECKING:
    from phenesthe.engines.spark.reading import Inputs


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
                with working(stage.frame.sparkSession, doing):
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
    if (calendar := find_calendar(pruned)) is not None:
        check_years(calendar, pruned.unit, first, q)
    known = {**inputs.frames, **inputs.facts}
    if until is not None:
        known |= {
            one.name: inputs.frames[one.name].filter(sf.col(list_times(one)[0]) <= q)
            for one in pruned.inputs
        }
    builder = _RunBuilder(spark, pruned, known, dict(inputs.counts), partitions, first=first, q=q)
    stages = find_stages(pruned)
    for stage in stages:
        reported = [name for name in stage.definitions if name in names]
        later = list_exported(stages, stage)
        wanted = tuple(dict.fromkeys([*reported, *later]))
        builder.add(stage, wanted, keep=bool(later) or (not together and len(reported) > 1))
    return Found({name: builder.known[name] for name in names}, builder.stages)


@dataclass(kw_only=True)
class _RunBuilder(Builder):
    """The frames of a run so far."""

    first: int
    q: int
    stages: list[Computed] = field(default_factory=list)

    def add(self, stage: Stage, wanted: tuple[str, ...], *, keep: bool) -> None:
        """Add what a stage finds to what is known."""
        arriving = self.arrange(stage, make_share(self.program, stage, self.first, self.q))
        results = arriving.share.program.defined
        task = Task(
            number=stage.number,
            share=arriving.share,
            routes=arriving.routes,
            everywhere=arriving.everywhere,
            facts=arriving.facts,
            wanted=wanted,
            arriving=arriving.layout,
            leaving=lay_out([(results[name], results[name].arguments) for name in wanted]),
        )
        sent = self.send(arriving)
        leaves = count_leaves(self.leaves, task.routes, task.everywhere)
        found, leaves = self.give(task, sent, leaves, keep=keep)
        self.stages.append(Computed(task, sent, found, keep))
        for name, table in zip(wanted, task.leaving.tables, strict=True):
            self.know(name, take(found, table), arriving, leaves)
