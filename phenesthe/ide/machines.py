"""Machines as they stand in a text, whatever is wrong with them: their words and their values."""

from collections.abc import Sequence

from phenesthe.syntax.tokens import RESERVED, Token, TokenKind

#: What a value of a machine may follow.
BEFORE_VALUES = ("{", ";", "->", "initially")


def is_machine_word(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word is one of a machine where it stands, and neither a name nor a relation."""
    before = tokens[at - 1].text if at > 0 else ""
    match tokens[at].text:
        case "machine":
            return at == 0
        case "initially":
            return before == ")" and all(token.text not in ("{", ":") for token in tokens[:at])
        case "after":
            return before == ":"
        case _:
            return False


def is_value(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word stands where a machine has a value."""
    before = tokens[at - 1].text if at > 0 else ""
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    return before in BEFORE_VALUES or after == "->"


def is_place(tokens: Sequence[Token], at: int) -> bool:
    """Whether it is the `_` that stands for any value, or for none."""
    return tokens[at].text == "_" and is_value(tokens, at)


def list_written_values(tokens: Sequence[Token]) -> list[Token]:
    """Each as often as it is written."""
    return [
        token
        for at, token in enumerate(tokens)
        if is_value(tokens, at)
        and (
            (token.kind is TokenKind.WORD and token.text not in RESERVED)
            or (token.kind is TokenKind.STRING and len(token.text) > 1 and token.text[-1] == '"')
        )
    ]
