"""The words of a file as they stand, in declarations that can be read and in others."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from phenesthe.syntax.scan import Chunk, scan
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.tokens import FREE_DECLARING, UNICODE_SPELLINGS, Token, TokenKind

#: As the grammar cuts a formula, and any other character by itself.
_TOKEN = re.compile(
    r"""(?P<word>[a-z][a-zA-Z0-9_]*)
      | (?P<variable>[A-Z_][a-zA-Z0-9_]*)
      | (?P<number>[0-9][0-9a-zA-Z_]*(?:\.[0-9][0-9a-zA-Z_]*)?(?:(?<=[eE])[+-][0-9]+[a-zA-Z]*)?)
      | (?P<string>"(?:\\.|[^"\\\r\n])*")
      | (?P<symbol>~>|->|<=|>=|==|!=|\S) """,
    re.VERBOSE,
)
_KINDS = {kind.value: kind for kind in TokenKind}
_CANONICAL = {**UNICODE_SPELLINGS, "\\": "complement"}
#: A server looks at the same few texts again and again between two changes.
_KEPT = 64


@dataclass(frozen=True, slots=True)
class Sentence:
    """The words of one declaration, or of what was meant to be one.

    `is_closed`: it ends with its own `;` or `}`, so that whatever follows is another.
    """

    span: Span
    tokens: tuple[Token, ...]
    is_closed: bool
    doc: str | None

    @property
    def opening(self) -> str:
        """Its first word, unless that could begin a declaration and is a name here."""
        first = self.tokens[0].text if self.tokens else ""
        is_name = len(self.tokens) > 1 and self.tokens[1].text in ("(", "=")
        return "" if first in FREE_DECLARING and is_name else first

    def find_token(self, offset: int) -> Token | None:
        """The token around an offset; of two that touch there a name is meant, not a sign."""
        at = bisect_right(self.tokens, offset, key=lambda token: token.start)
        touching = [token for token in self.tokens[max(at - 2, 0) : at] if offset <= token.end]
        named = [token for token in touching if token.kind is not TokenKind.SYMBOL]
        return next(reversed(named or touching), None)

    def list_before(self, offset: int) -> tuple[Token, ...]:
        """The tokens that end at or before an offset."""
        return self.tokens[: bisect_right(self.tokens, offset, key=lambda token: token.end)]


@dataclass(frozen=True, slots=True)
class Words:
    sentences: tuple[Sentence, ...]
    comments: tuple[Span, ...]

    def find_sentence(self, offset: int) -> Sentence | None:
        """The declaration that an offset stands in, or goes on with: None where one may begin."""
        at = bisect_left(self.sentences, offset, key=lambda sentence: sentence.span.start)
        if at < len(self.sentences) and self.sentences[at].span.start == offset:
            return self.sentences[at]
        if at == 0:
            return None
        sentence = self.sentences[at - 1]
        return sentence if offset <= sentence.span.end or not sentence.is_closed else None

    def is_in_comment(self, offset: int) -> bool:
        """Whether what is typed at an offset would become part of a comment."""
        at = bisect_left(self.comments, offset, key=lambda span: span.start)
        if at == 0:
            return False
        span = self.comments[at - 1]
        is_open = span.text.startswith("//") or not span.text.endswith("*/") or len(span.text) < 4
        return offset < span.end or (offset == span.end and is_open)


@lru_cache(maxsize=_KEPT)
def read_words(source: Source) -> Words:
    """All words of a file, declaration by declaration. Never fails."""
    scanned = scan(source)
    unclosed = [one.span for one in scanned.diagnostics if one.code == "S004"]
    return Words(
        tuple(_read_sentence(source, chunk, unclosed) for chunk in scanned.chunks),
        tuple(comment.span for comment in scanned.comments),
    )


def spell(token: Token) -> str:
    """An operator as it is written in ASCII, anything else as it is."""
    return _CANONICAL.get(token.text, token.text)


def _read_sentence(source: Source, chunk: Chunk, unclosed: list[Span]) -> Sentence:
    first = bisect_left(unclosed, chunk.start, key=lambda span: span.start)
    last = bisect_left(unclosed, chunk.end, key=lambda span: span.start)
    length = chunk.end - chunk.start
    return Sentence(
        Span(source, chunk.start, chunk.end),
        tuple(_cut(chunk, length, unclosed[first:last])),
        len(chunk.text) == length,
        chunk.doc,
    )


def _cut(chunk: Chunk, length: int, unclosed: list[Span]) -> Iterator[Token]:
    """The tokens of a chunk; a text that is never closed goes on to the end of its line."""
    at = 0
    for span in (*unclosed, None):
        end = length if span is None else span.start - chunk.start
        for match in _TOKEN.finditer(chunk.text, at, end):
            kind = _KINDS[match.lastgroup or ""]
            yield Token(kind, match[0], chunk.start + match.start(), chunk.start + match.end())
        if span is not None:
            yield Token(TokenKind.STRING, span.text, span.start, span.end)
            at = span.end - chunk.start
