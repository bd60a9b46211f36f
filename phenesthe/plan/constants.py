"""The constants that inputs and facts are asked for: a misspelt one finds nothing, in silence."""

from collections.abc import Iterator

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.frozen import dataclass
from phenesthe.plan.columns import bodies_of
from phenesthe.plan.scans import read_constant
from phenesthe.syntax.tree import Atom, Comparison, Formula, Variable
from phenesthe.syntax.tree.walk import walk
from phenesthe.vocabulary import Scalar

#: An input or fact, and an argument of it.
Column = tuple[str, str]
_LARGEST = 2**63


@dataclass(frozen=True, slots=True)
class Asked:
    """A text or a whole number, and the columns one of which should have it."""

    value: str | int
    columns: tuple[Column, ...]


def find_constants(program: CheckedProgram) -> list[Asked]:
    """Those in atoms, and those that a variable of an atom must be equal to."""
    signatures = program.given
    parameters = program.values
    found: dict[Asked, None] = {}
    for definition in program.definitions:
        for body in bodies_of(definition):
            for one in _find_in_body(body, signatures, parameters):
                found[one] = None
    return list(found)


def _find_in_body(
    body: Formula, signatures: dict[str, Signature], parameters: dict[str, Scalar]
) -> Iterator[Asked]:
    variables: dict[str, dict[Column, str]] = {}
    for node in walk(body):
        signature = signatures.get(node.name.text) if isinstance(node, Atom) else None
        if signature is None or not isinstance(node, Atom):
            continue
        arguments = zip(signature.arguments, signature.types, node.arguments, strict=True)
        for name, declared, argument in arguments:
            column = (signature.name, name)
            value = read_constant(argument, parameters)
            if isinstance(argument, Variable):
                variables.setdefault(argument.name, {})[column] = declared
            elif _fits(value, declared):
                yield Asked(value, (column,))  # type: ignore[arg-type]  # `_fits` has seen to it
    for node in walk(body):
        if not isinstance(node, Comparison) or node.operator != "==":
            continue
        for one, other in ((node.left, node.right), (node.right, node.left)):
            value = read_constant(other, parameters)
            columns = variables.get(one.name, {}) if isinstance(one, Variable) else {}
            chosen = tuple(column for column, declared in columns.items() if _fits(value, declared))
            if chosen:
                yield Asked(value, chosen)  # type: ignore[arg-type]  # the same


def _fits(value: Scalar | None, declared: str) -> bool:
    match value:
        case bool() | float() | None:
            return False
        case int():
            return declared == "int" and -_LARGEST <= value < _LARGEST
        case str():
            return declared == "str"
