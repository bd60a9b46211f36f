"""Bare words that are strings to the language and something else to their author."""

from typing import TypeGuard

from phenesthe.check.work import Draft
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import Atom, StrLiteral
from phenesthe.syntax.tree.walk import Expression, walk

MISSING_WORDS = ("null", "none", "nil", "nan", "undefined")
#: The end of a sentence about a word for a missing value.
NOTHING_MISSING = "there are no missing values, every argument has one"
NO_MISSING = (
    "leave this comparison out, or write `_` for any value of an argument; rows without a value "
    "are set aside when they are read"
)


def is_bare(value: Expression) -> TypeGuard[StrLiteral]:
    return isinstance(value, StrLiteral) and not value.span.text.startswith('"')


def begins_comment(word: Span) -> bool:
    """Whether `--` stands right before the word, as before a comment of SQL."""
    return word.source.text[max(0, word.start - 4) : word.start].rstrip().endswith("--")


def find_variable_uses(draft: Draft, word: str) -> tuple[Span, ...]:
    """All places of a bare word that is used like a variable: as an argument, and again."""
    argument = False
    places: list[Span] = []
    for body in draft.bodies:
        for node in walk(body):
            if isinstance(node, Atom):
                argument = argument or any(
                    is_bare(term) and term.value == word for term in node.arguments
                )
            if is_bare(node) and node.value == word:
                places.append(node.span)
    return tuple(places) if argument and len(places) > 1 else ()
