"""Speed, course and heading where a report has none.

A speed is read off those that the vessel told not long before and after: positions a few seconds
apart scatter by more than a knot. Where it told none, speed and course are those of the way from a
report before to one after, if they are close enough in time. Without such neighbours there is no
speed, and the report is set aside. A vessel that hardly moves has the course it was heard with
last, or first, or its heading. A heading that is missing is the course.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from phenesthe.ais.earth import measure_distances
from phenesthe.ais.normalise import SCHEMA, Chunk
from phenesthe.ais.recent import find_recent
from phenesthe.ais.settings import Settings
from phenesthe.ais.split import KNOT
from phenesthe.ais.track import Track, list_measures, view_track
from phenesthe.arrow import wrap
from phenesthe.kernels.arrays import Array, Mask, number_rows
from phenesthe.kernels.sphere import Floats


def derive_motion(chunk: Chunk, settings: Settings) -> Chunk:
    """Without reports that have no speed; speed, course and heading are null nowhere."""
    speed, course, heading = (list_measures(chunk.rows[n]) for n in ("speed", "course", "heading"))
    track = view_track(chunk.rows)
    if np.isnan(speed).any() or np.isnan(course).any():
        derived, bearing = _measure_way(track, settings)
        speed = _fill_between(speed, track, settings.fill_within)
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


def _fill_between(speed: Floats, track: Track, within: int) -> Floats:
    """Where there is none, in proportion of time between the last one told and the next one; the
    one of the two that is close enough, if the other is not."""
    told = np.flatnonzero(~np.isnan(speed))
    gaps = np.flatnonzero(np.isnan(speed))
    if not len(told) or not len(gaps):
        return speed
    place = np.searchsorted(told, gaps)
    before, after = told[np.maximum(place - 1, 0)], told[np.minimum(place, len(told) - 1)]
    elapsed, ahead = track.t[gaps] - track.t[before], track.t[after] - track.t[gaps]
    has_before = (track.vessel[before] == track.vessel[gaps]) & (elapsed >= 0) & (elapsed <= within)
    has_after = (track.vessel[after] == track.vessel[gaps]) & (ahead >= 0) & (ahead <= within)
    share = elapsed / np.maximum(elapsed + ahead, 1)
    share = np.where(has_before & has_after, share, np.where(has_before, 0.0, 1.0))
    filled = speed.copy()
    between = (1.0 - share) * speed[before] + share * speed[after]
    filled[gaps] = np.where(has_before | has_after, between, np.nan)
    return filled


def _measure_way(track: Track, settings: Settings) -> tuple[Floats, Floats]:
    """Knots and degrees from a report before to one after, NaN where there is neither.

    They are the furthest within `derive_over`, or the very next if these are further. Where one
    is missing or too far, the report itself takes its place.
    """
    count = len(track)
    if not count:
        return np.empty(0), np.empty(0)
    is_cut = track.is_first | (track.list_silences() > settings.derive_within)
    before = _find_starts(track.t, is_cut, settings.derive_over)
    # The reports after are those before when time runs backwards.
    is_last = np.append(is_cut[1:], True)
    after = count - 1 - _find_starts(-track.t[::-1], is_last[::-1], settings.derive_over)[::-1]
    seconds = (track.t[after] - track.t[before]).astype(np.float64)
    lon1, lat1, lon2, lat2 = (
        column[at] for at in (before, after) for column in (track.lon, track.lat)
    )
    metres = measure_distances(lon1, lat1, lon2, lat2)
    speed = np.full(count, np.nan)
    np.divide(metres, seconds * KNOT, out=speed, where=seconds > 0)
    bearing = np.where(metres > 0, find_bearings(lon1, lat1, lon2, lat2), np.nan)
    return speed, bearing


def _find_starts(t: Array, is_cut: Mask, over: int) -> Array:
    """For each row the first at most so long before it, the one before if there is none, or itself
    after a cut."""
    places = number_rows(len(t))
    return np.minimum(find_recent(t, is_cut, over), np.where(is_cut, places, places - 1))


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
