"""Reports looked at one by one: what AIS calls not available, and what cannot be."""

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from phenesthe.ais.formats import Format
from phenesthe.ais.normalise import SCHEMA, Chunk
from phenesthe.ais.settings import Settings
from phenesthe.ais.track import list_measures
from phenesthe.arrow import to_ints, wrap
from phenesthe.kernels.arrays import Array, Mask

#: Not available, by the standard of AIS (ITU-R M.1371-5): from here on for course, heading and
#: speed, and these for a position.
_NO_COURSE, _NO_HEADING, _NO_SPEED = 360.0, 360.0, 102.25
_NO_LON, _NO_LAT = 181.0, 91.0

#: Numbers that units have before somebody sets them.
_REPEATED = 111_111_111


def check_reports(chunk: Chunk, form: Format, settings: Settings) -> Chunk:
    """Without reports that have no place or no vessel; unknown measures null."""
    rows = chunk.rows
    vessel, lon, lat = to_ints(rows["vessel"]), *map(list_measures, (rows["lon"], rows["lat"]))
    with np.errstate(invalid="ignore"):  # a position that is missing is not outside
        is_unknown = np.isnan(lon) | np.isnan(lat) | (lon == _NO_LON) | (lat == _NO_LAT)
        is_outside = (np.abs(lon) > 180) | (np.abs(lat) > 90) | ((lon == 0) & (lat == 0))
    reasons = {
        "bad_id": ~is_ship(vessel) if form.checks_ids else vessel <= 0,
        "no_position": is_unknown,
        "impossible_position": is_outside,
    }
    return replace(chunk, rows=_forget_codes(rows, settings)).keep(reasons)


def is_ship(vessel: Array) -> Mask:
    """Whether a number can be the MMSI of a ship, or of a craft that belongs to one.

    Nine digits that begin with a country's, which are 2 to 7, or with 98 and then a country's;
    others are coast stations, aircraft, buoys and distress beacons (ITU-R M.585).
    """
    first = vessel // 100_000_000
    is_country = (first >= 2) & (first <= 7)
    of_craft = vessel // 1_000_000 % 10
    is_craft = (vessel // 10_000_000 == 98) & (of_craft >= 2) & (of_craft <= 7)
    found: Mask = (is_country & (vessel % _REPEATED != 0)) | is_craft
    return found


def _forget_codes(rows: Any, settings: Settings) -> Any:
    """Null in place of codes, and of speeds that no vessel has."""
    limits = {
        "speed": min(_NO_SPEED, np.nextafter(settings.max_speed, np.inf)),
        "course": _NO_COURSE,
        "heading": _NO_HEADING,
    }
    columns = [
        _forget(rows[name], limits[name]) if name in limits else rows[name] for name in SCHEMA.names
    ]
    return pa.table(columns, schema=SCHEMA)


def _forget(column: Any, limit: float) -> Any:
    values = list_measures(column)
    with np.errstate(invalid="ignore"):
        is_known = (values >= 0) & (values < limit)
    return pa.chunked_array([wrap(values, ~is_known)])
