"""A memory written down as tables; `undump` reads it again."""

from typing import Any

import pyarrow as pa

from phenesthe.arrow import wrap
from phenesthe.kernels.arrays import OPEN
from phenesthe.memory.inputs import EventInput, IntervalInput
from phenesthe.memory.memory import Memory
from phenesthe.operators.held import Holder
from phenesthe.operators.rows import Rows
from phenesthe.vocabulary import ValueType

#: Changed whenever what is written would be read differently.
FORMAT = 2
TYPES: tuple[ValueType, ...] = ("int", "float", "str", "bool")

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
    for type_name in TYPES:
        values = memory.world.domains[type_name].values
        tables[f"values.{type_name}"] = pa.table({"value": values})
    for one in memory.program.facts:
        fact = memory.world.facts[one.name]
        columns = {str(at): wrap(column) for at, column in enumerate(fact.columns)}
        manifest.setdefault("facts", {})[one.name] = fact.count
        tables[f"fact.{one.name}"] = pa.table(columns)
    for id_, node in memory.graph.operators.items():
        tables[f"node.{id_}"] = _write_node(node)
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


def _write_node(node: Holder) -> pa.Table:
    table = _write_rows(node.rows).append_column("*live", wrap(node.live))
    for at, edge in enumerate(node.users):
        table = table.append_column(f"*kept.{at}", wrap(edge.kept))
    return table


def _write_rows(rows: Rows) -> pa.Table:
    columns: dict[str, Any] = {"*ts": wrap(rows.ts)}
    if rows.te is not rows.ts:
        columns["*te"] = wrap(rows.te, rows.te == OPEN)
    columns |= {
        name: wrap(column) for name, column in zip(rows.variables, rows.columns, strict=True)
    }
    columns |= {f"*extra.{name}": wrap(values) for name, values in rows.extra.items()}
    return pa.table(columns)
