"""Impossible jumps, and one MMSI that two ships use.

A track is cut wherever it would have to be faster than any vessel. The pieces are put together
again in the order of time, each to the track that it continues most slowly, or to a new one. The
track with most reports is the vessel's. The others were sent by another ship with the same number,
or, if they are few, by nobody: a position that was received wrongly.
"""

from collections.abc import Sequence
from math import dist, inf

import numpy as np

from phenesthe.ais.earth import RADIUS
from phenesthe.ais.settings import Settings
from phenesthe.ais.track import Track
from phenesthe.kernels.arrays import Array, Mask

#: Metres a second.
KNOT = 1852.0 / 3600.0
#: Tracks that are kept in mind for one number, the latest; garbage would open one a report.
_OPEN_TRACKS = 8


def split_tracks(track: Track, settings: Settings) -> dict[str, Mask]:
    """Which reports belong to another ship, and which to none."""
    nothing = np.zeros(len(track), dtype=bool)
    masks = {"shared_id": nothing, "jump": nothing.copy()}
    limit = settings.max_speed * KNOT
    reach = np.maximum(track.list_silences() * limit, settings.jump_slack)
    is_jump = track.list_steps() > reach
    if not is_jump.any():
        return masks
    begins = np.flatnonzero(track.is_first | is_jump)
    sizes = np.diff(begins, append=len(track))
    pieces = _Pieces(track, begins, begins + sizes - 1)
    owner = np.cumsum(track.is_first[begins]) - 1
    jumping = np.unique(owner[is_jump[begins]])
    # Only vessels that jump are looked at, and of these pieces, not reports.
    firsts = np.searchsorted(owner, jumping, side="left")
    lasts = np.searchsorted(owner, jumping, side="right")
    for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
        numbers = pieces.join(first, last, limit, settings.jump_slack)
        counts = np.bincount(numbers, weights=sizes[first:last])
        main = int(np.argmax(counts))
        for at, number in enumerate(numbers.tolist(), start=first):
            if number != main:
                is_ship = counts[number] >= settings.second_track_reports
                place = slice(begins[at], begins[at] + sizes[at])
                masks["shared_id" if is_ship else "jump"][place] = True
    return masks


class _Pieces:
    """When each piece begins and ends, and where, in metres from the centre of the Earth."""

    def __init__(self, track: Track, begins: Array, ends: Array) -> None:
        self.begins = _list_places(track, begins)
        self.ends = _list_places(track, ends)

    def join(self, first: int, last: int, limit: float, slack: float) -> Array:
        """The number of the track that each piece from `first` up to `last` is of."""
        numbers: list[int] = []
        latest: list[int] = []  # the last piece of each open track
        opened = 0
        for at in range(first, last):
            found = self._find_slowest(latest, at, limit, slack)
            if found is None:
                numbers.append(opened)
                opened += 1
            else:
                numbers.append(numbers[latest.pop(found) - first])
            latest.append(at)
            del latest[:-_OPEN_TRACKS]
        return np.array(numbers, dtype=np.int64)

    def _find_slowest(
        self, latest: Sequence[int], at: int, limit: float, slack: float
    ) -> int | None:
        """Which of the tracks can go on with a piece, and has to be slowest for it."""
        t, *place = self.begins[at]
        found, least = None, inf
        for number, piece in enumerate(latest):
            end, *left = self.ends[piece]
            distance, silence = dist(place, left), t - end
            speed = distance / max(silence, 1.0)
            if distance <= max(silence * limit, slack) and speed < least:
                found, least = number, speed
        return found


def _list_places(track: Track, at: Array) -> list[list[float]]:
    """Distances through the Earth are as good as those around it where the question is of jumps."""
    lon, lat = np.radians(track.lon[at]), np.radians(track.lat[at])
    x, y, z = np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)
    places = np.column_stack((track.t[at], x * RADIUS, y * RADIUS, z * RADIUS))
    listed: list[list[float]] = places.tolist()
    return listed
