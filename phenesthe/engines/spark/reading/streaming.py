"""What a replay reads, as frames: not what remains of the rows, but each as it becomes known."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from phenesthe.arrow import pack, wrap
from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.engines.spark.reading.collect_rejects import Places
from phenesthe.engines.spark.reading.scans import make_frame
from phenesthe.engines.spark.reading.tagged_rows import locate_all
from phenesthe.io.account import Account
from phenesthe.io.columns import Reason, make_schema
from phenesthe.io.fit import Batch
from phenesthe.io.rejects import Rejects, reject_row
from phenesthe.io.retract import list_arrivals
from phenesthe.io.stream import Feed, Stream

#: The columns that stand beside those of a row, under names that no argument can have.
#: When the row becomes known, when it came (both are never null), and whether it is a retraction.
KNOWN, ARRIVED, RETRACT = "*known", "*arrived", "*retract"
#: The arrival that the row itself tells, and where it stands. Only `StreamInputs.set_aside` knows
#: how to read these; a row goes with all of them, or cannot be shown if it is refused.
ARRIVAL, SOURCE, FILE, BLOCK, NUMBER, NOTE = (
    "*arrival", "*source", "*file", "*block", "*number", "*note",
)  # fmt: skip
PLACES = (ARRIVAL, SOURCE, FILE, BLOCK, NUMBER, NOTE)
#: Ascending, this is the order in which rows apply.
ORDER = (KNOWN, ARRIVED, RETRACT, SOURCE, FILE, BLOCK, NUMBER)
#: All of them, in the order in which they follow the times, with their types.
BESIDE: dict[str, tuple[str, pa.DataType]] = {
    KNOWN: ("bigint", pa.int64()),
    ARRIVED: ("bigint", pa.int64()),
    RETRACT: ("boolean", pa.bool_()),
    ARRIVAL: ("bigint", pa.int64()),
    SOURCE: ("int", pa.int32()),
    FILE: ("string", pa.string()),
    BLOCK: ("bigint", pa.int64()),
    NUMBER: ("bigint", pa.int64()),
    NOTE: ("string", pa.string()),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamInputs:
    """Frames of all rows that fit: arguments, `t` or `ts` and `te`, and the columns of `BESIDE`.

    The arguments are those wanted, and all where rows are compared: those of intervals, and of
    events with retractions. Rows that only a given start can refuse may not know their places.
    `begin`, `first` and `last` are as in `phenesthe.io.stream.Stream`.
    """

    frames: dict[str, DataFrame]
    #: The inputs no row of which tells an arrival or is a retraction.
    is_plain: dict[str, bool]
    #: Settled.
    facts: dict[str, DataFrame]
    #: How many rows each of the frames has.
    counts: dict[str, int]
    rejects: Rejects
    warnings: tuple[str, ...]
    account: Account
    begin: int | None
    first: int | None
    last: int | None
    places: Places = field(default_factory=Places)
    #: Frames that Spark keeps for these.
    held: tuple[DataFrame, ...] = ()

    def set_aside(self, name: str, rows: pa.Table, reasons: Sequence[Reason]) -> None:
        """Rows of a frame, as they are there, that were refused when they became known."""
        shown = rows.select([one for one in rows.column_names if one not in BESIDE]).to_pylist()
        beside = rows.select([RETRACT, *PLACES]).to_pylist()
        for row, reason, one in zip(shown, reasons, beside, strict=True):
            place, tells_arrival = json.loads(one[NOTE])
            if tells_arrival:
                row.setdefault("arrival", one[ARRIVAL])
            if one[RETRACT]:
                row.setdefault("op", "retract")
            file, number = self.places.find(one[SOURCE], one[FILE], one[BLOCK], one[NUMBER])
            reject_row(
                self.rejects, reason, file=file, place=place, number=number, name=name, row=row
            )

    def release(self) -> None:
        """Let Spark forget what it has parsed, when nobody will ask again."""
        for frame in self.held:
            frame.unpersist()


def spread_stream(spark: SparkSession, program: CheckedProgram, stream: Stream) -> StreamInputs:
    """Frames of what the driver has read."""
    tables = {one.name: add_beside(stream.feeds[one.name]) for one in program.inputs}
    facts = {one.name: stream.facts[one.name] for one in program.facts}
    return StreamInputs(
        frames={name: make_frame(spark, table) for name, table in tables.items()},
        is_plain={name: is_plain(stream.feeds[name].batches) for name in tables},
        facts={name: make_frame(spark, table) for name, table in facts.items()},
        counts={name: table.num_rows for name, table in (tables | facts).items()},
        rejects=stream.rejects,
        warnings=stream.warnings,
        account=stream.account,
        begin=stream.begin,
        first=stream.first,
        last=stream.last,
    )


def is_plain(batches: Sequence[Batch]) -> bool:
    """Whether every row becomes known as time reaches it, and none is a retraction."""
    return all(
        one.retract is None
        and (one.arrival is None or one.arrival.null_count == one.table.num_rows)
        for one in batches
    )


def add_beside(feed: Feed) -> pa.Table:
    """The rows of a feed, with what stands beside them."""
    signature, batches = feed.signature, feed.batches
    if not batches:
        present = feed.table.column_names if signature.kind == "event" else signature.arguments
        return make_schema_beside(signature, present).empty_table()
    order = feed.order
    notes = [json.dumps([one.place, one.arrival is not None]) for one in batches]
    sources = np.repeat(np.arange(len(batches)), [one.table.num_rows for one in batches])[order]
    count = len(order)
    retract = np.zeros(count, dtype=bool) if feed.retract is None else feed.retract
    arrivals = pa.chunked_array(
        [chunk for one in batches for chunk in _list_told(one).chunks], pa.int64()
    )
    # What the driver has read is in its place already.
    columns = {
        KNOWN: wrap(feed.known),
        ARRIVED: wrap(list_arrivals(signature, batches)[order]),
        RETRACT: wrap(retract),
        ARRIVAL: arrivals.take(wrap(order)),
        SOURCE: pa.nulls(count, pa.int32()),
        FILE: pack([batches[at].file for at in sources], pa.string()),
        BLOCK: pa.nulls(count, pa.int64()),
        NUMBER: wrap(np.concatenate([locate_all(one) for one in batches])[order]),
        NOTE: pack([notes[at] for at in sources], pa.string()),
    }
    table = feed.table
    for name in BESIDE:
        table = table.append_column(name, columns[name])
    return table


def _list_told(batch: Batch) -> pa.ChunkedArray:
    if batch.arrival is None:
        return pa.chunked_array([pa.nulls(batch.table.num_rows, pa.int64())])
    return batch.arrival


def make_schema_beside(signature: Signature, arguments: Collection[str]) -> pa.Schema:
    """What a frame of some arguments looks like."""
    beside = [(name, one) for name, (_, one) in BESIDE.items()]
    return pa.schema([*make_schema(signature, arguments), *pa.schema(beside)])
