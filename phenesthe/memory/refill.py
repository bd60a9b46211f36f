"""An input of which other columns are asked for than before.

The rows in the window are there as they were given. Of those that lie before it only what was asked
for is known; nobody who asks for more looks at them, so that the rest may be anything.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from phenesthe.arrow import to_bools
from phenesthe.kernels.arrays import OPEN, Array
from phenesthe.memory.domains import extend
from phenesthe.memory.inputs import EventInput
from phenesthe.memory.shape import take_column
from phenesthe.memory.undump import Reading
from phenesthe.operators import tables
from phenesthe.operators.domains import ARROW
from phenesthe.operators.load import read_raw
from phenesthe.operators.rows import Numbers, Rows
from phenesthe.vocabulary import ValueType


def refill(
    reading: Reading, source: EventInput, was: Sequence[Any], chunk: pa.Table | None
) -> None:
    """`was` are the id, the columns and the compared values it had."""
    memory = reading.memory
    assert memory.last is not None
    _, columns, extras, _ = was
    table = reading.tables[f"input.{source.signature.name}"]
    types = source.source.types
    old = reading.read_rows(source, tables.make_empty(tuple(columns), extras, "event"), table)
    past = old.ts <= memory.last - memory.window
    kept = {
        edge: to_bools(take_column(table, name, pa.bool_()))[past]
        for edge in source.users
        if (name := reading.edges[edge]) in table.column_names
    }
    older = old.take(past)
    if chunk is not None:
        source.chunks = [_complete(chunk, source)]
    found: dict[ValueType, list[pa.ChunkedArray]] = {}
    decoded: dict[str, pa.Array] = {}
    for name, kind in source.joined:
        if name not in columns:
            decoded[name] = _read(older, name, kind)
            found.setdefault(kind, []).append(pa.chunked_array([decoded[name]]))
        for one in source.chunks:
            found.setdefault(kind, []).append(one[name])
    before = memory.world.domains
    moved = extend(before, found)
    older = tables.remap(older, types, moved)
    memory.move_codes(moved)
    codes: list[Array] = [
        older.column(name) if name in columns else before[kind].encode(decoded[name])
        for name, kind in source.joined
    ]
    compared: dict[str, Numbers] = {
        name: _read_compared(older, name, reading, types[name]) for name, _ in source.compared
    }
    rest = Rows(source.variables, tuple(codes), older.ts, older.ts, compared)
    new = source.encode(source.chunks[0]) if source.chunks else rest.take(rest.ts > OPEN)
    together = tables.join([rest, new]) if len(rest) else new
    by = tables.order(source.keys, together)
    is_new = np.arange(len(together)) >= len(rest)
    source.rows, source.live = together.take(by), is_new[by]
    for edge in source.users:
        marks = is_new.copy()
        if edge in kept:
            marks[: len(rest)] = kept[edge]
        edge.kept = marks[by]
    source.forget_changes()


def _complete(chunk: pa.Table, source: EventInput) -> pa.Table:
    """With the columns that nobody asked for when the rows came: nobody looks at these either."""
    for name, kind in (*source.joined, *source.compared):
        if name not in chunk.column_names:
            nothing = pa.array([_NOTHING[kind]] * chunk.num_rows, ARROW[kind])
            chunk = chunk.append_column(name, nothing)
    return chunk


def _read(rows: Rows, name: str, kind: ValueType) -> pa.Array:
    """Values that were only compared before, or not looked at."""
    if name in rows.extra:
        return pa.array(rows.extra[name], ARROW[kind])
    return pa.array([_NOTHING[kind]] * len(rows), ARROW[kind])


def _read_compared(rows: Rows, name: str, reading: Reading, kind: ValueType) -> Numbers:
    if name in rows.extra:
        return rows.extra[name]
    if name in rows.variables:
        values = reading.memory.world.domains[kind].decode(rows.column(name))
    else:
        values = _read(rows, name, kind)
    return read_raw(pa.chunked_array([values]), kind)


_NOTHING: dict[ValueType, object] = {"int": 0, "float": 0.0, "str": "", "bool": False}
