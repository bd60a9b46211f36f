"""A memory written down as tables, and read again."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from phenesthe.arrow import list_floats, list_numbers, list_truths, wrap
from phenesthe.check.program import CheckedProgram, ValueType
from phenesthe.kernels.arrays import OPEN, Array
from phenesthe.memory.inputs import EventInput, IntervalInput
from phenesthe.memory.memory import Memory
from phenesthe.memory.node import Node
from phenesthe.stage.domains import Domain
from phenesthe.stage.rows import Rows

#: Changed whenever what is written would be read differently.
FORMAT = 2
_TYPES: tuple[ValueType, ...] = ("int", "float", "str", "bool")

Manifest = dict[str, Any]
Tables = dict[str, pa.Table]


def dump(memory: Memory) -> tuple[Manifest, Tables]:
    """Everything a later run needs besides the program: plain values, and tables by name."""
    manifest: Manifest = {
        "format": FORMAT,
        "window": memory.window,
        "first": memory.first,
        "finds_first": memory.finds_first,
        "start": memory.start,
        "last": memory.last,
        "only": list(memory.names),
        "remove": memory.remove,
        "chunks": {},
    }
    tables: Tables = {}
    for type_name in _TYPES:
        values = memory.partition.domains[type_name].values
        tables[f"values.{type_name}"] = pa.table({"value": values})
    for one in memory.program.facts:
        fact = memory.facts[one.name]
        columns = {str(at): wrap(column) for at, column in enumerate(fact.columns)}
        manifest.setdefault("facts", {})[one.name] = fact.count
        tables[f"fact.{one.name}"] = pa.table(columns)
    for at, node in enumerate(memory.graph.nodes):
        tables[f"node.{at}"] = _write_node(node)
    for name, source in memory.graph.inputs.items():
        tables[f"input.{name}"] = _write_node(source)
        if isinstance(source, EventInput):
            # One file is written sooner than one for each query of the window.
            manifest["chunks"][name] = min(1, len(source.chunks))
            if source.chunks:
                joined = pa.concat_tables(source.chunks, promote_options="default")
                tables[f"chunk.{name}.0"] = joined
        elif isinstance(source, IntervalInput):
            tables[f"raw.{name}"] = _write_rows(source.raw)
    return manifest, tables


def load(
    program: CheckedProgram, manifest: Mapping[str, Any], tables: Mapping[str, pa.Table]
) -> Memory:
    """The memory of the same program, as it was written."""
    memory = Memory(
        program,
        {},
        window=manifest["window"],
        only=manifest["only"],
        first=manifest["first"],
        start=manifest["start"],
        remove=manifest["remove"],
    )
    memory.finds_first = manifest["finds_first"]
    memory.last = manifest["last"]
    for type_name in _TYPES:
        values = _read_values(tables[f"values.{type_name}"]["value"])
        memory.partition.domains.by_type[type_name] = Domain(type_name, values)
    for one in memory.program.facts:
        table = tables[f"fact.{one.name}"]
        columns = [list_numbers(table[str(at)]) for at in range(len(one.arguments))]
        memory.set_fact(one.name, columns, manifest["facts"][one.name])
    for at, node in enumerate(memory.graph.nodes):
        _read_node(node, tables[f"node.{at}"])
    for name, source in memory.graph.inputs.items():
        _read_node(source, tables[f"input.{name}"])
        if isinstance(source, EventInput):
            count = manifest["chunks"][name]
            source.chunks = [tables[f"chunk.{name}.{at}"] for at in range(count)]
        elif isinstance(source, IntervalInput):
            source.raw = _read_rows(source.raw, tables[f"raw.{name}"])
    if memory.last is not None:
        memory.restore_frontier()
    return memory


def _write_node(node: Node) -> pa.Table:
    table = _write_rows(node.rows).append_column("*live", wrap(node.live))
    for at, edge in enumerate(node.users):
        table = table.append_column(f"*kept.{at}", wrap(edge.kept))
    return table


def _read_node(node: Node, table: pa.Table) -> None:
    node.rows = _read_rows(node.rows, table)
    node.live = list_truths(table["*live"])
    for at, edge in enumerate(node.users):
        edge.kept = list_truths(table[f"*kept.{at}"])
    node.forget_changes()


def _write_rows(rows: Rows) -> pa.Table:
    columns: dict[str, Any] = {"*ts": wrap(rows.ts)}
    if rows.te is not rows.ts:
        columns["*te"] = wrap(rows.te, rows.te == OPEN)
    columns |= {
        name: wrap(column) for name, column in zip(rows.variables, rows.columns, strict=True)
    }
    columns |= {f"*extra.{name}": wrap(values) for name, values in rows.extra.items()}
    return pa.table(columns)


def _read_rows(like: Rows, table: pa.Table) -> Rows:
    """Rows with the columns of `like`."""
    ts = list_numbers(table["*ts"])
    te = list_numbers(table["*te"], null=OPEN) if "*te" in table.column_names else ts
    columns = tuple([list_numbers(table[name]) for name in like.variables])
    extra = {name: _read_numbers(table[f"*extra.{name}"]) for name in like.extra}
    return Rows(like.variables, columns, ts, te, extra)


def _read_numbers(column: pa.ChunkedArray) -> Array | np.ndarray[Any, np.dtype[np.float64]]:
    return list_floats(column) if pa.types.is_floating(column.type) else list_numbers(column)


def _read_values(column: pa.ChunkedArray) -> pa.Array:
    if not column.num_chunks:
        # To combine no chunks would import pandas, which takes longer than the rest.
        return pa.nulls(0, column.type)
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
