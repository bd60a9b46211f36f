"""The program for a reader in a terminal."""

from phenesthe.check.program import Checked, CheckedDefinition, CheckedProgram, Signature
from phenesthe.explain.parts import levels, scopes, shape
from phenesthe.syntax.printer import print_formula, print_value


def as_text(program: CheckedProgram) -> str:
    lines = [f"time is counted in {program.unit}s"]
    if program.parameters:
        lines += ["", "parameters"]
        for parameter in program.parameters:
            value = f"{parameter.value} ticks" if parameter.type == "duration" else parameter.value
            lines.append(f"  {parameter.name}: {parameter.type} = {value}")
    lines += ["", "level 0: inputs and facts"]
    lines += [f"  input {signature.kind} {shape(signature)}" for signature in program.inputs]
    lines += [f"  fact {shape(signature)}" for signature in program.facts]
    for level, definitions in levels(program).items():
        lines += ["", f"level {level}"]
        for definition in definitions:
            lines += _definition(definition)
    lines += ["", "reported: " + (", ".join(program.reported) or "nothing")]
    return "\n".join(lines) + "\n"


def _definition(definition: Checked) -> list[str]:
    lines = [f"  {_title(definition.signature)}"]
    if isinstance(definition, CheckedDefinition):
        lines.append(f"    = {print_formula(definition.body)}")
    else:
        for branch in definition.branches:
            label = print_value(branch.label)
            lines.append(f"    {label} = {print_formula(branch.body)}")
    lines.append(f"    uses {', '.join(definition.uses)}")
    lines += [f"    {scope.variable} ends with: {scope.formula}" for scope in scopes(definition)]
    return lines


def _title(signature: Signature) -> str:
    return f"{signature.kind} {shape(signature)}"
