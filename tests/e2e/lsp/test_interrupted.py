"""Work that nobody waits for any more."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.lsp.editor import COMMAND, get_environment
from tests.tools.wire import Wire

_PATIENCE = 20.0
TEXT = "input event bell();\nevent alarm() : bell();\n"


class Trap:
    """Data that a preview waits for, for ever: a pipe into which nothing is written."""

    def __init__(self, file: Path) -> None:
        os.mkfifo(file)
        self._file = file
        self._end: int | None = None

    def wait_until_entered(self) -> None:
        deadline = time.monotonic() + _PATIENCE
        while self._end is None:
            try:
                self._end = os.open(self._file, os.O_WRONLY | os.O_NONBLOCK)
            except OSError:  # nobody reads it yet
                assert time.monotonic() < deadline, "no preview reads the data"
                time.sleep(0.02)

    def wait_until_left(self) -> None:
        """Within less than the time after which a preview is given up by itself."""
        assert self._end is not None
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            try:
                os.write(self._end, b"\n")
            except BrokenPipeError:
                return
            time.sleep(0.02)
        raise AssertionError("the preview goes on")

    def close(self) -> None:
        if self._end is not None:
            os.close(self._end)


@pytest.fixture
def trap(tmp_path: Path) -> Iterator[Trap]:
    made = Trap(tmp_path / "a.sample.jsonl")
    yield made
    made.close()


def begin_preview(wire: Wire, file: Path) -> int:
    uri = file.as_uri()
    wire.open(uri, TEXT)
    params = {"command": "phenesthe.preview", "arguments": [uri, "alarm"]}
    return wire.begin_asking("workspace/executeCommand", params)


def test_a_preview_that_is_cancelled_ends(tmp_path: Path, trap: Trap) -> None:
    with Wire(tmp_path) as wire:
        asked = begin_preview(wire, tmp_path / "a.phe")
        trap.wait_until_entered()
        # Another one has to wait for its turn, and gets it.
        other = begin_preview(wire, tmp_path / "b.phe")
        wire.tell("$/cancelRequest", {"id": asked})
        with pytest.raises(RuntimeError, match="-32800"):
            wire.read_answer(asked)
        trap.wait_until_left()
        assert "b.sample.jsonl" in wire.read_answer(other)["text"]
        assert not wire.errors


def test_a_preview_ends_when_the_editor_does(tmp_path: Path, trap: Trap) -> None:
    with Wire(tmp_path) as wire:
        begin_preview(wire, tmp_path / "a.phe")
        trap.wait_until_entered()
    trap.wait_until_left()


def test_a_preview_ends_when_the_editor_is_killed(tmp_path: Path, trap: Trap) -> None:
    """Without a word of the server: nobody is there to read it."""
    uri = (tmp_path / "a.phe").as_uri()
    item = {"uri": uri, "languageId": "phenesthe", "version": 1, "text": TEXT}
    wanted = {"command": "phenesthe.preview", "arguments": [uri, "alarm"]}
    server = subprocess.Popen(
        COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=get_environment(),
    )
    with server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdin.write(frame("initialize", {"capabilities": {}}, 1))
        server.stdin.write(frame("textDocument/didOpen", {"textDocument": item}))
        server.stdin.write(frame("workspace/executeCommand", wanted, 2))
        server.stdin.flush()
        trap.wait_until_entered()
        server.stdout.close()
        server.stdin.close()
        assert server.wait(_PATIENCE) == 1
        assert server.stderr.read() == b""
    trap.wait_until_left()


def frame(method: str, params: object, number: int | None = None) -> bytes:
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    body = json.dumps(message if number is None else {**message, "id": number}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def test_a_command_that_is_none(tmp_path: Path) -> None:
    params = {"command": "phenesthe.nothing", "arguments": []}
    with Wire(tmp_path) as wire, pytest.raises(RuntimeError, match=r"`phenesthe\.nothing`"):
        wire.ask("workspace/executeCommand", params)
