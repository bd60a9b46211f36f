"""What is read of each input: the columns that are used, the rows that can matter."""

import math
from collections.abc import Iterator
from operator import itemgetter

from phenesthe.check.aggregates import list_aggregates
from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.frozen import dataclass
from phenesthe.graph.scan import Scan, Test
from phenesthe.plan.columns import ColumnUses, bodies_of, find_column_uses
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
    Let,
    ParameterRef,
    StrLiteral,
    Variable,
    Where,
)  # fmt: skip
from phenesthe.syntax.tree.walk import Expression, children
from phenesthe.syntax.values import is_formula
from phenesthe.vocabulary import Scalar, ValueType

_FLIPPED: dict[ComparisonOperator, ComparisonOperator] = {
    "<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!=",
}  # fmt: skip


def find_scans(program: CheckedProgram, uses: ColumnUses | None = None) -> tuple[Scan, ...]:
    uses = find_column_uses(program) if uses is None else uses
    alternatives = _find_alternatives(program)
    return tuple(
        Scan(
            signature.name,
            tuple(zip(signature.arguments, uses.by_name[signature.name], strict=True)),
            tuple(alternatives[signature.name] or ()),
        )
        for signature in program.inputs
    )


def _find_alternatives(
    program: CheckedProgram,
) -> dict[str, dict[tuple[Test, ...], None] | None]:
    """By input; None where some atom needs every row."""
    signatures = {signature.name: signature for signature in program.inputs}
    parameters = program.values
    found: dict[str, dict[tuple[Test, ...], None] | None] = {name: {} for name in signatures}
    for definition in program.definitions:
        for body in bodies_of(definition):
            for atom, conditions in _guard(body, None, parameters):
                known = found.get(atom.name.text)
                if known is None:
                    continue
                tests = _tests(atom, signatures[atom.name.text], conditions, parameters)
                if tests:
                    known[tests] = None
                else:
                    found[atom.name.text] = None
    return found


@dataclass(frozen=True, slots=True)
class _Conditions:
    """Comparisons of a conjunction with constants, by variable, and those around it.

    Each has its place among them, so that they can be told in the order in which they are written.
    """

    own: dict[str, list[tuple[int, ComparisonOperator, Scalar]]]
    outer: "_Conditions | None"

    def find(self, variable: str) -> Iterator[tuple[tuple[int, int], ComparisonOperator, Scalar]]:
        """What a variable is compared with, and the place of each comparison."""
        depth, around = 0, self
        while True:
            for place, operator, value in around.own.get(variable, ()):
                yield (depth, place), operator, value
            if around.outer is None:
                return
            depth, around = depth - 1, around.outer


def _collect(
    comparisons: list[Comparison], outer: _Conditions | None, parameters: dict[str, Scalar]
) -> _Conditions | None:
    own: dict[str, list[tuple[int, ComparisonOperator, Scalar]]] = {}
    for place, one in enumerate(comparisons):
        for value, other, operator in (
            (one.left, one.right, one.operator),
            (one.right, one.left, _FLIPPED[one.operator]),
        ):
            constant = read_constant(other, parameters)
            if isinstance(value, Variable) and constant is not None:
                own.setdefault(value.name, []).append((place, operator, constant))
    return _Conditions(own, outer) if own else outer


def _guard(
    node: Formula, conditions: _Conditions | None, parameters: dict[str, Scalar]
) -> Iterator[tuple[Atom, _Conditions | None]]:
    """All atoms; those right inside a conjunction with the comparisons they are joined with."""
    match node:
        case Atom():
            yield node, conditions
        case And():
            here = [part for part in node.operands if isinstance(part, Comparison)]
            inner = _collect(here, conditions, parameters)
            for part in node.operands:
                if isinstance(part, Comparison):
                    yield from _guard_aggregates(part, parameters)
                else:
                    yield from _guard(part, inner, parameters)
        case Where(condition=Comparison() as comparison):
            yield from _guard(
                node.operand, _collect([comparison], conditions, parameters), parameters
            )
            yield from _guard_aggregates(comparison, parameters)
        case Exists() | Let():
            yield from _guard(node.operand, conditions, parameters)
            if isinstance(node, Let):
                for assignment in node.assignments:
                    yield from _guard_aggregates(assignment.value, parameters)
        case Comparison():
            yield from _guard_aggregates(node, parameters)
        case _:
            for one in children(node):
                if is_formula(one):
                    yield from _guard(one, None, parameters)


def _guard_aggregates(
    node: Expression, parameters: dict[str, Scalar]
) -> Iterator[tuple[Atom, _Conditions | None]]:
    """The rows of an aggregate are there beside those that conditions are about."""
    for one in list_aggregates(node):
        yield from _guard(one.operand, None, parameters)


def _tests(
    atom: Atom,
    signature: Signature,
    conditions: _Conditions | None,
    parameters: dict[str, Scalar],
) -> tuple[Test, ...]:
    tests: list[Test] = []
    columns: dict[str, str] = {}
    types = dict(zip(signature.arguments, signature.types, strict=True))
    for name, argument in zip(signature.arguments, atom.arguments, strict=True):
        constant = read_constant(argument, parameters)
        if constant is not None:
            tests.append(Test(name, "==", constant))
        elif isinstance(argument, Variable):
            columns.setdefault(argument.name, name)
    if conditions is not None:
        compared = [
            (place, Test(column, operator, value))
            for variable, column in columns.items()
            for place, operator, value in conditions.find(variable)
        ]
        tests += [test for _, test in sorted(compared, key=itemgetter(0))]
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


def read_constant(value: object, parameters: dict[str, Scalar]) -> Scalar | None:
    match value:
        case IntLiteral() | FloatLiteral() | StrLiteral() | BoolLiteral():
            return value.value
        case ParameterRef():
            return parameters[value.name]
        case _:
            return None
