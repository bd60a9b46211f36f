"""What was read, kept, dropped and written: counted in parts, added up, told."""

from collections import Counter
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import numpy as np
import pyarrow as pa

from phenesthe.ais.normalise import Chunk
from phenesthe.ais.settings import Settings
from phenesthe.ais.tables import TABLES
from phenesthe.ais.track import make_events
from phenesthe.ais.unreadable import Unreadable
from phenesthe.arrow import pack, to_ints
from phenesthe.io.times import format_time
from phenesthe.kernels.order import mark_new

#: Why a row is dropped, in the words of the documentation.
REASONS = {
    "unreadable": "a line that is no report, or no number where one must be",
    "line_too_long": "a line of more than 16 MiB",
    "bad_checksum": "an NMEA sentence that was received wrongly",
    "incomplete_message": "an NMEA message of which a part is missing",
    "other_message": "an NMEA message that tells no vessel's position",
    "static_report": "a message about a vessel without its position; its type is used",
    "no_time": "an NMEA sentence without the time of its receipt",
    "not_a_vessel": "a base station, a buoy or the like",
    "bad_id": "an MMSI that no ship can have",
    "no_position": "a position that is missing or not available",
    "impossible_position": "a position outside the globe, or 0, 0",
    "duplicate": "the same vessel, instant and position again",
    "shared_id": "another ship with the same MMSI, with fewer reports",
    "jump": "a position that the vessel cannot have reached",
    "same_instant": "a second report of a vessel in one second",
    "no_speed": "no speed, and no report near enough in time to derive it from",
}

#: Of the rows in which a tally travels.
SCHEMA = pa.schema([("what", pa.string()), ("name", pa.string()), ("count", pa.int64())])


@dataclass(slots=True)
class Tally:
    read: int = 0
    kept: int = 0
    vessels: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    #: Rows by table.
    rows: Counter[str] = field(default_factory=Counter)
    #: Rows by file, of what the tasks of Spark write.
    files: dict[str, int] = field(default_factory=dict)
    #: When each vessel was heard last.
    heard: dict[int, int] = field(default_factory=dict)
    first: int | None = None
    last: int | None = None
    unreadable: Unreadable = field(default_factory=Unreadable)

    def add_read(self, chunk: Chunk) -> None:
        """Count what was read and set aside for a chunk that is not yet clean."""
        self.read += chunk.read
        self.dropped += chunk.dropped
        self.unreadable.add(chunk.unreadable)

    def add_kept(self, chunk: Chunk, vessels: int) -> None:
        """Count a clean chunk, sorted by vessel and time, that has all reports of its vessels."""
        self.dropped += chunk.dropped
        self.kept += chunk.rows.num_rows
        self.vessels += vessels
        if chunk.rows.num_rows:
            vessel, t = (to_ints(chunk.rows[name]) for name in ("vessel", "t"))
            self._add_span(int(t.min()), int(t.max()))
            is_last = np.append(mark_new(vessel)[1:], True)
            self.heard.update(zip(vessel[is_last].tolist(), t[is_last].tolist(), strict=True))

    def _add_span(self, first: int, last: int) -> None:
        self.first = first if self.first is None else min(first, self.first)
        self.last = last if self.last is None else max(last, self.last)

    def to_table(self) -> Any:
        """As rows, for the way from a task to the driver."""
        rows: list[tuple[str, str, int | None]] = [
            ("read", "", self.read),
            ("kept", "", self.kept),
            ("vessels", "", self.vessels),
            ("first", "", self.first),
            ("last", "", self.last),
            *(("dropped", *one) for one in self.dropped.items()),
            *(("rows", *one) for one in self.rows.items()),
            *(("file", *one) for one in self.files.items()),
            *(("unreadable", *one) for one in self.unreadable.list_rows()),
            *(("heard", str(vessel), t) for vessel, t in self.heard.items()),
        ]
        told = [row for row in rows if row[2] is not None]
        columns = zip(*told, strict=True)
        return pa.table(
            [pack(one, kind) for one, kind in zip(columns, SCHEMA.types, strict=True)],
            schema=SCHEMA,
        )

    def add_table(self, table: Any) -> None:
        """Add what `to_table` of others gave."""
        first, last = [], []
        for row in table.to_pylist():
            what, name, count = row["what"], row["name"], row["count"]
            match what:
                case "read":
                    self.read += count
                case "kept":
                    self.kept += count
                case "vessels":
                    self.vessels += count
                case "first":
                    first.append(count)
                case "last":
                    last.append(count)
                case "dropped":
                    self.dropped[name] += count
                case "rows":
                    self.rows[name] += count
                case "file":
                    self.files[name] = count
                case "unreadable":
                    self.unreadable.add_row(name, count)
                case "heard":
                    self.heard[int(name)] = count
        if first:
            self._add_span(min(first), max(last))

    def list_lost(self, settings: Settings) -> Any:
        """Vessels that fall silent and are not heard again, though enough others are for as long as
        a communication gap: vessel and t of their last report, which begins one."""
        lasts = sorted(self.heard.values(), reverse=True)
        enough = max(ceil(len(lasts) * settings.still_heard), 1)
        end = lasts[enough - 1] if lasts else 0
        lost = sorted((vessel, t) for vessel, t in self.heard.items() if end - t >= settings.gap)
        vessel, t = np.array(lost, dtype=np.int64).reshape(-1, 2).T
        return make_events(vessel, t)

    def describe(self) -> dict[str, Any]:
        """For `summary.json`."""
        return {
            "read": self.read,
            "kept": self.kept,
            "dropped": self.describe_dropped(),
            "vessels": self.vessels,
            "first": None if self.first is None else format_time(self.first, "second"),
            "last": None if self.last is None else format_time(self.last, "second"),
            "tables": {name: self.rows[name] for name in TABLES},
        }

    def describe_dropped(self) -> dict[str, int]:
        """For `dropped.json`: every reason, in the order in which rows are looked at."""
        return {reason: self.dropped[reason] for reason in REASONS if self.dropped[reason]}
