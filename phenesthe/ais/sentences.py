"""Lines of NMEA 0183 taken apart: when they were received, whether they came whole, what they say.

The time of a line is in a tag block (`\\c:1577836800*5A\\!AIVDM,…`), before the sentence as seconds
or ISO 8601, or behind it, as the US Coast Guard writes it (`…*26,r003669961,1577836800`).
"""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.ais.numbers import read_times
from phenesthe.arrow import to_bools
from phenesthe.kernels.arrays import Mask

_LINE = (
    r"^(?P<before>[^!]*)!(?P<body>[A-Z]{2}VD[MO],(?P<total>\d),(?P<number>\d),(?P<group>\d?),"
    r"(?P<channel>[^,]*),(?P<payload>[^,*]+),\d)\*(?P<sum>[0-9A-Fa-f]{2})(?P<after>.*)$"
)
_TAG = r"(?:^|[\\,])c:(?P<time>\d+)"
_BEFORE = r"^\W*(?P<time>\d[^\\\s,;]*(?:[ ]\d[^\\\s,;]*)?)[\s,;]*$"
_AFTER = r",(?P<time>\d{9,10})\s*$"


def take_apart(lines: Any) -> tuple[Any, int]:
    """A table of the sentences, and how many lines are none; empty lines do not count.

    Columns: body, total, number, group, channel, payload, sum as text, t in seconds or null.
    """
    found = pc.extract_regex(lines, _LINE)
    is_sentence = pc.is_valid(found)
    texts = found.filter(is_sentence)
    parts = pa.table(
        {
            name: pa.chunked_array([pc.struct_field(texts, name)])
            for name in ("body", "total", "number", "group", "channel", "payload", "sum")
        }
    )
    before, after = (
        pa.chunked_array([pc.struct_field(texts, name)]) for name in ("before", "after")
    )
    parts = parts.append_column("t", _read_receipt(before, after))
    blank = pc.equal(pc.utf8_length(pc.utf8_trim_whitespace(lines)), 0)
    strange = pc.sum(pc.invert(pc.or_(is_sentence, blank))).as_py() or 0
    return parts, strange


def _read_receipt(before: Any, after: Any) -> Any:
    """Seconds since 1970, by the first way that gives any."""
    times = [
        read_times(_find(column, pattern), days_first=False)
        for column, pattern in ((before, _TAG), (before, _BEFORE), (after, _AFTER))
    ]
    return pc.coalesce(*times)


def _find(column: Any, pattern: str) -> Any:
    return pc.struct_field(pc.extract_regex(column, pattern), "time")


def mark_whole(parts: Any) -> Mask:
    """Whether the checksum of a sentence is that of its characters."""
    body = parts["body"].combine_chunks()
    if isinstance(body, pa.ChunkedArray):
        body = pa.concat_arrays(body.chunks)
    if not len(body):
        return np.zeros(0, dtype=bool)
    offsets = np.frombuffer(body.buffers()[1], dtype=np.int32)[
        body.offset : body.offset + len(body) + 1
    ]
    characters = np.frombuffer(body.buffers()[2], dtype=np.uint8)
    sums = np.bitwise_xor.reduceat(characters[: offsets[-1]], offsets[:-1])
    digits = np.array(
        ["0123456789ABCDEF"[one >> 4] + "0123456789ABCDEF"[one & 15] for one in range(256)]
    )
    said = pc.utf8_upper(parts["sum"])
    written = pa.DictionaryArray.from_arrays(
        pa.array(sums), pa.array(digits.tolist(), pa.string())
    ).cast(pa.string())
    return to_bools(pc.equal(said, pa.chunked_array([written])))
