"""What disks, copies and people do to files."""

import gzip
import zlib
from collections.abc import Callable
from random import Random

Damage = Callable[[bytes, Random], bytes]


def flip_bits(data: bytes, draw: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 8))):
        if changed:
            changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def cut_short(data: bytes, draw: Random) -> bytes:
    return data[: draw.randrange(len(data) + 1)]


def cut_beginning(data: bytes, draw: Random) -> bytes:
    return data[draw.randrange(len(data) + 1) :]


def insert_bytes(data: bytes, draw: Random) -> bytes:
    at = draw.randrange(len(data) + 1)
    piece = draw.choice((b"\0", b"\xff\xfe", b'"', b"\n", b"\r", b"{", b"[" * 2000, b"9" * 5000))
    return data[:at] + piece + data[at:]


def remove_bytes(data: bytes, draw: Random) -> bytes:
    start, end = _choose_block(data, draw)
    return data[:start] + data[end:]


def double_block(data: bytes, draw: Random) -> bytes:
    start, end = _choose_block(data, draw)
    return data[:end] + data[start:end] + data[end:]


def swap_blocks(data: bytes, draw: Random) -> bytes:
    start, end = _choose_block(data, draw)
    middle = draw.randrange(start, end + 1)
    return data[:start] + data[middle:end] + data[start:middle] + data[end:]


def fill_with_zeros(data: bytes, draw: Random) -> bytes:
    start, end = _choose_block(data, draw)
    return data[:start] + bytes(end - start) + data[end:]


def encode_otherwise(data: bytes, draw: Random) -> bytes:
    text = data.decode("latin-1")
    return text.encode(draw.choice(("utf-16", "utf-8-sig", "utf-32", "cp037")), errors="replace")


def swap_values(data: bytes, draw: Random) -> bytes:
    """Numbers become others: far away, fractions, texts, nothing."""
    digits = [at for at, byte in enumerate(data) if 48 <= byte < 58]
    if not digits:
        return data
    at = draw.choice(digits)
    other = draw.choice((b"-", b"", b"1e400", b"NaN", b"99999999999999999999", b"null", b"1.5"))
    return data[:at] + other + data[at + 1 :]


def empty(_data: bytes, _draw: Random) -> bytes:
    return b""


def pack_again(data: bytes, _draw: Random) -> bytes:
    return gzip.compress(data, 1)


def reseal(data: bytes) -> bytes:
    """A part of a state whose check is right again, as if somebody had written it so."""
    line, rest = data[:64], data[64:]
    words = line.split()
    if len(words) != 6:
        return data
    words[3:5] = [b"%08x" % zlib.crc32(rest), b"%d" % len(rest)]
    return b" ".join(words).ljust(63) + b"\n" + rest


DAMAGES: dict[str, Damage] = {
    one.__name__: one
    for one in (
        flip_bits,
        cut_short,
        cut_beginning,
        insert_bytes,
        remove_bytes,
        double_block,
        swap_blocks,
        fill_with_zeros,
        encode_otherwise,
        swap_values,
        empty,
        pack_again,
    )
}


def _choose_block(data: bytes, draw: Random) -> tuple[int, int]:
    start = draw.randrange(len(data) + 1)
    return start, min(len(data), start + draw.choice((1, 4, 16, 64, 512)))
