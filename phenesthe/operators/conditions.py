"""Timeless conditions over a table: comparisons filter, facts filter and bind."""

from collections.abc import Callable, Mapping
from typing import Protocol

import numpy as np

from phenesthe.graph.formulas import (
    And,
    Comparison,
    Constant,
    Exists,
    Formula,
    Known,
    Not,
    Occurring,
    Or,
)  # fmt: skip
from phenesthe.kernels.arrays import Array, Mask
from phenesthe.kernels.order import mark_new
from phenesthe.operators import values
from phenesthe.operators.arrange import arrange
from phenesthe.operators.domains import Domains
from phenesthe.operators.rows import Bindings, Keys, Rows
from phenesthe.operators.table import Fact, Table
from phenesthe.vocabulary import ValueType


class Knowledge(Protocol):
    """Values and facts, which may come and go."""

    domains: Domains
    facts: dict[str, Fact]


class Conditions:
    """The conditions of one operator, whose variables have these types."""

    def __init__(
        self,
        known: Knowledge,
        types: Mapping[str, ValueType],
        find_rows: Callable[[Formula], Rows],
    ) -> None:
        """`find_rows` are those of operands, of which a condition may ask for the bindings."""
        self.known, self.types, self._find_rows = known, types, find_rows
        self.domains = known.domains
        self.keys = Keys(known.domains, types)

    def solve(self, table: Table, node: Formula) -> Table:
        """The rows that meet a condition, extended by the variables its facts bind."""
        match node:
            case Comparison():
                return table.take(self.compare(table, node))
            case Known():
                return self._join(table, self._fit(node))
            case Occurring():
                rows = self._find_rows(node.source)
                return self._join(table, self.keys.bind(node.scope.free, rows)[0])
            case And():
                known = {*table.codes, *table.extra}
                for part in arrange(node.operands, known, only_filters):
                    table = self.solve(table, part)
                return table
            case Or():
                return self._alternatives(table, node)
            case Not():
                found = self.solve(table.renumbered(), node.operand)
                return table.take(missing_rows(len(table), found.origin))
            case Exists():
                found = self.solve(table.renumbered(), node.operand)
                return self._extend(table, node, [found])
            case _:
                raise AssertionError(f"no condition: {type(node).__name__}")

    def _alternatives(self, table: Table, node: Or) -> Table:
        numbered = table.renumbered()
        return self._extend(table, node, [self.solve(numbered, part) for part in node.operands])

    def _extend(self, table: Table, node: Formula, solved: list[Table]) -> Table:
        """The rows that were solved in some way, each once for the values that `node` gives."""
        origin = np.concatenate([found.origin for found in solved])
        new = sorted(set(node.scope.free) - {*table.codes, *table.extra})
        if not new:
            return table.take(np.unique(origin))
        columns = {n: np.concatenate([found.codes[n] for found in solved]) for n in new}
        rank = np.lexsort((*columns.values(), origin))
        first = rank[mark_new(origin[rank], *(column[rank] for column in columns.values()))]
        return table.take(origin).with_codes(columns).take(np.sort(first))

    def _join(self, table: Table, fact: Bindings) -> Table:
        shared = tuple([name for name in fact.variables if name in table.codes])
        known = table.as_bindings(shared)
        if len(shared) == len(fact.variables):
            left, right = self.keys.pack(shared, known, fact)
            return table.take(np.isin(left, right))
        one, other = self.keys.match(shared, known, fact)
        new = {name: fact.column(name)[other] for name in fact.variables if name not in shared}
        return table.take(one).with_codes(new)

    def _fit(self, node: Known) -> Bindings:
        """The rows of a fact that have its constants, as bindings of its variables."""
        fact = self.known.facts[node.fact]
        keep = np.ones(fact.count, dtype=np.bool_)
        variables: dict[str, Array] = {}
        for argument, column in zip(node.arguments, fact.columns, strict=True):
            if isinstance(argument, Constant):
                keep &= column == self.domains[argument.type].code(argument.value)
            elif argument is not None:
                if argument in variables:
                    keep &= variables[argument] == column
                variables[argument] = column
        names = tuple(variables)
        fitting = Bindings(
            names, tuple([column[keep] for column in variables.values()]), int(keep.sum())
        )
        return self.keys.bind(names, fitting)[0]

    def compare(self, table: Table, node: Comparison) -> Mask:
        return values.compare(self.domains, self.types, table, node)


def only_filters(part: Formula) -> bool:
    """Facts and whatever binds come first."""
    return isinstance(part, Comparison | Not)


def missing_rows(count: int, found: Array) -> Mask:
    missing = np.ones(count, dtype=np.bool_)
    missing[found] = False
    return missing
