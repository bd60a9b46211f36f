"""`phenesthe lsp`: the language server that editors start."""

import argparse

_LOOPBACK = "127.0.0.1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--stdio",
        action="store_true",
        help="speak on standard input and output, as without options; many editors add this",
    )
    parser.add_argument(
        "--tcp",
        metavar="[HOST:]PORT",
        type=_read_address,
        help=f"listen here for one client instead, for debugging (HOST: {_LOOPBACK} if not given)",
    )


def run(given: argparse.Namespace) -> int:
    from phenesthe.lsp.start import serve_port, serve_standard_streams

    return serve_standard_streams() if given.tcp is None else serve_port(*given.tcp)


def _read_address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise argparse.ArgumentTypeError(f"`{text}` is no [HOST:]PORT")
    return host.strip("[]") or _LOOPBACK, int(port)
