"""Semantic tokens: what each word of a file is, for colours that a grammar alone cannot give."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from phenesthe.ide.analysis import Analysis
from phenesthe.ide.machines import is_machine_word, is_place
from phenesthe.ide.meanings import MEANINGS, TYPE_MEANINGS, UNIT_MEANINGS
from phenesthe.ide.outlines import Outline, Outlines, list_outlines
from phenesthe.ide.places import Occurrence, list_occurrences
from phenesthe.ide.words import Sentence, read_words, spell
from phenesthe.syntax.clauses import NAMES_ELSEWHERE, is_operator
from phenesthe.syntax.source import Span
from phenesthe.syntax.tokens import BEGINNING, FUNCTIONS, MODES, RESERVED, Token, TokenKind
from phenesthe.vocabulary import AGGREGATES, BUILT_IN

TokenType: TypeAlias = Literal[
    "namespace", "type", "class", "function", "method", "struct", "parameter", "property",
    "variable", "string", "number", "keyword", "operator", "comment",
]  # fmt: skip
Modifier: TypeAlias = Literal["declaration", "documentation", "readonly", "defaultLibrary"]
#: Names that the protocol knows, in the order in which a server announces them.
TOKEN_TYPES: tuple[TokenType, ...] = get_args(TokenType)
TOKEN_MODIFIERS: tuple[Modifier, ...] = get_args(Modifier)
_DECLARED: dict[str, TokenType] = {
    "event": "function", "state": "class", "dynamic": "method", "fact": "struct",
    "param": "parameter",
}  # fmt: skip
_LINE = re.compile(r"[^\r\n]+")


@dataclass(frozen=True, slots=True)
class SemanticToken:
    """Never longer than a line."""

    span: Span
    type: TokenType
    modifiers: frozenset[Modifier] = frozenset()


def list_tokens(analysis: Analysis, file: Path) -> list[SemanticToken]:
    """From the beginning of a file to its end; none overlaps another."""
    module = analysis.find_module(file)
    if module is None:
        return []
    words = read_words(module.parsed.source)
    outlines = list_outlines(analysis)
    occurrences = {one.span.start: one for one in list_occurrences(analysis, file)}
    found = [token for comment in words.comments for token in _read_comment(comment)]
    for sentence in words.sentences:
        end = 0
        for at, token in enumerate(sentence.tokens):
            occurrence = occurrences.get(token.start)
            # The name of a module is one token, whatever it is made of.
            if token.start < end:
                continue
            if occurrence is not None:
                found.append(_read_name(occurrence, outlines))
                end = occurrence.span.end
                continue
            type_ = _find_type(sentence, at)
            if type_ is not None:
                span = Span(sentence.span.source, token.start, token.end)
                is_ours: frozenset[Modifier] = (
                    frozenset(("defaultLibrary",))
                    if type_ in ("function", "class")
                    else frozenset()
                )
                found.append(SemanticToken(span, type_, is_ours))
    return sorted(found, key=lambda token: token.span.start)


def _read_comment(comment: Span) -> Iterator[SemanticToken]:
    is_doc = comment.text.startswith("///") and not comment.text.startswith("////")
    modifiers: frozenset[Modifier] = frozenset(("documentation",)) if is_doc else frozenset()
    for line in _LINE.finditer(comment.text):
        start, end = line.span()
        span = Span(comment.source, comment.start + start, comment.start + end)
        yield SemanticToken(span, "comment", modifiers)


def _read_name(occurrence: Occurrence, outlines: Outlines) -> SemanticToken:
    span = occurrence.span
    match occurrence.role:
        case "imports":
            return SemanticToken(span, "namespace")
        case "argument":
            return SemanticToken(span, "property", frozenset(("declaration",)))
        case "variable" | "wildcard":
            return SemanticToken(span, "variable")
        case "constant":
            return SemanticToken(span, "string")
        case "declares" | "uses" as role:
            outline = outlines.get(occurrence.name)
            type_ = _DECLARED[outline.kind] if outline is not None else "function"
            return SemanticToken(span, type_, _find_modifiers(role, outline))


def _find_modifiers(role: str, outline: Outline | None) -> frozenset[Modifier]:
    found: set[Modifier] = set()
    if role == "declares":
        found.add("declaration")
    if outline is not None and outline.is_from_library:
        found.add("defaultLibrary")
    if outline is not None and outline.kind in ("fact", "param"):
        found.add("readonly")
    return frozenset(found)


def _find_type(sentence: Sentence, at: int) -> TokenType | None:
    """What a word is that names nothing."""
    token = sentence.tokens[at]
    match token.kind:
        case TokenKind.NUMBER:
            return "number"
        case TokenKind.STRING:
            return "string"
        case TokenKind.SYMBOL:
            return "operator" if spell(token) in MEANINGS or token.text == "=" else None
        case TokenKind.WORD:
            if token.text in NAMES_ELSEWHERE and is_operator(sentence.tokens, at):
                return "keyword"
            if sentence.opening == "machine" and is_machine_word(sentence.tokens, at):
                return "keyword"
            if at == 0 and token.text in BEGINNING and sentence.opening:
                return "keyword"
            following = sentence.tokens[at + 1 : at + 2]
            if token.text in BUILT_IN and following and following[0].text == "(":
                # It is no name here, so it is a state that is built in.
                return "class"
            return _find_word_type(token, sentence.tokens[at - 1].text if at > 0 else "")
        case TokenKind.VARIABLE:
            is_any = sentence.opening == "machine" and is_place(sentence.tokens, at)
            return "variable" if is_any else None


def _find_word_type(token: Token, before: str) -> TokenType | None:
    if token.text in FUNCTIONS or token.text in AGGREGATES:
        return "function"
    is_mode = before == "as" and token.text in MODES
    if token.text in RESERVED or is_mode or (before == "while" and token.text == "gap"):
        return "keyword"
    if token.text in TYPE_MEANINGS or token.text in UNIT_MEANINGS:
        return "type"
    return None
