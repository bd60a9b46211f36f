"""Rename, and whether a name can be renamed."""

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from phenesthe.ide.rename import Edits, Refusal, prepare_rename, rename
from phenesthe.lsp.session import Session
from phenesthe.lsp.text_edits import convert_edits


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
