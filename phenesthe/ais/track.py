"""The columns of a track: reports of many vessels, sorted by vessel, then time."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from phenesthe.ais.earth import measure_distances
from phenesthe.arrow import mark_nulls, to_floats, to_ints, wrap
from phenesthe.kernels.arrays import Array, Mask
from phenesthe.kernels.order import mark_new
from phenesthe.kernels.sphere import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    vessel: Array
    t: Array
    lon: Floats
    lat: Floats
    #: Whether a row is the first one of its vessel.
    is_first: Mask

    def __len__(self) -> int:
        return len(self.t)

    def list_silences(self) -> Array:
        """How long after the report before each one comes, 0 for the first of a vessel."""
        return np.where(self.is_first, 0, np.diff(self.t, prepend=self.t[:1]))

    def list_steps(self) -> Floats:
        """How far from the report before each one is, in metres, 0 for the first of a vessel."""
        steps = np.zeros(len(self))
        steps[1:] = measure_distances(self.lon[:-1], self.lat[:-1], self.lon[1:], self.lat[1:])
        return np.where(self.is_first, 0.0, steps)


def view_track(table: pa.Table) -> Track:
    """Its vessels, times and positions, none of which may be null."""
    vessel = to_ints(table["vessel"])
    return Track(
        vessel,
        to_ints(table["t"]),
        to_floats(table["lon"]),
        to_floats(table["lat"]),
        mark_new(vessel),
    )


def list_measures(column: Any) -> Floats:
    """A column of floats, NaN where null."""
    return np.where(mark_nulls(column), np.nan, to_floats(column))


def make_events(vessel: Array, t: Array) -> pa.Table:
    return pa.table({"vessel": wrap(vessel), "t": wrap(t)})
