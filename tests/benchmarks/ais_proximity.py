"""Proximity of 5,000 vessels over an hour, a report of each every 10 seconds."""

from time import perf_counter

import numpy as np
import pyarrow as pa

from phenesthe.ais.proximity import find_proximity
from phenesthe.ais.settings import Settings

_VESSELS, _REPORTS, _EVERY = 5_000, 360, 10
#: Degrees of longitude and latitude to a metre, at about 48° north.
_EAST, _NORTH = 1 / 74_500, 1 / 111_195


def make_traffic(seed: int = 7) -> pa.Table:
    """A third lie still, most of these in twenty ports; the others sail straight on."""
    random = np.random.default_rng(seed)
    ports = random.uniform((-6, 47), (-2, 50), (20, 2))
    place = random.uniform((-6, 47), (-2, 50), (_VESSELS, 2))
    in_port = np.arange(_VESSELS) < _VESSELS // 4
    scatter = random.normal(0, 600, (_VESSELS, 2)) * (_EAST, _NORTH)
    place = np.where(in_port[:, None], ports[random.integers(0, 20, _VESSELS)] + scatter, place)
    lies = np.arange(_VESSELS) < _VESSELS // 3
    speed = np.where(lies, 0, random.uniform(2, 12, _VESSELS))  # metres a second
    course = random.uniform(0, 2 * np.pi, _VESSELS)
    t = np.arange(_REPORTS) * _EVERY + random.integers(0, _EVERY, _VESSELS)[:, None]
    noise = random.normal(0, 5, (2, _VESSELS, _REPORTS))
    east = (speed * np.sin(course))[:, None] * t + noise[0]
    north = (speed * np.cos(course))[:, None] * t + noise[1]
    return pa.table(
        {
            "vessel": np.repeat(np.arange(_VESSELS), _REPORTS),
            "t": t.ravel(),
            "lon": (place[:, :1] + east * _EAST).ravel(),
            "lat": (place[:, 1:] + north * _NORTH).ravel(),
        }
    )


def measure_proximity() -> float:
    """Seconds, the best of three."""
    table, settings = make_traffic(), Settings()
    took = []
    for _ in range(3):
        start = perf_counter()
        find_proximity(table, settings)
        took.append(perf_counter() - start)
    return min(took)
