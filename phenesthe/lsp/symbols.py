"""Document and workspace symbols: the outline of a file, search for names."""

from lsprotocol import types

from phenesthe.ide.symbols import Outlined, SymbolKind, list_symbols, search_symbols
from phenesthe.lsp.session import Session

_KINDS: dict[SymbolKind, types.SymbolKind] = {
    "module": types.SymbolKind.Module,
    "parameter": types.SymbolKind.Constant,
    "fact": types.SymbolKind.Struct,
    "input": types.SymbolKind.Interface,
    "event": types.SymbolKind.Event,
    "state": types.SymbolKind.Class,
    "dynamic": types.SymbolKind.Class,
    "value": types.SymbolKind.EnumMember,
}


def outline(
    session: Session, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | list[types.SymbolInformation] | None:
    asked = session.find(params.text_document.uri)
    if asked is None:
        return None
    found = list_symbols(asked.analysis, asked.file)
    nested = "text_document.document_symbol.hierarchical_document_symbol_support"
    if session.supports(nested, False):
        return [_convert(session, one) for one in found]
    return [_flatten(session, one) for one in found]


def search(
    session: Session, params: types.WorkspaceSymbolParams
) -> list[types.SymbolInformation] | None:
    found = search_symbols(session.list_programs(), params.query)
    return [_flatten(session, one.outlined) for one in found]


def _convert(session: Session, one: Outlined) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=one.name,
        kind=_KINDS[one.kind],
        range=session.find_range(one.span),
        selection_range=session.find_range(one.name_span),
        detail=one.detail,
        children=[_convert(session, part) for part in one.parts] or None,
    )


def _flatten(session: Session, one: Outlined) -> types.SymbolInformation:
    return types.SymbolInformation(session.locate(one.name_span), one.name, _KINDS[one.kind])
