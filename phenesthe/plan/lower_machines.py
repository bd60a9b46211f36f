"""Machines: each event an operand, values and transitions by their numbers."""

from typing import TYPE_CHECKING

from phenesthe.check.program import CheckedMachine
from phenesthe.graph.formulas import Constant
from phenesthe.graph.machines import Machine, Transition
from phenesthe.graph.operator import Operand
from phenesthe.graph.origin import Origin
from phenesthe.graph.sets import Union
from phenesthe.syntax.tree import After, StrLiteral

if TYPE_CHECKING:
    from phenesthe.plan.lower import Lowered


def lower_machine(to: "Lowered", definition: CheckedMachine) -> Operand:
    arguments = definition.signature.arguments
    names = dict.fromkeys(label.value for label in definition.labels)
    numbers = {name: at for at, name in enumerate(names)}
    operands: list[Operand] = []
    transitions: list[Transition] = []
    for one in definition.transitions:
        event, after = None, None
        if isinstance(one.when, After):
            after = to.count(one.when.duration)
        else:
            event = _number(operands, to.use(one.when))
        source, target = _find(numbers, one.source), _find(numbers, one.target)
        transitions.append(Transition(source, target, event, after))
    is_timed = any(one.after is not None for one in transitions)
    machine = Machine(
        id="",
        # Where a value is entered again two of its intervals touch.
        kind="dynamic" if is_timed else "state",
        variables=arguments,
        types={**to.pick_types(*definition.events), arguments[-1]: "str"},
        origin=Origin(to.name, "machine", definition.signature.span, "machine"),
        operands=tuple(operands),
        values=tuple([Constant(name, "str") for name in numbers]),
        transitions=tuple(transitions),
    )
    found = to.add(machine)
    if not is_timed:
        return found
    return to.add(
        Union(
            id="",
            kind="state",
            variables=arguments,
            types=machine.types,
            origin=machine.origin,
            operands=(found,),
        )
    )


def _number(operands: list[Operand], operand: Operand) -> int:
    """Its place among the operands; one that is there already is the same event."""
    for at, one in enumerate(operands):
        if (one.producer, one.names) == (operand.producer, operand.names):
            return at
    operands.append(operand)
    return len(operands) - 1


def _find(numbers: dict[str, int], label: StrLiteral | None) -> int | None:
    return None if label is None else numbers[label.value]
