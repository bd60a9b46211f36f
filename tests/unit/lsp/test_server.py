"""Mistakes of ours end in the client's log, not in the client."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from phenesthe.lsp import server as module
from phenesthe.lsp.features import Feature
from phenesthe.lsp.server import Server
from phenesthe.lsp.session import Session

METHOD = types.TEXT_DOCUMENT_HOVER


class Heard(Server):
    """Keeps what would be sent."""

    def __init__(self) -> None:
        self.logged: list[str] = []
        self.told: list[types.PublishDiagnosticsParams] = []
        super().__init__()

    def window_log_message(self, params: types.LogMessageParams) -> None:
        self.logged.append(params.message)

    def text_document_publish_diagnostics(self, params: types.PublishDiagnosticsParams) -> None:
        self.told.append(params)


def serve(monkeypatch: pytest.MonkeyPatch, problem: Exception) -> Heard:
    def answer(_session: Session, _params: Any) -> None:
        raise problem

    monkeypatch.setattr(module, "FEATURES", (Feature(METHOD, answer),))
    return Heard()


def test_a_feature_that_fails_answers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve(monkeypatch, ZeroDivisionError("oh"))
    assert server.protocol.fm.features[METHOD](None) is None
    (line,) = server.logged
    assert line.startswith(f"{METHOD} failed: ZeroDivisionError: oh (test_server.py:")


def test_a_refusal_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve(monkeypatch, JsonRpcException(message="no", code=-32803))
    with pytest.raises(JsonRpcException, match="no"):
        server.protocol.fm.features[METHOD](None)
    assert server.logged == []


def open_text(server: Server, name: str) -> None:
    item = types.TextDocumentItem(f"file:///{name}.phe", "phenesthe", 1, "event e(V) : no(V);")
    server.take_in("opening", lambda session: session.open(item))


async def wait_until_told(server: Heard, count: int) -> None:
    async with asyncio.timeout(10):
        while len(server.told) < count:
            await asyncio.sleep(0.01)


def test_a_file_that_cannot_be_checked_does_not_hide_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = Heard()
    analyse = server.session.workspace.analyse

    def fail(file: Path) -> Any:
        if file.stem == "a":
            raise RuntimeError("cannot")
        return analyse(file)

    monkeypatch.setattr(server.session.workspace, "analyse", fail)

    async def run() -> None:
        open_text(server, "a")
        open_text(server, "b")
        await wait_until_told(server, 1)

    asyncio.run(run())
    assert [one.uri for one in server.told] == ["file:///b.phe"]
    assert server.logged
    assert all("RuntimeError: cannot" in line for line in server.logged)


def test_edits_that_come_together_are_looked_at_once() -> None:
    server = Heard()

    async def run() -> None:
        open_text(server, "a")
        for version in range(2, 50):
            identity = types.VersionedTextDocumentIdentifier(version, "file:///a.phe")
            whole = types.TextDocumentContentChangeWholeDocument(f"// {version}")
            params = types.DidChangeTextDocumentParams(identity, [whole])
            server.take_in("an edit", partial(Session.change, params=params))
        await wait_until_told(server, 1)
        await asyncio.sleep(0.05)

    asyncio.run(run())
    assert [one.version for one in server.told] == [49]
