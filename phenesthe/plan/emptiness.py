"""Which definitions cannot hold anywhere, whatever else is known, for want of some rows."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import assert_never

from phenesthe.check.program import (
    Checked,
    CheckedDefinition,
    CheckedExclusive,
    CheckedMachine,
    CheckedProgram,
)  # fmt: skip
from phenesthe.plan.constants import Column
from phenesthe.plan.scans import read_constant
from phenesthe.syntax.tree import (
    After,
    And,
    Atom,
    Calendar,
    Comparison,
    Complement,
    Counting,
    End,
    Exists,
    Formula,
    In,
    Intersection,
    Lasting,
    Let,
    MaximalRange,
    Not,
    Or,
    Relation,
    Repeat,
    Start,
    Then,
    Union,
    Variable,
    Where,
)  # fmt: skip
from phenesthe.vocabulary import Scalar

#: What is known of the variables of a body.
_Known = Mapping[str, Scalar]


@dataclass(frozen=True, slots=True)
class Lacking:
    """Inputs and facts without a row, and by column the values that no row has."""

    names: Collection[str] = ()
    values: Mapping[Column, Collection[Scalar]] = field(default_factory=dict)


def find_empty(program: CheckedProgram, lacking: Lacking) -> list[str]:
    """The names of the definitions that hold nowhere, in their order.

    A definition that is not among them may still find nothing, but not for this reason alone.
    """
    judge = _Judge(program, lacking)
    return [
        one.signature.name
        for one in program.definitions
        if judge.holds_nowhere(one.signature.name, ())
    ]


class _Judge:
    def __init__(self, program: CheckedProgram, lacking: Lacking) -> None:
        self._lacking = lacking
        self._definitions = {one.signature.name: one for one in program.definitions}
        self._arguments = {name: one.arguments for name, one in program.signatures.items()}
        self._parameters: dict[str, Scalar] = program.values
        self._judged: dict[tuple[str, tuple[tuple[str, Scalar], ...]], bool] = {}

    def holds_nowhere(self, name: str, known: tuple[tuple[str, Scalar], ...]) -> bool:
        """Of a phenomenon or fact whose arguments are known in part."""
        definition = self._definitions.get(name)
        if definition is None:
            return name in self._lacking.names or any(
                value in self._lacking.values.get((name, argument), ()) for argument, value in known
            )
        key = (name, known)
        if key not in self._judged:
            self._judged[key] = self._judge(definition, dict(known))
        return self._judged[key]

    def _judge(self, definition: Checked, known: _Known) -> bool:
        match definition:
            case CheckedDefinition(body=body):
                return self._is_empty(body, known)
            case CheckedExclusive(branches=branches):
                label = known.get(definition.signature.arguments[-1])
                return all(
                    self._is_empty(one.body, known)
                    for one in branches
                    if label is None or read_constant(one.label, self._parameters) == label
                )
            case CheckedMachine():
                entered = self._list_entered(definition, known)
                label = known.get(definition.signature.arguments[-1])
                return not entered if label is None else label not in entered
            case _:
                assert_never(definition)

    def _list_entered(self, machine: CheckedMachine, known: _Known) -> set[str]:
        """The values that a machine may come to: time passes, of events there may be none."""
        firing = [
            one
            for one in machine.transitions
            if isinstance(one.when, After) or not self._is_empty(one.when, known)
        ]
        initially = machine.initially.value
        entered: set[str] = set()
        # Before the first transition no clock runs.
        pending = [
            one
            for one in firing
            if not isinstance(one.when, After)
            and (one.source is None or one.source.value == initially)
        ]
        while pending:
            target = pending.pop().target
            if target is not None and target.value not in entered:
                entered.add(target.value)
                pending += [
                    one for one in firing if one.source is None or one.source.value == target.value
                ]
        return entered

    def _is_empty(self, node: Formula, known: _Known) -> bool:
        match node:
            case Atom():
                return self._is_empty_atom(node, known)
            case And() | Intersection():
                return any(self._is_empty(one, known) for one in node.operands)
            case Or() | Union():
                return all(self._is_empty(one, known) for one in node.operands)
            case Relation() | Then():
                return self._is_empty(node.left, known) or self._is_empty(node.right, known)
            case In():
                if self._is_empty(node.event, known):
                    return True
                return not node.negated and self._is_empty(node.state, known)
            case Where():
                return self._is_empty(node.operand, known) or self._is_empty(node.condition, known)
            case Complement():
                return self._is_empty(node.left, known)
            case MaximalRange():
                return self._is_empty(node.start, known)
            case Repeat():
                return self._is_empty(node.event, known)
            case Lasting() | Let() | Start() | End() | Exists():
                return self._is_empty(node.operand, known)
            case Counting():
                outer = {name: one for name, one in known.items() if name not in node.local}
                return self._is_empty(node.operand, outer)
            case Not() | Comparison() | Calendar():
                return False
            case _:
                assert_never(node)

    def _is_empty_atom(self, node: Atom, known: _Known) -> bool:
        given = []
        for argument, term in zip(self._arguments[node.name.text], node.arguments, strict=True):
            if isinstance(term, Variable):
                value = known.get(term.name)
            else:
                value = read_constant(term, self._parameters)
            if value is not None:
                given.append((argument, value))
        return self.holds_nowhere(node.name.text, tuple(given))
