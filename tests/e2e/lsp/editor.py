"""An editor without a screen: a client of the protocol, its files, and what it was told."""

import asyncio
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

from phenesthe.lsp.positions import Counting
from phenesthe.lsp.uris import make_uri
from phenesthe.syntax.source import Source
from tests.strategies.corpus import PROJECT

COMMAND = (sys.executable, "-m", "phenesthe", "lsp")
#: Where the cursor is in a text of a test.
CURSOR = "‸"
_PATIENCE = 20.0


def get_environment() -> dict[str, str]:
    """The server must be the one beside these tests, whatever is installed."""
    return {**os.environ, "PYTHONPATH": str(PROJECT)}


class Editor:
    """One client of one server, with the files of one test in a folder of its own."""

    def __init__(self, client: LanguageClient, folder: Path, counting: Counting) -> None:
        self.client = client
        self.folder = folder
        self.counting = counting
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}

    def find_uri(self, name: str) -> str:
        """A name that is an address already is that of a text nobody saved."""
        return name if name.startswith("untitled:") else make_uri(self.folder / name)

    def name(self, name: str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.find_uri(name))

    def save(self, name: str, text: str) -> Path:
        """A file on the disk."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def open(self, name: str, text: str) -> types.TextDocumentPositionParams:
        """Give an open text, on the disk or not, and where its cursor is."""
        offset = max(text.find(CURSOR), 0)
        text = text.replace(CURSOR, "")
        self.texts[name] = text
        self.versions[name] = 1
        item = types.TextDocumentItem(self.find_uri(name), "phenesthe", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return types.TextDocumentPositionParams(self.name(name), self.find_position(name, offset))

    def replace(self, name: str, old: str, new: str) -> None:
        """Edit the first place at which a text has `old`."""
        start = self.texts[name].index(old)
        self.edit(name, start, start + len(old), new)

    def edit(self, name: str, start: int, end: int, new: str) -> None:
        change = types.TextDocumentContentChangePartial(self.find_range(name, start, end), new)
        self.texts[name] = self.texts[name][:start] + new + self.texts[name][end:]
        self.send(name, change)

    def send(self, name: str, *changes: types.TextDocumentContentChangeEvent) -> None:
        self.versions[name] += 1
        identity = types.VersionedTextDocumentIdentifier(self.versions[name], self.find_uri(name))
        params = types.DidChangeTextDocumentParams(identity, list(changes))
        self.client.text_document_did_change(params)

    def close(self, name: str) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(self.name(name)))

    async def read_diagnostics(self, name: str) -> list[types.Diagnostic]:
        """What the server says of the text as it is now."""
        told = await self.wait_for(name, lambda told: told.version == self.versions[name])
        return list(told.diagnostics)

    async def read_codes(self, name: str) -> list[str]:
        return [str(one.code) for one in await self.read_diagnostics(name)]

    async def wait_for(
        self, name: str, is_wanted: Callable[[types.PublishDiagnosticsParams], bool]
    ) -> types.PublishDiagnosticsParams:
        return await self.wait_for_address(self.find_uri(name), is_wanted)

    async def wait_for_address(
        self, uri: str, is_wanted: Callable[[types.PublishDiagnosticsParams], bool]
    ) -> types.PublishDiagnosticsParams:
        async with asyncio.timeout(_PATIENCE):
            while True:
                told = get_told(self.client).get(uri)
                if told is not None and is_wanted(told):
                    return told
                await asyncio.sleep(0.005)

    def find_position(self, name: str, offset: int) -> types.Position:
        return self.counting.find_position(Source(name, self.texts[name]), offset)

    def find_range(self, name: str, start: int, end: int) -> types.Range:
        return self.counting.range_between(Source(name, self.texts[name]), start, end)

    def range_of(self, name: str, part: str, nth: int = 0) -> types.Range:
        """Where a part of a text is."""
        start = -1
        for _ in range(nth + 1):
            start = self.texts[name].index(part, start + 1)
        return self.find_range(name, start, start + len(part))

    def read(self, name: str, where: types.Range) -> str:
        start, end = self.counting.find_offsets(Source(name, self.texts[name]), where)
        return self.texts[name][start:end]

    def apply(self, name: str, edits: list[types.TextEdit]) -> str:
        """The text after edits that all count in the text as it is."""
        source = Source(name, self.texts[name])
        text = source.text
        places = [(self.counting.find_offsets(source, one.range), one.new_text) for one in edits]
        for (start, end), new in sorted(places, reverse=True):
            text = text[:start] + new + text[end:]
        return text


def get_told(client: LanguageClient) -> dict[str, types.PublishDiagnosticsParams]:
    told: dict[str, types.PublishDiagnosticsParams] = vars(client).setdefault("told", {})
    return told


def count_refreshes(client: LanguageClient) -> int:
    """How often the server asked for lenses to be looked at again."""
    count: int = vars(client).get("refreshed", 0)
    return count


def make_client() -> LanguageClient:
    client = LanguageClient(converter_factory=default_converter)

    def take_diagnostics(ls: LanguageClient, params: types.PublishDiagnosticsParams) -> None:
        get_told(ls)[params.uri] = params

    def take_refresh(ls: LanguageClient, _params: Any) -> None:
        vars(ls)["refreshed"] = count_refreshes(ls) + 1

    def accept(_params: Any) -> None:
        """Registrations and refreshes: a client that shows nothing has nothing to do."""

    features: dict[str, Any] = {
        **DEFAULT_CLIENT_FEATURES,
        types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: take_diagnostics,
        types.CLIENT_REGISTER_CAPABILITY: accept,
        types.WORKSPACE_INLAY_HINT_REFRESH: accept,
        types.WORKSPACE_SEMANTIC_TOKENS_REFRESH: accept,
        types.WORKSPACE_CODE_LENS_REFRESH: take_refresh,
    }
    register_lsp_features(client, features)
    return client


async def start_client(
    capabilities: types.ClientCapabilities,
    folder: Path,
    settings: Mapping[str, object] | None = None,
) -> tuple[LanguageClient, types.InitializeResult]:
    client = make_client()
    client.set_configuration({"phenesthe": dict(settings or {})})
    await client.start_io(*COMMAND, env=get_environment())
    return client, await begin(client, capabilities, folder)


async def begin(
    client: LanguageClient, capabilities: types.ClientCapabilities, folder: Path
) -> types.InitializeResult:
    return await client.initialize_session(
        types.InitializeParams(
            capabilities=capabilities,
            workspace_folders=[types.WorkspaceFolder(make_uri(folder), folder.name)],
        )
    )


async def end_client(client: LanguageClient) -> None:
    await client.shutdown_session()
    await client.stop()  # type: ignore[no-untyped-call]
