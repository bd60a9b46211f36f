"""What a program says, as text: the same for programs that mean the same to whoever ran them.

Comments, layout, the order of declarations and the files they stand in leave no trace; a
parameter has the value of the run. The texts together are a program again, except for values that
no program can write: an infinity or NaN, which only a run can give.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, assert_never

from phenesthe.check import check
from phenesthe.check.program import (
    Checked,
    CheckedDefinition,
    CheckedExclusive,
    CheckedMachine,
    CheckedParameter,
    CheckedProgram,
    Signature,
)
from phenesthe.diagnostics.model import ProgramError
from phenesthe.plan.columns import bodies_of
from phenesthe.syntax.clauses import list_durations
from phenesthe.syntax.printer import print_declaration
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import (
    After,
    Argument,
    BoolLiteral,
    Declaration,
    Definition,
    ExclusiveState,
    Exists,
    Fact,
    FloatLiteral,
    Formula,
    Head,
    Input,
    IntLiteral,
    Literal_,
    Machine,
    Name,
    Parameter,
    ParameterRef,
    StrLiteral,
    UnitDeclaration,
    Variable,
)  # fmt: skip
from phenesthe.syntax.tree.walk import children, walk, with_children

#: What no program can write, so that it must be given again as a run gave it.
_UNWRITABLE = re.compile(r"^param \w+: float = (-?inf|nan);$")


def find_fingerprint(texts: Mapping[str, str]) -> str:
    """A short name of a printed program, the same for the same text."""
    text = "\n".join(sorted(texts.values()))
    return sha256(text.encode()).hexdigest()[:12]


def print_program(program: CheckedProgram) -> dict[str, str]:
    """The text of every declaration by its name, that of the unit by `unit`.

    Of the parameters only those that some definition looks at, by their value in this run.
    Definitions stand in the order of their evaluation.
    """
    return {name: print_declaration(one) for name, one in _list_declarations(program)}


def read_program(texts: Mapping[str, str], reported: Sequence[str]) -> CheckedProgram:
    """The program that `print_program` wrote. Raises `ProgramError` where nobody else did."""
    given = {name: found[1] for name, text in texts.items() if (found := _UNWRITABLE.search(text))}
    zeros = {name: f"param {name}: float = 0.0;" for name in given}
    report = [f"report {', '.join(reported)};"] if reported else []
    text = "\n".join([*{**texts, **zeros}.values(), *report])
    place = Path("program.phe").absolute()
    checked, diagnostics = check(place, text.encode(errors="replace"), parameters=given)
    if checked is None:
        raise ProgramError(diagnostics)
    return checked


def _list_declarations(program: CheckedProgram) -> Iterator[tuple[str, Declaration]]:
    used = {name for one in program.definitions for name in _list_parameters(one)}
    signatures = [
        *program.inputs, *program.facts, *[one.signature for one in program.definitions],
    ]  # fmt: skip
    if signatures:
        yield "unit", UnitDeclaration(span=signatures[0].span, unit=program.unit)
    for parameter in sorted(program.parameters, key=lambda one: one.name):
        if parameter.name in used:
            yield parameter.name, _declare_parameter(parameter)
    for one in sorted((*program.inputs, *program.facts), key=lambda one: one.name):
        yield one.name, _declare_rows(one)
    for definition in program.definitions:
        yield definition.signature.name, _declare(definition)


def _list_parameters(definition: Checked) -> Iterator[str]:
    for body in bodies_of(definition):
        yield from _refer(body)
    if isinstance(definition, CheckedMachine):
        timers = [
            one.when.duration for one in definition.transitions if isinstance(one.when, After)
        ]
        yield from (one.name for one in timers if isinstance(one, ParameterRef))


def _refer(body: Formula) -> Iterator[str]:
    """The parameters in a formula, as values and as durations."""
    for node in walk(body):
        durations = [duration for _, duration in list_durations(node)]
        yield from (one.name for one in (node, *durations) if isinstance(one, ParameterRef))


def _declare_parameter(one: CheckedParameter) -> Parameter:
    value, span = one.value, one.span
    literal: Literal_
    match value:
        case bool():
            literal = BoolLiteral(span=span, value=value)
        case int():
            literal = IntLiteral(span=span, value=value)
        case float():
            literal = FloatLiteral(span=span, value=value, text=repr(value))
        case str():
            literal = StrLiteral(span=span, value=value)
    return Parameter(span=span, name=_name(one.name, span), type=one.type, default=literal)


def _declare_rows(one: Signature) -> Input | Fact:
    span, name = one.span, _name(one.name, one.span)
    arguments = tuple(
        Argument(span=span, name=_name(argument, span), type=declared)
        for argument, declared in zip(one.arguments, one.types, strict=True)
    )
    if one.kind is None:
        return Fact(span=span, name=name, arguments=arguments)
    return Input(span=span, kind=one.kind, name=name, arguments=arguments)


def _declare(definition: Checked) -> Declaration:
    signature = definition.signature
    span = signature.span
    variables = tuple(Variable(span=span, name=name) for name in signature.arguments)
    head = Head(span=span, name=_name(signature.name, span), variables=variables)
    match definition:
        case CheckedDefinition():
            assert signature.kind is not None
            body = _drop_scopes(definition.body)
            return Definition(span=span, kind=signature.kind, head=head, body=body)
        case CheckedExclusive():
            branches = [replace(one, body=_drop_scopes(one.body)) for one in definition.branches]
            return ExclusiveState(span=span, head=head, branches=tuple(branches))
        case CheckedMachine(initially=initially):
            transitions = [
                one if isinstance(one.when, After) else replace(one, when=_drop_scopes(one.when))
                for one in definition.transitions
            ]
            return Machine(
                span=span, head=head, initially=initially, transitions=tuple(transitions)
            )
        case _:
            assert_never(definition)


def _drop_scopes(node: Any) -> Any:
    """The formula as it can be written: where a variable is local is found out again."""
    if isinstance(node, Exists):
        return _drop_scopes(node.operand)
    return with_children(node, tuple([_drop_scopes(part) for part in children(node)]))


def _name(text: str, span: Span) -> Name:
    return Name(span=span, text=text)
