"""The texts the client has open, kept in step with its edits.

pygls keeps texts too, but takes more characters for line ends than the protocol has (a form feed,
U+2028), after which an edit lands in the wrong place.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from lsprotocol import types

from phenesthe.lsp.positions import Counting, mend_characters
from phenesthe.syntax.source import Source

_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Document:
    """An open file, as the client has it."""

    uri: str
    path: Path
    version: int
    source: Source

    @property
    def mark(self) -> int:
        """How many characters the client counts and the parser does not: a byte order mark."""
        return 1 if self.source.text.startswith(_BYTE_ORDER_MARK) else 0


def open_document(item: types.TextDocumentItem, path: Path) -> Document:
    source = Source(str(path), mend_characters(item.text))
    return Document(item.uri, path, item.version, source)


def change_document(
    document: Document,
    version: int,
    changes: Iterable[types.TextDocumentContentChangeEvent],
    counting: Counting,
) -> Document:
    """Each change counts in what the one before it left."""
    source = document.source
    for change in changes:
        text = mend_characters(change.text)
        if isinstance(change, types.TextDocumentContentChangePartial):
            start, end = counting.find_offsets(source, change.range)
            text = source.text[:start] + text + source.text[end:]
        source = Source(source.path, text)
    return replace(document, version=version, source=source)
