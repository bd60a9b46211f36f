"""Rows of many tables as rows of one: a tag, slots that tables with other columns share, times.

Spark sends one frame through one shuffle and one Python function, so the tables of a stage travel
together. The rows of a table leave the slots they do not need null.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from phenesthe.arrow import to_ints, wrap
from phenesthe.check.program import Signature
from phenesthe.io.columns import TYPES, list_times, make_table
from phenesthe.vocabulary import ValueType

#: Rows of one Arrow batch that goes to the JVM, where a batch is held as a whole.
_BATCH = 2**17

#: The tag of a row that belongs to no table, and is not looked at.
NO_TABLE = -1
SQL_TYPES: dict[ValueType, str] = {
    "int": "bigint", "float": "double", "str": "string", "bool": "boolean",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """`columns` has the slot of every argument that travels; `times` are `t`, or `ts` and `te`."""

    tag: int
    columns: Mapping[str, str]
    times: tuple[str, ...]

    def list_fields(self) -> Iterator[tuple[str, str]]:
        """The names of all columns, with the slots they are in."""
        yield from self.columns.items()
        # A fact has no time.
        yield from zip(self.times, ("ts", "te"), strict=False)


@dataclass(frozen=True, slots=True)
class Layout:
    """How each of some tables, which are known by their numbers, is laid out.

    The slots of times, `ts` and `te`, come last; events alone need no `te`. Every column costs on
    its way to a worker.
    """

    tables: tuple[Table, ...]
    slots: Mapping[str, ValueType]

    def write_schema(self) -> str:
        """As Spark's data definition language has it."""
        slots = [f"{slot} {SQL_TYPES[type_name]}" for slot, type_name in self.slots.items()]
        return ", ".join(["tag int", *slots])

    def make_schema(self) -> pa.Schema:
        slots = [(slot, TYPES[type_name]) for slot, type_name in self.slots.items()]
        return pa.schema([("tag", pa.int32()), *slots])

    def split(self, batches: Iterable[pa.RecordBatch]) -> list[pa.Table]:
        """The tables that travelled."""
        held = [batch for batch in batches if batch.num_rows]
        schema = self.make_schema()
        together = pa.Table.from_batches(held, held[0].schema if held else schema)
        tags = to_ints(together["tag"])
        found = []
        for table in self.tables:
            at = np.flatnonzero(tags == table.tag)
            # Rows that lie together need not be copied.
            is_run = len(at) and at[-1] - at[0] == len(at) - 1
            part = together.slice(at[0], len(at)) if is_run else together.take(wrap(at))
            fields = list(table.list_fields())
            types = pa.schema([(name, schema.field(slot).type) for name, slot in fields])
            columns = [part[slot].cast(schema.field(slot).type) for _, slot in fields]
            # A table without columns, which a fact without arguments has, has rows all the same.
            found.append(make_table(types, columns, len(at)))
        return found

    def join(self, number: int, table: pa.Table) -> Iterator[pa.RecordBatch]:
        """The rows of one table, as they travel."""
        placed = {slot: name for name, slot in self.tables[number].list_fields()}
        schema = self.make_schema()
        tag = np.full(min(_BATCH, table.num_rows), self.tables[number].tag, dtype=np.int32)
        for start in range(0, table.num_rows, _BATCH):
            # A slice of a table without columns is as long as one asks for.
            count = min(_BATCH, table.num_rows - start)
            part = table.slice(start, count).combine_chunks()
            columns = [pa.Array.from_buffers(pa.int32(), count, [None, pa.py_buffer(tag)])]
            for field in list(schema)[1:]:
                name = placed.get(field.name)
                if name is None:
                    columns.append(pa.nulls(count, field.type))
                else:
                    columns.append(_as_one(part[name], field.type))
            yield pa.RecordBatch.from_arrays(columns, schema=schema)


@dataclass(frozen=True, slots=True)
class Parcel:
    """Whole tables by name, as they go along with a task.

    Laid out, since a table without columns forgets how many rows it has when it is pickled.
    """

    names: tuple[str, ...]
    layout: Layout
    rows: pa.Table

    def open(self) -> dict[str, pa.Table]:
        return dict(zip(self.names, self.layout.split(self.rows.to_batches()), strict=True))


def _as_one(column: pa.ChunkedArray, target: pa.DataType) -> pa.Array:
    whole = column.combine_chunks()
    array = whole if isinstance(whole, pa.Array) else whole.chunk(0)
    return array.cast(target)


def lay_out(tables: Iterable[tuple[Signature, Iterable[str]]]) -> Layout:
    """A layout of the named arguments of each table, with as few slots as they allow."""
    slots: dict[str, ValueType] = {}
    found: list[Table] = []
    for tag, (signature, arguments) in enumerate(tables):
        used: dict[ValueType, int] = {}
        columns: dict[str, str] = {}
        types = dict(zip(signature.arguments, signature.types, strict=True))
        for name in arguments:
            type_name = types[name]
            at = used[type_name] = used.get(type_name, -1) + 1
            columns[name] = f"{type_name}_{at}"
            slots[columns[name]] = type_name
        found.append(Table(tag, columns, list_times(signature)))
    longest = max((len(table.times) for table in found), default=0)
    times: dict[str, ValueType] = dict.fromkeys(("ts", "te")[:longest], "int")
    return Layout(tuple(found), dict(sorted(slots.items())) | times)
