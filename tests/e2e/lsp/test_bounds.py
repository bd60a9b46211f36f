"""Messages that are too long, and those that come too early or too late."""

import asyncio
import json
import re
import socket
import subprocess

import pytest

from tests.e2e.lsp.editor import COMMAND, get_environment
from tests.e2e.lsp.test_protocol import frame, start_listening

pytestmark = pytest.mark.asyncio(loop_scope="session")

HELLO: dict[str, object] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"capabilities": {}},
}
LONG = b"Content-Length: %d\r\n\r\n%s" % (65 * 2**20, b"x" * (65 * 2**20))
GOODBYE: dict[str, object] = {"jsonrpc": "2.0", "id": 3, "method": "shutdown"}
LEAVE: dict[str, object] = {"jsonrpc": "2.0", "method": "exit"}


def ask(number: int, method: str = "textDocument/hover") -> dict[str, object]:
    at = {"textDocument": {"uri": "file:///a.phe"}, "position": {"line": 0, "character": 0}}
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": at}


def converse(*sent: bytes | dict[str, object]) -> tuple[int, dict[object, dict[str, object]], str]:
    """The exit code, the answers by their ids and what stands on stderr. In 3 GiB of addresses."""
    done = subprocess.run(
        ["/bin/sh", "-c", 'ulimit -v 3145728 && exec "$@"', "sh", *COMMAND],
        input=b"".join(one if isinstance(one, bytes) else frame(one) for one in sent),
        capture_output=True,
        env=get_environment(),
        timeout=60,
        check=False,
    )
    rest, answers = done.stdout, {}
    while rest:
        header, _, rest = rest.partition(b"\r\n\r\n")
        match = re.match(rb"Content-Length: (\d+)", header)
        assert match is not None, header
        body = json.loads(rest[: int(match[1])])
        rest = rest[int(match[1]) :]
        if "method" not in body:
            answers[body.get("id")] = body
    return done.returncode, answers, done.stderr.decode()


def find_code(answer: dict[str, object]) -> object:
    error = answer["error"]
    assert isinstance(error, dict)
    return error["code"]


async def test_requests_before_initialize_are_refused() -> None:
    code, answers, _ = converse(ask(7), HELLO, ask(8), GOODBYE, LEAVE)
    assert code == 0
    assert find_code(answers[7]) == -32002
    assert "error" not in answers[1]
    assert "error" not in answers[8]


async def test_requests_after_shutdown_are_refused() -> None:
    code, answers, _ = converse(HELLO, GOODBYE, ask(7), ask(8, "x/y"), LEAVE)
    assert code == 0
    assert find_code(answers[7]) == -32600
    assert find_code(answers[8]) == -32600


async def test_a_second_initialize_is_refused() -> None:
    _, answers, _ = converse(HELLO, {**HELLO, "id": 2}, GOODBYE, LEAVE)
    assert "error" not in answers[1]
    assert find_code(answers[2]) == -32600


async def test_notifications_before_initialize_are_dropped() -> None:
    document = {"uri": "file:///a.phe", "languageId": "phenesthe", "version": 1, "text": "x"}
    params = {"textDocument": document}
    opened: dict[str, object] = {
        "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": params,
    }  # fmt: skip
    code, answers, stderr = converse(opened, HELLO, GOODBYE, LEAVE)
    assert (code, stderr) == (0, "")
    assert set(answers) == {1, 3}


@pytest.mark.parametrize("length", ["10000000000", "9" * 500])
async def test_a_message_that_says_it_is_huge_takes_no_memory(length: str) -> None:
    code, answers, stderr = converse(HELLO, f"Content-Length: {length}\r\n\r\nx".encode())
    assert code == 1
    assert set(answers) == {1}
    assert stderr == ""


async def test_a_message_that_is_too_long_is_refused_and_the_next_one_answered() -> None:
    code, answers, stderr = converse(HELLO, LONG, ask(7), GOODBYE, LEAVE)
    assert (code, stderr) == (0, "")
    assert "at most 67,108,864 are read" in str(answers[None])
    assert "error" not in answers[7]


async def test_a_header_without_end_is_no_header() -> None:
    code, answers, stderr = converse(b"x" * 2**20 + b"\r\n", HELLO, GOODBYE, LEAVE)
    assert (code, stderr) == (0, "")
    assert set(answers) == {1, 3}


async def test_a_port_bounds_messages_too() -> None:
    sent = b"x" * 2**20 + b"\r\n" + frame(HELLO) + LONG + b"".join(map(frame, (GOODBYE, LEAVE)))
    with start_listening() as (server, port):
        with socket.create_connection(("127.0.0.1", port)) as client:
            await asyncio.to_thread(client.sendall, sent)
            answer = b""
            while b"at most 67,108,864 are read" not in answer:
                piece = await asyncio.to_thread(client.recv, 2**16)
                assert piece
                answer += piece
        assert await asyncio.to_thread(server.wait, 20) == 0
        assert server.stderr is not None
        assert server.stderr.read() == ""
