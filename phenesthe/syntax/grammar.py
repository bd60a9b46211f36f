"""The textX grammar at work: has a chunk the shape of a declaration, and which are its tokens?

textX builds a Python object for every match, which costs more than the parsing itself. The tokens
with their places are all that is needed here, so the parse tree of textX's own parser is read
directly. Results are kept by text: in an editor only the declaration being typed is parsed again.

textX is imported when the first program is read: workers of a cluster only evaluate, and need not
have it.
"""

from functools import cache, lru_cache
from typing import Any

from phenesthe.resources import LANGUAGE
from phenesthe.syntax.scan import Chunk
from phenesthe.syntax.tokens import Token, TokenKind

_CACHED_CHUNKS = 8192


class Mismatch(Exception):
    """The chunk is no declaration: what was expected at which place of the file."""

    def __init__(self, offset: int, expected: tuple[str, ...]) -> None:
        super().__init__(f"expected {' or '.join(expected)} at {offset}")
        self.offset = offset
        self.expected = expected


def tokens_of(chunk: Chunk) -> tuple[Token, ...]:
    """The tokens of a declaration, with their places in the file."""
    shape = _shape(chunk.text)
    if isinstance(shape, Mismatch):
        raise Mismatch(chunk.start + shape.offset, shape.expected)
    base = chunk.start
    tokens = [Token(kind, text, base + at, base + at + len(text)) for kind, text, at in shape]
    if tokens and tokens[-1].end > chunk.end:
        # The closing mark that the file lacks has no place in it.
        tokens[-1] = tokens[-1]._replace(start=chunk.end, end=chunk.end)
    return tuple(tokens)


@cache
def _parser() -> Any:
    from textx import metamodel_from_file

    metamodel = metamodel_from_file(str(LANGUAGE / "phenesthe.tx"), autokwd=True)
    parser = metamodel._parser_blueprint.clone()
    # Chunks come with their comments blanked out; looking for comments costs a third of the time.
    parser.comments_model = None
    return parser


@lru_cache(maxsize=_CACHED_CHUNKS)
def _shape(text: str) -> tuple[tuple[TokenKind, str, int], ...] | Mismatch:
    from arpeggio import NoMatch, NonTerminal
    from textx import TextXSyntaxError

    try:
        tree = _parser().parse(text)
    except TextXSyntaxError as problem:
        failure = problem.__cause__
        assert isinstance(failure, NoMatch)
        expected = {_describe(rule) for rule in failure.rules}
        return Mismatch(failure.position, tuple(sorted(expected)))
    found: list[tuple[TokenKind, str, int]] = []
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, NonTerminal):
            pending.extend(reversed(node))
        elif node.value:
            found.append((_kind(node.value), node.value, node.position))
    return tuple(found)


def _kind(text: str) -> TokenKind:
    first = text[0]
    if "a" <= first <= "z":
        return TokenKind.WORD
    if first == "_" or "A" <= first <= "Z":
        return TokenKind.VARIABLE
    if first.isdigit() or (first == "-" and text[1:2].isdigit()):
        return TokenKind.NUMBER
    return TokenKind.STRING if first == '"' else TokenKind.SYMBOL


_RULES = {
    "Word": "a name",
    "Module": "a module's name",
    "Variable": "a variable",
    "Constant": "a value",
    "Place": "a value or `_`",
    "Part": "a formula",
    "EOF": "the next declaration",
}


def _describe(rule: Any) -> str:
    return _RULES.get(rule.rule_name) or f"`{getattr(rule, 'to_match', rule.rule_name)}`"
