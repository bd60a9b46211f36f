"""A place in a sequence of tokens, and what to say when the next token does not fit."""

from typing import NamedTuple, TypeAlias

from phenesthe.diagnostics.model import Edit, Label
from phenesthe.diagnostics.report import error
from phenesthe.syntax.problem import SyntaxProblem
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.tokens import UNICODE_SPELLINGS, Token, TokenKind
from phenesthe.syntax.tree import Formula, Value


class Group(NamedTuple):
    """A pair of parentheses whose contents are already read, in the place of a token."""

    kind: TokenKind
    text: str
    start: int
    end: int
    elements: tuple[Formula | Value, ...]


Item: TypeAlias = Token | Group
_CANONICAL = {**UNICODE_SPELLINGS, "\\": "complement"}
_END = Token(TokenKind.SYMBOL, "", -1, -1)


class Cursor:
    """Reads tokens from left to right; operators are seen in their canonical spelling."""

    def __init__(self, source: Source, tokens: tuple[Item, ...]) -> None:
        self.source = source
        self.tokens = tokens
        self.at = 0
        #: The next token, and its canonical spelling: empty at the end.
        self.token: Item = _END
        self.word = ""
        self._look()

    def _look(self) -> None:
        if self.at < len(self.tokens):
            self.token = self.tokens[self.at]
            text = self.token.text
            self.word = _CANONICAL.get(text, text)
        else:
            self.token, self.word = _END, ""

    @staticmethod
    def canonical(token: Item) -> str:
        return _CANONICAL.get(token.text, token.text)

    def move(self, at: int) -> None:
        self.at = at
        self._look()

    def word_after(self) -> str:
        after = self.at + 1
        return self.tokens[after].text if after < len(self.tokens) else ""

    def take(self) -> Item:
        token = self.token
        self.at += 1
        self._look()
        return token

    def accept(self, word: str) -> bool:
        if self.word == word:
            self.take()
            return True
        return False

    def span(self, token: Item) -> Span:
        return Span(self.source, token.start, token.end)

    def since(self, start: int) -> Span:
        """From an offset to the end of the last token taken."""
        return Span(self.source, start, self.tokens[self.at - 1].end)

    def here(self) -> Span:
        if self.at < len(self.tokens):
            return self.span(self.token)
        end = self.tokens[-1].end if self.tokens else 0
        return Span(self.source, end - 1, end)

    def describe(self) -> str:
        """The next token as messages name it."""
        return f"`{self.token.text}`" if self.at < len(self.tokens) else "the end of the formula"

    def expect(self, word: str, context: str) -> Item:
        if self.word == word:
            return self.take()
        raise SyntaxProblem(
            error(
                "S007",
                f"expected `{word}` {context}, found {self.describe()}",
                self.here(),
                label=f"`{word}` is expected here",
                hint=f"write `{word}` {context}",
            )
        )


def needs_parentheses(
    message: str, span: Span, group: Span, *, hint: str, related: tuple[Label, ...] = ()
) -> SyntaxProblem:
    """An expression two readers could group differently; the fix puts `group` in parentheses."""
    source = group.source
    return SyntaxProblem(
        error(
            "S011",
            message,
            span,
            label="which belongs together?",
            related=related,
            hint=hint,
            fix=(
                Edit(span=Span(source, group.start, group.start), text="("),
                Edit(span=Span(source, group.end, group.end), text=")"),
            ),
        )
    )
