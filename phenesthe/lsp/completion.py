"""Completion: what may be written here."""

import re

from lsprotocol import types

from phenesthe.ide.completion import Completion, CompletionKind, complete
from phenesthe.lsp.session import Session

_KINDS: dict[CompletionKind, types.CompletionItemKind] = {
    "event": types.CompletionItemKind.Event,
    "state": types.CompletionItemKind.Class,
    "dynamic": types.CompletionItemKind.Class,
    "fact": types.CompletionItemKind.Struct,
    "param": types.CompletionItemKind.Constant,
    "variable": types.CompletionItemKind.Variable,
    "constant": types.CompletionItemKind.Value,
    "keyword": types.CompletionItemKind.Keyword,
    "function": types.CompletionItemKind.Function,
    "type": types.CompletionItemKind.TypeParameter,
    "unit": types.CompletionItemKind.Unit,
    "module": types.CompletionItemKind.Module,
}
#: What has a meaning in a snippet.
_SNIPPET_SIGNS = re.compile(r"([\\$}])")


def offer(session: Session, params: types.CompletionParams) -> list[types.CompletionItem] | None:
    asked = session.find(params.text_document.uri)
    if asked is None:
        return None
    offset = session.find_offset(asked.document, params.position)
    found = complete(asked.analysis, asked.file, offset, path=session.settings.path)
    return [_convert(session, one) for one in found]


def _convert(session: Session, one: Completion) -> types.CompletionItem:
    snippets = session.supports("text_document.completion.completion_item.snippet_support", False)
    new, written = one.insert, types.InsertTextFormat.PlainText
    if one.blanks is not None:
        if snippets:
            new, written = _write_snippet(one.insert, one.blanks), types.InsertTextFormat.Snippet
        else:
            new = f"{one.insert}({', '.join(one.blanks)})"
    return types.CompletionItem(
        label=one.label,
        kind=_KINDS[one.kind],
        detail=one.detail or None,
        documentation=one.doc or None,
        sort_text=f"{one.rank:03}{one.label}",
        text_edit=types.TextEdit(session.find_range(one.replaced), new),
        insert_text_format=written,
    )


def _write_snippet(insert: str, blanks: tuple[str, ...]) -> str:
    """The arguments one after another, each ready to be written over."""
    places = ", ".join(f"${{{at}:{_escape(blank)}}}" for at, blank in enumerate(blanks, 1))
    return f"{_escape(insert)}({places})$0"


def _escape(text: str) -> str:
    return _SNIPPET_SIGNS.sub(r"\\\1", text)
