"""Values of expressions over a table: a column, or one element that stands for all rows.

Of texts a column has the ranks of its values; what is computed of them is in `texts.py`.
"""

from collections.abc import Mapping
from typing import assert_never

import numpy as np

from phenesthe.arrow import pack, wrap
from phenesthe.graph.formulas import (
    Arithmetic,
    Call,
    Column,
    Comparison,
    Constant,
    Measured,
    Moment,
    Negative,
    Value,
)  # fmt: skip
from phenesthe.kernels.arrays import OPEN, Array, Mask
from phenesthe.operators import arithmetic, texts
from phenesthe.operators.domains import Domains
from phenesthe.operators.table import Table
from phenesthe.operators.texts import Texts
from phenesthe.vocabulary import INT_MAX, INT_MIN, ValueType

Types = Mapping[str, ValueType]


def compare(domains: Domains, types: Types, table: Table, node: Comparison) -> Mask:
    """False wherever a side is undefined, whatever the operator."""
    found = Evaluation(domains, types, table)
    if is_computed_text(node.left) or is_computed_text(node.right):
        left, right = texts.rank(found.read_texts(node.left), found.read_texts(node.right))
    else:
        left, right = found.compute(node.left), found.compute(node.right)
    holds = arithmetic.compare(node.operator, left, right) & ~found.undefined
    return np.broadcast_to(holds, (len(table),))


def assign(domains: Domains, types: Types, table: Table, name: str, node: Value) -> Table:
    """With a new column of codes, and without the rows for which it is undefined."""
    found, kind = Evaluation(domains, types, table), types[name]
    if kind == "str":
        read = found.read_texts(node)
        codes = domains.give_codes("str", pack(read.values, texts.TYPE))[read.places]
        return table.with_codes({name: _spread(codes, table)}).take(found.mark_defined())
    column = found.compute(node)
    if kind == "bool":
        return table.with_codes({name: _spread(column, table)}).take(found.mark_defined())
    if kind == "float":
        column = arithmetic.as_floats(column)
        lost = np.isnan(column)
    else:
        lost = _mark_too_large(column)
    keep = np.broadcast_to(~(found.undefined | lost), (len(table),))
    table, kept = table.take(keep), _spread(column, table)[keep]
    numbers = kept.astype(np.float64 if kind == "float" else np.int64)
    return table.with_codes({name: domains.give_codes(kind, wrap(numbers))})


def _mark_too_large(column: arithmetic.Column) -> Mask:
    """A whole number beyond 64 bits can be computed with and compared, and no more."""
    if column.dtype != object:
        return np.zeros(1, dtype=np.bool_)
    return np.asarray((column < INT_MIN) | (column > INT_MAX), dtype=np.bool_)


def _spread(column: arithmetic.Column, table: Table) -> arithmetic.Column:
    return np.broadcast_to(column, (len(table),))


def is_computed_text(node: Value) -> bool:
    return isinstance(node, Call) and node.function in ("lower", "upper")


class Evaluation:
    """Of one expression. `undefined` marks the rows for which some part of it has no value."""

    def __init__(self, domains: Domains, types: Types, table: Table) -> None:
        self.domains, self.types, self.table = domains, types, table
        self.undefined: Mask = np.zeros(1, dtype=np.bool_)

    def mark_defined(self) -> Mask:
        return np.broadcast_to(~self.undefined, (len(self.table),))

    def compute(self, node: Value) -> arithmetic.Column:
        match node:
            case Column():
                return self._column(node)
            case Constant():
                return self._constant(node)
            case Negative():
                return arithmetic.negate(self.compute(node.operand))
            case Arithmetic():
                left, right = self.compute(node.left), self.compute(node.right)
                return self._note(arithmetic.compute(node.operator, left, right))
            case Call():
                return self._call(node)
            case Moment():
                return self._ask(node)
            case Measured():
                return self._read_measured(node)
            case _:
                assert_never(node)

    def _note(self, result: arithmetic.Result) -> arithmetic.Column:
        found, undefined = result
        self.undefined = self.undefined | undefined
        return found

    def _call(self, node: Call) -> arithmetic.Column:
        match node.function:
            case "length":
                return texts.measure(self.read_texts(node.arguments[0]))
            case "starts_with" | "ends_with" | "includes":
                first, second = (self.read_texts(one) for one in node.arguments)
                return texts.test(node.function, first, second)
            case "lower" | "upper":
                raise AssertionError("a text has no number")
            case "time" | "start_time" | "end_time" | "duration":
                raise AssertionError("what asks for a time is no call any more")
            case _:
                arguments = [self.compute(one) for one in node.arguments]
                return self._note(arithmetic.call(node.function, arguments))

    def _ask(self, node: Moment) -> arithmetic.Column:
        ts, te = self.table.ts, self.table.te
        assert ts is not None
        assert te is not None
        if node.name in ("time", "start_time"):
            return ts
        self.undefined = self.undefined | (te == OPEN)
        if node.name == "end_time":
            return te
        # Of an open one nothing is counted: it could be more than there are numbers for.
        return self._note(arithmetic.compute("-", np.where(te == OPEN, ts, te), ts))

    def read_texts(self, node: Value) -> Texts:
        match node:
            case Column():
                return self._read_column(node)
            case Constant():
                return Texts([str(node.value)], np.zeros(1, dtype=np.int64))
            case Measured():
                return self._decode(self._get_measured(node))
            case Call(function="lower" | "upper" as function):
                return texts.change(function, self.read_texts(node.arguments[0]))
            case _:
                raise AssertionError(f"no text: {type(node).__name__}")

    def _read_column(self, node: Column) -> Texts:
        return self._decode(self._codes(node))

    def _decode(self, column: Array) -> Texts:
        codes, places = np.unique(column, return_inverse=True)
        return Texts(self.domains["str"].decode(codes).to_pylist(), places.astype(np.int64))

    def _get_measured(self, node: Measured) -> arithmetic.Column:
        """Where it is undefined there is some value of its type, unless there is none at all."""
        found, undefined = (self.table.extra[name] for name in name_measured(node.number))
        self.undefined = self.undefined | undefined.astype(np.bool_)
        if node.type == "str" and undefined.all():
            codes = self.domains.give_codes("str", pack([""], texts.TYPE))
            return np.broadcast_to(codes, found.shape)
        return found

    def _read_measured(self, node: Measured) -> arithmetic.Column:
        found = self._get_measured(node)
        return self.domains[node.type].rank(found) if node.type in ("str", "bool") else found

    def _codes(self, node: Column) -> Array:
        return self.table.codes[previous(node.name) if node.is_previous else node.name]

    def _column(self, node: Column) -> arithmetic.Column:
        name = previous(node.name) if node.is_previous else node.name
        if name in self.table.extra:
            return self.table.extra[name]
        domain, codes = self.domains[self.types[node.name]], self._codes(node)
        return domain.rank(codes) if domain.type in ("str", "bool") else domain.numbers(codes)

    def _constant(self, node: Constant) -> arithmetic.Column:
        if isinstance(node.value, str | bool):
            domain = self.domains[node.type]
            return domain.rank(np.array([domain.code(node.value)]))
        return np.array([node.value])


def name_measured(number: int) -> tuple[str, str]:
    """The columns of an aggregate, and of where it has no value. No variable has such names."""
    return f"aggregate {number}", f"aggregate {number} is undefined"


def previous(name: str) -> str:
    """The column of a variable at the previous occurrence. No variable has such a name."""
    return f"prev {name}"
