"""Formatting a document."""

from lsprotocol import types

from phenesthe.ide.edits import format_file
from phenesthe.lsp.session import Session
from phenesthe.lsp.text_edits import convert_edits


def format_document(
    session: Session, params: types.DocumentFormattingParams
) -> list[types.TextEdit] | None:
    """The language has one layout, so that what the client wants of tabs does not matter."""
    asked = session.find(params.text_document.uri)
    if asked is None:
        return None
    return convert_edits(session, format_file(asked.analysis, asked.file))
