"""The end of checking: plain values that say what the program is."""

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from phenesthe.check.machines import close_transitions
from phenesthe.check.program import (
    Checked,
    CheckedDefinition,
    CheckedExclusive,
    CheckedMachine,
    CheckedParameter,
    CheckedProgram,
    Signature,
)
from phenesthe.check.work import Draft, Symbol, Work
from phenesthe.syntax.tree import (
    Aggregate,
    Atom,
    Definition,
    ExclusiveState,
    Fact,
    Input,
    Machine,
    MaximalRange,
    Parameter,
)  # fmt: skip
from phenesthe.vocabulary import ValueType  # fmt: skip


def assemble(work: Work, values: Mapping[str, int | float | str | bool]) -> CheckedProgram:
    """Only for work without errors."""
    parameters: list[CheckedParameter] = []
    inputs: list[Signature] = []
    facts: list[Signature] = []
    for symbol in work.symbols.values():
        declaration = symbol.declaration
        match declaration:
            case Parameter():
                parameters.append(_parameter(declaration, values))
            case Input():
                inputs.append(_signature(symbol, 0))
            case Fact():
                facts.append(_signature(symbol, 0))
    timed: set[str] = set()
    definitions: list[Checked] = []
    for name, draft in work.drafts.items():
        if _has_calendar(draft, timed):
            timed.add(name)
        definitions.append(_definition(work, draft, has_calendar=name in timed))
    return CheckedProgram(
        unit=work.modules.unit,
        parameters=tuple(parameters),
        inputs=tuple(inputs),
        facts=tuple(facts),
        definitions=tuple(definitions),
        reported=tuple(name for name in work.reported if name in work.drafts),
        files=tuple(module.path for module in work.modules.files),
    )


def assemble_alone(
    work: Work, values: Mapping[str, int | float | str | bool], name: str
) -> CheckedProgram:
    """The program of one definition: what it uses is given. Only for work without errors."""
    draft = work.drafts[name]
    used = [work.symbols[one] for one in draft.uses]
    declared = [work.symbols[one].declaration for one in draft.parameters]
    return CheckedProgram(
        unit=work.modules.unit,
        parameters=tuple(_parameter(one, values) for one in declared if isinstance(one, Parameter)),
        inputs=tuple(_signature(symbol, 0) for symbol in used if not symbol.is_fact),
        facts=tuple(_signature(symbol, 0) for symbol in used if symbol.is_fact),
        definitions=(_definition(work, draft),),
        reported=(name,),
    )


def _parameter(
    declaration: Parameter, values: Mapping[str, int | float | str | bool]
) -> CheckedParameter:
    return CheckedParameter(
        name=declaration.name.text,
        type=declaration.type,
        value=values[declaration.name.text],
        doc=declaration.doc,
        span=declaration.name.span,
    )


def _signature(symbol: Symbol, level: int) -> Signature:
    types: list[ValueType] = []
    for known in symbol.types:
        assert known is not None, "a program without errors has all its types"
        types.append(known)
    return Signature(
        name=symbol.name,
        kind=symbol.kind,
        arguments=symbol.arguments,
        types=tuple(types),
        level=level,
        doc=symbol.declaration.doc,
        span=symbol.span,
    )


def _has_calendar(draft: Draft, timed: set[str]) -> bool:
    """Whether it is made of a calendar state, or of a definition that is."""
    return not (draft.calendars <= {"always"} and timed.isdisjoint(draft.uses))


def _list_uses(draft: Draft) -> tuple[str, ...]:
    """What it mentions, in order: aggregates do not always stand where they are written."""
    uses = draft.uses
    if draft.list_nodes(Aggregate):
        uses = tuple(dict.fromkeys(node.name.text for node in draft.list_nodes(Atom)))
    draft.forget_nodes()
    return uses


def _definition(work: Work, draft: Draft, *, has_calendar: bool = False) -> Checked:
    signature = replace(_signature(draft.symbol, draft.level), has_calendar=has_calendar)
    declaration = draft.declaration
    match declaration:
        case Definition():
            return CheckedDefinition(
                signature=signature, body=draft.bodies[0], uses=_list_uses(draft)
            )
        case ExclusiveState():
            branches = []
            for branch, body in zip(declaration.branches, draft.bodies, strict=True):
                assert isinstance(body, MaximalRange)
                branches.append(replace(branch, body=body))
            return CheckedExclusive(
                signature=signature, branches=tuple(branches), uses=_list_uses(draft)
            )
        case Machine():
            return CheckedMachine(
                signature=signature,
                initially=declaration.initially,
                transitions=close_transitions(work, draft, declaration),
                uses=_list_uses(draft),
            )
        case _:
            assert_never(declaration)
