"""Lines of CSV as reports. The same for a block of a file and for lines that Spark has read."""

from codecs import BOM_UTF8
from collections import Counter
from dataclasses import replace
from typing import Any

import pyarrow as pa

from phenesthe.ais.normalise import Chunk, normalise
from phenesthe.ais.sources import Source
from phenesthe.io.read_csv import parse
from phenesthe.io.text import decode_text


def read_block(block: bytes, source: Source) -> Chunk:
    """The reports of whole lines. Lines with too few or too many fields are set aside.

    A quote that nobody closes would take the lines after it along. Where lines and rows do not
    agree, quotes are therefore plain characters in lines that have an odd number of them. The
    header may come anywhere, since a block does not know whether it is a file's first.
    """
    block = _drop_header(block, source.text.line)
    if not block.strip():
        return normalise(_make_empty(source), source.form)
    table, broken = _parse(block, source)
    if table.num_rows + broken != _count_lines(block):
        lines = [line for line in block.splitlines() if line.strip()]
        parts = [[line for line in lines if line.count(b'"') % 2 == odd] for odd in (0, 1)]
        parsed = [
            _parse(b"\n".join(part), source, quotes=not odd)
            for odd, part in enumerate(parts)
            if part
        ]
        table = pa.concat_tables([one for one, _ in parsed])
        broken = sum(count for _, count in parsed)
    chunk = normalise(table, source.form)
    lost = Counter(unreadable=broken)
    return replace(chunk, read=chunk.read + broken, dropped=chunk.dropped + lost)


def _drop_header(block: bytes, header: bytes) -> bytes:
    block = block.removeprefix(BOM_UTF8).replace(b"\n" + BOM_UTF8, b"\n")
    if block.startswith(header) and block[len(header) : len(header) + 1] in (b"", b"\r", b"\n"):
        block = block[len(header) :]
    if b"\n" + header in block:
        # Several files in one block.
        ends = (header, header + b"\r")
        block = b"\n".join(line for line in block.split(b"\n") if line not in ends)
    return block


def _parse(block: bytes, source: Source, *, quotes: bool = True) -> tuple[Any, int]:
    """The wanted columns as text, and how many lines do not have the right number of fields."""
    broken = []
    columns = list(dict.fromkeys(source.form.wanted))
    table = parse(
        pa.BufferReader(block),
        columns,
        source.text,
        on_broken=lambda number, _: broken.append(number),
        is_text=_is_text(block),
        by_line=True,
        quotes=quotes,
    )
    texts = [decode_text(one, source.text.encoding).values for one in table.columns]
    return pa.table(texts, names=columns), len(broken)


def _is_text(block: bytes) -> bool:
    try:
        block.isascii() or block.decode()
    except UnicodeDecodeError:
        return False
    return True


def _count_lines(block: bytes) -> int:
    return block.count(b"\n") + (not block.endswith(b"\n")) - block.startswith((b"\n", b"\r\n"))


def _make_empty(source: Source) -> Any:
    return pa.table({name: pa.nulls(0, pa.string()) for name in source.form.wanted})
