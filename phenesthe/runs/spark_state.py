"""A replay on Spark that is kept from run to run."""

from collections.abc import Mapping
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from phenesthe.engines.spark.failures import explained
from phenesthe.engines.spark.progress import watch as watch_jobs
from phenesthe.engines.spark.reading.bring_to_driver import bring_to_driver
from phenesthe.engines.spark.reading.scans import make_frame
from phenesthe.engines.spark.run import Found
from phenesthe.engines.spark.session import open_session
from phenesthe.engines.spark.write import write_folder
from phenesthe.io.address import is_address
from phenesthe.io.meta import Meta
from phenesthe.io.putting import Putting
from phenesthe.io.stream import Stream
from phenesthe.runs.kept_state import keeping
from phenesthe.runs.play import play
from phenesthe.runs.ran import Ran
from phenesthe.runs.request import Output, Request, Windows
from phenesthe.runs.sinks import Files
from phenesthe.runs.size import is_small
from phenesthe.runs.spark_read import read_streams
from phenesthe.runs.watch import Watch

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession


def replay_with_state(
    master: str | None, request: Request, windows: Windows, output: Output, watch: Watch
) -> Ran:
    """Spark reads and judges the rows, and one memory, which is kept, takes them in here.

    A partition knows only the keys it was sent. Tomorrow's rows may bring other keys together (a
    pair of vessels that never met), for which it would have to remember what all others do.
    """
    with keeping(request, windows, watch) as kept:
        watch.say("starting Spark")
        asked = perf_counter()
        with open_session(master, say=watch.say, is_small=is_small(request)) as session:
            start = perf_counter() - asked
            with (
                watch_jobs(session, watch.say),
                explained("reading the input", log=session.log),
            ):
                stream = bring(session.spark, request)
            is_elsewhere = output.path is not None and is_address(output.path)
            sink = (
                Elsewhere(session.spark, request, output, watch)
                if is_elsewhere
                else Files(request, output, watch)
            )
            with explained("writing the results", log=session.log):
                return replace(play(kept, stream, sink, watch), start=start)


def bring(spark: "SparkSession", request: Request) -> "Stream":
    """The rows that Spark has read, here."""
    inputs = read_streams(spark, request)
    stream = bring_to_driver(request.program, inputs)
    inputs.release()
    return stream


class Elsewhere(Files):
    """Results at an address, where nothing waits for anything else."""

    def __init__(
        self, spark: "SparkSession", request: Request, output: Output, watch: Watch
    ) -> None:
        super().__init__(request, output, watch)
        self.spark = spark

    def put(self, results: "dict[str, pa.Table]", meta: "Meta", _: "Putting") -> None:
        self.watch.say("writing the results")
        self.write({name: make_frame(self.spark, one) for name, one in results.items()}, meta)

    def write(self, frames: "Mapping[str, DataFrame]", meta: "Meta") -> dict[str, int]:
        """How many rows each definition has."""

        assert self.output.path is not None
        return write_folder(
            self.spark,
            self.request.program,
            Found(dict(frames), []),
            self.output.path,
            overwrite=self.output.overwrite,
            times=self.output.times,
            meta=meta,
        )
