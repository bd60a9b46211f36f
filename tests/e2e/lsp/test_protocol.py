"""What client and server agree on, and what happens when something is odd."""

import asyncio
import json
import re
import socket
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities

from phenesthe.ide.analysis import analyse
from phenesthe.lsp.positions import Counting
from tests.e2e.lsp.editor import (
    COMMAND,
    Editor,
    begin,
    end_client,
    get_environment,
    make_client,
    start_client,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")

BASE = """\
input event ais(vessel: int, speed: float);
event slow(V) : ais(V, S) and S <= 0.5;
event fast(V) : ais(V, S) and S > 0.5;
state stopped(V) : slow(V) ~> fast(V);
"""
WIDE = "event odd(V) : /* é⤳\U0001f600 */ slow(V) ∧ missing(V);"


def encode(encoding: str) -> types.ClientCapabilities:
    encodings = [types.PositionEncodingKind(encoding)]
    return types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=encodings)
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_columns_are_counted_as_agreed(tmp_path: Path, encoding: str) -> None:
    client, result = await start_client(encode(encoding), tmp_path)
    assert result.capabilities.position_encoding == encoding
    editor = Editor(client, tmp_path, Counting(encoding))
    editor.open("a.phe", BASE + WIDE)
    (found,) = await editor.read_diagnostics("a.phe")
    assert editor.read("a.phe", found.range) == "missing"
    # Edits on both sides of the wide characters, in lines with all ends there are.
    editor.replace("a.phe", "\U0001f600", "\U0001f600\r\n\U00010348")
    editor.replace("a.phe", "slow(V) ∧", "slow(V)\r∧")
    editor.replace("a.phe", "missing", "odd_one(V) ∧ /* \U0001f600 */ lost")
    told = await editor.read_diagnostics("a.phe")
    wanted = analyse(tmp_path / "a.phe", editor.texts["a.phe"].encode()).diagnostics
    assert len(wanted) > 1
    assert [one.range for one in told] == [editor.counting.find_range(one.span) for one in wanted]
    await end_client(client)


async def test_every_line_end_is_followed(editor: Editor) -> None:
    """Characters that Python takes for line ends are none here."""
    editor.open("a.phe", BASE + "// a\x0bb\x0cc\x85d\u2028e\u2029f\x1cg\rstate s(V) : ‸")
    end = len(editor.texts["a.phe"])
    editor.edit("a.phe", end, end, "missing(V) ~> slow(V);\r\n")
    end = len(editor.texts["a.phe"])
    editor.edit("a.phe", end - 1, end, "// x\n")
    found = await editor.read_diagnostics("a.phe")
    assert [editor.read("a.phe", one.range) for one in found] == ["missing"]


async def test_a_byte_order_mark_shifts_nothing(editor: Editor) -> None:
    editor.open("a.phe", "\ufeffevent odd(V) : missing(V);")
    (found,) = await editor.read_diagnostics("a.phe")
    assert editor.read("a.phe", found.range) == "missing"
    editor.replace("a.phe", "missing", "lost")
    (found,) = await editor.read_diagnostics("a.phe")
    assert editor.read("a.phe", found.range) == "lost"


async def test_half_a_character_is_taken(editor: Editor) -> None:
    editor.open("a.phe", "// \ud83d\nevent odd(V) : missing(V);")
    assert await editor.read_codes("a.phe") == ["N001"]


async def test_changes_of_one_message_follow_each_other(editor: Editor) -> None:
    editor.open("a.phe", BASE)
    editor.send(
        "a.phe",
        types.TextDocumentContentChangeWholeDocument("event odd(V) : first(V);"),
        types.TextDocumentContentChangePartial(
            types.Range(types.Position(0, 15), types.Position(0, 20)), "second"
        ),
    )
    (found,) = await editor.read_diagnostics("a.phe")
    assert "`second`" in found.message


async def test_questions_about_files_that_are_not_open(editor: Editor) -> None:
    at, nowhere = types.Position(0, 0), editor.name("nowhere.phe")
    client = editor.client
    assert await client.text_document_hover_async(types.HoverParams(nowhere, at)) is None
    params = types.DocumentSymbolParams(nowhere)
    assert await client.text_document_document_symbol_async(params) is None
    whole = types.Range(at, at)
    hints = types.InlayHintParams(nowhere, whole)
    assert await client.text_document_inlay_hint_async(hints) is None


async def test_places_outside_a_text_are_no_mistake(editor: Editor) -> None:
    editor.open("a.phe", BASE)
    for at in (types.Position(99, 0), types.Position(0, 999), types.Position(5, 3)):
        params = types.HoverParams(editor.name("a.phe"), at)
        await editor.client.text_document_hover_async(params)
    assert await editor.read_diagnostics("a.phe") == []


async def test_modules_are_found_where_the_settings_say(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "base.phe").write_text(BASE, encoding="utf-8")
    capabilities = client_capabilities("visual-studio-code")
    client, _ = await start_client(capabilities, tmp_path, {"path": ["shared"]})
    editor = Editor(client, tmp_path, Counting())
    editor.open("main.phe", "import base;\nevent stop(V) : start(stopped(V));\n")
    await editor.wait_for("main.phe", lambda told: not told.diagnostics)
    settings: dict[str, object] = {"phenesthe": {"path": [], "inlayHints": False}}
    client.set_configuration(settings)
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
    told = await editor.wait_for("main.phe", lambda told: bool(told.diagnostics))
    assert "N003" in {one.code for one in told.diagnostics}
    editor.open("base.phe", BASE)
    whole = editor.find_range("base.phe", 0, len(BASE))
    hints = types.InlayHintParams(editor.name("base.phe"), whole)
    assert await client.text_document_inlay_hint_async(hints) is None
    await end_client(client)


