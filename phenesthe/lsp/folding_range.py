"""Folding ranges."""

from lsprotocol import types

from phenesthe.ide.folding import FoldKind, list_folds
from phenesthe.lsp.session import Session

_FOLDS = {
    FoldKind.DECLARATION: types.FoldingRangeKind.Region,
    FoldKind.COMMENT: types.FoldingRangeKind.Comment,
    FoldKind.IMPORTS: types.FoldingRangeKind.Imports,
}


def fold(session: Session, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
    asked = session.find(params.text_document.uri)
    if asked is None:
        return None
    return [
        types.FoldingRange(one.span.first.line - 1, one.span.last.line - 1, kind=_FOLDS[one.kind])
        for one in list_folds(asked.analysis, asked.file)
    ]
