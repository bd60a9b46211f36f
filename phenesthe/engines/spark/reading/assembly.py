"""Frames, counts and times of all inputs and facts, put together from what was found."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.engines.spark.reading.collect_rejects import Places, collect_rejects
from phenesthe.engines.spark.reading.lines import Objects
from phenesthe.engines.spark.reading.measure_sources import (
    SparkRows,
    WorkerRows,
    assign_tags,
    find_spark_rows,
    measure,
    send_to_workers,
)
from phenesthe.engines.spark.reading.retractions import settle_tables
from phenesthe.engines.spark.reading.scans import make_frame
from phenesthe.engines.spark.reading.small_files import are_small, read_sources
from phenesthe.engines.spark.reading.sources import Planned, Source
from phenesthe.engines.spark.reading.tagged_rows import Placed
from phenesthe.engines.spark.reading.worker_tasks import Tags
from phenesthe.io.account import Account
from phenesthe.io.columns import list_times, make_schema
from phenesthe.io.extent import Extent, choose, join_extents, measure_batch, measure_table
from phenesthe.io.fit import Batch
from phenesthe.io.load import count_batches, settle_batches
from phenesthe.io.names import list_fields
from phenesthe.io.read_tables import Reader, find_moved, refuse_column
from phenesthe.io.rejects import Rejects
from phenesthe.io.remarks import list_remarks


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Frames as declared: the wanted arguments, then `t`, or `ts` and `te` (null: still holding).

    Only rows that fit; retractions are applied. A row that still holds may stand beside one that
    closes it. `first` and `last` are the least and the greatest time of all inputs.
    """

    frames: dict[str, DataFrame]
    facts: dict[str, DataFrame]
    #: How many rows each of them has.
    counts: dict[str, int]
    rejects: Rejects
    warnings: tuple[str, ...]
    account: Account
    first: int | None
    last: int | None
    #: Frames that Spark keeps for these.
    held: tuple[DataFrame, ...] = ()

    def release(self) -> None:
        """Let Spark forget what it has parsed, when nobody will ask again."""
        for frame in self.held:
            frame.unpersist()


