"""A table of candidate rows, while the conditions and events of a conjunction narrow it down."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from phenesthe.frozen import dataclass
from phenesthe.graph.formulas import Formula
from phenesthe.kernels.arrays import Array, Mask, number_rows
from phenesthe.kernels.order import mark_new
from phenesthe.operators.rows import Bindings, Rows
from phenesthe.vocabulary import Names


@dataclass(frozen=True, slots=True, eq=False)
class Fact:
    """The rows of a fact: a column of codes per argument."""

    columns: tuple[Array, ...]
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """`codes` are joined on, `extra` only compared. `origin` numbers the rows it began with.

    Without `ts` the rows are timeless bindings.
    """

    codes: Mapping[str, Array]
    extra: Mapping[str, npt.NDArray[Any]]
    origin: Array
    ts: Array | None = None
    te: Array | None = None

    def __len__(self) -> int:
        return len(self.origin)

    def column(self, name: str) -> Array:
        return self.codes[name]

    def take(self, rows: Array | Mask) -> "Table":
        if rows.dtype == np.bool_:
            # As with `Rows`.
            if np.count_nonzero(rows) == len(rows) == len(self):
                return self
            rows = rows.nonzero()[0]
        ts = None if self.ts is None else self.ts[rows]
        return Table(
            {name: column[rows] for name, column in self.codes.items()},
            {name: column[rows] for name, column in self.extra.items()},
            self.origin[rows],
            ts,
            ts if self.te is self.ts or self.te is None else self.te[rows],
        )

    def with_codes(self, more: Mapping[str, Array]) -> "Table":
        return replace(self, codes={**self.codes, **more})

    def renumbered(self) -> "Table":
        return replace(self, origin=number_rows(len(self)))

    def as_bindings(self, names: Names) -> Bindings:
        return Bindings(names, tuple([self.codes[name] for name in names]), len(self))

    def as_rows(self, names: Names) -> Rows:
        assert self.ts is not None
        assert self.te is not None
        columns = tuple([self.codes[name] for name in names])
        return Rows(names, columns, self.ts, self.te, self.extra)


def open_table(rows: Rows) -> Table:
    codes = dict(zip(rows.variables, rows.columns, strict=True))
    return Table(codes, rows.extra, number_rows(len(rows)), rows.ts, rows.te)


def open_bindings(bindings: Bindings) -> Table:
    codes = dict(zip(bindings.variables, bindings.columns, strict=True))
    return Table(codes, {}, number_rows(bindings.count))


def widen(table: Table, node: Formula, solved: list[Table]) -> Table:
    """The rows that were solved in some way, each once for the values that `node` gives."""
    scope = node.scope
    new = tuple([n for n in scope.free if n in scope.bound and n not in table.codes])
    origin = np.concatenate([found.origin for found in solved])
    columns = [np.concatenate([found.codes[n] for found in solved]) for n in new]
    rank = np.lexsort((*columns, origin))
    chosen = rank[mark_new(origin[rank], *(column[rank] for column in columns))]
    codes = {name: column[chosen] for name, column in zip(new, columns, strict=True)}
    return table.take(origin[chosen]).with_codes(codes)


#: One row, nothing known of it: what facts are joined to when no event is there.
UNIT = Table({}, {}, np.zeros(1, dtype=np.int64))
