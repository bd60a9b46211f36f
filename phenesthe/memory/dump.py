"""A memory written down as tables; `undump` reads it again.

What is remembered of an operator is called by its id, which is made of its meaning, and what one
operator still needs of another by the ids of both: so nothing can be read into the wrong place.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from phenesthe.arrow import wrap
from phenesthe.graph.operator import Source
from phenesthe.kernels.arrays import OPEN
from phenesthe.memory.deltas import DerivedInput
from phenesthe.memory.inputs import EventInput, IntervalInput
from phenesthe.memory.results import describe_meanings
from phenesthe.memory.working_memory import Memory
from phenesthe.operators.aggregates import AggregatedNode
from phenesthe.operators.folds import Fold
from phenesthe.operators.held import Edge, Holder
from phenesthe.operators.rows import Rows
from phenesthe.vocabulary import VALUE_TYPES

#: Changed whenever what is written would be read differently.
FORMAT = 5

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
        "operators": list(memory.graph.operators),
        "inputs": {name: describe_input(source) for name, source in memory.plan.sources.items()},
        "definitions": describe_meanings(memory),
        "since": dict(memory.since),
        "facts": {},
        "chunks": {},
        "lags": {},
    }
    tables: Tables = {}
    for type_name in VALUE_TYPES:
        values = memory.world.domains[type_name].values
        tables[f"values.{type_name}"] = pa.table({"value": values})
    for name, fact in memory.world.facts.items():
        columns = {str(at): wrap(column) for at, column in enumerate(fact.columns)}
        manifest["facts"][name] = fact.count
        tables[f"fact.{name}"] = pa.table(columns)
    edges = dict(name_edges(memory))
    for holder in memory.graph.list_all():
        holder.recall_all()
    for id_, node in memory.graph.operators.items():
        tables[f"node.{id_}"] = _write_holder(node, edges)
        if isinstance(node, AggregatedNode):
            for number, fold in node.folds.items():
                tables[f"fold.{id_}.{number}"] = _write_fold(fold)
    for name, source in memory.graph.inputs.items():
        tables[f"input.{name}"] = _write_holder(source, edges)
        if isinstance(source, EventInput):
            # One file is written sooner than one for each query of the window.
            manifest["chunks"][name] = min(1, len(source.chunks))
            if source.chunks:
                joined = pa.concat_tables(source.chunks, promote_options="default")
                tables[f"chunk.{name}.0"] = joined
        elif isinstance(source, IntervalInput):
            tables[f"raw.{name}"] = _write_rows(source.raw)
        elif isinstance(source, DerivedInput):
            manifest["lags"][name] = source.lag
            tables[f"pending.{name}"] = source.pending.append_column("*weight", wrap(source.weight))
    for name, told in memory.told.items():
        tables[f"told.{name}"] = told
    return manifest, tables


def describe_input(source: Source) -> list[Any]:
    """What it is, which columns of it are kept, and what all of them are called."""
    arguments = list(source.signature.arguments)
    return [source.id, list(source.variables), list(source.extras), arguments]


def name_edges(memory: Memory) -> Iterator[tuple[Edge, str]]:
    """Which operator needs something, and as which of its operands."""
    for id_, node in memory.graph.operators.items():
        for at, edge in enumerate(node.edges):
            yield edge, f"*kept.{id_}.{at}"


def _write_holder(holder: Holder, edges: dict[Edge, str]) -> pa.Table:
    table = _write_rows(holder.rows).append_column("*live", wrap(holder.live))
    for edge in holder.users:
        table = table.append_column(edges[edge], wrap(edge.kept))
    return table


def _write_fold(fold: Fold) -> pa.Table:
    table = _write_rows(fold.rows).append_column("*until", wrap(fold.until))
    table = table.append_column("*count", wrap(fold.count))
    for at in range(fold.sums.special.shape[1]):
        special = np.ascontiguousarray(fold.sums.special[:, at])
        table = table.append_column(f"*special.{at}", wrap(special))
    for at in range(fold.sums.limbs.shape[1]):
        limb = np.ascontiguousarray(fold.sums.limbs[:, at])
        table = table.append_column(f"*limb.{fold.sums.low + at}", wrap(limb))
    return table


def _write_rows(rows: Rows) -> pa.Table:
    """Columns by their place: what they are called does not matter to what they are."""
    columns: dict[str, Any] = {"*ts": wrap(rows.ts)}
    if rows.te is not rows.ts:
        columns["*te"] = wrap(rows.te, rows.te == OPEN)
    columns |= {str(at): wrap(column) for at, column in enumerate(rows.columns)}
    columns |= {f"*extra.{at}": wrap(values) for at, values in enumerate(rows.extra.values())}
    return pa.table(columns)
