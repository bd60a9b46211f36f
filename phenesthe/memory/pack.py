"""One file that holds plain values and tables, and knows when it was damaged.

| bytes | hold |
|---|---|
| the first 64 | a line of text: `phenesthe`, what it is, the format, a check of the rest, its size and that of the values |
| the values | JSON: what was given, and where each table is |
| the tables | Arrow IPC streams, each at a multiple of 64 bytes |

The check is a CRC-32: it is there for disks and copies that fail, and takes less than half the time
of a hash that would also withstand somebody who writes a state by hand.
"""  # noqa: E501

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

_LINE = 64
_PLACE = 64


#: What reading raises where somebody else has written.
_UNREADABLE = (
    ValueError, KeyError, TypeError, AttributeError, RecursionError, MemoryError, OverflowError,
    OSError, pa.ArrowException,
)  # fmt: skip


class Damage(Exception):
    """Not as it was written."""


@dataclass(frozen=True, slots=True)
class Packed:
    #: What stands at the beginning of the file, by which another of the same name is told apart.
    line: bytes
    #: Everything after that.
    pieces: tuple[Any, ...]

    @property
    def size(self) -> int:
        return sum(map(len, (self.line, *self.pieces)))


def pack_file(
    sort: str, format_: str, content: Mapping[str, Any], tables: Mapping[str, pa.Table]
) -> Packed:
    streams = [_write(table) for table in tables.values()]
    places, place = {}, 0
    for name, stream in zip(tables, streams, strict=True):
        places[name] = (place, stream.size)
        place += stream.size + _count_missing(stream.size)
    values = json.dumps({"content": dict(content), "tables": places}).encode()
    pieces: list[Any] = [values, bytes(_count_missing(len(values)))]
    for stream in streams:
        pieces += [memoryview(stream), bytes(_count_missing(stream.size))]
    check = 0
    for piece in pieces:
        check = zlib.crc32(piece, check)
    size = sum(map(len, pieces))
    line = f"phenesthe {sort} {format_} {check:08x} {size} {len(values)}"
    return Packed(f"{line:{_LINE - 1}}\n".encode(), tuple(pieces))


def find_format(data: bytes, sort: str) -> str:
    """The format of a file, whatever follows. Raises `Damage` if it is no such file."""
    return _read_line(data, sort)[0]


def unpack_file(data: bytes, sort: str) -> tuple[dict[str, Any], dict[str, pa.Table]]:
    """What was packed; the tables are views of the data. Raises `Damage`."""
    _, check, size, length = _read_line(data, sort)
    rest = memoryview(data)[_LINE:]
    if len(rest) != size or zlib.crc32(rest) != check:
        raise Damage
    try:
        found = json.loads(bytes(rest[:length]))
        start = _LINE + length + _count_missing(length)
        buffer = pa.py_buffer(data)
        tables = {
            name: _read(buffer, start + place, size)
            for name, (place, size) in found["tables"].items()
        }
        return dict(found["content"]), tables
    except _UNREADABLE:
        raise Damage from None


def _read(buffer: pa.Buffer, start: int, size: int) -> pa.Table:
    if not 0 <= start <= start + size <= buffer.size:
        raise Damage
    table = pa.ipc.open_stream(buffer.slice(start, size)).read_all()
    # Arrow believes the lengths and places that stand in it, and would read what is not there.
    table.validate(full=True)
    return table


def _read_line(data: bytes, sort: str) -> tuple[str, int, int, int]:
    try:
        ours, what, format_, check, size, length = data[:_LINE].decode("ascii").split()
        if (ours, what) != ("phenesthe", sort):
            raise Damage
        return format_, int(check, 16), int(size), int(length)
    except ValueError:
        raise Damage from None


def _count_missing(size: int) -> int:
    """Bytes up to the next place where something may begin."""
    return -size % _PLACE


def _write(table: pa.Table) -> pa.Buffer:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()
