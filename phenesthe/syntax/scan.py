"""Split a file into declarations and comments, so that one mistake stays in one declaration.

textX stops at its first error. Cutting the text first, at `;` and at words that can only begin a
declaration, lets every declaration succeed or fail by itself.
"""

import re
from enum import Enum

from phenesthe.diagnostics.model import Diagnostic, Edit
from phenesthe.diagnostics.report import error
from phenesthe.frozen import dataclass
from phenesthe.syntax.foreign_marks import final_point, foreign_comment
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.tokens import DECLARING, RESERVED, find_opening

_PLAIN = rf"""(?:(?!(?:{"|".join(DECLARING)})\b)\w++|[^\s\w"/;{{}}\#]|/(?![/*]))"""
# Most of a text is plain: neither begins nor ends anything. One match for all of a line's plain
# part makes this several times faster than one for every word.
_PIECE = re.compile(
    rf"""(?P<space>\s++)
      | (?P<word>(?:{"|".join(DECLARING)})\b)
      | (?P<plain>{_PLAIN}(?:[ \t]*+{_PLAIN})*+)
      | (?P<mark>[;{{}}])
      | (?P<line>//[^\r\n]*)
      | (?P<hash>\#)
      | (?P<block>/\*(?:[^*]|\*(?!/))*(?P<closed>\*/)?)
      | (?P<string>"(?:\\[^\r\n]|[^"\\\r\n])*(?P<quoted>")?) """,
    re.VERBOSE,
)
_DOC = re.compile(r"///(?!/) ?")
_REST_OF_LINE = re.compile(r"[^\r\n]*")
#: A point at the end of a line ends nothing in this language, and a clause of Prolog.
_POINT_AT_END = re.compile(r"(?<=[\w)]\.)[ \t]*(?:$|[\r\n]|//|%|/\*)")
_NAMED_MACHINE = r"machine[ \t]+(?P<machine>[A-Za-z]\w*)\s*\("
#: `state machine door(…)`, whose braces belong to it although it begins wrongly. Whether the name
#: is a word of the language is asked afterwards: here all words would take long to compile.
_MACHINE = re.compile(_NAMED_MACHINE)
#: No formula has two words in a row before a parenthesis, nor before a comma.
_BEGINS_LINE = re.compile(
    r"(?:def|class|function|func|fn)[ \t]+\w+[ \t]*\("
    rf"|{_NAMED_MACHINE}"
    r"|report[ \t]+(?P<reported>[a-z]\w*)\s*[,;]"
)
#: A definition that lacks only its kind.
_HEAD = re.compile(r"[a-z]\w*\s*\([^()]*\)\s*:")
#: How comments begin in other languages. Between declarations none of these can be anything else.
_FOREIGN_COMMENTS = ("#", "--", "%")


class CommentKind(Enum):
    LINE = "//"
    BLOCK = "/*"
    DOC = "///"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    kind: CommentKind
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """The text of one declaration, comments blanked out, offsets kept; `start` is its place."""

    start: int
    end: int
    text: str
    doc: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scanned:
    chunks: tuple[Chunk, ...]
    comments: tuple[Comment, ...]
    diagnostics: tuple[Diagnostic, ...]


def scan(source: Source, start: int = 0, end: int | None = None) -> Scanned:
    """Cut a file, or a part of it, at declaration boundaries. Never fails."""
    return _Scanner(source).run(start, len(source.text) if end is None else end)


