"""Passes that look at one definition at a time, and all that they can see beside it.

What a group of passes finds out about a definition follows from the definition's text and from
what `see` gives, so that an editor need not run it again while both stay the same.
"""

import re
from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import TypeAlias

from phenesthe.check.warn_values import list_own_values
from phenesthe.check.work import Draft, Symbol, Work
from phenesthe.frozen import dataclass
from phenesthe.syntax.tokens import RESERVED
from phenesthe.syntax.tree import Parameter

DraftPass: TypeAlias = Callable[[Work, Draft], None]
_WORD = re.compile(r"\b[a-z]\w*")


@dataclass(frozen=True, slots=True)
class PassGroup:
    passes: tuple[DraftPass, ...]
    #: What the passes see of the rest of the program, as values that compare.
    see: Callable[[Work, Draft], Hashable]


def check_each(work: Work, group: PassGroup) -> None:
    for draft in work.drafts.values():
        check_draft(work, draft, group)


def check_draft(work: Work, draft: Draft, group: PassGroup) -> None:
    for run_pass in group.passes:
        run_pass(work, draft)
    draft.forget_nodes()


def see_names(work: Work, draft: Draft) -> Hashable:
    """What each name stands for, and whether an unknown one may be declared where it was lost."""
    view = work.look_from(draft.symbol.file)
    seen: list[Hashable] = []
    for name in _find_words(draft.declaration.span.text):
        symbol = view.find(name)
        known = name in work.symbols if symbol is None else _face(symbol)
        # A word stays open even where a phenomenon has its name: a lost parameter may have it too.
        twice = (name in work.twice, name in work.contested)
        seen.append((known, view.may_declare(name), twice))
    return tuple(seen)


def see_types(work: Work, draft: Draft) -> Hashable:
    """The types of what is used, which are known by now, and the values that it lists; whether a
    circle broke the definition."""
    used = [work.symbols[name] for name in (*draft.uses, *draft.parameters)]
    faces = tuple([(one.name, _face(one), list_own_values(one)) for one in used])
    return (work.modules.unit, draft.broken, faces)


def _face(symbol: Symbol) -> Hashable:
    """A name as its users see it. Where it stands is not part of it."""
    declaration = symbol.declaration
    if isinstance(declaration, Parameter):
        return (declaration.type, declaration.default)
    return (symbol.kind, symbol.arguments, tuple(symbol.types))


@lru_cache(maxsize=8192)
def _find_words(text: str) -> tuple[str, ...]:
    """Every word that can be the name of something else; more than needed does no harm."""
    return tuple(sorted(set(_WORD.findall(text)) - RESERVED))
