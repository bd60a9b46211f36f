"""Where vessels are at the instants at which they are compared, and in which cells of a grid.

A cell is some times as high and wide as vessels in proximity can be apart. So a vessel can be close
only to vessels in its own cell and in the neighbours of that. It is copied, as a guest, to those
neighbours in the north and in the east that it is near to: of two vessels in different cells that
are close, one is a guest in the cell of the other.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from phenesthe.ais.earth import bound_latitudes, bound_longitudes, wrap_degrees
from phenesthe.ais.settings import Settings
from phenesthe.ais.track import Track, view_track
from phenesthe.arrow import wrap
from phenesthe.kernels.arrays import Array, Mask, Pairs, join_columns, number_rows
from phenesthe.kernels.search import expand_ranges
from phenesthe.kernels.sphere import Floats

#: The metres that a knot is in a second.
_KNOT = 1852 / 3600
#: What cells reach beyond their neighbours' vessels, so that rounding loses no pair.
_SLACK = 1 + 1e-9
#: How many times: larger cells have fewer guests, but more vessels to compare.
_TIMES = 3
#: More than there are cells in a row of the grid, even for distances of a metre.
_COLUMNS = 1 << 31


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """Rows of cells from pole to pole, each with as many columns as its latitude has room for."""

    near: float
    #: Of a row, in degrees.
    height: float

    def find_rows(self, lat: Floats) -> Array:
        return np.floor((lat + 90) / self.height).astype(np.int64)

    def find_columns(self, lon: Floats, row: Array) -> Array:
        """Of longitudes beyond the 180th meridian too, as columns below 0 or above the last."""
        return np.floor((lon + 180) / 360 * self._count_columns(row)).astype(np.int64)

    def make_codes(self, row: Array, column: Array) -> Array:
        return row * _COLUMNS + column % self._count_columns(row)

    def _count_columns(self, row: Array) -> Array:
        first = int(row.min(initial=0))  # few rows are in use, so each is looked at once
        used = np.arange(first, int(row.max(initial=0)) + 1)
        south = used * self.height - 90
        furthest = np.minimum(np.maximum(-south, south + self.height), 90)
        count = np.floor(360 / _TIMES / bound_longitudes(furthest, self.near)).astype(np.int64)
        return np.maximum(count, 1)[row - first]


def bound_slots(track: Track, settings: Settings) -> tuple[Array, Array, Mask]:
    """The first slot from each report on, the first from the next one on, and whether the silence
    between is one over which positions are interpolated; if not, only a slot at the report itself.
    """
    after, is_bridged = np.zeros(len(track), dtype=np.int64), np.zeros(len(track), dtype=np.bool_)
    silence = track.list_silences()[1:]
    slow = track.list_steps()[1:] <= settings.slow_speed * _KNOT * silence
    is_short = (silence <= settings.silence) | ((silence <= settings.bridge) & slow)
    is_bridged[:-1] = ~track.is_first[1:] & is_short
    after[:-1] = track.t[1:]
    after = np.where(is_bridged, after, track.t + 1)
    return -(-track.t // settings.slot), -(-after // settings.slot), is_bridged


def list_slots(
    table: pa.Table, settings: Settings, window: tuple[int, int] | None = None
) -> pa.Table:
    """The cell, slot, vessel, lon and lat of each vessel at each slot, and whether it is a guest.

    Slot n is the instant n · `settings.slot`. A window is the first slot wanted, and the first one
    after these.
    """
    track = view_track(table)
    low, high, is_bridged = bound_slots(track, settings)
    if window is not None:
        low, high = np.maximum(low, window[0]), np.minimum(high, window[1])
    report, slot = expand_ranges(low, high)
    lon, lat = _interpolate(track, report, slot * settings.slot, is_bridged)
    reach = settings.near * _SLACK
    grid = _Grid(reach, _TIMES * float(bound_latitudes(reach)))
    row = grid.find_rows(lat)
    column = grid.find_columns(lon, row)
    guest, cell = _visit_neighbours(grid, row, column, lon, lat)
    who = join_columns(number_rows(len(report)), guest)
    return pa.table(
        {
            "cell": wrap(join_columns(grid.make_codes(row, column), cell)),
            "slot": wrap(slot[who]),
            "vessel": wrap(track.vessel[report][who]),
            "lon": wrap(lon[who]),
            "lat": wrap(lat[who]),
            "is_guest": wrap(np.arange(len(who)) >= len(report)),
        }
    )


def _interpolate(
    track: Track, report: Array, time: Array, is_bridged: Mask
) -> tuple[Floats, Floats]:
    """The positions on the way from a report to the next one."""
    following = report + is_bridged[report]
    took = np.maximum(track.t[following] - track.t[report], 1)
    share = (time - track.t[report]) / took
    east = wrap_degrees(track.lon[following] - track.lon[report])
    north = track.lat[following] - track.lat[report]
    return wrap_degrees(track.lon[report] + share * east), track.lat[report] + share * north


def _visit_neighbours(grid: _Grid, row: Array, column: Array, lon: Floats, lat: Floats) -> Pairs:
    """Which vessels are guests, and in which cells."""
    width = bound_longitudes(lat, grid.near)
    who_east, east = expand_ranges(column + 1, grid.find_columns(lon + width, row) + 1)
    is_close = lat + grid.height / _TIMES >= (row + 1) * grid.height - 90
    close = np.flatnonzero(is_close)
    upper = row[close] + 1
    first = grid.find_columns(lon[close] - width[close], upper)
    last = grid.find_columns(lon[close] + width[close], upper)
    who_north, north = expand_ranges(first, last + 1)
    return join_columns(who_east, close[who_north]), join_columns(
        grid.make_codes(row[who_east], east), grid.make_codes(upper[who_north], north)
    )
