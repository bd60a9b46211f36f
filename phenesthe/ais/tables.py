"""The input tables of the maritime library, as they are written."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

_VESSEL = pa.field("vessel", pa.int64())
_AREA = pa.field("area", pa.string())
_TYPE = pa.field("type", pa.string())
_T = pa.field("t", pa.int64())
_EVENTS = (
    "gap_start",
    "gap_end",
    "stop_start",
    "stop_end",
    "slow_motion_start",
    "slow_motion_end",
    "change_in_speed_start",
    "change_in_speed_end",
    "change_in_heading",
)

#: Name and columns. Positions are kept with the reports, for maps.
TABLES: Mapping[str, Any] = {
    "ais": pa.schema(
        [_VESSEL]
        + [(name, pa.float64()) for name in ("speed", "course", "heading", "lon", "lat")]
        + [_T]
    ),
    "enters_area": pa.schema([_VESSEL, _AREA, _T]),
    "leaves_area": pa.schema([_VESSEL, _AREA, _T]),
    **{name: pa.schema([_VESSEL, _T]) for name in _EVENTS},
    "proximity": pa.schema([(name, pa.int64()) for name in ("vessel1", "vessel2", "ts", "te")]),
    "vessel_type": pa.schema([_VESSEL, _TYPE]),
    "area_type": pa.schema([_AREA, _TYPE]),
    "usual_speed": pa.schema([_TYPE, ("low", pa.float64()), ("high", pa.float64())]),
}


def fit_table(name: str, table: Any) -> Any:
    """The columns of a table in their order, and no others."""
    schema = TABLES[name]
    return table.select(schema.names).cast(schema)
