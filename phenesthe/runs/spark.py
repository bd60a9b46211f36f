"""Runs on Spark: the command opens a session, Python has one."""

from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

from phenesthe.engines.spark.failures import explained
from phenesthe.engines.spark.jobs import open_spark
from phenesthe.engines.spark.results import SparkResults
from phenesthe.engines.spark.run import run_spark
from phenesthe.engines.spark.unseen import FrameValues
from phenesthe.engines.spark.write import write_folder
from phenesthe.io.address import is_address
from phenesthe.io.putting import AT_ONCE
from phenesthe.io.target import find_form
from phenesthe.runs.judge import judge, report_rejects
from phenesthe.runs.ran import Ran, count_rows, make_meta, make_ran
from phenesthe.runs.request import Output, Request
from phenesthe.runs.sinks import Files
from phenesthe.runs.size import is_small
from phenesthe.runs.spark_find import find_frames
from phenesthe.runs.spark_read import read_frames
from phenesthe.runs.spark_replay import replay_in_partitions
from phenesthe.runs.spark_state import replay_with_state
from phenesthe.runs.stats import write_only_query
from phenesthe.runs.watch import Watch

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True, slots=True)
class SparkEngine:
    """See `phenesthe.runs.engine.Engine`.

    `master` is the Spark to use for what is written; `spark` the session of whoever wants results
    back, who has frames of it.
    """

    master: str | None = None
    partitions: int | None = None
    spark: "SparkSession | None" = None

    def run(self, request: Request, watch: Watch) -> Ran:
        assert request.output is not None
        if request.windows is None:
            return self._evaluate(request, request.output, watch)
        if request.state is not None:
            return replay_with_state(self.master, request, request.windows, request.output, watch)

        return replay_in_partitions(
            self.master, self.partitions, request, request.windows, request.output, watch
        )

    def find(self, request: Request) -> "SparkResults":
        assert self.spark is not None
        return find_frames(self.spark, request, self.partitions)

    def _evaluate(self, request: Request, output: Output, watch: Watch) -> Ran:
        path = output.path
        is_elsewhere = path is not None and is_address(path)
        asked = perf_counter()
        with open_spark(self.master, watch.say, is_small=is_small(request)) as session:
            start = perf_counter() - asked
            inputs = read_frames(session.spark, request)
            judge(request, inputs, watch)
            report_rejects(request, inputs.rejects, watch)
            values = FrameValues({**inputs.frames, **inputs.facts})
            count = sum(inputs.counts[one.name] for one in request.program.inputs)
            meta = make_meta(request, inputs, inputs.last)
            began = perf_counter()
            with explained("evaluating", log=session.log):
                found = run_spark(
                    session.spark,
                    request.program,
                    inputs,
                    until=request.until,
                    start=request.start,
                    only=request.only,
                    partitions=self.partitions,
                    together=not is_elsewhere,
                )
                if path is not None and (is_elsewhere or find_form(path) == "directory"):
                    written = write_folder(
                        session.spark,
                        request.program,
                        found,
                        path,
                        overwrite=output.overwrite,
                        times=output.times,
                        meta=meta,
                        # The output comes last: a run that was killed before it is made again.
                        before=lambda: write_only_query(
                            request, inputs, count, perf_counter() - began
                        ),
                    )
                    return replace(make_ran(request, inputs, written, values), start=start)
                results = found.collect()
            ran = replace(make_ran(request, inputs, count_rows(results), values), start=start)
        write_only_query(request, inputs, count, perf_counter() - began)
        Files(request, output, watch).put(results, meta, AT_ONCE)
        return ran
