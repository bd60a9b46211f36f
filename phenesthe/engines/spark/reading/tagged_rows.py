"""What Python workers find while they read: rows that fit, rows set aside, and marks.

All of it leaves a worker as one frame, so that a table is parsed once, whoever asks for which part.
A mark is what the driver has to know of the rows without counting them again. No pyspark here.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa

from phenesthe.arrow import pack, wrap
from phenesthe.engines.spark.layout import Layout
from phenesthe.io.columns import Numbers
from phenesthe.io.extent import Extent, measure_batch
from phenesthe.io.fit import Batch
from phenesthe.io.rejects import Place, Reject, Rejects, make_plain

#: Of which rows it is told where they stand: of those among retractions, also of those that tell
#: when they came, or of all.
Placed: TypeAlias = Literal["retractions", "arrivals", "all"]
#: The tags of what is no row; those of rows are the numbers of their tables.
REJECT, MARK = -1, -2

#: After the columns of the layout. `known` is the arrival of a row. Where a row stands (`source`,
#: `file`, and its `number` within a `block`) is told of rejects, and of rows that may still be set
#: aside; the `note` of those says what numbers count, and whether their file tells arrivals.
_EXTRAS = (
    ("known", "bigint", pa.int64()),
    ("retract", "boolean", pa.bool_()),
    ("source", "int", pa.int32()),
    ("file", "string", pa.string()),
    ("block", "bigint", pa.int64()),
    ("number", "bigint", pa.int64()),
    ("note", "string", pa.string()),
)
EXTRAS = tuple(name for name, _, _ in _EXTRAS)
#: Rows of one batch of rejects.
_REJECTS = 10_000


def write_schema(layout: Layout) -> str:
    extras = [f"{name} {sql}" for name, sql, _ in _EXTRAS]
    return ", ".join([layout.write_schema(), *extras])


class Gathered(Rejects):
    """Rows set aside on their way to the driver, which counts and keeps them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Reject] = []

    def add(self, reject: Reject) -> None:
        self.found.append(reject)

    def take(self) -> list[Reject]:
        found, self.found = self.found, []
        return found


@dataclass(slots=True)
class Mark:
    """What one task found of one source."""

    source: int
    rejects: int = 0
    #: By block, how many lines it has.
    lines: Counter[int] = field(default_factory=Counter)
    #: By tag.
    rows: dict[int, Extent] = field(default_factory=dict)
    #: Lines that are no records by themselves: the file must be read as a whole.
    is_odd: bool = False
    #: Columns that some object has, of those asked for; None before there was an object.
    seen: set[str] | None = None
    warnings: list[str] = field(default_factory=list)

    def to_json(self) -> str:
        rows = {
            tag: [one.count, one.first, one.last, one.retracts, one.arrivals, one.dated]
            for tag, one in self.rows.items()
        }
        seen = None if self.seen is None else sorted(self.seen)
        return json.dumps(
            [self.source, self.rejects, self.lines, rows, self.is_odd, seen, self.warnings]
        )

    def add(self, other: "Mark") -> None:
        self.rejects += other.rejects
        self.lines += other.lines
        for tag, extent in other.rows.items():
            self.rows.setdefault(tag, Extent()).add(extent)
        self.is_odd = self.is_odd or other.is_odd
        self.see(other.seen)
        self.warnings += other.warnings

    def see(self, columns: Iterable[str] | None) -> None:
        if columns is not None:
            self.seen = (self.seen or set()).union(columns)


def read_mark(text: str) -> Mark:
    source, rejects, lines, rows, is_odd, seen, warnings = json.loads(text)
    return Mark(
        source=source,
        rejects=rejects,
        lines=Counter({int(block): count for block, count in lines.items()}),
        rows={int(tag): Extent(*values) for tag, values in rows.items()},
        is_odd=is_odd,
        seen=None if seen is None else set(seen),
        warnings=warnings,
    )


