"""A memory as `dump` wrote it down, read again, and nothing believed that would break it later."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.arrow import to_bools, to_floats, to_ints
from phenesthe.check.program import CheckedProgram
from phenesthe.kernels.arrays import OPEN, Array
from phenesthe.kernels.exact_sums import Sums
from phenesthe.memory.deltas import DerivedInput, make_pending_schema
from phenesthe.memory.dump import FORMAT, name_edges
from phenesthe.memory.inputs import EventInput, Input, IntervalInput
from phenesthe.memory.results import find_meanings, is_meaning, read_meanings
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
from phenesthe.memory.working_memory import Memory
from phenesthe.operators.aggregates import AggregatedNode
from phenesthe.operators.domains import ARROW, Domain
from phenesthe.operators.folds import Fold
from phenesthe.operators.held import Edge, Holder
from phenesthe.operators.node import Node
from phenesthe.operators.rows import Numbers, Rows
from phenesthe.vocabulary import VALUE_TYPES, ValueType

_IS_MANIFEST = record(
    format=lambda value: value == FORMAT,
    window=is_positive,
    first=is_int,
    finds_first=is_bool,
    start=or_none(is_int),
    last=or_none(is_int),
    only=list_of(is_text),
    remove=is_bool,
    operators=list_of(is_text),
    inputs=by_name(list_of(lambda value: is_text(value) or list_of(is_text)(value))),
    definitions=by_name(is_meaning),
    since=by_name(is_int),
    facts=by_name(is_count),
    chunks=by_name(is_count),
    lags=by_name(is_count),
)


def load(
    program: CheckedProgram, manifest: Mapping[str, Any], tables: Mapping[str, pa.Table]
) -> Memory:
    """The memory of the same program, as it was written. Raises `Damage`, `KeyError`."""
    memory = prepare(program, manifest, tables)
    require({*manifest["operators"]} == {*memory.graph.operators})
    require(set(manifest["inputs"]) == set(memory.graph.inputs))
    require(read_meanings(manifest) == find_meanings(memory))
    read = Reading(memory, tables)
    for name in memory.world.facts:
        read.read_fact(name, manifest["facts"][name])
    memory.fix_values()
    for id_, node in memory.graph.operators.items():
        read.read_holder(node, f"node.{id_}")
    for name, source in memory.graph.inputs.items():
        read.read_input(source, name, manifest)
    for name in memory.plan.definitions:
        if f"told.{name}" in tables:
            memory.told[name] = tables[f"told.{name}"]
    memory.since = dict(manifest["since"])
    if memory.last is not None:
        memory.restore_frontier()
    return memory


def prepare(
    program: CheckedProgram, manifest: Mapping[str, Any], tables: Mapping[str, pa.Table]
) -> Memory:
    """A memory of the program that knows the values of what was written, and nothing else."""
    require(_IS_MANIFEST(manifest))
    memory = Memory(
        program,
        {},
        window=manifest["window"],
        only=manifest["only"],
        first=manifest["first"],
        start=manifest["start"],
        remove=manifest["remove"],
        derived=manifest["lags"],
    )
    memory.finds_first = manifest["finds_first"]
    memory.last = manifest["last"]
    for type_name in VALUE_TYPES:
        values = _read_values(tables[f"values.{type_name}"], type_name)
        order = to_ints(pa.chunked_array([pc.sort_indices(values)]))
        is_sorted = np.array_equal(order, np.arange(len(order)))
        memory.world.domains.by_type[type_name] = Domain(type_name, values, is_sorted)
    return memory


class Reading:
    """Tables on their way into a memory."""

    def __init__(self, memory: Memory, tables: Mapping[str, pa.Table]) -> None:
        self.memory, self.tables = memory, tables
        self.edges: dict[Edge, str] = dict(name_edges(memory))

    def list_sizes(self, types: tuple[ValueType, ...]) -> list[int]:
        return [len(self.memory.world.domains[one].values) for one in types]

    def read_fact(self, name: str, count: int) -> None:
        table = self.tables[f"fact.{name}"]
        (signature,) = [one for one in self.memory.plan.facts if one.name == name]
        columns = [
            to_ints(take_column(table, str(at), pa.int64()))
            for at in range(len(signature.arguments))
        ]
        require(all(len(column) == count for column in columns))
        check_codes(columns, self.list_sizes(signature.types))
        self.memory.set_fact(name, columns, count)

    def has_edges(self, node: Node[Any]) -> bool:
        """Whether it is known what the operator needs of each of its operands."""
        return all(
            self.edges[edge] in self.tables[_name(edge.node)].column_names for edge in node.edges
        )

    def read_holder(self, holder: Holder, name: str, *, is_whole: bool = True) -> None:
        """Unless it is whole, there may be users that were not there when it was written."""
        table = self.tables[name]
        holder.rows = self.read_rows(holder, holder.rows, table)
        holder.live = to_bools(take_column(table, "*live", pa.bool_()))
        for edge in holder.users:
            if is_whole or self.edges[edge] in table.column_names:
                edge.kept = to_bools(take_column(table, self.edges[edge], pa.bool_()))
            else:
                edge.kept = np.ones(len(holder.rows), dtype=np.bool_)
        holder.forget_changes()
        if isinstance(holder, AggregatedNode):
            for number, fold in holder.folds.items():
                table = self.tables[f"fold.{holder.producer.id}.{number}"]
                holder.folds[number] = self._read_fold(holder, fold, table)

    def _read_fold(self, holder: Holder, like: Fold, table: pa.Table) -> Fold:
        def read(name: str) -> Array:
            return to_ints(take_column(table, name, pa.int64()))

        ts = read("*ts")
        columns = tuple([read(str(at)) for at in range(len(like.rows.variables))])
        types = tuple([holder.keys.types[one] for one in like.rows.variables])
        check_codes(columns, self.list_sizes(types))
        special = np.stack([read(f"*special.{at}") for at in range(3)], axis=1)
        places = [int(name[6:]) for name in table.column_names if name.startswith("*limb.")]
        low = min(places, default=Sums.zeros(0).low)
        require(sorted(places) == list(range(low, low + len(places))))
        limbs = np.zeros((len(ts), len(places)), dtype=np.int64)
        for place in places:
            limbs[:, place - low] = read(f"*limb.{place}")
        sums = Sums(low, limbs, special)
        rows = Rows(like.rows.variables, columns, ts, ts)
        return Fold(rows, read("*until"), read("*count"), sums)

    def read_input(
        self, source: Input, name: str, manifest: Mapping[str, Any], *, is_whole: bool = True
    ) -> None:
        self.read_holder(source, f"input.{name}", is_whole=is_whole)
        if isinstance(source, EventInput):
            count = manifest["chunks"][name]
            require(count <= 1)
            source.chunks = [self.tables[f"chunk.{name}.{at}"] for at in range(count)]
            for chunk in source.chunks:
                _check_chunk(source, chunk)
        elif isinstance(source, IntervalInput):
            source.raw = self.read_rows(source, source.raw, self.tables[f"raw.{name}"])
        elif isinstance(source, DerivedInput):
            source.lag = manifest["lags"][name]
            table = self.tables[f"pending.{name}"]
            source.weight = to_ints(take_column(table, "*weight", pa.int64()))
            source.pending = table.drop_columns(["*weight"])
            require(source.pending.schema.equals(make_pending_schema(source.signature)))

    def read_rows(self, holder: Holder, like: Rows, table: pa.Table) -> Rows:
        """Rows with the columns of `like`."""
        ts = te = to_ints(take_column(table, "*ts", pa.int64()))
        if "*te" in table.column_names:
            te = to_ints(take_column(table, "*te", pa.int64(), nulls=True), null=OPEN)
            require(bool((ts < te).all()))
        else:
            require(holder.kind == "event" or not len(ts))
        count = len(like.variables)
        columns = tuple([to_ints(take_column(table, str(at), pa.int64())) for at in range(count)])
        require(str(count) not in table.column_names)
        types = tuple([holder.keys.types[one] for one in like.variables])
        check_codes(columns, self.list_sizes(types))
        extra = {name: _read_numbers(table, f"*extra.{at}") for at, name in enumerate(like.extra)}
        return Rows(like.variables, columns, ts, te, extra)


def _name(holder: Holder) -> str:
    if isinstance(holder, Input):
        return f"input.{holder.signature.name}"
    return f"node.{holder.producer.id}"


def _read_values(table: pa.Table, type_name: ValueType) -> pa.Array:
    column = take_column(table, "value", ARROW[type_name])
    if not column.num_chunks:
        # To combine no chunks would import pandas, which takes longer than the rest.
        return pa.nulls(0, column.type)
    values = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    # NaN is equal to nothing, itself neither.
    require(len(values.unique()) == len(values))
    return values


def _read_numbers(table: pa.Table, name: str) -> Numbers:
    if pa.types.is_floating(table[name].type):
        return to_floats(take_column(table, name, pa.float64()))
    return to_ints(take_column(table, name, pa.int64()))


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
