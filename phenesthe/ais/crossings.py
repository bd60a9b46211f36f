"""When vessels enter and leave areas."""

import numpy as np
import pyarrow as pa

from phenesthe.ais.areas import Areas
from phenesthe.ais.inside import find_inside
from phenesthe.ais.settings import Settings
from phenesthe.ais.track import view_track
from phenesthe.arrow import pack, wrap
from phenesthe.kernels.arrays import Array
from phenesthe.kernels.order import mark_new


def find_crossings(table: pa.Table, areas: Areas, settings: Settings) -> dict[str, pa.Table]:
    """The events `enters_area` and `leaves_area` of a track, sorted by vessel, area and time.

    A vessel enters with its first report inside and leaves with the first one outside. A silence
    inside ends nothing, and neither does an absence of a report or two at the border
    (`settings.border_reports`, `settings.border_time`).
    """
    track = view_track(table)
    row, area = find_inside(track.lon, track.lat, areas)
    key = np.cumsum(track.is_first, dtype=np.int64)[row] * len(areas) + area
    order = np.argsort(key, kind="stable")
    row, area, key = row[order], area[order], key[order]
    absent = np.diff(row, prepend=row[:1]) - 1  # below 0 in shapes of one area that overlap
    away = np.diff(track.t[row], prepend=track.t[row[:1]])
    is_away = (absent >= settings.border_reports) | ((absent > 0) & (away > settings.border_time))
    begins = np.flatnonzero(mark_new(key) | is_away)
    ends = np.append(begins[1:], len(row))[: len(begins)] - 1
    has_end = row[ends] + 1 < len(track)
    has_end[has_end] = ~track.is_first[row[ends[has_end]] + 1]
    names = pack(areas.names, pa.string())

    def list_events(at: Array, area: Array) -> pa.Table:
        columns = {"vessel": wrap(track.vessel[at]), "area": names.take(wrap(area))}
        return pa.table({**columns, "t": wrap(track.t[at])})

    return {
        "enters_area": list_events(row[begins], area[begins]),
        "leaves_area": list_events(row[ends[has_end]] + 1, area[ends[has_end]]),
    }
