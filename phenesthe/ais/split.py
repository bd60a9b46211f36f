"""Impossible jumps, and one MMSI that two ships use.

A track is cut wherever it would have to be faster than any vessel, and the report before such a
place is cut off too, since either of the two may be the wrong one. The pieces are put together
again in the order of time, each to a track that can go on with it, or to a new one; which track is
said at `_rate`. The track with most reports is the vessel's. The others were sent by another ship
with the same number, or, if they are few, by nobody: a position that was received wrongly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import dist

import numpy as np

from phenesthe.ais.earth import place_points
from phenesthe.ais.settings import Settings
from phenesthe.ais.track import Track
from phenesthe.kernels.arrays import Array, Mask
from phenesthe.kernels.sphere import RADIUS

#: Metres a second.
KNOT = 1852.0 / 3600.0
#: A second of silence weighs as much as the way that a vessel usually goes in it.
_USUAL = 10.0 * KNOT
#: Tracks that are kept in mind for one number; garbage would open one a report.
_OPEN_TRACKS = 8


def split_tracks(track: Track, settings: Settings) -> dict[str, Mask]:
    """Which reports belong to another ship, and which to none."""
    nothing = np.zeros(len(track), dtype=bool)
    masks = {"shared_id": nothing, "jump": nothing.copy()}
    reach = np.maximum(track.list_silences() * settings.max_speed * KNOT, settings.jump_slack)
    is_jump = track.list_steps() > reach
    if not is_jump.any():
        return masks
    is_cut = track.is_first | is_jump
    is_cut[:-1] |= is_jump[1:]
    begins = np.flatnonzero(is_cut)
    sizes = np.diff(begins, append=len(track))
    pieces = _Pieces(track, begins, sizes, settings)
    owner = np.cumsum(track.is_first[begins]) - 1
    jumping = np.unique(owner[is_jump[begins]])
    # Only vessels that jump are looked at, and of these pieces, not reports.
    firsts = np.searchsorted(owner, jumping, side="left")
    lasts = np.searchsorted(owner, jumping, side="right")
    for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
        joined = pieces.join(first, last)
        main = max(joined, key=lambda one: one.reports)
        for other in joined:
            if other is not main:
                is_ship = other.reports >= settings.second_track_reports
                for at in other.pieces:
                    place = slice(begins[at], begins[at] + sizes[at])
                    masks["shared_id" if is_ship else "jump"][place] = True
    return masks


@dataclass(slots=True, eq=False)
class _Joined:
    """Pieces, in the order of time, that are one track."""

    pieces: list[int]
    reports: int


class _Pieces:
    """When each piece begins and ends, and where, in metres from the centre of the Earth."""

    def __init__(self, track: Track, begins: Array, sizes: Array, settings: Settings) -> None:
        self.begins = _list_places(track, begins)
        self.ends = _list_places(track, begins + sizes - 1)
        self.sizes: list[int] = sizes.tolist()
        self.limit = settings.max_speed * KNOT
        self.slack = settings.jump_slack
        self.fewest = settings.second_track_reports

    def join(self, first: int, last: int) -> list[_Joined]:
        """The tracks that the pieces from `first` up to `last` are."""
        closed: list[_Joined] = []
        tracks: list[_Joined] = []  # the one that was heard last is the last
        for at in range(first, last):
            t, place = self.begins[at]
            ways = [
                (rating, number, back)
                for number, track in enumerate(tracks)
                for back in self._list_ends(track)
                if (rating := self._rate(track, back, t, place)) is not None
            ]
            if ways:
                _, number, back = min(ways)
                track = tracks.pop(number)
            else:
                track, back = _Joined([], 0), 0
            if back:
                # Its last piece turns out to have been none of it.
                wrong = track.pieces.pop()
                track.reports -= self.sizes[wrong]
                tracks.append(_Joined([wrong], self.sizes[wrong]))
            track.pieces.append(at)
            track.reports += self.sizes[at]
            tracks.append(track)
            while len(tracks) > _OPEN_TRACKS:
                closed.append(tracks.pop(self._find_useless(tracks)))
        return closed + tracks

    def _list_ends(self, track: _Joined) -> range:
        """How many pieces back a track can be taken up: one if its last is too small for a ship."""
        is_sure = len(track.pieces) == 1 or self.sizes[track.pieces[-1]] >= self.fewest
        return range(1 if is_sure else 2)

    def _rate(
        self, track: _Joined, back: int, t: float, place: Sequence[float]
    ) -> tuple[bool, float] | None:
        """How badly a track goes on with a piece that begins then and there, None if it cannot.

        What is known to be a ship goes before a position that nobody has confirmed; then the
        nearest in place and time goes first. The speed that it takes would be no measure: it is
        least for what is long past, and a wrong position of hours ago would take over the track of
        every vessel that comes by.
        """
        end, left = self.ends[track.pieces[-1 - back]]
        distance, silence = dist(place, left), t - end
        if distance > max(silence * self.limit, self.slack):
            return None
        reports = track.reports - (self.sizes[track.pieces[-1]] if back else 0)
        return reports < self.fewest, distance + silence * _USUAL

    def _find_useless(self, tracks: list[_Joined]) -> int:
        """Which track to give up: the oldest that is no ship, but not the newest; or the oldest."""
        for number, track in enumerate(tracks[:-1]):
            if track.reports < self.fewest:
                return number
        return 0


def _list_places(track: Track, at: Array) -> list[tuple[float, list[float]]]:
    """Distances through the Earth are as good as those around it where the question is of jumps."""
    places = place_points(track.lon[at], track.lat[at]).T * RADIUS
    return list(zip(track.t[at].tolist(), places.tolist(), strict=True))
