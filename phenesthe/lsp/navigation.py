"""Requests that follow a name: definition, references, document highlight."""

from lsprotocol import types

from phenesthe.ide.navigate import find_definition, find_references, highlight
from phenesthe.lsp.session import Session


def define(session: Session, params: types.DefinitionParams) -> list[types.Location] | None:
    asked = session.find(params.text_document.uri)
    if asked is None:
        return None
    offset = session.find_offset(asked.document, params.position)
    found = find_definition(asked.analysis, asked.file, offset)
    return [session.locate(one.span) for one in found] or None


def refer(session: Session, params: types.ReferenceParams) -> list[types.Location] | None:
    asked = session.find(params.text_document.uri)
    if asked is None:
        return None
    offset = session.find_offset(asked.document, params.position)
    declarations = params.context.include_declaration
    programs = session.list_programs()
    found = find_references(programs, asked.file, offset, declarations=declarations)
    return [session.locate(one.span) for one in found] or None


def mark(
    session: Session, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | None:
    asked = session.find(params.text_document.uri)
    if asked is None:
        return None
    offset = session.find_offset(asked.document, params.position)
    kinds = types.DocumentHighlightKind
    return [
        types.DocumentHighlight(
            session.find_range(one.span), kinds.Write if one.writes else kinds.Read
        )
        for one in highlight(asked.analysis, asked.file, offset)
    ] or None
