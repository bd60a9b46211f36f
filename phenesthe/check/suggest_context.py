"""What could stand beside an `or` or `union` of which one side lacks a variable."""

from collections.abc import Iterator

from phenesthe.check.work import Draft, Work
from phenesthe.diagnostics.suggest import MOST_QUESTIONS
from phenesthe.syntax.tree import Atom, Formula, Or, Union, Variable
from phenesthe.syntax.tree.walk import walk
from phenesthe.vocabulary import ValueType


def suggest_context(work: Work, draft: Draft, node: Or | Union, name: str) -> str:
    """A fact of the program that could say which values are meant, or how one would."""
    is_event = isinstance(node, Or)
    fact = _find_fact(work, draft, node, name)
    if fact is not None:
        example = f"`(…) {'and' if is_event else 'where'} {fact}`"
    else:
        example = f"`(…) {'and' if is_event else 'intersection'} …`, with what has `{name}`"
    return (
        f"use `{name}` on both sides of `{'or' if is_event else 'union'}`, or say beside it for "
        f"which values it holds: {example}"
    )


def _find_fact(work: Work, draft: Draft, node: Or | Union, name: str) -> str | None:
    """A fact with one argument, of the type of the variable."""
    # As for a misspelt name, all names are looked at, and not for ever.
    work.suggestions += 1
    wanted = next(_list_types(work, node, name), None)
    if wanted is None or work.suggestions > MOST_QUESTIONS:
        return None
    view = work.look_from(draft.symbol.file)
    for one in view.list_names(parameters=False):
        symbol = view.find(one)
        if symbol is not None and symbol.is_fact and symbol.types == [wanted]:
            return f"{one}({name})"
    return None


def _list_types(work: Work, node: Formula, name: str) -> Iterator[ValueType]:
    for part in walk(node):
        if not isinstance(part, Atom):
            continue
        symbol = work.symbols.get(part.name.text)
        for at, term in enumerate(part.arguments):
            if isinstance(term, Variable) and term.name == name and symbol is not None:
                found = symbol.types[at]
                if found is not None:
                    yield found
