"""What may come next after `at least` and `count`."""

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
