"""The least a client of a language server needs: messages out, messages in, nothing in between."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from queue import Empty, Queue
from types import TracebackType
from typing import Any, BinaryIO

from tests.strategies.corpus import PROJECT

_PATIENCE = 60.0

#: What is said of a file: the version it is about, and the diagnostics.
Told = tuple[int | None, list[dict[str, Any]]]


class Wire:
    """A server of its own, started and stopped with a `with` block.

    `told` has the latest diagnostics by address, `errors` what the server had to complain about.
    """

    def __init__(self, folder: Path, capabilities: Mapping[str, object] | None = None) -> None:
        self.told: dict[str, Told] = {}
        self.errors: list[str] = []
        self._number = 0
        self._arrived: Queue[tuple[float, dict[str, Any]] | None] = Queue()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "phenesthe", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(PROJECT)},
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._out: BinaryIO = self._process.stdin  # type: ignore[assignment]
        reader = threading.Thread(target=self._listen, args=(self._process.stdout,), daemon=True)
        reader.start()
        folders = [{"uri": folder.as_uri(), "name": "folder"}]
        can = dict(capabilities or {})
        self.ask("initialize", {"capabilities": can, "workspaceFolders": folders})
        self.tell("initialized", {})

    def __enter__(self) -> "Wire":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if problem is None:
            self.ask("shutdown", None)
            self.tell("exit", None)
            code = self._process.wait(_PATIENCE)
            assert code == 0, f"the server ended with {code}"
        else:
            self._process.kill()
            self._process.wait(_PATIENCE)

    def tell(self, method: str, params: Mapping[str, object] | None) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: Mapping[str, object] | None) -> Any:
        return self.read_answer(self.begin_asking(method, params))

    def begin_asking(self, method: str, params: Mapping[str, object] | None) -> int:
        """The number by which the answer is known."""
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self._send(message)
        return self._number

    def read_answer(self, number: int) -> Any:
        """Answers to other questions that come first are dropped."""
        while True:
            _, message = self._receive()
            if message.get("id") == number and "method" not in message:
                if "error" in message:
                    raise RuntimeError(f"the server refuses: {message['error']}")
                return message.get("result")

    def open(self, uri: str, text: str, version: int = 0) -> None:
        item = {"uri": uri, "languageId": "phenesthe", "version": version, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, changes: list[dict[str, object]]) -> None:
        identity = {"uri": uri, "version": version}
        params = {"textDocument": identity, "contentChanges": changes}
        self.tell("textDocument/didChange", params)

    def close(self, uri: str) -> None:
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})

    def wait(self, uri: str, version: int) -> float:
        """When the diagnostics of a version, or of one after it, arrived."""
        while True:
            at, message = self._receive()
            params = message.get("params", {})
            is_told = message.get("method") == "textDocument/publishDiagnostics"
            if is_told and params["uri"] == uri and (params.get("version") or 0) >= version:
                return at

    def _receive(self) -> tuple[float, dict[str, Any]]:
        try:
            arrived = self._arrived.get(timeout=_PATIENCE)
        except Empty:
            raise RuntimeError("the server does not answer") from None
        if arrived is None:
            raise RuntimeError("the server has ended")
        _, message = arrived
        match message.get("method"):
            case "textDocument/publishDiagnostics":
                params = message["params"]
                self.told[params["uri"]] = params.get("version"), params["diagnostics"]
            case "window/logMessage" | "window/showMessage":
                self.errors.append(message["params"]["message"])
        return arrived

    def _send(self, message: Mapping[str, object]) -> None:
        body = json.dumps(message).encode()
        self._out.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._out.flush()

    def _listen(self, stream: BinaryIO) -> None:
        """In a thread, so that the time of arrival is the time of arrival."""
        while header := stream.readline():
            length = int(header.partition(b":")[2])
            while stream.readline().strip():
                pass
            body = stream.read(length)
            self._arrived.put((time.perf_counter(), json.loads(body)))
        self._arrived.put(None)