class _Scanner:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.chunks: list[Chunk] = []
        self.comments: list[Comment] = []
        self.diagnostics: list[Diagnostic] = []
        self.docs: list[str] = []
        #: Where comments begin that are written as in another language, by their sign.
        self.foreign: dict[str, list[int]] = {}
        self._begin_chunk()

    def _begin_chunk(self) -> None:
        self.start = -1
        self.end = -1
        self.takes_block = False
        self.declares = False
        self.in_block = False
        self.has_open_text = False
        self.previous_word = ""
        self.blanks: list[tuple[int, int]] = []
        self.doc: str | None = None

    def run(self, at: int, stop: int) -> Scanned:
        text = self.source.text
        line_is_fresh = True
        while match := _PIECE.match(text, at, stop):
            start, at = match.span()
            end = at
            match match.lastgroup:
                case "space":
                    line_is_fresh = line_is_fresh or "\n" in match[0] or "\r" in match[0]
                    continue
                case "line" | "block" | "closed":
                    self._take_comment(match)
                    continue
                case "string" | "quoted":
                    self._take_string(match)
                case "word":
                    self._take_word(match[0], start, end, line_is_fresh)
                case "hash":
                    at = self._take_foreign_comment("#", start)
                    continue
                case "plain" if sign := self._begins_foreign_comment(match[0]):
                    at = self._take_foreign_comment(sign, start)
                    continue
                case "plain":
                    self._take_plain(start, end, line_is_fresh)
                    if _POINT_AT_END.match(text, end) and self._may_end_with_point():
                        self._finish_unterminated()
                case _:
                    self._take_mark(match[0], start, end)
            line_is_fresh = False
        self._finish_unterminated()
        self._report_foreign_comments()
        return Scanned(
            chunks=tuple(self.chunks),
            comments=tuple(self.comments),
            diagnostics=tuple(self.diagnostics),
        )

    def _span(self, start: int, end: int) -> Span:
        return Span(self.source, start, end)

    def _take_comment(self, match: re.Match[str]) -> None:
        start, end = match.span()
        if match["block"] is not None:
            kind = CommentKind.BLOCK
            if match["closed"] is None:
                self.diagnostics.append(
                    error(
                        "S005",
                        "this comment is never closed",
                        self._span(start, start + 2),
                        label="opened here",
                        hint="end it with `*/`",
                    )
                )
        elif doc := _DOC.match(match[0]):
            kind = CommentKind.DOC
            if self.start < 0:
                self.docs.append(match[0][doc.end() :].rstrip())
        else:
            kind = CommentKind.LINE
        self.comments.append(Comment(kind=kind, span=self._span(start, end)))
        if self.start >= 0:
            self.blanks.append((start, end))

    def _begins_foreign_comment(self, text: str) -> str:
        if self.start >= 0:
            return ""
        return next((sign for sign in _FOREIGN_COMMENTS if text.startswith(sign)), "")

    def _take_foreign_comment(self, sign: str, start: int) -> int:
        """Read the rest of the line as the comment that it was meant to be."""
        rest = _REST_OF_LINE.match(self.source.text, start)
        assert rest is not None
        self.foreign.setdefault(sign, []).append(start)
        if self.start >= 0:
            self.blanks.append(rest.span())
        return rest.end()

    def _report_foreign_comments(self) -> None:
        """One for all comments of a file: its author has one thing to learn."""
        for sign, places in self.foreign.items():
            spans = [self._span(start, start + len(sign)) for start in places]
            self.diagnostics.append(foreign_comment(sign, spans))

    def _take_string(self, match: re.Match[str]) -> None:
        start, end = match.span()
        self._extend(start, end)
        if match["quoted"] is None:
            self.diagnostics.append(
                error(
                    "S004",
                    "this string is never closed",
                    self._span(start, end),
                    label='no `"` before the end of the line',
                    hint='end it with `"`; a line break inside a string is written `\\n`',
                )
            )
            self.has_open_text = True
            # The rest of the line belongs to the text: give the parser an empty one instead.
            self.blanks.append((start, end))

    def _take_plain(self, start: int, end: int, line_is_fresh: bool) -> None:
        text = self.source.text
        if line_is_fresh and self.start >= 0 and _has_name(_BEGINS_LINE.match(text, start)):
            self._finish_unterminated()
        opening = find_opening(text, start) if self.start < 0 else ""
        self.declares = self.declares or opening != ""
        self.takes_block = (
            self.takes_block
            or opening == "machine"
            or (self.previous_word == "state" and _has_name(_MACHINE.match(text, start)))
        )
        self._extend(start, end)
        self.previous_word = ""

    def _take_word(self, word: str, start: int, end: int, line_is_fresh: bool) -> None:
        begins = line_is_fresh and self.previous_word not in ("input", "exclusive")
        if begins and self.start >= 0:
            self._finish_unterminated()
        if self.start < 0:
            self.takes_block = word == "exclusive"
            self.declares = True
        self._extend(start, end)
        self.previous_word = word

    def _take_mark(self, symbol: str, start: int, end: int) -> None:
        self._extend(start, end)
        self.previous_word = ""
        if symbol == "{" and self.takes_block:
            self.in_block = True
        elif (symbol == "}" and self.in_block) or (symbol == ";" and not self.in_block):
            # `};` is a habit from other languages and harmless.
            if symbol == ";" and end - 1 == self.start and self.chunks and self._follows_block():
                self.docs = self.doc.split("\n") if self.doc is not None else []
                self._begin_chunk()
            else:
                self._finish()

    def _may_end_with_point(self) -> bool:
        # The name of a module may go on in the next line.
        return not self.in_block and not self.source.text.startswith("import", self.start)

    def _follows_block(self) -> bool:
        return self.chunks[-1].text.endswith("}")

    def _extend(self, start: int, end: int) -> None:
        if self.start < 0:
            self.start = start
            self.doc = "\n".join(self.docs) if self.docs else None
            self.docs = []
        self.end = end

    def _finish(self, suffix: str = "") -> None:
        text = self.source.text
        parts: list[str] = []
        at = self.start
        for start, end in self.blanks:
            if start < self.end:
                parts.append(text[at:start])
                parts.append(_blank(text[start:end]))
                at = end
        parts.append(text[at : self.end])
        self.chunks.append(
            Chunk(start=self.start, end=self.end, text="".join(parts) + suffix, doc=self.doc)
        )
        self._begin_chunk()

    def _finish_unterminated(self) -> None:
        """End a chunk that lacks its `;` or `}`, and read it as if it were there."""
        if self.start < 0:
            return
        closing = "}" if self.in_block else ";"
        text = self.source.text
        is_definition = self.declares or _HEAD.match(text, self.start, self.end)
        if is_definition and text[self.end - 1] == "." and closing == ";":
            self.diagnostics.append(final_point(self._span(self.end - 1, self.end)))
            self.blanks.append((self.end - 1, self.end))
            self._finish(closing)
            return
        if not self.declares or self.has_open_text:
            # No declaration at all: that is what will be said of it. And an unclosed text may
            # have swallowed the closing mark.
            self._finish(closing)
            return
        place = self._span(self.end, self.end)
        self.diagnostics.append(
            error(
                "S006",
                f"missing `{closing}` at the end of this declaration",
                self._span(max(self.end - 1, self.start), self.end),
                label=f"`{closing}` is expected after this",
                hint=f"add `{closing}`",
                fix=(Edit(span=place, text=closing),),
            )
        )
        self._finish(closing)


def _has_name(found: re.Match[str] | None) -> bool:
    """Whether something begins here, and its name, if it has one, can be one."""
    return found is not None and RESERVED.isdisjoint(found.groupdict().values())


def _blank(text: str) -> str:
    """Spaces in place of the characters, an empty string literal in place of an unclosed one."""
    if text.startswith('"'):
        return '""' + " " * (len(text) - 2) if len(text) >= 2 else "0"
    return re.sub(r"[^\r\n]", " ", text)
