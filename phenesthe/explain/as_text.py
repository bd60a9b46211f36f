"""The program for a reader in a terminal."""

from typing import assert_never

from phenesthe.check.program import (
    Checked,
    CheckedDefinition,
    CheckedExclusive,
    CheckedMachine,
    CheckedProgram,
    Signature,
)  # fmt: skip
from phenesthe.explain.memory_bounds import list_bounds, list_unbounded
from phenesthe.explain.operators import list_operators
from phenesthe.explain.parts import levels, list_transitions, print_key, print_tests, scopes, shape
from phenesthe.plan.plan import Plan
from phenesthe.plan.stages import Stage
from phenesthe.syntax.printer import print_formula, print_value


def as_text(program: CheckedProgram, plan: Plan) -> str:
    lines = [f"time is counted in {program.unit}s"]
    if program.parameters:
        lines += ["", "parameters"]
        for parameter in program.parameters:
            value = f"{parameter.value} ticks" if parameter.type == "duration" else parameter.value
            lines.append(f"  {parameter.name}: {parameter.type} = {value}")
    lines += ["", "level 0: inputs and facts"]
    lines += [f"  input {signature.kind} {shape(signature)}" for signature in program.inputs]
    lines += [f"  fact {shape(signature)}" for signature in program.facts]
    remembered = plan.memory.by_definition()
    for level, definitions in levels(program).items():
        lines += ["", f"level {level}"]
        for definition in definitions:
            lines += _definition(definition)
            lines += list_bounds(definition, remembered.get(definition.signature.name, ()))
    lines += list_operators(plan.graph)
    lines += _plan(program, plan)
    lines += list_unbounded(plan.memory)
    lines += ["", "reported: " + (", ".join(program.reported) or "nothing")]
    return "\n".join(lines) + "\n"


def _plan(program: CheckedProgram, plan: Plan) -> list[str]:
    lines = ["", "read"]
    for scan in plan.scans:
        used = [name for name, use in scan.columns if use != "unused"]
        unread = [name for name, use in scan.columns if use == "unused"]
        rest = f"; not read: {', '.join(unread)}" if unread else ""
        lines.append(f"  {scan.name}: {', '.join(used) or 'times only'}{rest}")
        if scan.alternatives:
            lines.append(f"    only rows with {print_tests(scan)}")
    if plan.shared:
        lines += ["", "evaluated once"]
        lines += [f"  {s.formula}  ({s.times} uses in {', '.join(s.users)})" for s in plan.shared]
    arguments = {name: one.arguments for name, one in program.signatures.items()}
    for stage in plan.stages:
        lines += ["", f"stage {stage.number}: {_title_of(stage)}"]
        for name in stage.definitions:
            key = print_key(arguments[name], stage.keys[name])
            lines.append(f"  {name}" + (f" by {key}" if key else ""))
        for name, ways in stage.inputs.items():
            by = " and by ".join(print_key(arguments[name], way) or "nothing" for way in ways)
            lines.append(f"  reads {name} by {by}")
        for exchange in stage.exchanges:
            by = print_key(arguments[exchange.name], exchange.key)
            where = f"by {by}" if by else "to one partition"
            lines.append(f"  takes {exchange.name} from stage {exchange.source}, sent {where}")
    return lines


def _title_of(stage: Stage) -> str:
    if stage.is_global:
        return "in one partition, because its definitions share no key"
    return "partition by partition"


def _definition(definition: Checked) -> list[str]:
    lines = [f"  {_title(definition.signature)}"]
    match definition:
        case CheckedDefinition(body=body):
            lines.append(f"    = {print_formula(body)}")
        case CheckedExclusive(branches=branches):
            for branch in branches:
                label = print_value(branch.label)
                lines.append(f"    {label} = {print_formula(branch.body)}")
        case CheckedMachine(initially=initially):
            lines.append(f"    initially {print_value(initially)}")
            for source, target, event, after in list_transitions(definition):
                lines.append(f"    {source} -> {target} = {event or f'after {after}'}")
        case _:
            assert_never(definition)
    lines.append(f"    uses {', '.join(definition.uses) or 'nothing but time'}")
    lines += [f"    {scope.variable} ends with: {scope.formula}" for scope in scopes(definition)]
    return lines


def _title(signature: Signature) -> str:
    return f"{signature.kind} {shape(signature)}"
