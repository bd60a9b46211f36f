"""What Spark's workers do for `phenesthe ais prepare`. No pyspark here.

```
 lines, rows ──ReadTask──▶ reports ──by vessel──▶ VesselTask ──▶ slots ──by cell and slot──▶
   PairTask ──▶ pairs ──by pair──▶ JoinTask ──▶ counts
```

Tables are written by the tasks that find them. Counts travel with the rows, so that one job does
everything and nothing is counted twice.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.ais.areas import Areas
from phenesthe.ais.checks import check_reports
from phenesthe.ais.csv_lines import read_block
from phenesthe.ais.logs import LogReader
from phenesthe.ais.normalise import SCHEMA, TYPES, Chunk, normalise
from phenesthe.ais.prepare import prepare_vessels
from phenesthe.ais.proximity import join_slots, pair_slots
from phenesthe.ais.read import read_reports, split_lines
from phenesthe.ais.settings import Settings
from phenesthe.ais.slots import list_slots
from phenesthe.ais.sources import Source
from phenesthe.ais.tables import fit_table
from phenesthe.ais.tally import SCHEMA as COUNTS
from phenesthe.ais.tally import Tally
from phenesthe.engines.spark.parcels import Batches, receive, send, telling
from phenesthe.io.write import write_parquet

#: What travels from the second task to the third, and from there to the last.
_SLOTS = pa.schema(
    [(name, pa.int64()) for name in ("cell", "slot", "vessel")]
    + [("lon", pa.float64()), ("lat", pa.float64()), ("is_guest", pa.bool_())]
)
_PAIRS = pa.schema([(name, pa.int64()) for name in ("vessel1", "vessel2", "first", "last")])

_BY_VESSEL = {"vessel": 1}
#: Seconds of a cell that are looked at by one task.
_TOGETHER = 7200


@dataclass(frozen=True, slots=True)
class ReadTask:
    """Lines or rows of files as reports, for so many buckets of vessels."""

    source: Source
    settings: Settings
    buckets: int

    def run(self, batches: Batches) -> Batches:
        tally = Tally()
        with telling():
            for checked in self._check(batches):
                tally.add_read(checked)
                yield from send("reports", checked.rows, _BY_VESSEL, self.buckets)
                yield from send("types", checked.types, _BY_VESSEL, self.buckets)
            yield from send("counts", tally.to_table(), {}, self.buckets)

    def _check(self, batches: Batches) -> Iterator[Chunk]:
        for chunk in self._read(batches):
            yield check_reports(chunk, self.source.form, self.settings)

    def _read(self, batches: Batches) -> Iterator[Chunk]:
        match self.source.kind:
            case "csv":
                for batch in batches:
                    yield read_block(_join_lines(batch), self.source)
            case "nmea":
                reader = LogReader()
                for batch in batches:
                    yield reader.read(split_lines(_join_lines(batch)))
                yield reader.finish()
            case "parquet":
                for batch in batches:
                    yield normalise(pa.Table.from_batches([batch]), self.source.form)


@dataclass(frozen=True, slots=True)
class OpenTask(ReadTask):
    """The same of files that the worker opens itself."""

    def _check(self, batches: Batches) -> Iterator[Chunk]:
        for batch in batches:
            for path in batch.column(0).to_pylist():
                yield from read_reports(Path(path), self.source, self.settings)


@dataclass(frozen=True, slots=True)
class VesselTask:
    """All reports of some vessels as tables, and where these vessels were when."""

    areas: Areas
    settings: Settings
    folder: str
    buckets: int

    def run(self, batches: Batches) -> Batches:
        tally = Tally()
        # Slots in a row stay together, since pairs are found as runs of them.
        keys = {"cell": 1, "slot": max(_TOGETHER // self.settings.slot, 1)}
        with telling():
            found = receive(batches, {"reports": SCHEMA, "types": TYPES, "counts": COUNTS})
            tally.add_table(found["counts"])
            reports, types = found.pop("reports"), found["types"]
            for group in prepare_vessels(reports, types, self.areas, self.settings):
                tally.add_kept(group.chunk, group.vessels)
                for name, table in group.tables.items():
                    write_part(name, table, self.folder, tally)
                slots = list_slots(group.chunk.rows, self.settings)
                yield from send("slots", slots, keys, self.buckets)
            yield from send("counts", tally.to_table(), {}, self.buckets)


@dataclass(frozen=True, slots=True)
class PairTask:
    """Who is close to whom at the slots in some cells."""

    settings: Settings
    buckets: int

    def run(self, batches: Batches) -> Batches:
        found = receive(batches, {"slots": _SLOTS, "counts": COUNTS})
        pairs = pair_slots(found["slots"], self.settings)
        yield from send("pairs", pairs, {"vessel1": 1, "vessel2": 1}, self.buckets)
        yield from send("counts", found["counts"], {}, self.buckets)


@dataclass(frozen=True, slots=True)
class JoinTask:
    """From when to when some pairs are close, written; counts are all that is left."""

    settings: Settings
    folder: str

    def run(self, batches: Batches) -> Batches:
        tally = Tally()
        with telling():
            found = receive(batches, {"pairs": _PAIRS, "counts": COUNTS})
            tally.add_table(found["counts"])
            joined = fit_table("proximity", join_slots(found["pairs"], self.settings))
            write_part("proximity", joined, self.folder, tally)
            yield from tally.to_table().to_batches()


def write_part(name: str, table: Any, folder: str, tally: Tally, *, always: bool = False) -> None:
    """One more file of a table, if there is anything to write."""
    if not table.num_rows and not always:
        return
    file = f"{name}.parquet/part-{uuid4().hex}.parquet"
    path = Path(folder, file)
    path.parent.mkdir(exist_ok=True)
    write_parquet(table, path, Path(folder))
    tally.files[file] = table.num_rows
    tally.rows[name] += table.num_rows


def _join_lines(batch: pa.RecordBatch) -> bytes:
    """The lines of a batch as the bytes they were in their file."""
    lines = batch.column(0).cast(pa.binary())
    ends = pa.array(np.array([0, len(lines)], dtype=np.int32))
    joined = pc.binary_join(pa.ListArray.from_arrays(ends, lines), b"\n")
    return bytes(joined[0].as_py() or b"")
