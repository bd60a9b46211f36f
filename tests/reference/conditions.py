"""Timeless conditions: comparisons, facts, and their `and`, `or`, `not`."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from phenesthe.syntax.tree import (
    And,
    Assignment,
    Atom,
    Comparison,
    Exists,
    Formula,
    Not,
    Or,
    Variable,
    Where,
)
from phenesthe.syntax.tree.walk import walk
from tests.reference.bindings import Arguments, Binding, bind, match_arguments, merge, restrict
from tests.reference.scopes import Kinds, arrange, find_free
from tests.reference.values import Moments, Scalar, Values, compare, is_undefined


@dataclass(frozen=True)
class Conditions:
    """ "Facts hold always." """

    values: Values
    kinds: Kinds
    facts: Mapping[str, Collection[Arguments]]

    def solve(self, condition: Formula, known: Binding, row: Moments | None = None) -> set[Binding]:
        """The bindings of the condition's variables that agree with `known` and satisfy it.

        "`fact(…)` atoms (positive ones may bind variables)"; everything else only filters.
        """
        names = find_free(condition)
        known = restrict(known, names)
        match condition:
            case Atom(name=name, arguments=terms):
                rows = self.facts.get(name.text, ())
                found = {match_arguments(terms, row, known, self.values) for row in rows}
                return {binding for binding in found if binding is not None}
            case Comparison(operator=comparison, left=left, right=right):
                holds = compare(
                    comparison,
                    self.values.evaluate(left, known, row),
                    self.values.evaluate(right, known, row),
                )
                return {known} if holds else set()
            case And(operands=operands):
                return self.solve_all(operands, known, row)
            case Where(operand=operand, condition=extra):
                return self.solve_all((operand, extra), known, row)
            case Or(operands=operands):
                return {
                    merge(known, one) for part in operands for one in self.solve(part, known, row)
                }
            case Not(operand=operand):
                require_bound(condition, known)
                return set() if self.solve(operand, known, row) else {known}
            case Exists(operand=operand):
                return {restrict(one, names) for one in self.solve(operand, known, row)}
            case _:
                raise ValueError(f"not a condition: {condition!r}")

    def solve_all(
        self, operands: tuple[Formula, ...], known: Binding, row: Moments | None
    ) -> set[Binding]:
        found = {known}
        bound = frozenset(name for name, _ in known)
        for operand in arrange(operands, bound, self.kinds, rank=lambda _: 0):
            if isinstance(operand, str):
                values = self.list_values(operand, operands)
                found = {merge(one, bind({operand: value})) for one in found for value in values}
            else:
                found = {
                    merge(one, more) for one in found for more in self.solve(operand, one, row)
                }
        return found

    def list_values(self, name: str, operands: tuple[Formula, ...]) -> set[Scalar]:
        """What facts have in the place of a variable."""
        return {
            row[at]
            for operand in operands
            for atom in walk(operand)
            if isinstance(atom, Atom)
            for at, term in enumerate(atom.arguments)
            if isinstance(term, Variable) and term.name == name
            for row in self.facts.get(atom.name.text, ())
        }


def assign(
    assignments: tuple[Assignment, ...], known: Binding, row: Moments, values: Values
) -> Binding | None:
    """ "each seeing what those before it bound"; None: "a `let` of one drops the row"."""
    for one in assignments:
        value = values.evaluate(one.value, known, row)
        is_too_large = isinstance(value, int) and not -(2**63) <= value < 2**63
        if is_undefined(value) or is_too_large:
            return None
        known = merge(known, bind({one.variable.name: value}))
    return known


def require_bound(formula: Formula, known: Binding) -> None:
    if missing := find_free(formula) - {name for name, _ in known}:
        raise ValueError(f"unsafe: {sorted(missing)} of {formula!r}")
