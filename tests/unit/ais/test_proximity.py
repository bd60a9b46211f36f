from itertools import combinations, pairwise
from math import asin, cos, radians, sin, sqrt
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from phenesthe.ais import proximity
from phenesthe.ais.proximity import find_proximity, join_slots, pair_slots
from phenesthe.ais.settings import Settings
from phenesthe.ais.slots import list_slots
from phenesthe.kernels.sphere import RADIUS
from tests.benchmarks.ais_proximity import make_traffic
from tests.unit.ais.tracks import make_track

SETTINGS = Settings()
Interval: TypeAlias = tuple[int, int, int, int]
#: Corners of the Earth: open sea, the 180th meridian, the poles, a row of cells' end.
PLACES = [(-5.0, 48.0), (179.999, 10.0), (-180.0, -40.0), (30.0, 89.99), (0.0, -90.0), (0.0, 0.0)]


def find(table: pa.Table, settings: Settings = SETTINGS) -> list[Interval]:
    return [tuple(row.values()) for row in find_proximity(table, settings).to_pylist()]


def place(vessel: int, t: list[int], lon: list[float] | float, lat: float = 0.0) -> pa.Table:
    return make_track(t, vessel=vessel, lon=lon, lat=lat)


def test_two_vessels_side_by_side_are_close_as_long_as_both_are_heard() -> None:
    table = pa.concat_tables([place(2, [0, 100, 200, 300], 0.0), place(7, [60, 160, 260], 0.001)])
    assert find(table) == [(2, 7, 60, 240)]


@pytest.mark.parametrize(("metres", "is_close"), [(499.9, True), (500.1, False)])
def test_the_limit_is_exact(metres: float, is_close: bool) -> None:
    away = metres / (RADIUS * radians(1))
    table = pa.concat_tables([place(1, [0, 90], 0.0), place(2, [0, 90], away)])
    assert find(table) == ([(1, 2, 0, 90)] if is_close else [])


def test_what_is_seen_at_one_instant_has_no_length() -> None:
    table = pa.concat_tables([place(1, [0, 31], 0.0), place(2, [25, 50], 0.0)])
    assert find(table) == []


def test_positions_are_interpolated_over_a_silence() -> None:
    passing = place(2, [0, 600], [-0.1, 0.1])
    assert find(pa.concat_tables([place(1, [0, 600], 0.0), passing])) == []
    slow = place(2, [0, 600], [-0.01, 0.01])
    assert find(pa.concat_tables([place(1, [0, 600], 0.0), slow])) == [(1, 2, 180, 420)]


@pytest.mark.parametrize(
    ("silence", "moved", "is_bridged"),
    [(600, 0.03, True), (601, 0.03, False), (7200, 0.001, True), (7201, 0.001, False)],
)
def test_a_long_silence_is_bridged_only_by_a_vessel_that_hardly_moves(
    silence: int, moved: float, is_bridged: bool
) -> None:
    settings = Settings(near=10_000, rejoin=60)
    still = place(1, list(range(0, 9000, 60)), 0.0)
    end = 600 + silence
    other = place(2, [0, 600, end, end + 600], [0.0, 0.0, moved, moved])
    found = find(pa.concat_tables([still, other]), settings)
    assert (len(found) == 1) == is_bridged


def test_stretches_not_long_apart_are_one() -> None:
    t = list(range(0, 1500, 30))
    still = place(1, t, 0.0)
    for away, many in ((300, 1), (330, 2)):
        lon = [0.1 if 600 < one < 600 + away else 0.0 for one in t]
        assert len(find(pa.concat_tables([still, place(2, t, lon)]))) == many


def test_nobody_is_close_to_nobody() -> None:
    assert find(make_track([])) == []
    assert find(place(1, [0, 60, 120], 0.0)) == []


@limits(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    where=st.sampled_from(PLACES),
    near=st.sampled_from([50.0, 500.0, 3000.0]),
)
def test_pairs_are_those_of_comparing_every_vessel_with_every_other(
    seed: int, where: tuple[float, float], near: float
) -> None:
    settings = Settings(near=near, rejoin=90)
    table = make_crowd(np.random.default_rng(seed), where, near)
    assert find(table, settings) == compare_all(table, settings)


@limits(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32), parts=st.integers(2, 5))
def test_parts_by_cell_and_by_pair_make_the_whole(seed: int, parts: int) -> None:
    """As an engine does it that shares out the work."""
    table = make_crowd(np.random.default_rng(seed), PLACES[0], 500)
    slots = list_slots(table, SETTINGS)
    block = np.asarray(slots["slot"]) // 20
    runs = share(slots, np.asarray(slots["cell"]) + block, parts, pair_slots)
    pair = np.asarray(runs["vessel1"]) * 31 + np.asarray(runs["vessel2"])
    joined = share(runs, pair, parts, join_slots)
    assert sorted(tuple(row.values()) for row in joined.to_pylist()) == find(table)


