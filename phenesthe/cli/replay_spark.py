"""`phenesthe run --window` on Spark."""

import argparse
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from phenesthe.cli.evaluate import (
    count_rows,
    make_meta,
    make_ran,
    read,
    write,
)
from phenesthe.cli.judge import judge, report_rejects
from phenesthe.cli.order import Order, Windows
from phenesthe.cli.progress import Progress
from phenesthe.cli.replay import NAMED, play
from phenesthe.cli.state import keeping
from phenesthe.cli.stats import describe_query, writing_stats
from phenesthe.cli.summary import Ran
from phenesthe.io.address import is_address

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from phenesthe.engines.spark.reading import StreamInputs
    from phenesthe.engines.spark.versions import Counts
    from phenesthe.io.meta import Meta
    from phenesthe.memory.replay import Schedule


def replay_on_spark(
    given: argparse.Namespace, order: Order, windows: Windows, progress: Progress
) -> Ran:
    if given.state is None:
        return _replay_in_partitions(given, order, windows, progress)
    return _replay_with_state(given, order, windows, progress)


def _replay_with_state(
    given: argparse.Namespace, order: Order, windows: Windows, progress: Progress
) -> Ran:
    """Spark reads and judges the rows, and one memory, which is kept, takes them in here.

    A partition knows only the keys it was sent. Tomorrow's rows may bring other keys together (a
    pair of vessels that never met), for which it would have to remember what all others do.
    """
    from phenesthe.engines.spark.failures import explained
    from phenesthe.engines.spark.progress import watch
    from phenesthe.engines.spark.reading import read_stream
    from phenesthe.engines.spark.reading.gather import gather
    from phenesthe.engines.spark.session import open_session

    with keeping(given, order, windows) as keeper:
        progress.say("starting Spark")
        with open_session(given.master, say=progress.say) as session:
            with watch(session, progress.say), explained("reading the input", log=session.log):
                inputs = read(partial(read_stream, session.spark), given, order)
                stream = gather(order.program, inputs)
                inputs.release()
            is_elsewhere = given.output is not None and is_address(given.output)
            finish = partial(_write_tables, session.spark) if is_elsewhere else write
            with explained("writing the results", log=session.log):
                return play(given, keeper, stream, progress, finish)


def _replay_in_partitions(
    given: argparse.Namespace, order: Order, windows: Windows, progress: Progress
) -> Ran:
    from phenesthe.engines.spark.failures import explained
    from phenesthe.engines.spark.progress import watch
    from phenesthe.engines.spark.reading import read_stream
    from phenesthe.engines.spark.session import open_session
    from phenesthe.engines.spark.unseen import FrameValues
    from phenesthe.memory.replay import make_schedule

    progress.say("starting Spark")
    with open_session(given.master, say=progress.say) as session, watch(session, progress.say):
        # Only a given start can refuse rows that come as time reaches them.
        reading = partial(read_stream, session.spark, placed=order.start is not None)
        stream = read(reading, given, order)
        judge(given, order, stream)
        schedule = make_schedule(
            step=windows.step,
            begin=stream.begin,
            last=stream.last,
            start=order.start,
            until=order.until,
        )
        with explained("replaying", log=session.log):
            meta = make_meta(order, stream, None if schedule is None else schedule.last)
            run = _Run(given, order, windows, progress, session.spark, meta)
            found = _replay(run, stream, schedule)
            values = FrameValues({**stream.frames, **stream.facts})
            ran = make_ran(order, stream, found, values)
        stream.release()
        return replace(ran, row=NAMED[windows.emit])


@dataclass(frozen=True, slots=True)
class _Run:
    """What is ordered, and where it is done."""

    given: argparse.Namespace
    order: Order
    windows: Windows
    progress: Progress
    spark: "SparkSession"
    meta: "Meta"


def _replay(run: _Run, stream: "StreamInputs", schedule: "Schedule | None") -> Mapping[str, int]:
    """How many rows each definition has."""
    from phenesthe.engines.spark.marks import FOUND
    from phenesthe.engines.spark.replay import replay_spark
    from phenesthe.engines.spark.versions import list_counts

    given, order, windows = run.given, run.order, run.windows
    if schedule is None:
        report_rejects(given, stream.rejects)
        with writing_stats(given.stats):
            pass
        _write_nothing(run)
        return dict.fromkeys(order.only, 0)
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
    # The output comes last: a run that was killed before it is made again.
    if is_elsewhere:
        frames = found.list_frames()
        counts: Mapping[str, int] = _write_elsewhere(run.spark, frames, given, order, run.meta)
    elif windows.emit == "final":
        counts = count_rows(tables)
        write(
            {name: table.drop_columns([*FOUND]) for name, table in tables.items()},
            given, order, run.progress, run.meta,
        )  # fmt: skip
    else:
        counts = _write_versions(run, tables, schedule)
    found.release()
    return counts


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
    from phenesthe.io.columns import make_schema

    given, order = run.given, run.order
    signatures = {one.signature.name: one.signature for one in order.program.definitions}
    tables = {name: make_schema(signatures[name]).empty_table() for name in order.only}
    if given.output is not None and is_address(given.output):
        _write_tables(run.spark, tables, given, order, run.progress, run.meta)
    elif run.windows.emit == "final":
        write(tables, given, order, run.progress, run.meta)
    else:
        _write_versions(run, {}, None)


def _write_tables(
    spark: "SparkSession",
    tables: "dict[str, pa.Table]",
    given: argparse.Namespace,
    order: Order,
    progress: Progress,
    meta: "Meta",
    _: object = None,
) -> None:
    """What is here, to an address, where nothing waits for anything else."""
    from phenesthe.engines.spark.reading.scans import make_frame

    progress.say("writing the results")
    frames = {name: make_frame(spark, one) for name, one in tables.items()}
    _write_elsewhere(spark, frames, given, order, meta)


def _write_elsewhere(
    spark: "SparkSession",
    frames: "dict[str, DataFrame]",
    given: argparse.Namespace,
    order: Order,
    meta: "Meta",
) -> dict[str, int]:
    from phenesthe.engines.spark.run import Found
    from phenesthe.engines.spark.write import write_folder

    return write_folder(
        spark,
        order.program,
        Found(frames, []),
        given.output,
        overwrite=given.overwrite,
        times=given.times,
        meta=meta,
    )


def _write_versions(
    run: _Run, tables: "dict[str, pa.Table]", schedule: "Schedule | None"
) -> Mapping[str, int]:
    from phenesthe.engines.spark.versions import list_versions
    from phenesthe.io.versions import CHANGE, SNAPSHOT, writing_versions
    from phenesthe.memory.changes import add_query

    run.progress.say("writing the results")
    counts = Counter(dict.fromkeys(run.order.only, 0))
    with writing_versions(
        run.order.program,
        run.order.only,
        run.given.output,
        CHANGE if run.windows.emit == "changes" else SNAPSHOT,
        overwrite=run.given.overwrite,
        times=run.given.times,
        meta=run.meta,
    ) as write_query:
        if schedule is not None:
            for query, found in list_versions(run.order.program, tables, schedule):
                counts.update(count_rows(found))
                write_query(add_query(found, query))
    return counts
