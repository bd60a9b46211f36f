"""Distances on the globe, in metres, between positions in degrees."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]

#: The mean radius of the Earth [IUGG].
RADIUS = 6371008.8


def measure_distances(lon1: Floats, lat1: Floats, lon2: Floats, lat2: Floats) -> Floats:
    """Great-circle distances, by the haversine formula, which is exact for short ones too."""
    phi1, phi2 = np.radians(lat1), np.radians(lat2)
    half_lat, half_lon = (phi2 - phi1) / 2, np.radians(lon2 - lon1) / 2
    part = np.sin(half_lat) ** 2 + np.cos(phi1) * np.cos(phi2) * np.sin(half_lon) ** 2
    distances: Floats = 2 * RADIUS * np.arcsin(np.sqrt(np.minimum(part, 1.0)))
    return distances


def bound_longitudes(lat: Floats, metres: float | Floats) -> Floats:
    """How many degrees of longitude two places this close can differ by, one of them at `lat`.

    They differ by most where both are as far from the equator as the distance lets them be; 180
    where that reaches a pole.
    """
    reach = np.asarray(metres, dtype=np.float64) / RADIUS
    furthest = np.minimum(np.abs(np.radians(lat)) + reach, np.pi / 2)
    sine = np.sin(reach / 2) / np.maximum(np.cos(furthest), 1e-300)
    width: Floats = np.degrees(2 * np.arcsin(np.minimum(sine, 1.0)))
    return width


def bound_latitudes(metres: float | Floats) -> Floats:
    """How many degrees of latitude two places this close can differ by."""
    return np.degrees(np.asarray(metres, dtype=np.float64) / RADIUS)


def wrap_degrees(angle: Floats) -> Floats:
    """The same angle, or difference of angles or longitudes, from -180 up to 180."""
    return (angle + 180.0) % 360.0 - 180.0
