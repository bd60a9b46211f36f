"""Speed, course and heading where a report has none.

Speed and course are those of the way from the report before to the report after, if they are close
enough in time. Without such a neighbour there is no speed, and the report is set aside. A vessel
that hardly moves has the course it was heard with last, or first, or its heading. A heading that
is missing is the course.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from phenesthe.ais.earth import Floats, measure_distances
from phenesthe.ais.normalise import SCHEMA, Chunk
from phenesthe.ais.settings import Settings
from phenesthe.ais.split import KNOT
from phenesthe.ais.track import Track, list_measures, view_track
from phenesthe.arrow import wrap
from phenesthe.kernels.arrays import Mask


def derive_motion(chunk: Chunk, settings: Settings) -> Chunk:
    """Without reports that have no speed; speed, course and heading are null nowhere."""
    speed, course, heading = (list_measures(chunk.rows[n]) for n in ("speed", "course", "heading"))
    track = view_track(chunk.rows)
    if np.isnan(speed).any() or np.isnan(course).any():
        derived, bearing = _measure_way(track, settings)
        speed = np.where(np.isnan(speed), derived, speed)
        with np.errstate(invalid="ignore"):  # no speed is not fast
            moves = speed >= settings.course_from
        course = np.where(np.isnan(course) & moves, bearing, course)
        course = np.where(np.isnan(course), heading, course)
        course = _fill(course, track.is_first)
    heading = np.where(np.isnan(heading), course, heading)
    columns: dict[str, Any] = {name: chunk.rows[name] for name in SCHEMA.names}
    columns["speed"] = wrap(speed, np.isnan(speed))
    columns["course"], columns["heading"] = wrap(course), wrap(heading)
    rows = pa.table(columns, schema=SCHEMA)
    return replace(chunk, rows=rows).keep({"no_speed": np.isnan(speed)})


def _measure_way(track: Track, settings: Settings) -> tuple[Floats, Floats]:
    """Knots and degrees from the neighbour before to the one after, NaN where there is none.

    Where one of them is missing or too far, the report itself takes its place.
    """
    count = len(track)
    if not count:
        return np.empty(0), np.empty(0)
    places = np.arange(count)
    near = ~track.is_first & (track.list_silences() <= settings.derive_within)
    before = np.where(near, places - 1, places)
    after = places.copy()
    after[:-1] = np.where(near[1:], places[1:], places[:-1])
    seconds = (track.t[after] - track.t[before]).astype(np.float64)
    lon1, lat1, lon2, lat2 = (
        column[at] for at in (before, after) for column in (track.lon, track.lat)
    )
    metres = measure_distances(lon1, lat1, lon2, lat2)
    speed = np.full(count, np.nan)
    np.divide(metres, seconds * KNOT, out=speed, where=seconds > 0)
    bearing = np.where(metres > 0, find_bearings(lon1, lat1, lon2, lat2), np.nan)
    return speed, bearing


def find_bearings(lon1: Floats, lat1: Floats, lon2: Floats, lat2: Floats) -> Floats:
    """The direction at the first of two places in which the second lies: 0 is north, 90 east."""
    width, phi1, phi2 = np.radians(lon2 - lon1), np.radians(lat1), np.radians(lat2)
    east = np.sin(width) * np.cos(phi2)
    north = np.cos(phi1) * np.sin(phi2) - np.sin(phi1) * np.cos(phi2) * np.cos(width)
    degrees = np.degrees(np.arctan2(east, north)) % 360.0
    return np.where(degrees >= 360.0, 0.0, degrees)


def _fill(course: Floats, is_first: Mask) -> Floats:
    """The last known of the vessel, else its first, else 0."""
    is_known = ~np.isnan(course)
    owner = np.cumsum(is_first)
    places = np.arange(len(course))
    last = np.maximum.accumulate(np.where(is_known, places, -1)) if len(course) else places
    later = np.where(is_known, places, len(course))[::-1]
    following = np.minimum.accumulate(later)[::-1] if len(course) else places
    filled = np.zeros(len(course))
    for at in (following, last):
        inside = (at >= 0) & (at < len(course))
        source = np.where(inside, at, 0)
        is_own = inside & (owner[source] == owner)
        filled = np.where(is_own, course[source], filled)
    return filled
