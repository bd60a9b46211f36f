"""Logs of NMEA sentences as reports.

Positions in one sentence are decoded by columns (`payloads`). The rest, which is mostly what ships
say of themselves in two sentences every six minutes, goes through pyais one by one.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.ais.normalise import FLOATS, SCHEMA, TYPES, Chunk
from phenesthe.ais.payloads import LENGTH, decode_positions
from phenesthe.ais.sentences import mark_whole, take_apart
from phenesthe.arrow import mark_nulls, pack, to_bools, wrap

#: First characters of the payloads of types 1, 2, 3 and 18, and of 5, 19 and 24.
_POSITIONS = ("1", "2", "3", "B")
_OTHERS = ("5", "C", "H")
#: Sentences after which the rest of a message is no more waited for.
_PATIENCE = 10_000


@dataclass(slots=True)
class _Part:
    """The beginning of a message that has not come whole."""

    sentences: dict[int, str]
    total: int
    t: int | None
    since: int


@dataclass(slots=True)
class LogReader:
    """Reads the lines of a log in order, however many at a time."""

    _open: dict[tuple[str, str, int], _Part] = field(default_factory=dict)
    _count: int = 0

    def read(self, lines: Any) -> Chunk:
        parts, strange = take_apart(lines)
        dropped = Counter(unreadable=strange)
        whole = mark_whole(parts)
        dropped["bad_checksum"] = int((~whole).sum())
        read = strange + dropped["bad_checksum"]
        parts = parts.filter(wrap(whole))
        first = pc.utf8_slice_codeunits(parts["payload"], 0, 1)
        alone = to_bools(pc.equal(parts["total"], "1"))
        is_position = alone & _is_in(first, _POSITIONS)
        is_position &= to_bools(pc.equal(pc.utf8_length(parts["payload"]), LENGTH))
        # The rest of a message in several parts begins with anything.
        is_other = ~is_position & (~alone | _is_in(first, (*_OTHERS, *_POSITIONS)))
        dropped["other_message"] = int((~is_position & ~is_other).sum())
        read += dropped["other_message"]
        positions = self._read_positions(parts.filter(wrap(is_position)))
        others = self._read_others(parts.filter(wrap(is_other)))
        return Chunk(
            pa.concat_tables([positions.rows, others.rows]),
            read + positions.read + others.read,
            +(dropped + positions.dropped + others.dropped),
            others.types,
        )

    def finish(self) -> Chunk:
        """What is left when there are no more lines."""
        left = len(self._open)
        self._open.clear()
        return Chunk(SCHEMA.empty_table(), left, +Counter(incomplete_message=left))

    def _read_positions(self, parts: Any) -> Chunk:
        payload = pa.concat_arrays([pa.array([], pa.string()), *parts["payload"].chunks])
        characters = np.frombuffer(payload.buffers()[2] or b"", dtype=np.uint8)
        found = decode_positions(characters[: len(payload) * LENGTH].reshape(-1, LENGTH))
        columns = {name: wrap(found[name]) for name in ("vessel", *FLOATS)}
        columns |= {"t": parts["t"], "type": pa.nulls(len(payload), pa.string())}
        rows = pa.table({name: columns[name] for name in SCHEMA.names}, schema=SCHEMA)
        return Chunk(rows, len(payload)).keep(
            {"unreadable": ~found["is_valid"], "no_time": mark_nulls(rows["t"])}
        )

    def _read_others(self, parts: Any) -> Chunk:
        """Messages of several sentences, and single ones that are not of the usual length."""
        dropped: Counter[str] = Counter()
        rows: list[dict[str, Any]] = []
        types: list[tuple[int, str]] = []
        read = 0
        for part in parts.to_pylist():
            self._count += 1
            message = self._collect(part, dropped)
            if message is None:
                continue
            read += 1
            fields = _decode(message)
            if fields is None:
                dropped["unreadable"] += 1
            elif "lon" not in fields:
                dropped["static_report" if fields["msg_type"] in (5, 24) else "other_message"] += 1
            elif message.t is None:
                dropped["no_time"] += 1
            else:
                rows.append({**fields, "t": message.t})
            if fields is not None and fields.get("ship_type"):
                types.append((int(fields["mmsi"]), str(int(fields["ship_type"]))))
        read += dropped["incomplete_message"]
        return Chunk(_make_rows(rows), read, dropped, _make_types(types))

    def _collect(self, part: dict[str, Any], dropped: Counter[str]) -> _Part | None:
        """The message that a sentence completes."""
        number, total = int(part["number"]), int(part["total"])
        sentence = f"!{part['body']}*{part['sum']}"
        if total == 1:
            return _Part({1: sentence}, 1, part["t"], self._count)
        key = (part["group"], part["channel"], total)
        message = self._open.get(key)
        if message is not None and (
            number in message.sentences or self._count - message.since > _PATIENCE
        ):
            dropped["incomplete_message"] += 1
            message = None
        if message is None:
            message = self._open[key] = _Part({}, total, None, self._count)
        message.sentences[number] = sentence
        message.t = part["t"] if message.t is None else message.t
        if len(message.sentences) < total:
            return None
        return self._open.pop(key)


def _decode(message: _Part) -> dict[str, Any] | None:
    from pyais import decode

    lines = [message.sentences[number] for number in sorted(message.sentences)]
    try:
        return dict(decode(*lines).asdict())
    except Exception:
        # Whatever cannot be decoded; pyais raises many things for broken bits.
        return None


def _make_rows(rows: list[dict[str, Any]]) -> Any:
    columns = {
        "vessel": pack([int(row["mmsi"]) for row in rows], pa.int64()),
        "t": pack([row["t"] for row in rows], pa.int64()),
        "type": pa.nulls(len(rows), pa.string()),
    }
    for name in FLOATS:
        values = [None if row.get(name) is None else float(row[name]) for row in rows]
        columns[name] = pack(values, pa.float64())
    return pa.table({name: columns[name] for name in SCHEMA.names}, schema=SCHEMA)


def _make_types(types: list[tuple[int, str]]) -> Any:
    vessels, names = [one for one, _ in types], [name for _, name in types]
    columns = [pack(vessels, pa.int64()), pack(names, pa.string())]
    return pa.table(columns, schema=TYPES)


def _is_in(column: Any, characters: tuple[str, ...]) -> Any:
    return to_bools(pc.is_in(column, value_set=pack(characters, pa.string())))
