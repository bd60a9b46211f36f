"""Semantic tokens: what each word is, as the protocol packs it."""

from collections.abc import Iterable

from lsprotocol import types

from phenesthe.ide.tokens import TOKEN_MODIFIERS, TOKEN_TYPES, SemanticToken, list_tokens
from phenesthe.lsp.session import Asked, Session

LEGEND = types.SemanticTokensLegend(list(TOKEN_TYPES), list(TOKEN_MODIFIERS))


def colour(session: Session, params: types.SemanticTokensParams) -> types.SemanticTokens | None:
    asked = session.find(params.text_document.uri)
    if asked is None:
        return None
    return types.SemanticTokens(_pack(session, asked, list_tokens(asked.analysis, asked.file)))


def colour_range(
    session: Session, params: types.SemanticTokensRangeParams
) -> types.SemanticTokens | None:
    asked = session.find(params.text_document.uri)
    if asked is None:
        return None
    start = session.find_offset(asked.document, params.range.start)
    end = session.find_offset(asked.document, params.range.end)
    found = list_tokens(asked.analysis, asked.file)
    shown = (one for one in found if one.span.start < end and start < one.span.end)
    return types.SemanticTokens(_pack(session, asked, shown))


def _pack(session: Session, asked: Asked, tokens: Iterable[SemanticToken]) -> list[int]:
    """Five numbers each; places count from the token before."""
    data: list[int] = []
    line = column = 0
    for token in tokens:
        # All are of one file: asking for each which it is would take longer than all the rest.
        start = session.counting.find_position(token.span.source, token.span.start)
        if start.line == 0:
            start.character += asked.document.mark
        if start.line != line:
            column = 0
        modifiers = sum(1 << TOKEN_MODIFIERS.index(one) for one in token.modifiers)
        data += (
            start.line - line,
            start.character - column,
            session.counting.measure(token.span.text),
            TOKEN_TYPES.index(token.type),
            modifiers,
        )
        line, column = start.line, start.character
    return data
