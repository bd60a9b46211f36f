"""Names with arguments in parentheses, finished or not."""

from dataclasses import dataclass, field
from typing import TypeAlias

from phenesthe.syntax.clauses import is_operator
from phenesthe.syntax.tokens import FUNCTIONS, RESERVED, Token, TokenKind
from phenesthe.vocabulary import AGGREGATES

#: Words of the language that take something in parentheses.
CALLED = frozenset(("start", "end", "prev", *FUNCTIONS, *AGGREGATES))
Tokens: TypeAlias = tuple[Token, ...]


@dataclass(slots=True)
class Call:
    """A pair of parentheses; `name` is what stands before it, None where it only groups.

    `first` is where among the tokens the opening one is.
    """

    name: Token | None
    first: int
    arguments: list[list[Token]] = field(default_factory=lambda: [[]])


def list_calls(tokens: Tokens) -> list[Call]:
    """Every pair of parentheses, also one that nothing closes, in the order they open."""
    found, _ = _read(tokens)
    return found


def list_open(tokens: Tokens) -> list[Call]:
    """The parentheses that are still open after these tokens, the innermost last."""
    _, opened = _read(tokens)
    return opened


def _read(tokens: Tokens) -> tuple[list[Call], list[Call]]:
    found: list[Call] = []
    opened: list[Call] = []
    for at, token in enumerate(tokens):
        text = token.text if token.kind is TokenKind.SYMBOL else ""
        if text == ")":
            if opened:
                opened.pop()
            continue
        if text in (";", "{", "}"):
            opened.clear()
        elif text == "," and opened:
            opened[-1].arguments.append([])
            continue
        elif opened:
            # An opening parenthesis too, so that what is nested is no plain word.
            opened[-1].arguments[-1].append(token)
        if text == "(":
            before = tokens[at - 1] if at > 0 else None
            is_name = before is not None and _can_be_called(before)
            # `of` and `count` are words of the language before other parentheses.
            is_word = before is not None and before.text == "count"
            if is_name and before is not None and (is_word or before.text not in CALLED):
                is_name = not is_operator(tokens, at - 1)
            call = Call(before if is_name else None, at)
            found.append(call)
            opened.append(call)
    return found, opened


def _can_be_called(token: Token) -> bool:
    is_free = token.text not in RESERVED or token.text in CALLED
    return token.kind is TokenKind.WORD and is_free
