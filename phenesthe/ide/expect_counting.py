"""What may come next after `at least` and `count`."""

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from phenesthe.syntax.clauses import begins_counting, ends_operand
from phenesthe.syntax.tokens import Token, TokenKind


def find_counting(level: tuple[Token, ...]) -> tuple[str, tuple[Token, ...]] | None:
    """The last counting of a level: `at least` or `count`, and the words after it, if any."""
    for at in range(len(level) - 1, -1, -1):
        word = level[at].text
        if level[at].kind is not TokenKind.WORD or ends_operand(level, at - 1):
            continue
        if word == "at" and [one.text for one in level[at + 1 : at + 2]] == ["least"]:
            return "at least", level[at + 2 :]
        is_last = at + 1 == len(level)
        if word == "count" and (is_last or begins_counting(level, at)):
            return "count", level[at + 1 :]
    return None


def cut_counted(word: str, rest: tuple[Token, ...]) -> tuple[Token, ...] | None:
    """What stands after the variables that are counted; None as long as they are not there."""
    first = 1 if word == "at least" else 0
    if len(rest) <= first:
        return None
    if rest[first].kind is TokenKind.VARIABLE:
        return rest[first + 1 :]
    closing = next((at for at, one in enumerate(rest) if one.text == ")"), None)
    return None if closing is None else rest[closing + 1 :]


#: A variable to count, or one for the number.
Wanted: TypeAlias = Literal["counted", "number"]


def list_wanted(tokens: Sequence[Token], typed: Token | None, wanted: Wanted) -> Iterator[str]:
    """The variables of a definition that may stand there: none of the head is counted, and what
    takes the number stands nowhere but in the head.
    """
    end = next((at for at, one in enumerate(tokens) if one.text in (":", "{")), len(tokens))
    names = [one if one is not typed and one.text[:1] != "_" else None for one in tokens]
    head, body = (
        {one.text for one in part if one is not None and one.kind is TokenKind.VARIABLE}
        for part in (names[:end], names[end:])
    )
    yield from sorted(body - head if wanted == "counted" else head - body)
