"""When are two checked programs the same but for some names?"""

from collections.abc import Hashable, Mapping
from dataclasses import fields, is_dataclass
from typing import assert_never

from phenesthe.check.program import (
    Checked,
    CheckedDefinition,
    CheckedExclusive,
    CheckedMachine,
    CheckedProgram,
    Signature,
)  # fmt: skip
from phenesthe.syntax.tree import Exists, Name, Node, ParameterRef, Repeat, Variable


def normalise(program: CheckedProgram, names: Mapping[str, str]) -> Hashable:
    """Equal for programs that differ in `names` and in what variables and arguments are called."""
    definitions = []
    for one in program.definitions:
        bodies = _list_parts(one)
        head = {name: [at] for at, name in enumerate(one.signature.arguments)}
        seen = _Seen(names)
        trees = tuple(seen.read(body, head) for body in bodies)
        uses = tuple(names.get(name, name) for name in one.uses)
        definitions.append((_read_signature(one.signature, names), trees, uses))
    return (
        program.unit,
        tuple((names.get(one.name, one.name), one.type, one.value) for one in program.parameters),
        tuple(_read_signature(one, names) for one in (*program.inputs, *program.facts)),
        tuple(definitions),
        tuple(names.get(name, name) for name in program.reported),
    )


def _list_parts(one: Checked) -> tuple[Node, ...]:
    match one:
        case CheckedDefinition(body=body):
            return (body,)
        case CheckedExclusive(branches=branches):
            return branches
        case CheckedMachine(initially=initially, transitions=transitions):
            return (initially, *transitions)
        case _:
            assert_never(one)


def _read_signature(one: Signature, names: Mapping[str, str]) -> Hashable:
    return names.get(one.name, one.name), one.kind, one.types, one.level, one.doc


class _Seen:
    """Numbers variables by their first occurrence, those of each scope anew."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names
        self.count = 100

    def read(self, value: object, around: Mapping[str, list[int]]) -> Hashable:
        match value:
            case Variable():
                number = around[value.name]
                if not number:
                    self.count += 1
                    number.append(self.count)
                return "variable", number[0]
            case Exists():
                inside: dict[str, list[int]] = {name: [] for name in value.variables}
                operand = self.read(value.operand, {**around, **inside})
                return "exists", len(inside), operand
            case Repeat():
                inside = {name: [] for name in value.local}
                return self._read_fields(value, {**around, **inside}, but="local")
            case Name():
                return self.names.get(value.text, value.text)
            case ParameterRef():
                return "parameter", self.names.get(value.name, value.name)
            case Node():
                return self._read_fields(value, around)
            case tuple():
                return tuple(self.read(one, around) for one in value)
            case _:
                assert isinstance(value, Hashable)
                return value

    def _read_fields(
        self, node: Node, around: Mapping[str, list[int]], but: str = ""
    ) -> tuple[Hashable, ...]:
        assert is_dataclass(node)
        kept = [one.name for one in fields(node) if one.compare and one.name != but]
        return (type(node).__name__, *(self.read(getattr(node, one), around) for one in kept))
