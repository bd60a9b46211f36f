"""Retractions, applied where all rows that could be identical have come together. No pyspark."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from phenesthe.arrow import to_bools, to_ints
from phenesthe.check.program import Signature
from phenesthe.engines.spark.reading.tagged_rows import Gathered, Packer
from phenesthe.engines.spark.reading.worker_tasks import Way
from phenesthe.io.columns import make_table
from phenesthe.io.fit import Batch
from phenesthe.io.rejects import Reject
from phenesthe.io.retract import settle


@dataclass(frozen=True, slots=True, kw_only=True)
class Settle(Way):
    """Rows of one table as readers pack them, retractions among them."""

    signature: Signature

    def read(
        self, batches: Iterator[pa.RecordBatch], packer: Packer, tags: Mapping[str, int]
    ) -> Iterator[pa.RecordBatch]:
        held = [batch for batch in batches if batch.num_rows]
        if not held:
            return
        tag = tags[self.signature.name]
        rows = pa.Table.from_batches(held)
        fields = list(packer.layout.tables[tag].list_fields())
        types = packer.layout.make_schema()
        schema = pa.schema([(name, types.field(slot).type) for name, slot in fields])
        columns = [rows[slot].cast(types.field(slot).type) for _, slot in fields]
        table = make_table(schema, columns, len(rows))
        rejects = Gathered()
        is_argument = "arrival" in self.signature.arguments
        batch = Batch(
            table=table,
            file="",
            place="position",
            arrival=rows["known"],
            retract=to_bools(rows["retract"].fill_null(False)),
            numbers=np.arange(len(rows)),
        )
        settled = settle(self.signature, schema, [batch], rejects)
        yield from packer.pack_rows(tag, Batch(table=settled, file="", place="position"), 0)
        found = rejects.take()
        at = np.array([one.number for one in found], dtype=np.int64)
        blocks, sources = to_ints(rows["block"])[at], to_ints(rows["source"])[at]
        placed = [_place(one, rows, is_argument) for one in found]
        yield from packer.pack_rejects(placed, blocks, sources)


def _place(reject: Reject, rows: pa.Table, is_argument: bool) -> Reject:
    """A reject knows its row here; told is where the row stands."""
    at = reject.number
    place, has_arrival = json.loads(rows["note"][at].as_py())
    assert not isinstance(reject.row, str)
    shown = {
        name: value
        for name, value in reject.row.items()
        if name != "arrival" or has_arrival or is_argument
    }
    return replace(
        reject,
        file=rows["file"][at].as_py(),
        number=rows["number"][at].as_py(),
        place=place,
        row=shown,
    )
