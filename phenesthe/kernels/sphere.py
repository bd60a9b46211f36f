"""Distances on the Earth as a sphere."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Floats: TypeAlias = npt.NDArray[np.float64]

#: The mean radius of the Earth [IUGG], in metres.
RADIUS = 6_371_008.8


def measure(phi1: Floats, phi2: Floats, width: Floats) -> Floats:
    """Great-circle distances in metres, by the haversine formula, which is exact for short ones
    too: of two latitudes and the difference of longitudes, all as angles in radians."""
    part = np.sin((phi2 - phi1) / 2) ** 2 + np.cos(phi1) * np.cos(phi2) * np.sin(width / 2) ** 2
    return 2 * RADIUS * _find_arcsin(np.sqrt(np.minimum(part, 1.0)))


def _find_arcsin(values: Floats) -> Floats:
    """The last bit of NumPy's own depends on the processor, and so would results on a cluster."""
    found: Floats = pc.asin(pa.array(np.ravel(values))).to_numpy(zero_copy_only=False)
    return found.reshape(np.shape(values))
