"""A replay on Spark in which each partition goes through all queries by itself."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

from phenesthe.engines.spark.failures import explained
from phenesthe.engines.spark.jobs import open_spark
from phenesthe.engines.spark.reading import StreamInputs
from phenesthe.engines.spark.replay import Replayed, replay_spark
from phenesthe.engines.spark.replay_columns import FOUND_COLUMNS
from phenesthe.engines.spark.unseen import FrameValues
from phenesthe.engines.spark.versions import Counts, list_counts, list_versions
from phenesthe.io.address import is_address
from phenesthe.io.columns import make_schema
from phenesthe.io.meta import Meta
from phenesthe.io.putting import AT_ONCE
from phenesthe.memory.changes import add_query
from phenesthe.memory.replay import Schedule, make_schedule
from phenesthe.runs.judge import judge, report_rejects
from phenesthe.runs.play import NAMED
from phenesthe.runs.ran import Ran, count_rows, make_meta, make_ran
from phenesthe.runs.request import Output, Request, Windows
from phenesthe.runs.sinks import Files
from phenesthe.runs.size import is_small
from phenesthe.runs.spark_read import read_streams
from phenesthe.runs.spark_state import Elsewhere
from phenesthe.runs.stats import describe_query, writing_stats
from phenesthe.runs.watch import Watch

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession


def replay_in_partitions(
    master: str | None,
    partitions: int | None,
    request: Request,
    windows: Windows,
    output: Output,
    watch: Watch,
) -> Ran:
    asked = perf_counter()
    with open_spark(master, watch.say, is_small=is_small(request)) as session:
        start = perf_counter() - asked
        stream = read_streams(session.spark, request)
        judge(request, stream, watch)
        schedule = plan_queries(request, windows, stream)
        with explained("replaying", log=session.log):
            meta = make_meta(request, stream, None if schedule is None else schedule.last)
            run = _Run(session.spark, request, windows, partitions, output, watch, meta)
            counts = run.write_nothing(stream) if schedule is None else run.replay(stream, schedule)
            values = FrameValues({**stream.frames, **stream.facts})
            ran = make_ran(request, stream, counts, values)
        stream.release()
        return replace(ran, row=NAMED[windows.emit], start=start)


def plan_queries(request: Request, windows: Windows, stream: "StreamInputs") -> "Schedule | None":
    return make_schedule(
        step=windows.step,
        begin=stream.begin,
        last=stream.last,
        start=request.start,
        until=request.until,
    )


def replay_frames(
    spark: "SparkSession",
    request: Request,
    windows: Windows,
    stream: "StreamInputs",
    schedule: "Schedule",
    partitions: int | None,
    *,
    together: bool,
) -> "Replayed":
    """Rows that are refused are set aside now."""
    return replay_spark(
        spark,
        request.program,
        stream,
        schedule=schedule,
        window=windows.width,
        start=request.start,
        emit=windows.emit,
        only=request.only,
        partitions=partitions,
        is_counted=request.stats is not None,
        together=together,
    )


@dataclass(frozen=True, slots=True)
class _Run:
    """What is asked for, and where it is done."""

    spark: "SparkSession"
    request: Request
    windows: Windows
    partitions: int | None
    output: Output
    watch: Watch
    meta: "Meta"

    def replay(self, stream: "StreamInputs", schedule: "Schedule") -> Mapping[str, int]:
        """How many rows each definition has."""

        request = self.request
        # What did not fit belongs to no query; it is told with the first, so that the sum is right.
        unfit = len(stream.rejects)
        sink = self._make_sink()
        is_elsewhere = isinstance(sink, Elsewhere)
        found = replay_frames(
            self.spark, request, self.windows, stream, schedule, self.partitions,
            together=not is_elsewhere,
        )  # fmt: skip
        report_rejects(request, stream.rejects, self.watch)
        tables, statistics = found.collect(only_statistics=is_elsewhere)
        with writing_stats(request) as tell:
            if request.stats is not None:
                for one in list_counts(
                    request.program, stream, found.admitted, statistics, schedule
                ):
                    tell(_describe(one, unfit))
                    unfit = 0
        # The output comes last: a run that was killed before it is made again.
        if isinstance(sink, Elsewhere):
            counts: Mapping[str, int] = sink.write(found.list_frames(), self.meta)
        elif self.windows.emit == "final":
            counts = count_rows(tables)
            own = {name: table.drop_columns([*FOUND_COLUMNS]) for name, table in tables.items()}
            sink.put(own, self.meta, AT_ONCE)
        else:
            counts = self._write_versions(sink, tables, schedule)
        found.release()
        return counts

    def write_nothing(self, stream: "StreamInputs") -> Mapping[str, int]:
        """There is no instant to ask about."""

        request, sink = self.request, self._make_sink()
        report_rejects(request, stream.rejects, self.watch)
        with writing_stats(request):
            pass
        if self.windows.emit == "final":
            signatures = request.program.defined
            tables = {name: make_schema(signatures[name]).empty_table() for name in request.only}
            sink.put(tables, self.meta, AT_ONCE)
        else:
            self._write_versions(sink, {}, None)
        return dict.fromkeys(request.only, 0)

    def _make_sink(self) -> Files:
        if self.output.path is not None and is_address(self.output.path):
            return Elsewhere(self.spark, self.request, self.output, self.watch)
        return Files(self.request, self.output, self.watch)

    def _write_versions(
        self, sink: Files, tables: "dict[str, pa.Table]", schedule: "Schedule | None"
    ) -> Mapping[str, int]:
        self.watch.say("writing the results")
        counts = Counter(dict.fromkeys(self.request.only, 0))
        with sink.putting_versions(self.meta, AT_ONCE) as put:
            if schedule is not None:
                for query, found in list_versions(self.request.program, tables, schedule):
                    counts.update(count_rows(found))
                    put(add_query(found, query))
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