async def test_folders_come_and_go(editor: Editor, client: LanguageClient) -> None:
    editor.save("inner/deep.phe", BASE.replace("stopped", "very_deep"))
    folder = types.WorkspaceFolder(editor.find_uri("inner"), "inner")

    async def is_found() -> bool:
        found = await client.workspace_symbol_async(types.WorkspaceSymbolParams("very_deep"))
        return bool(found)

    def tell(added: list[types.WorkspaceFolder], removed: list[types.WorkspaceFolder]) -> None:
        event = types.WorkspaceFoldersChangeEvent(added, removed)
        params = types.DidChangeWorkspaceFoldersParams(event)
        client.workspace_did_change_workspace_folders(params)

    top = types.WorkspaceFolder(Path(editor.folder.parent).as_uri(), "top")
    tell([], [top])
    assert not await is_found()
    tell([folder], [])
    assert await is_found()
    tell([top], [folder])
    assert await is_found()


async def test_relative_settings_follow_the_first_folder(tmp_path: Path) -> None:
    for name, text in (("one", BASE), ("two", BASE.replace("stopped", "halted"))):
        (tmp_path / name / "shared").mkdir(parents=True)
        (tmp_path / name / "shared" / "base.phe").write_text(text, encoding="utf-8")
    capabilities = client_capabilities("visual-studio-code")
    client, _ = await start_client(capabilities, tmp_path / "one", {"path": ["shared"]})
    editor = Editor(client, tmp_path, Counting())
    editor.open("main.phe", "import base;\nevent stop(V) : start(halted(V));\n")
    await editor.wait_for("main.phe", lambda told: bool(told.diagnostics))
    one, two = (types.WorkspaceFolder(editor.find_uri(name), name) for name in ("one", "two"))
    event = types.WorkspaceFoldersChangeEvent([two], [one])
    client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
    await editor.wait_for("main.phe", lambda told: not told.diagnostics)
    await end_client(client)


@contextmanager
def start_listening() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server, and the port it chose."""
    server = subprocess.Popen(
        [*COMMAND, "--tcp", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=get_environment(),
    )
    with server:
        assert server.stderr is not None
        found = re.search(r"\('127\.0\.0\.1', ([1-9]\d*)\)", server.stderr.readline())
        assert found is not None
        yield server, int(found[1])


async def test_a_port_for_debugging(tmp_path: Path) -> None:
    with start_listening() as (server, port):
        client = make_client()
        await client.start_tcp("127.0.0.1", port)
        await begin(client, types.ClientCapabilities(), tmp_path)
        editor = Editor(client, tmp_path, Counting())
        editor.open("a.phe", "event odd(V) : missing(V);")
        assert await editor.read_codes("a.phe") == ["N001"]
        await client.shutdown_session()
        assert await asyncio.to_thread(server.wait, 20) == 0
        assert server.stdout is not None
        assert server.stdout.read() == ""


async def test_a_port_is_for_one_client_and_closed_when_it_is_cut_off() -> None:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
    with start_listening() as (server, port):
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(frame(hello))
            assert client.recv(1)
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", port))
            # Closed at once, with most of the answer unread: a reset, not an end.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        assert await asyncio.to_thread(server.wait, 20) == 1
        assert server.stderr is not None
        assert server.stderr.read() == ""


@pytest.mark.parametrize("address", ["", "x", "70000", "here:", "1.2.3.4:-1"])
async def test_an_address_that_is_none(address: str) -> None:
    done = subprocess.run(
        [*COMMAND, "--tcp", address],
        capture_output=True,
        text=True,
        env=get_environment(),
        timeout=30,
        check=False,
    )
    assert done.returncode == 2
    assert "[HOST:]PORT" in done.stderr


def frame(message: object) -> bytes:
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


async def test_a_client_that_goes_away_ends_the_server() -> None:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
    done = subprocess.run(
        COMMAND,
        input=frame(hello),
        capture_output=True,
        env=get_environment(),
        timeout=30,
        check=False,
    )
    assert done.returncode == 1
    assert b'"serverInfo"' in done.stdout


async def test_noise_is_reported_and_survived() -> None:
    """Nothing but the protocol comes out of it."""
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
    odd = {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"no": "document"}}
    unknown = {"jsonrpc": "2.0", "id": 2, "method": "phenesthe/unknown", "params": {}}
    at = {"textDocument": {"uri": "file:///a.phe"}, "position": {"line": -1, "character": 2**40}}
    wrong: list[object] = [at, {}, None, [], {"textDocument": at, "position": "here"}]
    senseless = [
        {"jsonrpc": "2.0", "id": f"odd {n}", "method": "textDocument/hover", "params": params}
        for n, params in enumerate(wrong)
    ]
    goodbye = {"jsonrpc": "2.0", "id": 3, "method": "shutdown"}
    leave = {"jsonrpc": "2.0", "method": "exit"}
    messages = b"".join(map(frame, (hello, odd, unknown, *senseless, goodbye, leave)))
    done = subprocess.run(
        COMMAND, input=messages, capture_output=True, env=get_environment(), timeout=30, check=False
    )
    assert done.returncode == 0
    rest, answered = done.stdout, set()
    while rest:
        header, _, rest = rest.partition(b"\r\n\r\n")
        match = re.match(rb"Content-Length: (\d+)", header)
        assert match is not None, header
        body = json.loads(rest[: int(match[1])])
        answered.add(body.get("id"))
        rest = rest[int(match[1]) :]
        if str(body.get("id")).startswith("odd"):
            assert body["error"]["code"] == types.ErrorCodes.InvalidParams.value
    assert answered >= {1, 2, 3, *(one["id"] for one in senseless)}
