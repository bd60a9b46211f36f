"""What is read of each input: the columns that are used, the rows that can matter."""

import math
from dataclasses import dataclass

from phenesthe.check.program import CheckedProgram, Signature, ValueType
from phenesthe.plan.columns import ColumnUses, Use, bodies_of, find_column_uses
from phenesthe.syntax.tree import (
    And,
    Atom,
    BoolLiteral,
    Comparison,
    ComparisonOperator,
    Exists,
    FloatLiteral,
    Formula,
    IntLiteral,
    ParameterRef,
    StrLiteral,
    Variable,
    Where,
)  # fmt: skip
from phenesthe.syntax.tree.walk import children, walk
from phenesthe.syntax.values import is_formula

Scalar = int | float | str | bool
_FLIPPED: dict[ComparisonOperator, ComparisonOperator] = {
    "<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!=",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Test:
    """`column operator value`."""

    column: str
    operator: ComparisonOperator
    value: Scalar


@dataclass(frozen=True, slots=True)
class Scan:
    """A row is needed if it passes all tests of some alternative; without alternatives, always."""

    name: str
    columns: tuple[tuple[str, Use], ...]
    alternatives: tuple[tuple[Test, ...], ...]


def find_scans(program: CheckedProgram) -> tuple[Scan, ...]:
    uses = find_column_uses(program)
    return tuple(
        Scan(signature.name, _columns(signature.name, signature.arguments, uses), alternatives)
        for signature in program.inputs
        for alternatives in (_alternatives(program, signature),)
    )


def _columns(
    name: str, arguments: tuple[str, ...], uses: ColumnUses
) -> tuple[tuple[str, Use], ...]:
    return tuple(zip(arguments, uses.by_name[name], strict=True))


def _alternatives(program: CheckedProgram, signature: Signature) -> tuple[tuple[Test, ...], ...]:
    parameters = {parameter.name: parameter.value for parameter in program.parameters}
    found: dict[tuple[Test, ...], None] = {}
    for definition in program.definitions:
        for body in bodies_of(definition):
            guarded = dict(_guarded(body, ()))
            for node in walk(body):
                if not isinstance(node, Atom) or node.name.text != signature.name:
                    continue
                tests = _tests(node, signature, guarded.get(id(node), ()), parameters)
                if not tests:
                    return ()
                found[tests] = None
    return tuple(found)


def _guarded(
    node: Formula, conditions: tuple[Comparison, ...]
) -> list[tuple[int, tuple[Comparison, ...]]]:
    """Atoms right inside a conjunction, with the comparisons they are joined with."""
    match node:
        case Atom():
            return [(id(node), conditions)]
        case And():
            here = tuple(part for part in node.operands if isinstance(part, Comparison))
            parts = [part for part in node.operands if not isinstance(part, Comparison)]
            return [pair for part in parts for pair in _guarded(part, conditions + here)]
        case Where(condition=Comparison() as comparison):
            return _guarded(node.operand, (*conditions, comparison))
        case Exists():
            return _guarded(node.operand, conditions)
        case _:
            inner = [part for part in children(node) if is_formula(part)]
            return [pair for part in inner for pair in _guarded(part, ())]


def _tests(
    atom: Atom,
    signature: Signature,
    conditions: tuple[Comparison, ...],
    parameters: dict[str, Scalar],
) -> tuple[Test, ...]:
    tests: list[Test] = []
    columns: dict[str, str] = {}
    types = dict(zip(signature.arguments, signature.types, strict=True))
    for name, argument in zip(signature.arguments, atom.arguments, strict=True):
        constant = _constant(argument, parameters)
        if constant is not None:
            tests.append(Test(name, "==", constant))
        elif isinstance(argument, Variable):
            columns.setdefault(argument.name, name)
    for condition in conditions:
        for value, other, operator in (
            (condition.left, condition.right, condition.operator),
            (condition.right, condition.left, _FLIPPED[condition.operator]),
        ):
            constant = _constant(other, parameters)
            if isinstance(value, Variable) and value.name in columns and constant is not None:
                tests.append(Test(columns[value.name], operator, constant))
    return tuple(test for test in tests if _is_exact(types[test.column], test.value))


def _is_exact(type_name: ValueType, value: Scalar) -> bool:
    """The constant means the same in the type of the column, so that Arrow compares as we do.

    A NaN does not: to a join it is equal to itself.
    """
    if isinstance(value, float) and math.isnan(value):
        return False
    match type_name:
        case "int":
            return isinstance(value, int) and not isinstance(value, bool)
        case "float":
            return isinstance(value, float) or (isinstance(value, int) and abs(value) < 2**53)
        case "str":
            return isinstance(value, str)
        case "bool":
            return isinstance(value, bool)


def _constant(value: object, parameters: dict[str, Scalar]) -> Scalar | None:
    match value:
        case IntLiteral() | FloatLiteral() | StrLiteral() | BoolLiteral():
            return value.value
        case ParameterRef():
            return parameters[value.name]
        case _:
            return None
