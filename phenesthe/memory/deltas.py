"""What one memory tells another of a definition: how a stage feeds the next."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from phenesthe.arrow import mark_nulls, to_ints, wrap
from phenesthe.check.program import Signature
from phenesthe.graph.operator import Source
from phenesthe.io.codes import code_rows
from phenesthe.io.columns import TYPES, make_table
from phenesthe.kernels.arrays import OPEN, Array
from phenesthe.memory.inputs import Input
from phenesthe.operators import tables
from phenesthe.operators.domains import Domains
from phenesthe.operators.rows import Bindings, Rows
from phenesthe.operators.unchanged import BEGINNING, Part, UnchangedUntil
from phenesthe.vocabulary import ValueType


@dataclass(frozen=True, slots=True)
class Delta:
    """After a query: rows that came and went, and how far back more may still come or go.

    That is `lag` before the window's frontier, and for some bindings earlier: pending rows have
    the arguments (null: whatever the value) and in `at` the time up to which nothing will change.
    """

    added: pa.Table
    removed: pa.Table
    pending_added: pa.Table
    pending_removed: pa.Table
    lag: int


class DerivedInput(Input):
    """An input that another memory finds: as known at the query already, and never refused."""

    def __init__(self, source: Source, domains: Domains) -> None:
        super().__init__(source, domains)
        self.lag = 0
        self.pending = make_pending_schema(source.signature).empty_table()
        self.weight: Array = np.empty(0, dtype=np.int64)

    def take_delta(self, delta: Delta | None) -> None:
        if delta is None:
            self.forget_changes()
            return
        self.lag = max(self.lag, delta.lag)
        gone = tables.find(self.keys, self.encode(delta.removed), self.rows)
        self.change(gone[gone >= 0], self.encode(delta.added))
        self._move_pending(delta)

    def encode(self, table: pa.Table) -> Rows:
        columns = [
            self.domains[kind].encode(table[name])
            for name, kind in zip(self.signature.arguments, self.signature.types, strict=True)
        ]
        if self.kind == "event":
            ts = te = to_ints(table["t"])
        else:
            ts, te = to_ints(table["ts"]), to_ints(table["te"], null=OPEN)
        return self.keys.sort(Rows(self.variables, tuple(columns), ts, te))

    def _move_pending(self, delta: Delta) -> None:
        """Several partitions may say the same, so what is said is counted."""
        together = pa.concat_tables([self.pending, delta.pending_added, delta.pending_removed])
        weight = np.concatenate(
            [
                self.weight,
                np.ones(delta.pending_added.num_rows, dtype=np.int64),
                -np.ones(delta.pending_removed.num_rows, dtype=np.int64),
            ]
        )
        codes = code_rows(together.columns, together.num_rows)
        _, first, number = np.unique(codes, return_index=True, return_inverse=True)
        total = np.zeros(len(first), dtype=np.int64)
        np.add.at(total, number, weight)
        self.pending = together.take(wrap(first[total > 0]))
        self.weight = total[total > 0]

    def move(self, frontier: int) -> None:
        cuts = UnchangedUntil(max(frontier - self.lag, BEGINNING), self._list_parts())
        self.operand_frontier = self.frontier = cuts.merge(self.keys, self.variables)
        self.settle(self.live & (self.rows.te > self.operand_frontier.of(self.keys, self.rows)))

    def list_codes(self) -> Iterator[tuple[ValueType, Array]]:
        yield from super().list_codes()
        for name in self.variables:
            kind = self.keys.types[name]
            yield kind, self.domains[kind].encode(self.pending[name].drop_null())

    def _list_parts(self) -> list[Part]:
        """Together those of which the same arguments are known."""
        if not self.pending.num_rows:
            return []
        known = np.array([~mark_nulls(self.pending[name]) for name in self.variables])
        known = known.reshape(len(self.variables), self.pending.num_rows)
        patterns, number = np.unique(known, axis=1, return_inverse=True)
        parts = []
        for at in range(patterns.shape[1]):
            rows = self.pending.take(wrap(np.flatnonzero(number.reshape(-1) == at)))
            names = [n for n, there in zip(self.variables, patterns[:, at], strict=True) if there]
            columns = [self.domains[self.keys.types[name]].encode(rows[name]) for name in names]
            bindings = Bindings(tuple(names), tuple(columns), rows.num_rows)
            parts.append(Part(bindings, to_ints(rows["at"])))
        return parts


def make_pending_schema(signature: Signature) -> pa.Schema:
    types = [
        (name, TYPES[kind]) for name, kind in zip(signature.arguments, signature.types, strict=True)
    ]
    return pa.schema([*types, ("at", pa.int64())])


def list_pending(
    signature: Signature,
    arguments: tuple[str, ...],
    cuts: UnchangedUntil,
    domains: Domains,
    keys: Any,
) -> pa.Table:
    """The bindings that are cut earlier than the others, once each."""
    schema = make_pending_schema(signature)
    found = []
    for part in cuts.parts:
        count = part.bindings.count
        columns = []
        for name, own in zip(signature.arguments, arguments, strict=True):
            if own in part.bindings.variables:
                domain = domains[keys.types[own]]
                columns.append(pa.chunked_array([domain.decode(part.bindings.column(own))]))
            else:
                columns.append(pa.chunked_array([pa.nulls(count, schema.field(name).type)]))
        columns.append(pa.chunked_array([wrap(part.at)]))
        found.append(make_table(schema, columns, count))
    together = pa.concat_tables([schema.empty_table(), *found])
    codes = code_rows(together.columns, together.num_rows)
    return together.take(wrap(np.unique(codes, return_index=True)[1]))


def find_difference(old: pa.Table, new: pa.Table) -> tuple[pa.Table, pa.Table]:
    """The rows that came, and those that went; neither has twins."""
    together = pa.concat_tables([old, new])
    codes = code_rows(together.columns, together.num_rows)
    before, after = codes[: old.num_rows], codes[old.num_rows :]
    return (
        new.filter(wrap(~np.isin(after, before))),
        old.filter(wrap(~np.isin(before, after))),
    )
