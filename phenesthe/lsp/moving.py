"""Requests that follow a name: to its definition, to its uses, to another name."""

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from phenesthe.ide.navigate import find_definition, find_references, highlight
from phenesthe.ide.rename import Edits, Refusal, prepare_rename, rename
from phenesthe.lsp.editing import convert_edits
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


def prepare(session: Session, params: types.PrepareRenameParams) -> types.Range | None:
    asked = session.find(params.text_document.uri)
    if asked is None:
        return None
    offset = session.find_offset(asked.document, params.position)
    found = prepare_rename(asked.analysis, asked.file, offset)
    if isinstance(found, Refusal):
        raise _refuse(found)
    return session.find_range(found)


def change_name(session: Session, params: types.RenameParams) -> types.WorkspaceEdit | None:
    asked = session.find(params.text_document.uri)
    if asked is None:
        return None
    offset = session.find_offset(asked.document, params.position)
    found = rename(session.list_programs(), asked.file, offset, params.new_name)
    if isinstance(found, Refusal):
        raise _refuse(found)
    return _convert(session, found)


def _refuse(refusal: Refusal) -> JsonRpcException:
    """Shown to the person as it is."""
    code = types.LSPErrorCodes.RequestFailed.value
    return JsonRpcException(message=refusal.reason, code=code)


def _convert(session: Session, edits: Edits) -> types.WorkspaceEdit:
    """With the versions the edits were made for where the client can take them."""
    if not session.supports("workspace.workspace_edit.document_changes", False):
        changes = {session.find_uri(file): convert_edits(session, ed) for file, ed in edits.items()}
        return types.WorkspaceEdit(changes=changes)
    changed: list[types.TextDocumentEdit] = []
    for file, wanted in edits.items():
        uri = session.find_uri(file)
        document = session.documents.get(uri)
        version = None if document is None else document.version
        identity = types.OptionalVersionedTextDocumentIdentifier(uri, version)
        changed.append(types.TextDocumentEdit(identity, convert_edits(session, wanted)))
    return types.WorkspaceEdit(document_changes=changed)
