"""Small tracks to find things in."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

#: Seconds between two reports, and how often.
_STEPS = {2: 0.2, 10: 0.3, 30: 0.2, 180: 0.2, 900: 0.04, 1800: 0.03, 4000: 0.03}


def make_track(
    t: Sequence[int],
    speed: Sequence[float | None] | float = 10.0,
    course: Sequence[float | None] | float = 90.0,
    *,
    vessel: int | Sequence[int] = 1,
    lon: Sequence[float] | float = 0.0,
    lat: Sequence[float] | float = 48.0,
) -> pa.Table:
    """One value is that of all rows."""

    def fill(given: object) -> list[object]:
        return list(given) if isinstance(given, Sequence) else [given] * len(t)

    floats = {"lon": lon, "lat": lat, "speed": speed, "course": course}
    columns = {name: pa.array(fill(given), pa.float64()) for name, given in floats.items()}
    return pa.table(
        {"vessel": pa.array(fill(vessel), pa.int64()), "t": pa.array(t, pa.int64()), **columns}
    )


def make_random_track(seed: int, vessels: int = 4, reports: int = 60) -> pa.Table:
    """Vessels that go and stop, with noise, silences and missing values."""
    random = np.random.default_rng(seed)
    parts = []
    for vessel in range(vessels):
        step = random.choice([*_STEPS], reports, p=[*_STEPS.values()])
        level = np.repeat(random.choice([0.2, 0.7, 3.0, 5.2, 12.0], reports // 5), 5)
        speed = np.round(np.abs(level + random.normal(0, 0.3, reports)), 1)
        turn = np.repeat(random.choice([0, 0, 7, 25], reports // 5), 5)
        course = np.round((np.cumsum(turn) + random.normal(0, 4, reports)) % 360, 1)
        places = np.cumsum(random.normal(0, 0.0015, (2, reports)), axis=1)
        parts.append(
            make_track(
                np.cumsum(step).tolist(),
                [None if random.random() < 0.05 else float(one) for one in speed],
                [None if random.random() < 0.05 else float(one) for one in course],
                vessel=vessel,
                lon=places[0].tolist(),
                lat=(48 + places[1]).tolist(),
            )
        )
    return pa.concat_tables(parts)
