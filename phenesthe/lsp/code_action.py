"""Code actions: quick fixes, and all that are certain at once."""

from lsprotocol import types

from phenesthe.ide.edits import Fix, fix_all, list_fixes
from phenesthe.lsp.session import Asked, Session
from phenesthe.lsp.text_edits import convert_edits

#: What this server offers; an editor may ask for one of them, on saving for example.
FIX_ALL = types.CodeActionKind.SourceFixAll
KINDS = (types.CodeActionKind.QuickFix, FIX_ALL)


def list_actions(session: Session, params: types.CodeActionParams) -> list[types.CodeAction] | None:
    asked = session.find(params.text_document.uri)
    if asked is None:
        return None
    actions: list[types.CodeAction] = []
    if _wants(params, types.CodeActionKind.QuickFix):
        start = session.find_offset(asked.document, params.range.start)
        end = session.find_offset(asked.document, params.range.end)
        for fix in list_fixes(asked.analysis, asked.file, start, end):
            action = _convert(session, asked, fix, types.CodeActionKind.QuickFix)
            action.is_preferred = True
            actions.append(action)
    if _wants(params, FIX_ALL):
        everything = fix_all(asked.analysis, asked.file)
        if everything is not None:
            actions.append(_convert(session, asked, everything, FIX_ALL))
    return actions


def _wants(params: types.CodeActionParams, kind: types.CodeActionKind) -> bool:
    """A kind asked for stands for those below it, as `source` does for `source.fixAll`."""
    only = params.context.only
    return only is None or any(f"{kind.value}.".startswith(f"{_name(one)}.") for one in only)


def _name(kind: types.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else kind


def _convert(
    session: Session, asked: Asked, fix: Fix, kind: types.CodeActionKind
) -> types.CodeAction:
    return types.CodeAction(
        title=fix.title,
        kind=kind,
        diagnostics=[session.convert(diagnostic) for diagnostic in fix.diagnostics],
        edit=types.WorkspaceEdit(changes={asked.document.uri: convert_edits(session, fix.edits)}),
    )
