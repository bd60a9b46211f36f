"""How the server is reached: standard input and output, or a port for debugging."""

import asyncio
import gc
import logging
import os
import sys
import threading
from asyncio import StreamReader, StreamWriter
from contextlib import suppress

from pygls.io_ import run_async

from phenesthe.lsp.bounds import BoundedSocket, BoundedStream
from phenesthe.lsp.server import Server


def serve_standard_streams() -> int:
    """The exit code the protocol asks for: 0 after `shutdown`, 1 if the client just went away.

    The protocol gets the standard output for itself; whatever else is written there, by a library
    say, goes to the standard error.
    """
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    sys.stdout.flush()
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    server = _make_server()
    server.start_io(stdin=BoundedStream(sys.stdin.buffer), stdout=output)  # type: ignore[arg-type]
    return 0 if server.is_dismissed else 1


def serve_port(host: str, port: int) -> int:
    """One client, as often as the server is started; says on standard error where it listens."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    server = _make_server()
    with suppress(SystemExit):  # how pygls ends after `exit`
        asyncio.run(_serve_client(server, host, port))
    return 0 if server.is_dismissed else 1


async def _serve_client(server: Server, host: str, port: int) -> None:
    """Until the client is gone, however it goes. Whoever comes second finds nobody.

    pygls would let several share what is open, and wait for ever once one is cut off.
    """
    met: asyncio.Future[tuple[StreamReader, StreamWriter]]
    met = asyncio.get_running_loop().create_future()

    def meet(reader: StreamReader, writer: StreamWriter) -> None:
        if met.done():
            writer.close()
        else:
            met.set_result((reader, writer))

    listening = await asyncio.start_server(meet, host, port)
    places = ", ".join(str(one.getsockname()) for one in listening.sockets)
    print(f"listening on {places}", file=sys.stderr, flush=True)
    reader, writer = await met
    listening.close()
    server.protocol.set_writer(writer)
    with suppress(OSError, EOFError):
        await run_async(
            threading.Event(),
            BoundedSocket(reader),
            server.protocol,
            error_handler=server.report_server_error,
        )


def _make_server() -> Server:
    server = Server()
    # All that is loaded by now stays; looking through it for garbage again and again takes as
    # long as checking an edit.
    gc.collect()
    gc.freeze()
    return server
