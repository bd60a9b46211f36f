"""Any table of reports as the one that everything here works on.

| column | |
|---|---|
| vessel, t | int64: MMSI or the like; seconds since 1970 |
| lon, lat, speed, course, heading | float64, null where unknown: degrees, knots |
| type | text as it was told, or null |
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.ais.formats import Format
from phenesthe.ais.numbers import read_floats, read_times, read_whole
from phenesthe.ais.unreadable import Unreadable
from phenesthe.arrow import mark_nulls, pack, to_bools, wrap
from phenesthe.io.words import Wanted

FLOATS = ("lon", "lat", "speed", "course", "heading")
SCHEMA = pa.schema(
    [
        ("vessel", pa.int64()),
        ("t", pa.int64()),
        *((name, pa.float64()) for name in FLOATS),
        ("type", pa.string()),
    ]
)

TYPES = pa.schema([SCHEMA.field("vessel"), SCHEMA.field("type")])

_WANTED: Mapping[str, Wanted] = {"vessel": "int", "t": "time", "lon": "float", "lat": "float"}
#: Stations of the Danish archive that are vessels.
_VESSELS = ("Class A", "Class B")


@dataclass(slots=True)
class Chunk:
    """Reports, how many rows were read for them, and those set aside by reason.

    `types` are the vessel types told by messages without a position: vessel, type.
    """

    rows: Any
    read: int
    dropped: Counter[str] = field(default_factory=Counter)
    types: Any = field(default_factory=TYPES.empty_table)
    unreadable: Unreadable = field(default_factory=Unreadable)

    def keep(self, reasons: Mapping[str, npt.NDArray[np.bool_]]) -> "Chunk":
        """Without the rows of which a mask is true; the first of several reasons counts."""
        left = np.ones(self.rows.num_rows, dtype=bool)
        dropped = Counter(self.dropped)
        for reason, mask in reasons.items():
            dropped[reason] += int((mask & left).sum())
            left &= ~mask
        rows = self.rows if left.all() else self.rows.filter(wrap(left))
        return replace(self, rows=rows, dropped=+dropped)


def normalise(table: Any, form: Format) -> Chunk:
    """Reports of a table with columns of any type; rows without a readable key are set aside."""
    count = table.num_rows
    columns: dict[str, Any] = {}
    for name in SCHEMA.names:
        raw = table[form.columns[name]] if name in form.columns else None
        columns[name] = _read(name, raw, count, form)
    rows = pa.table(columns, schema=SCHEMA)
    lost = {
        name: _is_lost(table[form.columns[name]], rows[name])
        for name in ("vessel", "t", "lon", "lat")
    }
    unreadable = Unreadable()
    for name, mask in lost.items():
        column = form.columns[name]
        unreadable.add_values(column, _WANTED[name], table[column].filter(wrap(mask)))
    empty = mark_nulls(rows["vessel"]) | mark_nulls(rows["t"])
    return Chunk(rows, count, unreadable=unreadable).keep(
        {
            "unreadable": empty | lost["lon"] | lost["lat"],
            "not_a_vessel": _mark_stations(table, form),
        }
    )


def _read(name: str, raw: Any | None, count: int, form: Format) -> Any:
    if raw is None:
        return pa.chunked_array([pa.nulls(count, SCHEMA.field(name).type)])
    if name == "vessel":
        return read_whole(raw)
    if name == "t":
        return read_times(raw, days_first=form.days_first, form=form.time_format)
    if name == "type":
        return _read_type(raw)
    return read_floats(raw)


def _read_type(raw: Any) -> Any:
    """As text; `70.0` of a column of floats with nulls is `70`."""
    if pa.types.is_floating(raw.type):
        raw = raw.cast(pa.int64(), safe=False)
    text = pc.utf8_trim_whitespace(raw.cast(pa.string()))
    return pc.if_else(pc.equal(text, pack([""], pa.string())[0]), pa.nulls(1, pa.string())[0], text)


def _is_lost(raw: Any, values: Any) -> npt.NDArray[np.bool_]:
    """Where something stood that is no number; an empty field is a value that is not known."""
    lost = mark_nulls(values)
    if not lost.any():
        return lost
    if pa.types.is_string(raw.type) or pa.types.is_large_string(raw.type):
        blank = pc.equal(pc.utf8_length(pc.utf8_trim_whitespace(raw)), wrap(np.zeros(1, int))[0])
        return lost & ~mark_nulls(raw) & ~to_bools(pc.fill_null(blank, wrap(~lost[:1])[0]))
    return lost & ~mark_nulls(raw) if raw.null_count < len(raw) else np.zeros(len(lost), dtype=bool)


def _mark_stations(table: Any, form: Format) -> npt.NDArray[np.bool_]:
    if form.mobile is None:
        return np.zeros(table.num_rows, dtype=bool)
    is_vessel = pc.is_in(table[form.mobile], value_set=pack(_VESSELS, pa.string()))
    return ~to_bools(is_vessel)