@dataclass(frozen=True, slots=True)
class Packer:
    """Turns what a task finds into batches, and keeps the mark of it."""

    layout: Layout
    mark: Mark
    placed: Placed = "retractions"

    def pack_rows(self, tag: int, batch: Batch, block: int) -> Iterator[pa.RecordBatch]:
        extent = measure_batch(batch, self.layout.tables[tag].times)
        self.mark.rows.setdefault(tag, Extent()).add(extent)
        start = 0
        for part in self.layout.join(tag, batch.table):
            rows = slice(start, start + part.num_rows)
            start = rows.stop
            yield self._finish(part, self._list_extras(batch, rows, block))

    def pack_rejects(
        self, rejects: Sequence[Reject], blocks: Numbers, sources: Numbers | None = None
    ) -> Iterator[pa.RecordBatch]:
        self.mark.rejects += len(rejects)
        for start in range(0, len(rejects), _REJECTS):
            rows = slice(start, min(start + _REJECTS, len(rejects)))
            part = rejects[rows]
            extras = {
                "source": None if sources is None else wrap(sources[rows]),
                "file": pack([one.file for one in part], pa.string()),
                "block": wrap(blocks[rows]),
                "number": wrap(np.array([one.number for one in part])),
                "note": pack([_write_reject(one) for one in part], pa.string()),
            }
            yield self._finish(self._make_empty(REJECT, len(part)), extras)

    def pack_mark(self) -> pa.RecordBatch:
        note = pack([self.mark.to_json()], pa.string())
        return self._finish(self._make_empty(MARK, 1), {"note": note})

    def _list_extras(self, batch: Batch, rows: slice, block: int) -> dict[str, Any]:
        extras: dict[str, Any] = {}
        count = rows.stop - rows.start
        if batch.arrival is not None:
            arrival = batch.arrival.slice(rows.start, count)
            extras["known"] = pa.concat_arrays(arrival.chunks) if arrival.num_chunks else None
        if batch.retract is not None:
            extras["retract"] = wrap(batch.retract[rows])
        if self.places(batch):
            extras["file"] = pack([batch.file] * count, pa.string())
            extras["block"] = wrap(np.full(count, block))
            extras["number"] = wrap(locate_all(batch)[rows])
            note = json.dumps([batch.place, batch.arrival is not None])
            extras["note"] = pack([note] * count, pa.string())
        return extras

    def places(self, batch: Batch) -> bool:
        """Whether it is told where the rows stand."""
        if batch.retract is not None or self.placed == "all":
            return True
        return self.placed == "arrivals" and batch.arrival is not None

    def _make_empty(self, tag: int, count: int) -> pa.RecordBatch:
        schema = self.layout.make_schema()
        columns = [wrap(np.full(count, tag)).cast(schema[0].type)]
        columns += [pa.nulls(count, one.type) for one in list(schema)[1:]]
        return pa.RecordBatch.from_arrays(columns, schema=schema)

    def _finish(self, part: pa.RecordBatch, extras: Mapping[str, Any]) -> pa.RecordBatch:
        columns, fields = list(part.columns), list(part.schema)
        for name, _, given in _EXTRAS:
            column = extras.get(name)
            if column is None and name == "source":
                column = wrap(np.full(part.num_rows, self.mark.source))
            columns.append(pa.nulls(part.num_rows, given) if column is None else column.cast(given))
            fields.append(pa.field(name, given))
        return pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields))


def locate_all(batch: Batch) -> Numbers:
    """The numbers of the places of all rows."""
    if batch.numbers is not None:
        return batch.numbers
    assert batch.locate is not None
    return batch.locate(np.arange(batch.table.num_rows))


def _write_reject(one: Reject) -> str:
    return json.dumps([one.reason, one.place, one.name, one.column, make_plain(one.row)])


def read_reject(note: str, file: str, number: int) -> Reject:
    reason, place, name, column, row = json.loads(note)
    chosen: Place = place
    return Reject(
        reason=reason, file=file, place=chosen, number=number, name=name, column=column, row=row
    )
