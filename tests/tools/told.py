"""What a client should be told, found out without a server: from a fresh check of the same text."""

from pathlib import Path
from typing import Any

from lsprotocol import types
from lsprotocol.converters import get_converter

from phenesthe.ide.analysis import Analysis
from phenesthe.lsp.diagnostics import convert_diagnostic
from phenesthe.lsp.positions import Counting
from phenesthe.lsp.uris import make_uri
from phenesthe.syntax.source import Span

CONVERTER = get_converter()


def list_expected(
    analysis: Analysis, file: Path, counting: Counting, *, with_related: bool = False
) -> list[dict[str, Any]]:
    """The diagnostics of one file of a program, as they go over the wire."""

    def locate(span: Span) -> types.Location:
        return types.Location(make_uri(Path(span.source.path)), counting.find_range(span))

    found = analysis.list_diagnostics(file)
    return [
        CONVERTER.unstructure(convert_diagnostic(one, locate, with_related=with_related))
        for one in found
    ]


def write_range(where: types.Range) -> dict[str, Any]:
    written: dict[str, Any] = CONVERTER.unstructure(where)
    return written
