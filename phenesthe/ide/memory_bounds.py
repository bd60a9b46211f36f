"""What a definition remembers on a stream, also while other definitions have errors."""

from collections.abc import Mapping

from phenesthe.check.assemble import assemble
from phenesthe.check.override_parameters import override_parameters
from phenesthe.check.program import CheckedProgram
from phenesthe.check.work import Draft, Work
from phenesthe.explain.memory_bounds import list_bounds
from phenesthe.ide.analysis import Analysis
from phenesthe.plan.lower import lower
from phenesthe.plan.memory_bounds import find_memory_bounds
from phenesthe.syntax.clauses import list_durations
from phenesthe.syntax.tree import Duration, DurationLiteral, IntLiteral, ParameterRef, Word
from phenesthe.syntax.tree.walk import walk


def tell_bounds(analysis: Analysis, name: str) -> list[str] | None:
    """In the words of `phenesthe compile`; None where the definition has errors, or its parts."""
    program = analysis.program or _assemble_sound(analysis.work)
    for definition in program.definitions:
        if definition.signature.name == name:
            operators = find_memory_bounds(lower(program)).by_definition().get(name, ())
            lines = list(list_bounds(definition, operators))
            margin = min((len(line) - len(line.lstrip()) for line in lines), default=0)
            return [line[margin:] for line in lines]
    return None


def _assemble_sound(work: Work) -> CheckedProgram:
    """The part of a program that has no errors in it or in what it uses."""
    values = override_parameters(work, {})
    drafts: dict[str, Draft] = {}
    symbols = {name: symbol for name, symbol in work.symbols.items() if name not in work.drafts}
    for name, draft in work.drafts.items():
        if (
            not draft.broken
            and symbols.keys() >= set(draft.uses)
            and None not in draft.symbol.types
            and _is_settled(draft, values)
        ):
            drafts[name] = draft
            symbols[name] = draft.symbol
    return assemble(Work(work.modules, symbols, drafts, reported=work.reported), values)


def _is_settled(draft: Draft, values: Mapping[str, object]) -> bool:
    """Whether no word of it is left that may be a parameter whose declaration cannot be read."""
    nodes = [node for body in draft.bodies for node in walk(body)]
    durations = (duration for node in nodes for _, duration in list_durations(node))
    return not any(isinstance(node, Word) for node in nodes) and all(
        _is_known(duration, values) for duration in durations
    )


def _is_known(duration: Duration, values: Mapping[str, object]) -> bool:
    match duration:
        case ParameterRef():
            return isinstance(values.get(duration.name), int)
        case _:
            return isinstance(duration, DurationLiteral | IntLiteral)
