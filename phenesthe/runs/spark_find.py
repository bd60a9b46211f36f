"""What Python gets of a run on Spark: frames of the session whose frames were given."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from phenesthe.engines.spark.case_sensitivity import telling_case
from phenesthe.engines.spark.reading import Inputs, StreamInputs
from phenesthe.engines.spark.reading.scans import make_frame
from phenesthe.engines.spark.replay import Replayed
from phenesthe.engines.spark.replay_columns import FOUND_COLUMNS
from phenesthe.engines.spark.results import SparkResults
from phenesthe.engines.spark.run import Found, run_spark
from phenesthe.engines.spark.session import adopt
from phenesthe.engines.spark.unseen import FrameValues
from phenesthe.engines.spark.versions import list_versions
from phenesthe.io.rejects import Rejects
from phenesthe.io.unseen import warn_unseen
from phenesthe.memory.changes import add_query
from phenesthe.memory.replay import Schedule
from phenesthe.plan.needed import prune
from phenesthe.runs.judge import judge
from phenesthe.runs.kept_state import keeping
from phenesthe.runs.play import play
from phenesthe.runs.request import Request, Windows
from phenesthe.runs.sinks import Tables
from phenesthe.runs.spark_read import read_frames, read_streams
from phenesthe.runs.spark_replay import plan_queries, replay_frames
from phenesthe.runs.spark_state import bring
from phenesthe.runs.watch import Listener

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession


def find_frames(spark: "SparkSession", request: Request, partitions: int | None) -> SparkResults:
    """Computed when it is used; where a state is kept, now."""
    adopt(spark)
    if request.windows is None:
        return SparkResults(request.only, _Evaluation(spark, request, partitions))
    if request.state is None:
        return SparkResults(request.only, _Replay(spark, request, partitions, request.windows))
    return SparkResults(request.only, _replay_with_state(spark, request, request.windows))


class _Lazy(ABC):
    """What is read and computed when it is asked for."""

    def __init__(self, spark: "SparkSession", request: Request, partitions: int | None) -> None:
        self.spark, self.request, self.partitions = spark, request, partitions
        self._listener = Listener()

    @property
    @abstractmethod
    def _inputs(self) -> Inputs | StreamInputs: ...

    @property
    @abstractmethod
    def _found(self) -> Found | Replayed | None: ...

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        inputs, request = self._inputs, self.request
        needed = prune(request.program, request.only)
        with telling_case(self.spark, request.program):
            values = FrameValues({**inputs.frames, **inputs.facts})
            unseen = warn_unseen(needed, inputs.account, values)
        return (*self._listener.warnings, *unseen)

    def release(self) -> None:
        if "_found" in self.__dict__ and self._found is not None:
            self._found.release()
        if "_inputs" in self.__dict__:
            self._inputs.release()


class _Evaluation(_Lazy):
    """A run of one query."""

    @cached_property
    def _inputs(self) -> Inputs:
        with telling_case(self.spark, self.request.program):
            inputs = read_frames(self.spark, self.request)
        judge(self.request, inputs, self._listener)
        return inputs

    @cached_property
    def _found(self) -> Found:
        inputs, request = self._inputs, self.request
        with telling_case(self.spark, request.program):
            return run_spark(
                self.spark, request.program, inputs,
                until=request.until, start=request.start, only=request.only,
                partitions=self.partitions,
            )  # fmt: skip

    @property
    def rejects(self) -> Rejects:
        return self._inputs.rejects

    @property
    def frames(self) -> "Mapping[str, DataFrame]":
        return self._found.frames

    def collect(self) -> "dict[str, pa.Table]":
        return self._found.collect()


class _Replay(_Lazy):
    """A replay that nobody goes on from."""

    def __init__(
        self, spark: "SparkSession", request: Request, partitions: int | None, windows: Windows
    ) -> None:
        super().__init__(spark, request, partitions)
        self.windows = windows

    @cached_property
    def _inputs(self) -> StreamInputs:
        with telling_case(self.spark, self.request.program):
            inputs = read_streams(self.spark, self.request)
        judge(self.request, inputs, self._listener)
        return inputs

    @cached_property
    def _schedule(self) -> Schedule | None:
        return plan_queries(self.request, self.windows, self._inputs)

    @cached_property
    def _found(self) -> Replayed | None:
        """None: there is no instant to ask about."""
        inputs, request, schedule = self._inputs, self.request, self._schedule
        if schedule is None:
            return None
        with telling_case(self.spark, request.program):
            return replay_frames(
                self.spark, request, self.windows, inputs, schedule, self.partitions,
                together=self.windows.emit != "final",
            )  # fmt: skip

    def _find(self) -> Replayed | None:
        return self._found

    @property
    def rejects(self) -> Rejects:
        # Some are refused only when they become known.
        self._find()
        return self._inputs.rejects

    @cached_property
    def frames(self) -> "Mapping[str, DataFrame]":
        with telling_case(self.spark, self.request.program):
            if self._found is not None and self.windows.emit == "final":
                return self._found.list_frames()
            return {name: make_frame(self.spark, one) for name, one in self.collect().items()}

    def collect(self) -> "dict[str, pa.Table]":
        return self._tables

    @cached_property
    def _tables(self) -> "dict[str, pa.Table]":
        sink, found, schedule = Tables(self.request), self._found, self._schedule
        with telling_case(self.spark, self.request.program):
            told = {} if found is None else found.collect()[0]
        if self.windows.emit == "final":
            sink.take({name: one.drop_columns([*FOUND_COLUMNS]) for name, one in told.items()})
            return sink.given_back
        with sink.taking_versions() as take:
            if schedule is not None:
                for query, tables in list_versions(self.request.program, told, schedule):
                    take(add_query(tables, query))
        return sink.given_back


@dataclass(frozen=True, slots=True)
class _Done:
    """What was computed here."""

    frames: "Mapping[str, DataFrame]"
    tables: "dict[str, pa.Table]"
    rejects: Rejects
    warnings: tuple[str, ...]

    def collect(self) -> "dict[str, pa.Table]":
        return self.tables

    def release(self) -> None:
        pass


def _replay_with_state(spark: "SparkSession", request: Request, windows: Windows) -> _Done:
    sink, listener = Tables(request), Listener()
    with keeping(request, windows, listener) as kept:
        with telling_case(spark, request.program):
            stream = bring(spark, request)
        ran = play(kept, stream, sink, listener)
    with telling_case(spark, request.program):
        frames = {name: make_frame(spark, one) for name, one in sink.given_back.items()}
    warnings = (*listener.warnings, *ran.warnings)
    return _Done(frames, sink.given_back, ran.rejects, warnings)
