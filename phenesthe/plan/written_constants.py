"""The constants that are written in a program, by type."""

from phenesthe.check.program import CheckedExclusive, CheckedMachine, CheckedProgram
from phenesthe.plan.columns import bodies_of
from phenesthe.syntax import tree
from phenesthe.syntax.tree.walk import walk
from phenesthe.vocabulary import Scalar, ValueType


def list_written_constants(program: CheckedProgram) -> dict[ValueType, tuple[Scalar, ...]]:
    texts: list[Scalar] = [p.value for p in program.parameters if isinstance(p.value, str)]
    found: dict[ValueType, list[Scalar]] = {
        "int": [], "float": [], "str": texts, "bool": [False, True],
    }  # fmt: skip
    for definition in program.definitions:
        for body in bodies_of(definition):
            texts.extend(node.value for node in walk(body) if isinstance(node, tree.StrLiteral))
        if isinstance(definition, CheckedMachine):
            texts.extend(label.value for label in definition.labels)
        if isinstance(definition, CheckedExclusive):
            for branch in definition.branches:
                match branch.label:
                    case (
                        tree.IntLiteral()
                        | tree.FloatLiteral()
                        | tree.StrLiteral()
                        | tree.BoolLiteral()
                    ):
                        found[definition.signature.types[-1]].append(branch.label.value)
    return {name: tuple(values) for name, values in found.items()}
