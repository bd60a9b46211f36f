"""The canonical layout of a file: what `fmt` writes.

Works on tokens, not on the tree: parentheses, the spelling of numbers and comments stay as the
author wrote them. The file must have no syntax errors.
"""

import re
from bisect import bisect_left

from phenesthe.syntax.clauses import ends_operand
from phenesthe.syntax.grammar import tokens_of
from phenesthe.syntax.layout import Lexeme, lay_out
from phenesthe.syntax.lines import Remark
from phenesthe.syntax.scan import Chunk, Comment, scan
from phenesthe.syntax.source import Source
from phenesthe.syntax.tokens import TokenKind

_BOM = "\ufeff"
_LINE_END = re.compile(r"\r\n|\r|\n")


def format_source(source: Source, *, unicode: bool = False) -> str:
    """The text of the file in canonical layout; formatting that again changes nothing."""
    source = Source(source.path, source.text.removeprefix(_BOM))
    scanned = scan(source)
    starts = [comment.span.start for comment in scanned.comments]
    page = _Page(source)
    done = 0
    for chunk in scanned.chunks:
        first, last = bisect_left(starts, chunk.start), bisect_left(starts, chunk.end)
        page.add_comments(scanned.comments[done:first])
        lexemes = _lexemes(source, chunk, scanned.comments[first:last])
        page.add_declaration(chunk, lay_out(lexemes, unicode=unicode))
        done = last
    page.add_comments(scanned.comments[done:])
    return page.text()


class _Page:
    """Comments and declarations below each other, with the blank lines the source has."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.parts: list[str] = []
        self.end = 0  # where the last thing added ends in the source
        self.after_declaration = False

    def add_declaration(self, chunk: Chunk, text: str) -> None:
        self._part(chunk.start, on_same_line="\n")
        self.parts.append(text)
        self.end = chunk.end
        self.after_declaration = True

    def add_comments(self, comments: tuple[Comment, ...]) -> None:
        for comment in comments:
            self._part(comment.span.start, "  " if self.after_declaration else " ")
            self.parts.append(_text(comment))
            self.end = comment.span.end
            self.after_declaration = False

    def _part(self, start: int, on_same_line: str) -> None:
        """Keep what stands at `start` apart from what was added before it."""
        if self.parts:
            lines = self.source.position(start).line - self.source.position(self.end).line
            self.parts.append(on_same_line if not lines else "\n" if lines == 1 else "\n\n")

    def text(self) -> str:
        return "".join((*self.parts, "\n")) if self.parts else ""


def _text(comment: Comment) -> str:
    return "\n".join(line.rstrip() for line in _LINE_END.split(comment.span.text))


def _lexemes(source: Source, chunk: Chunk, comments: tuple[Comment, ...]) -> list[Lexeme]:
    """The tokens of a declaration with the comments that follow each."""
    tokens = tokens_of(chunk)
    lexemes: list[Lexeme] = []
    taken = 0
    end = -1
    for index, token in enumerate(tokens):
        limit = tokens[index + 1].start if index + 1 < len(tokens) else chunk.end
        remarks: list[Remark] = []
        behind = token.end
        while taken < len(comments) and comments[taken].span.start < limit:
            comment = comments[taken]
            between = source.text[behind : comment.span.start]
            own_line = _LINE_END.search(between) is not None
            remarks.append(Remark(_text(comment), own_line))
            behind = comment.span.end
            taken += 1
        text = token.text
        if token.kind is TokenKind.NUMBER and token.start == end and _is_sign(lexemes):
            # A minus that touches a number is part of it.
            lexemes.pop()
            text = "-" + text
        lexemes.append(Lexeme(token.kind, text, tuple(remarks)))
        end = token.end
    return lexemes


def _is_sign(lexemes: list[Lexeme]) -> bool:
    """Whether the last of these is a minus that subtracts from nothing."""
    if not lexemes or lexemes[-1].text != "-":
        return False
    return not ends_operand(lexemes, len(lexemes) - 2)