@dataclass(slots=True)
class Assembly:
    """What is known of each input and fact so far."""

    spark: SparkSession
    program: CheckedProgram
    reader: Reader
    frames: dict[str, list[DataFrame]] = field(default_factory=dict)
    extents: dict[str, Extent] = field(default_factory=dict)
    held: list[DataFrame] = field(default_factory=list)
    places: Places = field(default_factory=Places)
    placed: Placed = "retractions"

    def put(self, signature: Signature, batches: Sequence[Batch]) -> None:
        """Rows that the driver has judged."""
        table = settle_batches(signature, self.reader, {signature.name: list(batches)})
        extent = measure_table(table, list_times(signature))
        self._add(signature, make_frame(self.spark, table), extent)
        count_batches(self.reader, {signature.name: list(batches)})

    def read(self, planned: Planned) -> None:
        """Add all sources."""
        try:
            there = self._read(planned.sources)
        except BaseException:
            for frame in self.held:
                frame.unpersist()
            raise
        self.reader.account.there.update(there, planned.tables)

    def finish(self) -> Inputs:
        inputs, facts = self.program.inputs, self.program.facts
        extents = [self.extents.get(one.name, Extent()) for one in inputs]
        return Inputs(
            frames={one.name: self._join(one) for one in inputs},
            facts={one.name: self._join(one) for one in facts},
            counts={
                one.name: self.extents.get(one.name, Extent()).count for one in (*inputs, *facts)
            },
            rejects=self.reader.rejects,
            warnings=self.list_warnings(),
            account=self.reader.account,
            first=choose(min, *(one.first for one in extents)),
            last=choose(max, *(one.last for one in extents)),
            held=tuple(self.held),
        )

    def list_warnings(self) -> tuple[str, ...]:
        last = {name: one.last for name, one in self.extents.items()}
        return (*self.reader.warnings, *list_remarks(self.program, self.reader.rejects, last))

    def _read(self, sources: Sequence[Source]) -> Collection[str]:
        """Add all sources. Gives the names that had lines, where lines are of all names."""
        # Also where the driver reads them, Spark may read them again, and rows be set aside later.
        self.places = Places({one.number: one for one in sources})
        fast = find_spark_rows(sources)
        self.reader.account.dated |= any(one.is_dated for one in fast)
        proved = {one.source.number for one in fast if one.sure.extent is not None}
        unknown = {name for one in sources if one.number not in proved for name in one.list_names()}
        looked_at = [one for one in sources if unknown & set(one.list_names())]
        if looked_at and not are_small(looked_at):
            return self._read_on_workers({one.number: one for one in sources}, measure(fast))
        for one in fast:
            if one.source not in looked_at:
                self._add_sure(one, one.extent)
                self._count(one.name, one.extent)
        return self._read_here(looked_at, fast)

    def _read_here(self, sources: Sequence[Source], fast: Sequence[SparkRows]) -> Collection[str]:
        """Where all rows are as they should be and Spark can read them, it still does."""
        gathered, clean = read_sources(self.program, self.reader, sources)
        for signature in (*self.program.inputs, *self.program.facts):
            name = signature.name
            if name not in gathered:
                continue
            fed = [one for one in sources if name in one.list_names()]
            scans = [one for one in fast if one.source in fed]
            if name not in clean or len(scans) < len(fed):
                self.put(signature, gathered[name])
                continue
            times = list_times(signature)
            extents = [measure_batch(one, times) for one in gathered[name]]
            count_batches(self.reader, {name: gathered[name]})
            for one in scans:
                self._add_sure(one, join_extents(extents) if one is scans[0] else Extent())
        return gathered

    def _read_on_workers(
        self, sources: dict[int, Source], fast: Sequence[SparkRows]
    ) -> Collection[str]:
        tags = assign_tags(sources.values(), self.placed)
        work = send_to_workers(sources, fast, tags)
        self.places = Places(sources, {} if work is None else work.marks)
        if work is not None:
            self.held.extend(work.kept)
            self._check_work(work, sources)
            collect_rejects(work, self.places, self.reader.rejects)
        parts: dict[str, list[Extent]] = {
            name: [] if work is None else [work.measure(tag)] for name, tag in tags.numbers.items()
        }
        for one in fast:
            parts[one.name].append(one.extent)
        extents = {name: join_extents(found) for name, found in parts.items()}
        for name, extent in extents.items():
            self._count(name, extent)
        signatures = self.program.given
        retracted = [signatures[name] for name in tags.numbers if extents[name].retracts]
        settled = self._settle(retracted, fast, work, tags)
        for one in fast:
            if one.name not in settled:
                self._add_sure(one, one.extent)
        if work is None:
            return ()
        for name, tag in tags.numbers.items():
            if name not in settled and work.measure(tag).count:
                self._add_found(signatures[name], work, tags)
        return [name for name, tag in tags.numbers.items() if work.has(tag)]

    def _settle(
        self,
        retracted: Sequence[Signature],
        fast: Sequence[SparkRows],
        work: WorkerRows | None,
        tags: Tags,
    ) -> Collection[str]:
        """Add the tables with retractions. Gives the names of those that are done with."""
        if retracted:
            settled = settle_tables(retracted, fast, work, tags)
            self.held.extend(settled.kept)
            collect_rejects(settled, self.places, self.reader.rejects)
            for signature in retracted:
                self._add_found(signature, settled, tags)
        return {one.name for one in retracted}

    def _check_work(self, work: WorkerRows, sources: Mapping[int, Source]) -> None:
        for number, mark in work.marks.items():
            self.reader.warnings.extend(mark.warnings)
            way = sources[number].way
            if isinstance(way, Objects) and mark.seen is not None:
                names = way.judge.names
                absent = find_moved(names) - mark.seen
                if absent:
                    raise refuse_column(way.judge.signature, way.label, names, min(absent), ())

    def _add_sure(self, fast: SparkRows, extent: Extent) -> None:
        """Rows that Spark makes."""
        signature = fast.typed.judge.signature
        columns = [fast.sure.values[name].alias(name) for name in self._list_fields(signature)]
        self._add(signature, fast.list_rows().select(*columns), extent)

    def _add_found(self, signature: Signature, work: WorkerRows, tags: Tags) -> None:
        """Rows that workers made."""
        tag = tags.numbers[signature.name]
        slots = dict(tags.layout.tables[tag].list_fields())
        columns = [sf.col(slots[name]).alias(name) for name in self._list_fields(signature)]
        found = work.frame.filter(sf.col("tag") == tag).select(*columns)
        self._add(signature, found, work.measure(tag))

    def _add(self, signature: Signature, frame: DataFrame, extent: Extent) -> None:
        self.frames.setdefault(signature.name, []).append(frame)
        self.extents.setdefault(signature.name, Extent()).add(extent)

    def _count(self, name: str, extent: Extent) -> None:
        self.reader.account.fitted[name] += extent.count
        self.reader.account.dated |= extent.dated

    def _list_fields(self, signature: Signature) -> tuple[str, ...]:
        return list_fields(signature, self.reader.wanted.get(signature.name))

    def _join(self, signature: Signature) -> DataFrame:
        parts = self.frames.get(signature.name)
        if parts:
            return reduce(DataFrame.unionAll, parts)
        return make_frame(self.spark, self._make_schema(signature).empty_table())

    def _make_schema(self, signature: Signature) -> pa.Schema:
        return make_schema(signature, self.reader.wanted.get(signature.name))
