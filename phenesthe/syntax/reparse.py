"""Parsing again: declarations whose text is as it was are moved, not read."""

from collections.abc import Hashable

from phenesthe.syntax.move import move
from phenesthe.syntax.parser import Parsed, parse_bytes, read_chunk
from phenesthe.syntax.scan import Chunk
from phenesthe.syntax.source import Source
from phenesthe.syntax.tree import Declaration


class Reparser:
    """Remembers one file as it was parsed last."""

    def __init__(self) -> None:
        self._known: tuple[str, bytes, Parsed] | None = None
        self._declarations: dict[Hashable, Declaration] = {}

    def parse(self, path: str, data: bytes) -> tuple[Parsed, int]:
        """As `parse_bytes`, and how many declarations had to be read."""
        if self._known is not None and self._known[:2] == (path, data):
            return self._known[2], 0
        before = self._declarations
        after: dict[Hashable, Declaration] = {}
        count = 0

        def read(source: Source, chunk: Chunk) -> Declaration:
            nonlocal count
            # Comments are not in a chunk's text, but messages may quote what was written.
            key = (source.text[chunk.start : chunk.end], chunk.text, chunk.doc)
            known = before.get(key)
            if known is not None:
                declaration = move(known, source, chunk.start - known.span.start)
            else:
                count += 1
                declaration = read_chunk(source, chunk)
            after[key] = declaration
            return declaration

        parsed = parse_bytes(path, data, read=read)
        self._known = (path, data, parsed)
        self._declarations = after
        return parsed, count
