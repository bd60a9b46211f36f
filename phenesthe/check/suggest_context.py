"""What could stand beside an `or` or `union` of which one side lacks a variable."""

from collections.abc import Iterator
from dataclasses import dataclass

from phenesthe.check.work import Draft, Work
from phenesthe.diagnostics.suggest import MOST_QUESTIONS
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import Atom, Formula, Or, Union, Variable
from phenesthe.syntax.tree.walk import walk
from phenesthe.vocabulary import ValueType


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """Where a variable stands, and its type if that is an argument whose type is known."""

    span: Span
    type: ValueType | None


def list_uses(work: Work, draft: Draft) -> dict[str, list[Use]]:
    """All uses of each variable in a definition, found once however many are asked about."""
    uses: dict[str, list[Use]] = {}
    for body in draft.bodies:
        types: dict[int, ValueType | None] = {}
        for part in walk(body):
            if isinstance(part, Atom):
                symbol = work.symbols.get(part.name.text)
                if symbol is not None:
                    arguments = zip(part.arguments, symbol.types, strict=False)
                    types.update((id(one), found) for one, found in arguments)
            elif isinstance(part, Variable):
                use = Use(span=part.span, type=types.get(id(part)))
                uses.setdefault(part.name, []).append(use)
    return uses


def find_use_beside(node: Formula, uses: list[Use]) -> Span | None:
    """Where the variable is used beside the alternatives, and yet gets no value for them."""
    return next((one.span for one in uses if not _is_within(one.span, node.span)), None)


def suggest_context(work: Work, draft: Draft, node: Or | Union, name: str, uses: list[Use]) -> str:
    """A fact of the program that could say which values are meant, or how one would."""
    is_event = isinstance(node, Or)
    fact = _find_fact(work, draft, node, name, uses)
    if fact is not None:
        example = f"`(…) {'and' if is_event else 'where'} {fact}`"
    else:
        example = f"`(…) {'and' if is_event else 'intersection'} …`, with what has `{name}`"
    return (
        f"use `{name}` on both sides of `{'or' if is_event else 'union'}`, or say beside it for "
        f"which values it holds: {example}"
    )


def _find_fact(
    work: Work, draft: Draft, node: Or | Union, name: str, uses: list[Use]
) -> str | None:
    """A fact with one argument, of the type of the variable."""
    # As for a misspelt name, all names are looked at, and not for ever.
    work.suggestions += 1
    wanted = next(_list_types(node, uses), None)
    if wanted is None or work.suggestions > MOST_QUESTIONS:
        return None
    view = work.look_from(draft.symbol.file)
    for one in view.list_names(parameters=False):
        symbol = view.find(one)
        if symbol is not None and symbol.is_fact and symbol.types == [wanted]:
            return f"{one}({name})"
    return None


def _list_types(node: Formula, uses: list[Use]) -> Iterator[ValueType]:
    for use in uses:
        if use.type is not None and _is_within(use.span, node.span):
            yield use.type


def _is_within(span: Span, whole: Span) -> bool:
    return span.source is whole.source and whole.start <= span.start < whole.end
