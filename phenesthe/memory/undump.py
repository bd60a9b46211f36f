"""A memory as `dump` wrote it down, read again, and nothing believed that would break it later."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from phenesthe.arrow import list_floats, list_numbers, list_truths
from phenesthe.check.program import CheckedProgram
from phenesthe.kernels.arrays import OPEN
from phenesthe.memory.dump import FORMAT, TYPES
from phenesthe.memory.inputs import EventInput, IntervalInput
from phenesthe.memory.memory import Memory
from phenesthe.memory.shape import (
    by_name,
    check_codes,
    is_bool,
    is_count,
    is_int,
    is_positive,
    is_text,
    list_of,
    or_none,
    record,
    require,
    take_column,
)  # fmt: skip
from phenesthe.operators.domains import ARROW, Domain
from phenesthe.operators.held import Holder
from phenesthe.operators.rows import Numbers, Rows
from phenesthe.vocabulary import ValueType

_FIELDS = {
    "format": lambda value: value == FORMAT,
    "window": is_positive,
    "first": is_int,
    "finds_first": is_bool,
    "start": or_none(is_int),
    "last": or_none(is_int),
    "only": list_of(is_text),
    "remove": is_bool,
    "chunks": by_name(is_count),
}
_IS_MANIFEST = record(**_FIELDS)
_IS_MANIFEST_WITH_FACTS = record(**_FIELDS, facts=by_name(is_count))


def load(
    program: CheckedProgram, manifest: Mapping[str, Any], tables: Mapping[str, pa.Table]
) -> Memory:
    """The memory of the same program, as it was written. Raises `Damage`, `KeyError`."""
    require(_IS_MANIFEST(manifest) or _IS_MANIFEST_WITH_FACTS(manifest))
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
    for type_name in TYPES:
        values = _read_values(tables[f"values.{type_name}"], type_name)
        memory.world.domains.by_type[type_name] = Domain(type_name, values)
    for one in memory.program.facts:
        table, count = tables[f"fact.{one.name}"], manifest["facts"][one.name]
        columns = [
            list_numbers(take_column(table, str(at), pa.int64()))
            for at in range(len(one.arguments))
        ]
        require(all(len(column) == count for column in columns))
        check_codes(columns, _list_sizes(memory, one.types))
        memory.set_fact(one.name, columns, count)
    for id_, node in memory.graph.operators.items():
        _read_node(memory, node, tables[f"node.{id_}"])
    for name, source in memory.graph.inputs.items():
        _read_node(memory, source, tables[f"input.{name}"])
        if isinstance(source, EventInput):
            count = manifest["chunks"][name]
            require(count <= 1)
            source.chunks = [tables[f"chunk.{name}.{at}"] for at in range(count)]
            for chunk in source.chunks:
                _check_chunk(source, chunk)
        elif isinstance(source, IntervalInput):
            source.raw = _read_rows(memory, source, source.raw, tables[f"raw.{name}"])
    if memory.last is not None:
        memory.restore_frontier()
    return memory


def _list_sizes(memory: Memory, types: tuple[ValueType, ...]) -> list[int]:
    return [len(memory.world.domains[one].values) for one in types]


def _read_values(table: pa.Table, type_name: ValueType) -> pa.Array:
    column = take_column(table, "value", ARROW[type_name])
    if not column.num_chunks:
        # To combine no chunks would import pandas, which takes longer than the rest.
        return pa.nulls(0, column.type)
    values = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    # Codes are in the order of the values; NaN is equal to nothing, itself neither.
    require(len(values.unique()) == len(values))
    return values


def _read_node(memory: Memory, node: Holder, table: pa.Table) -> None:
    node.rows = _read_rows(memory, node, node.rows, table)
    node.live = list_truths(take_column(table, "*live", pa.bool_()))
    for at, edge in enumerate(node.users):
        edge.kept = list_truths(take_column(table, f"*kept.{at}", pa.bool_()))
    node.forget_changes()


def _read_rows(memory: Memory, node: Holder, like: Rows, table: pa.Table) -> Rows:
    """Rows with the columns of `like`."""
    ts = te = list_numbers(take_column(table, "*ts", pa.int64()))
    if "*te" in table.column_names:
        te = list_numbers(take_column(table, "*te", pa.int64(), nulls=True), null=OPEN)
        require(bool((ts < te).all()))
    else:
        require(node.kind == "event" or not len(ts))
    columns = tuple([list_numbers(take_column(table, one, pa.int64())) for one in like.variables])
    check_codes(columns, _list_sizes(memory, tuple(node.keys.types[one] for one in like.variables)))
    extra = {name: _read_numbers(table, f"*extra.{name}") for name in like.extra}
    return Rows(like.variables, columns, ts, te, extra)


def _read_numbers(table: pa.Table, name: str) -> Numbers:
    if pa.types.is_floating(table[name].type):
        return list_floats(take_column(table, name, pa.float64()))
    return list_numbers(take_column(table, name, pa.int64()))


def _check_chunk(source: EventInput, chunk: pa.Table) -> None:
    """Whole rows of an input, of which some columns may not be there: nobody asked for them."""
    signature = source.signature
    declared = dict(zip(signature.arguments, signature.types, strict=True))
    needed = [name for name, _ in (*source.joined, *source.compared)]
    require({*needed, "t"} <= set(chunk.column_names) <= {*declared, "t"})
    for name in chunk.column_names:
        is_time = name == "t" and "t" not in declared
        kind = pa.int64() if is_time else ARROW[declared[name]]
        take_column(chunk, name, kind)
