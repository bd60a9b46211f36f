"""Inlay hints: inferred types."""

from lsprotocol import types

from phenesthe.ide.hints import list_hints
from phenesthe.lsp.session import Session
from phenesthe.syntax.source import Span


def hint(session: Session, params: types.InlayHintParams) -> list[types.InlayHint] | None:
    asked = session.find(params.text_document.uri)
    if asked is None or not session.settings.inlay_hints:
        return None
    module = asked.analysis.find_module(asked.file)
    if module is None:
        return None
    source = module.parsed.source
    start = session.find_offset(asked.document, params.range.start)
    end = session.find_offset(asked.document, params.range.end)
    return [
        types.InlayHint(
            session.find_range(Span(source, one.offset, one.offset)).start,
            one.text,
            types.InlayHintKind.Type,
        )
        for one in list_hints(asked.analysis, asked.file, Span(source, start, end))
    ]
