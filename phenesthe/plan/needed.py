"""What a run has to look at, given the definitions it is asked for."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from phenesthe.check.program import CheckedProgram
from phenesthe.diagnostics.suggest import closest
from phenesthe.io.errors import DataError
from phenesthe.plan.columns import find_column_uses

#: Of more definitions than this nobody reads the list.
_MOST_LISTED = 20


def check_names(program: CheckedProgram, only: Iterable[str] | None) -> tuple[str, ...]:
    """The definitions to report: those asked for, or those of the program's own file."""
    if only is None:
        return program.reported
    defined = set(program.defined)
    names = tuple(dict.fromkeys(only))
    for name in names:
        if name not in defined:
            suggestion = closest(name, defined)
            if defined.issuperset(name.split(",")):
                hint = f"put spaces between names: {name.replace(',', ' ')}"
            elif suggestion:
                hint = f"did you mean `{suggestion}`?"
            else:
                listed = [f"`{one}`" for one in sorted(defined)[:_MOST_LISTED]]
                more = ["…"] if len(defined) > _MOST_LISTED else []
                hint = f"its definitions are {', '.join([*listed, *more])}" if listed else ""
            raise DataError(f"the program has no definition `{name}`", hint or "define it")
    return names


def prune(program: CheckedProgram, only: Collection[str]) -> CheckedProgram:
    """The definitions asked for and what they use, with the inputs and facts of those."""
    needed = _find_needed(program, only)
    kept = tuple(d for d in program.definitions if d.signature.name in needed)
    used = {name for definition in kept for name in definition.uses}
    return replace(
        program,
        definitions=kept,
        inputs=tuple(s for s in program.inputs if s.name in used),
        facts=tuple(s for s in program.facts if s.name in used),
    )


def _find_needed(program: CheckedProgram, only: Iterable[str]) -> frozenset[str]:
    uses = {definition.signature.name: definition.uses for definition in program.definitions}
    found: set[str] = set()
    pending = list(only)
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending.extend(used for used in uses[name] if used in uses)
    return frozenset(found)


def list_columns(program: CheckedProgram, only: Collection[str]) -> dict[str, tuple[str, ...]]:
    """By input, the arguments that are looked at; an input nobody needs has none of them."""
    uses = find_column_uses(prune(program, only)).by_name
    return {
        signature.name: tuple(
            name
            for name, use in zip(
                signature.arguments,
                uses.get(signature.name, ("unused",) * len(signature.arguments)),
                strict=True,
            )
            if use != "unused"
        )
        for signature in program.inputs
    }
