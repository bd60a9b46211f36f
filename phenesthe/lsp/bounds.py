"""How much of a message is read. What says that it has more bytes is passed over, not kept.

pygls asks for as many bytes as a message says it has, and for lines of any length.
"""

import json
from asyncio import StreamReader
from typing import BinaryIO

#: A file that is read has at most 2 MiB, and may be sent whole, with every character escaped.
MAX_MESSAGE = 64 * 2**20
#: The lines before a message; a longer one is no header.
_MAX_HEADER = 1024
_PIECE = 2**16
#: What is told of a message that was passed over: a notification from ourselves to ourselves.
REFUSED = "$phenesthe/refused"


class BoundedStream:
    """A stream of bytes as pygls reads it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self) -> bytes:
        return self._stream.readline(_MAX_HEADER)

    def read(self, size: int) -> bytes:
        if size <= MAX_MESSAGE:
            return self._stream.read(size)
        left = size
        while left:
            piece = self._stream.read(min(left, _PIECE))
            if not piece:
                return b""
            left -= len(piece)
        return _refuse(size)


class BoundedSocket:
    """The same of a connection."""

    def __init__(self, reader: StreamReader) -> None:
        self._reader = reader

    async def readline(self) -> bytes:
        """A line that is longer than the connection keeps is none; the next one may be."""
        try:
            return await self._reader.readline()
        except ValueError:
            return b"\n"

    async def readexactly(self, size: int) -> bytes:
        if size <= MAX_MESSAGE:
            return await self._reader.readexactly(size)
        left = size
        while left:
            piece = await self._reader.read(min(left, _PIECE))
            if not piece:
                return b""
            left -= len(piece)
        return _refuse(size)


def _refuse(size: int) -> bytes:
    note = {"jsonrpc": "2.0", "method": REFUSED, "params": {"size": size}}
    return json.dumps(note).encode()
