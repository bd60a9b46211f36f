"""Frames, counts and times of all inputs and facts, put together from what was found."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.engines.spark.layout import SQL_TYPES
from phenesthe.engines.spark.reading.collect import Places, collect_rejects
from phenesthe.engines.spark.reading.here import are_small, read_sources
from phenesthe.engines.spark.reading.lines import Objects
from phenesthe.engines.spark.reading.look import (
    Fast,
    Work,
    assign_tags,
    find_fast,
    measure,
    send_to_workers,
)
from phenesthe.engines.spark.reading.retractions import settle_tables
from phenesthe.engines.spark.reading.sources import Source
from phenesthe.engines.spark.reading.tagged import Extent, choose, join_extents, measure_table
from phenesthe.engines.spark.reading.tasks import Tags
from phenesthe.io.columns import list_times
from phenesthe.io.load import settle_batches
from phenesthe.io.names import list_fields
from phenesthe.io.places import list_missing
from phenesthe.io.read_tables import Reader, find_moved, refuse_column
from phenesthe.io.rejects import Rejects


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

    def put(self, signature: Signature, table: pa.Table) -> None:
        """A table of the driver, which fits."""
        if not table.num_columns:
            frame = self.spark.range(table.num_rows).select()
        elif table.num_rows:
            frame = self.spark.createDataFrame(table)
        else:
            frame = self._make_empty(signature)
        self._add(signature, frame, measure_table(table, list_times(signature)))

    def finish(
        self,
        sources: Sequence[Source],
        missing: Mapping[str, Sequence[str]] | None = None,
        tables: Collection[str] = (),
    ) -> Inputs:
        """`missing` has the folders without a table of a name, `tables` the names with one."""
        try:
            there = self._read(sources)
        except BaseException:
            for frame in self.held:
                frame.unpersist()
            raise
        warnings = self.reader.warnings
        warnings.extend(list_missing(self.program, missing or {}, {*there, *tables}))
        inputs, facts = self.program.inputs, self.program.facts
        extents = [self.extents.get(one.name, Extent()) for one in inputs]
        return Inputs(
            frames={one.name: self._join(one) for one in inputs},
            facts={one.name: self._join(one) for one in facts},
            counts={
                one.name: self.extents.get(one.name, Extent()).count for one in (*inputs, *facts)
            },
            rejects=self.reader.rejects,
            warnings=tuple(warnings),
            first=choose(min, *(one.first for one in extents)),
            last=choose(max, *(one.last for one in extents)),
            held=tuple(self.held),
        )

    def _read(self, sources: Sequence[Source]) -> Collection[str]:
        """Add all sources. Gives the names that had lines, where lines are of all names."""
        fast = find_fast(sources)
        proved = {one.source.number for one in fast if one.sure.extent is not None}
        unknown = {name for one in sources if one.number not in proved for name in one.list_names()}
        looked_at = [one for one in sources if unknown & set(one.list_names())]
        if looked_at and not are_small(looked_at):
            return self._read_on_workers({one.number: one for one in sources}, measure(fast))
        for one in fast:
            if one.source not in looked_at:
                self._add_sure(one, one.extent)
        return self._read_here(looked_at, fast)

    def _read_here(self, sources: Sequence[Source], fast: Sequence[Fast]) -> Collection[str]:
        """Where all rows are as they should be and Spark can read them, it still does."""
        gathered, clean = read_sources(self.program, self.reader, sources)
        for signature in (*self.program.inputs, *self.program.facts):
            name = signature.name
            if name not in gathered:
                continue
            fed = [one for one in sources if name in one.list_names()]
            scans = [one for one in fast if one.source in fed]
            if name not in clean or len(scans) < len(fed):
                self.put(signature, settle_batches(signature, self.reader, gathered))
                continue
            times = list_times(signature)
            extents = [measure_table(one.table, times) for one in gathered[name]]
            for one in scans:
                self._add_sure(one, join_extents(extents) if one is scans[0] else Extent())
        return gathered

    def _read_on_workers(self, sources: dict[int, Source], fast: Sequence[Fast]) -> Collection[str]:
        rejects = self.reader.rejects
        tags = assign_tags(sources.values())
        work = send_to_workers(sources, fast, tags)
        places = Places(sources, {} if work is None else work.marks)
        if work is not None:
            self.held.extend(work.kept)
            self._check_work(work, sources)
            collect_rejects(work, places, rejects)
        parts: dict[str, list[Extent]] = {
            name: [] if work is None else [work.measure(tag)] for name, tag in tags.numbers.items()
        }
        for one in fast:
            parts[one.name].append(one.extent)
        extents = {name: join_extents(found) for name, found in parts.items()}
        signatures = {one.name: one for one in (*self.program.inputs, *self.program.facts)}
        torn = [signatures[name] for name in tags.numbers if extents[name].retracts]
        if torn:
            settled = settle_tables(torn, fast, work, tags)
            self.held.extend(settled.kept)
            collect_rejects(settled, places, rejects)
            for signature in torn:
                self._add_found(signature, settled, tags)
        for one in fast:
            if not extents[one.name].retracts:
                self._add_sure(one, one.extent)
        if work is None:
            return ()
        for name, tag in tags.numbers.items():
            if not extents[name].retracts and work.measure(tag).count:
                self._add_found(signatures[name], work, tags)
        return [name for name, tag in tags.numbers.items() if work.has(tag)]

    def _check_work(self, work: Work, sources: Mapping[int, Source]) -> None:
        for number, mark in work.marks.items():
            self.reader.warnings.extend(mark.warnings)
            way = sources[number].way
            if isinstance(way, Objects) and mark.seen is not None:
                names = way.judge.names
                absent = find_moved(names) - mark.seen
                if absent:
                    raise refuse_column(way.judge.signature, way.label, names, min(absent), ())

    def _add_sure(self, fast: Fast, extent: Extent) -> None:
        """Rows that Spark makes."""
        signature = fast.typed.judge.signature
        fields = self._list_fields(signature)
        columns = [fast.sure.values[name].alias(name) for name in fields]
        self._add(signature, fast.list_rows().select(*columns), extent)

    def _add_found(self, signature: Signature, work: Work, tags: Tags) -> None:
        """Rows that workers made."""
        tag = tags.numbers[signature.name]
        slots = dict(tags.layout.tables[tag].list_fields())
        columns = [sf.col(slots[name]).alias(name) for name in self._list_fields(signature)]
        found = work.frame.filter(sf.col("tag") == tag).select(*columns)
        self._add(signature, found, work.measure(tag))

    def _add(self, signature: Signature, frame: DataFrame, extent: Extent) -> None:
        self.frames.setdefault(signature.name, []).append(frame)
        self.extents.setdefault(signature.name, Extent()).add(extent)

    def _list_fields(self, signature: Signature) -> tuple[str, ...]:
        return list_fields(signature, self.reader.wanted.get(signature.name))

    def _join(self, signature: Signature) -> DataFrame:
        parts = self.frames.get(signature.name)
        return reduce(DataFrame.unionAll, parts) if parts else self._make_empty(signature)

    def _make_empty(self, signature: Signature) -> DataFrame:
        types = dict(zip(signature.arguments, signature.types, strict=True))
        fields = [
            f"`{name}` {SQL_TYPES[types.get(name, 'int')]}" for name in self._list_fields(signature)
        ]
        if not fields:
            return self.spark.range(0).select()
        return self.spark.createDataFrame([], ", ".join(fields))
