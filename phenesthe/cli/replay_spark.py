"""`phenesthe run --window` on Spark."""

import argparse
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from phenesthe.cli.evaluate import read, report_rejects, write
from phenesthe.cli.order import Order, Windows
from phenesthe.cli.progress import Progress
from phenesthe.cli.stats import describe_query, writing_stats
from phenesthe.cli.terminal import warn
from phenesthe.io.address import is_address

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from phenesthe.engines.spark.reading import StreamInputs
    from phenesthe.engines.spark.versions import Counts
    from phenesthe.memory.replay import Schedule


def replay_on_spark(
    given: argparse.Namespace, order: Order, windows: Windows, progress: Progress
) -> None:
    from phenesthe.engines.spark.failures import explained
    from phenesthe.engines.spark.progress import watch
    from phenesthe.engines.spark.reading import read_stream
    from phenesthe.engines.spark.session import open_session
    from phenesthe.memory.replay import make_schedule

    progress.say("starting Spark")
    with open_session(given.master, say=progress.say) as session, watch(session, progress.say):
        # Only a given start can refuse rows that come as time reaches them.
        reading = partial(read_stream, session.spark, placed=order.start is not None)
        stream = read(reading, given, order)
        for text in stream.warnings:
            warn(text)
        schedule = make_schedule(
            step=windows.step,
            begin=stream.begin,
            last=stream.last,
            start=order.start,
            until=order.until,
        )
        with explained("replaying", log=session.log):
            _replay(_Run(given, order, windows, progress, session.spark), stream, schedule)
        stream.release()


@dataclass(frozen=True, slots=True)
class _Run:
    """What is ordered, and where it is done."""

    given: argparse.Namespace
    order: Order
    windows: Windows
    progress: Progress
    spark: "SparkSession"


def _replay(run: _Run, stream: "StreamInputs", schedule: "Schedule | None") -> None:
    from phenesthe.engines.spark.marks import FOUND
    from phenesthe.engines.spark.replay import replay_spark
    from phenesthe.engines.spark.versions import list_counts

    given, order, windows = run.given, run.order, run.windows
    if schedule is None:
        report_rejects(given, stream.rejects)
        with writing_stats(given.stats):
            _write_nothing(run)
        return
    # What did not fit belongs to no query; it is told with the first, so that the sum is right.
    unfit = len(stream.rejects)
    is_elsewhere = given.output is not None and is_address(given.output)
    found = replay_spark(
        run.spark,
        order.program,
        stream,
        schedule=schedule,
        window=windows.width,
        start=order.start,
        emit=windows.emit,
        only=order.only,
        partitions=given.partitions,
        is_counted=given.stats is not None,
        together=not is_elsewhere,
    )
    report_rejects(given, stream.rejects)
    tables, statistics = found.collect(only_statistics=is_elsewhere)
    with writing_stats(given.stats) as tell:
        if given.stats is not None:
            for one in list_counts(order.program, stream, found.admitted, statistics, schedule):
                tell(_describe(one, unfit))
                unfit = 0
        if is_elsewhere:
            _write_elsewhere(run, found.list_frames())
        elif windows.emit == "final":
            write(
                {name: table.drop_columns([*FOUND]) for name, table in tables.items()},
                given, order, run.progress,
            )  # fmt: skip
        else:
            _write_versions(run, tables, schedule)
    found.release()


def _describe(one: "Counts", unfit: int) -> dict[str, object]:
    return describe_query(
        one.query,
        inputs=one.inputs,
        late=one.late,
        too_late=one.too_late,
        rejected=unfit + one.rejected,
        rows=one.rows,
        incomplete=one.incomplete,
        seconds=one.seconds,
    )


def _write_nothing(run: _Run) -> None:
    """There is no instant to ask about."""
    from phenesthe.engines.spark.reading.scans import make_frame
    from phenesthe.io.columns import make_schema

    given, order = run.given, run.order
    signatures = {one.signature.name: one.signature for one in order.program.definitions}
    tables = {name: make_schema(signatures[name]).empty_table() for name in order.only}
    if given.output is not None and is_address(given.output):
        _write_elsewhere(run, {name: make_frame(run.spark, one) for name, one in tables.items()})
    elif run.windows.emit == "final":
        write(tables, given, order, run.progress)
    else:
        _write_versions(run, {}, None)


def _write_elsewhere(run: _Run, frames: "dict[str, DataFrame]") -> None:
    from phenesthe.engines.spark.run import Found
    from phenesthe.engines.spark.write import write_folder

    write_folder(
        run.spark,
        run.order.program,
        Found(frames, []),
        run.given.output,
        overwrite=run.given.overwrite,
        times=run.given.times,
    )


def _write_versions(run: _Run, tables: "dict[str, pa.Table]", schedule: "Schedule | None") -> None:
    from phenesthe.engines.spark.versions import list_versions
    from phenesthe.io.versions import CHANGE, SNAPSHOT, writing_versions
    from phenesthe.memory.changes import add_query

    run.progress.say("writing the results")
    with writing_versions(
        run.order.program,
        run.order.only,
        run.given.output,
        CHANGE if run.windows.emit == "changes" else SNAPSHOT,
        overwrite=run.given.overwrite,
        times=run.given.times,
    ) as write_query:
        if schedule is not None:
            for query, found in list_versions(run.order.program, tables, schedule):
                write_query(add_query(found, query))
