"""What is read for a replay: the rows of inputs as they are, the facts settled as in a run."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa
from pyspark.sql import Column
from pyspark.sql import functions as sf

from phenesthe.check.program import Signature
from phenesthe.engines.spark.reading import streaming
from phenesthe.engines.spark.reading.assembly import Assembly
from phenesthe.engines.spark.reading.measure_sources import SparkRows, WorkerRows
from phenesthe.engines.spark.reading.retractions import settle_tables
from phenesthe.engines.spark.reading.scans import make_frame
from phenesthe.engines.spark.reading.streaming import StreamInputs
from phenesthe.engines.spark.reading.tagged_rows import Gathered
from phenesthe.engines.spark.reading.worker_tasks import Tags
from phenesthe.io.columns import list_times
from phenesthe.io.extent import Extent, choose, join_extents, measure_batch, measure_table
from phenesthe.io.fit import Batch
from phenesthe.io.load import count_batches
from phenesthe.io.names import list_fields
from phenesthe.io.retract import settle
from phenesthe.io.stream import make_feed


@dataclass(slots=True)
class StreamAssembly(Assembly):
    """Inputs with retractions are settled too, but only to know the times that are left.

    A class with slots has no `super()`, so the methods of a run are called by their class.
    """

    #: By name, of inputs with retractions: what is left of them in the end.
    left: dict[str, Extent] = field(default_factory=dict)

    def put(self, signature: Signature, batches: Sequence[Batch]) -> None:
        if signature.kind is None:
            Assembly.put(self, signature, batches)
            return
        times = list_times(signature)
        feed = make_feed(signature, batches, self.reader.wanted.get(signature.name))
        extent = join_extents(measure_batch(one, times) for one in batches)
        if extent.retracts:
            rest = settle(signature, feed.table.schema, batches, Gathered())
            self.left[signature.name] = measure_table(rest, times)
        self._add(signature, make_frame(self.spark, streaming.add_beside(feed)), extent)
        count_batches(self.reader, {signature.name: list(batches)})

    def finish_stream(self) -> StreamInputs:
        inputs, facts = self.program.inputs, self.program.facts
        extents = {one.name: self.extents.get(one.name, Extent()) for one in (*inputs, *facts)}
        left = [self.left.get(one.name, extents[one.name]) for one in inputs]
        return StreamInputs(
            frames={one.name: self._join(one) for one in inputs},
            is_plain={
                one.name: not (extents[one.name].retracts or extents[one.name].arrivals)
                for one in inputs
            },
            facts={one.name: self._join(one) for one in facts},
            counts={name: one.count for name, one in extents.items()},
            rejects=self.reader.rejects,
            warnings=self.list_warnings(),
            account=self.reader.account,
            begin=choose(min, *(extents[one.name].first for one in inputs)),
            first=choose(min, *(one.first for one in left)),
            last=choose(max, *(one.last for one in left)),
            places=self.places,
            held=tuple(self.held),
        )

    def _settle(
        self,
        retracted: Sequence[Signature],
        fast: Sequence[SparkRows],
        work: WorkerRows | None,
        tags: Tags,
    ) -> Collection[str]:
        inputs = [one for one in retracted if one.kind is not None]
        if inputs:
            settled = settle_tables(inputs, fast, work, tags)
            for frame in settled.kept:
                frame.unpersist()
            self.left |= {one.name: settled.measure(tags.numbers[one.name]) for one in inputs}
        facts = [one for one in retracted if one.kind is None]
        return Assembly._settle(self, facts, fast, work, tags)

    def _add_sure(self, fast: SparkRows, extent: Extent) -> None:
        signature, sure = fast.typed.judge.signature, fast.sure
        if signature.kind is None:
            Assembly._add_sure(self, fast, extent)
            return
        # Spark numbers rows even if nobody asks for their numbers later.
        is_placed = self.placed == "all" or sure.arrival is not None or sure.retract is not None
        place = {
            streaming.FILE: sf.col("file"),
            streaming.BLOCK: sf.col("block"),
            streaming.NUMBER: sf.col("number"),
            streaming.NOTE: sf.lit(json.dumps(["position", sure.arrival is not None])),
        }
        beside = {
            **_tell_times(sure.values[list_times(signature)[0]], sure.arrival),
            streaming.RETRACT: sf.lit(False) if sure.retract is None else sure.retract,
            streaming.SOURCE: sf.lit(fast.source.number),
            **(place if is_placed else dict.fromkeys(place, sf.lit(None))),
        }
        fields = {name: sure.values[name] for name in self._list_fields(signature)}
        rows = fast.list_rows(placed=is_placed).select(*_name(fields, beside))
        self._add(signature, rows, extent)

    def _add_found(self, signature: Signature, work: WorkerRows, tags: Tags) -> None:
        if signature.kind is None:
            Assembly._add_found(self, signature, work, tags)
            return
        tag = tags.numbers[signature.name]
        slots = dict(tags.layout.tables[tag].list_fields())
        beside = {
            **_tell_times(sf.col("ts"), sf.col("known")),
            streaming.RETRACT: sf.coalesce("retract", sf.lit(False)),
            streaming.SOURCE: sf.col("source"),
            streaming.FILE: sf.col("file"),
            streaming.BLOCK: sf.col("block"),
            streaming.NUMBER: sf.col("number"),
            streaming.NOTE: sf.col("note"),
        }
        rows = work.frame.filter(sf.col("tag") == tag)
        fields = {name: sf.col(slots[name]) for name in self._list_fields(signature)}
        found = rows.select(*_name(fields, beside))
        self._add(signature, found, work.measure(tag))

    def _list_fields(self, signature: Signature) -> tuple[str, ...]:
        """All where rows are compared."""
        is_compared = signature.kind in ("state", "dynamic") or signature.name in self.left
        wanted = None if is_compared else self.reader.wanted.get(signature.name)
        return list_fields(signature, wanted)

    def _make_schema(self, signature: Signature) -> pa.Schema:
        if signature.kind is None:
            return Assembly._make_schema(self, signature)
        return streaming.make_schema_beside(signature, self._list_fields(signature))


def _tell_times(time: Column, arrival: Column | None) -> dict[str, Column]:
    if arrival is None:
        arrival, arrived, known = sf.lit(None), time, time
    else:
        arrived = sf.coalesce(arrival, time)
        known = sf.greatest(arrived, time)
    return {streaming.KNOWN: known, streaming.ARRIVED: arrived, streaming.ARRIVAL: arrival}


def _name(fields: Mapping[str, Column], beside: Mapping[str, Column]) -> list[Column]:
    """The columns of a frame, in their order."""
    return [
        *[column.alias(name) for name, column in fields.items()],
        *[beside[name].cast(sql).alias(name) for name, (sql, _) in streaming.BESIDE.items()],
    ]
