"""Hover: what is known of the name under the pointer."""

from lsprotocol import types

from phenesthe.ide.hover import hover
from phenesthe.lsp.session import Session


def describe(session: Session, params: types.HoverParams) -> types.Hover | None:
    asked = session.find(params.text_document.uri)
    if asked is None:
        return None
    found = hover(asked.analysis, asked.file, session.find_offset(asked.document, params.position))
    if found is None:
        return None
    text = session.write_markup("text_document.hover.content_format", found.text)
    return types.Hover(text, session.find_range(found.span))
