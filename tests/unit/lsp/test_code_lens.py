"""Previews that are given up."""

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types

from phenesthe.lsp import code_lens
from phenesthe.lsp.session import Session
from phenesthe.lsp.uris import make_uri


def test_a_preview_that_takes_too_long_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_lens, "MAX_SECONDS", 0.01)
    uri = make_uri(tmp_path / "a.phe")
    session = Session()
    text = "input event bell();\nevent alarm() : bell();\n"
    session.open(types.TextDocumentItem(uri, "phenesthe", 1, text))
    found = asyncio.run(code_lens.run_preview(session, uri, "alarm"))
    assert found is not None
    assert found["title"] == "alarm on a.sample.jsonl"
    assert "stopped after 0.01 seconds" in found["text"]
    assert found["html"] == ""
