"""How the server is reached: standard input and output, or a port for debugging."""

import gc
import logging
import os
import sys
from contextlib import suppress

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
    server.start_io(stdout=output)
    return 0 if server.is_dismissed else 1


def serve_port(host: str, port: int) -> int:
    """One client, as often as the server is started; says on standard error where it listens."""
    logging.basicConfig(stream=sys.stderr, format="%(message)s")
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    logging.getLogger("pygls.server").setLevel(logging.INFO)
    server = _make_server()
    with suppress(SystemExit):  # how pygls ends after `exit`
        server.start_tcp(host, port)
    return 0 if server.is_dismissed else 1


def _make_server() -> Server:
    server = Server()
    # All that is loaded by now stays; looking through it for garbage again and again takes as
    # long as checking an edit.
    gc.collect()
    gc.freeze()
    return server
