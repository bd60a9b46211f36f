"""Distances on the globe, in metres, between positions in degrees."""

import numpy as np

from phenesthe.kernels.sphere import RADIUS, Floats, measure


def measure_distances(lon1: Floats, lat1: Floats, lon2: Floats, lat2: Floats) -> Floats:
    return measure(np.radians(lat1), np.radians(lat2), np.radians(lon2 - lon1))


def place_points(lon: Floats, lat: Floats) -> Floats:
    """x, y and z on a sphere of radius 1: distances through it compare as those around it."""
    lon, lat = np.radians(lon), np.radians(lat)
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])


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
