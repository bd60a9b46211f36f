"""Timeless conditions over a table: comparisons filter, facts filter and bind."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

import numpy as np

from phenesthe.check.program import ValueType
from phenesthe.check.scopes import Scopes
from phenesthe.kernels.arrays import Array, Mask
from phenesthe.kernels.order import mark_new
from phenesthe.stage import arithmetic
from phenesthe.stage.arrange import arrange
from phenesthe.stage.domains import Domains, Scalar
from phenesthe.stage.rows import Bindings, Keys
from phenesthe.stage.table import Table
from phenesthe.syntax.tree import (
    And,
    Arithmetic,
    Atom,
    BoolLiteral,
    Call,
    Comparison,
    DurationLiteral,
    Exists,
    FloatLiteral,
    Formula,
    IntLiteral,
    Negate,
    Not,
    Or,
    ParameterRef,
    Previous,
    StrLiteral,
    Term,
    Value,
    Variable,
    Wildcard,
    Word,
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Fact:
    """The rows of a fact: a column of codes per argument."""

    columns: tuple[Array, ...]
    count: int


class Conditions:
    """The timeless knowledge of one definition's evaluation."""

    def __init__(
        self,
        domains: Domains,
        types: Mapping[str, ValueType],
        parameters: Mapping[str, Scalar],
        facts: Mapping[str, Fact],
        ticks: Mapping[DurationLiteral, int],
        argument_types: Mapping[str, tuple[ValueType, ...]],
    ) -> None:
        self.domains = domains
        self.types = types
        self.parameters = parameters
        self.facts = facts
        self.ticks = ticks
        self.argument_types = argument_types
        self.keys = Keys(domains, types)
        self.scopes = Scopes(lambda name: name in facts)

    def is_condition(self, node: Formula) -> bool:
        return self.scopes.is_condition(node)

    def solve(self, table: Table, node: Formula) -> Table:
        """The rows that meet a condition, extended by the variables its facts bind."""
        match node:
            case Comparison():
                return table.take(self.compare(table, node))
            case Atom():
                return self.join_fact(table, node)
            case And():
                known = {*table.codes, *table.extra}
                for part in arrange(node.operands, known, self.scopes, only_filters):
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
        new = sorted(self.scopes.free(node) - {*table.codes, *table.extra})
        if not new:
            return table.take(np.unique(origin))
        columns = {n: np.concatenate([found.codes[n] for found in solved]) for n in new}
        rank = np.lexsort((*columns.values(), origin))
        first = rank[mark_new(origin[rank], *(column[rank] for column in columns.values()))]
        return table.take(origin).with_codes(columns).take(np.sort(first))

    def join_fact(self, table: Table, atom: Atom) -> Table:
        fact = self.fact(atom)
        shared = tuple([name for name in fact.variables if name in table.codes])
        known = table.as_bindings(shared)
        if len(shared) == len(fact.variables):
            left, right = self.keys.pack(shared, known, fact)
            return table.take(np.isin(left, right))
        one, other = self.keys.match(shared, known, fact)
        new = {name: fact.column(name)[other] for name in fact.variables if name not in shared}
        return table.take(one).with_codes(new)

    def fact(self, atom: Atom) -> Bindings:
        """The rows of a fact that fit the atom, as bindings of its variables."""
        fact = self.facts[atom.name.text]
        keep, variables = self.fit(atom, fact.columns, fact.count)
        names = tuple(variables)
        fitting = Bindings(
            names, tuple([column[keep] for column in variables.values()]), int(keep.sum())
        )
        return self.keys.bind(names, fitting)[0]

    def fit(
        self, atom: Atom, columns: tuple[Array | None, ...], length: int
    ) -> tuple[Mask, dict[str, Array]]:
        """Which rows have the atom's constants and repeated variables, and its variables' columns.

        A column is None where only conditions look at it.
        """
        keep = np.ones(length, dtype=np.bool_)
        variables: dict[str, Array] = {}
        for argument, column in zip(atom.arguments, columns, strict=True):
            match argument:
                case Wildcard() | Word():
                    pass
                case Variable():
                    if column is None:
                        continue
                    if argument.name in variables:
                        keep &= variables[argument.name] == column
                    variables[argument.name] = column
                case _:
                    assert column is not None
                    keep &= column == self.code_of(argument, atom)
        return keep, variables

    def code_of(self, constant: Term, atom: Atom) -> int:
        """The code of a constant argument; -1 fits no row."""
        position = [argument is constant for argument in atom.arguments].index(True)
        value = self.constant(constant)
        wanted = self.argument_types[atom.name.text][position]
        return self.domains[wanted].code(float(value) if wanted == "float" else value)

    def constant(self, term: Value) -> Scalar:
        match term:
            case IntLiteral() | FloatLiteral() | StrLiteral() | BoolLiteral():
                return term.value
            case DurationLiteral():
                return self.ticks[term]
            case ParameterRef():
                return self.parameters[term.name]
            case _:
                raise AssertionError(f"no constant: {type(term).__name__}")

    def compare(self, table: Table, node: Comparison) -> Mask:
        left, right = self.value(table, node.left), self.value(table, node.right)
        holds = arithmetic.compare(node.operator, left, right)
        return np.broadcast_to(holds, (len(table),))

    def value(self, table: Table, node: Value) -> arithmetic.Column:
        """A column, or one element that stands for all rows."""
        match node:
            case Variable():
                return self._variable(table, node.name, node.name)
            case Previous():
                return self._variable(table, previous(node.variable.name), node.variable.name)
            case IntLiteral() | FloatLiteral() | DurationLiteral() | ParameterRef():
                return self._constant_column(self.constant(node))
            case StrLiteral() | BoolLiteral():
                return self._constant_column(node.value)
            case Negate():
                return arithmetic.negate(self.value(table, node.operand))
            case Arithmetic():
                return arithmetic.compute(
                    node.operator, self.value(table, node.left), self.value(table, node.right)
                )
            case Call():
                return arithmetic.call(
                    node.function, [self.value(table, part) for part in node.arguments]
                )
            case Wildcard() | Word():
                raise AssertionError("a checked condition has neither")
            case _:
                assert_never(node)

    def _variable(self, table: Table, column: str, name: str) -> arithmetic.Column:
        if column in table.extra:
            return table.extra[column]
        codes = table.codes[column]
        domain = self.domains[self.types[name]]
        return codes if domain.type in ("str", "bool") else domain.numbers(codes)

    def _constant_column(self, value: Scalar) -> arithmetic.Column:
        if isinstance(value, bool):
            return np.array([self.domains["bool"].code(value)])
        if isinstance(value, str):
            return np.array([self.domains["str"].code(value)])
        return np.array([value])


def only_filters(part: Formula) -> bool:
    """Facts and whatever binds come first."""
    return isinstance(part, Comparison | Not)


def previous(name: str) -> str:
    """The column of a variable at the previous occurrence. No variable has such a name."""
    return f"prev {name}"


def missing_rows(count: int, found: Array) -> Mask:
    missing = np.ones(count, dtype=np.bool_)
    missing[found] = False
    return missing