def test_memory_is_bounded_by_looking_at_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    table = make_crowd(np.random.default_rng(5), PLACES[0], 500)
    whole = find(table)
    monkeypatch.setattr(proximity, "_POSITIONS", 50)
    monkeypatch.setattr(proximity, "_PAIRS", 3)
    assert find(table) == whole
    assert whole


def test_an_hour_of_5000_vessels_is_exact_on_a_sample() -> None:
    table = make_traffic()
    found = find(table)
    random = np.random.default_rng(1)
    crowded = random.choice(np.unique([row[:2] for row in found]), 40, replace=False)
    sample = {*crowded.tolist(), *random.choice(5000, 20).tolist()}
    expected = compare_all(select(table, sorted(sample)), SETTINGS)
    assert [row for row in found if sample.issuperset(row[:2])] == expected
    assert expected


def select(table: pa.Table, vessels: list[int]) -> pa.Table:
    return table.filter(pa.array(np.isin(np.asarray(table["vessel"]), vessels)))


def share(table: pa.Table, key: Any, parts: int, work: Any) -> pa.Table:
    pieces = [table.filter(pa.array(key % parts == part)) for part in range(parts)]
    return pa.concat_tables([work(piece, SETTINGS) for piece in pieces])


def make_crowd(random: np.random.Generator, where: tuple[float, float], near: float) -> pa.Table:
    """Some moored, some under way, in a square of a few times the distance, with silences."""
    tables = []
    degree = near / 111_195
    for vessel in range(10):
        t = np.cumsum(
            random.choice([2, 10, 30, 180, 601, 3000], 30, p=[0.2, 0.3, 0.2, 0.2, 0.05, 0.05])
        )
        speed = random.choice([0, 0.02, 0.3]) * degree
        steps = np.cumsum(random.normal(0, 1, (2, 30)), axis=1) * speed
        east, north = random.uniform(-3, 3, 2) * degree
        lat = np.clip(where[1] + north + steps[1], -90, 90)
        lon = where[0] + (east + steps[0]) / max(cos(radians(where[1])), 0.01)
        lon = (lon + 180) % 360 - 180
        tables.append(make_track(t.tolist(), vessel=vessel, lon=lon.tolist(), lat=lat.tolist()))
    return pa.concat_tables(tables)


def compare_all(table: pa.Table, settings: Settings) -> list[Interval]:
    vessels = np.unique(np.asarray(table["vessel"])).tolist()
    where = {vessel: locate(table, vessel, settings) for vessel in vessels}
    found = []
    for one, other in combinations(sorted(where), 2):
        both = sorted(where[one].keys() & where[other].keys())
        close = [t for t in both if measure(where[one][t], where[other][t]) <= settings.near]
        stretches: list[list[int]] = []
        for t in close:
            if stretches and t - stretches[-1][1] <= settings.rejoin:
                stretches[-1][1] = t
            else:
                stretches.append([t, t])
        found += [(one, other, ts, te) for ts, te in stretches if ts < te]
    return found


def locate(table: pa.Table, vessel: int, settings: Settings) -> dict[int, tuple[float, float]]:
    """The position at each slot at which it is known."""
    rows = select(table, [vessel]).to_pylist()
    where = {row["t"]: (row["lon"], row["lat"]) for row in rows if row["t"] % settings.slot == 0}
    for one, other in pairwise(rows):
        took = other["t"] - one["t"]
        ends = (one["lon"], one["lat"]), (other["lon"], other["lat"])
        is_slow = measure(*ends) <= settings.slow_speed * 1852 / 3600 * took
        if took > settings.silence and not (took <= settings.bridge and is_slow):
            continue
        east = (other["lon"] - one["lon"] + 180) % 360 - 180
        for t in range(one["t"] - one["t"] % -settings.slot, other["t"], settings.slot):
            share = (t - one["t"]) / took
            lat = one["lat"] + share * (other["lat"] - one["lat"])
            where[t] = (one["lon"] + share * east, lat)
    return where


def measure(one: tuple[float, float], other: tuple[float, float]) -> float:
    east, north = radians(other[0] - one[0]) / 2, radians(other[1] - one[1]) / 2
    part = sin(north) ** 2 + cos(radians(one[1])) * cos(radians(other[1])) * sin(east) ** 2
    return 2 * RADIUS * asin(sqrt(part))
