import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from phenesthe.ais.area_files import Place
from phenesthe.ais.areas import Areas, collect_areas, read_areas
from phenesthe.ais.crossings import find_crossings
from phenesthe.ais.earth import measure_distances
from phenesthe.ais.settings import Settings
from tests.unit.ais.tracks import make_track

SETTINGS = Settings()
BOX = shapely.box(0, 48, 1, 49)


def name_box(name: str = "box", shape: shapely.Geometry = BOX) -> Place:
    return Place(name=name, type="natura", country="", shape=shape)


def cross(areas: Areas, table: pa.Table) -> tuple[list[tuple[int, str, int]], ...]:
    found = find_crossings(table, areas, SETTINGS)
    return tuple(
        [(row["vessel"], row["area"], row["t"]) for row in found[name].to_pylist()]
        for name in ("enters_area", "leaves_area")
    )


def cross_box(t: list[int], lon: list[float]) -> tuple[list[int], ...]:
    """Times of entering and leaving."""
    found = cross(collect_areas([name_box()], []), make_track(t, lon=lon, lat=48.5))
    return tuple([t for _, _, t in events] for events in found)


def test_a_vessel_enters_with_its_first_report_inside_and_leaves_with_the_first_outside() -> None:
    assert cross_box([0, 10, 20, 30, 40], [-1, 0.5, 0.6, 1.5, 1.6]) == ([10], [30])


def test_a_vessel_may_begin_and_end_inside_and_a_border_is_inside() -> None:
    assert cross_box([0, 10], [0.0, 1.0]) == ([0], [])


def test_a_silence_inside_ends_nothing() -> None:
    assert cross_box([0, 10, 90_000, 90_010], [0.5] * 4) == ([0], [])


@pytest.mark.parametrize(
    ("t", "lon", "expected"),
    [
        ([0, 10, 20], [0.999, 1.001, 0.999], ([0], [])),
        ([0, 10, 20, 30], [0.999, 1.001, 1.001, 0.999], ([0, 30], [10])),
        ([0, 400, 800], [0.999, 1.001, 0.999], ([0, 800], [400])),
        ([0, 10], [0.999, 1.001], ([0], [10])),
    ],
)
def test_an_absence_of_one_report_is_jitter_if_it_is_short(
    t: list[int], lon: list[float], expected: tuple[list[int], list[int]]
) -> None:
    assert cross_box(t, lon) == expected


def test_vessels_and_areas_do_not_mix() -> None:
    areas = collect_areas([name_box("a"), name_box("b", shapely.box(0.5, 48, 2, 49))], [])
    table = make_track([0, 10, 0, 10], vessel=[1, 1, 2, 2], lon=[0.2, 0.7, 0.9, 1.5], lat=48.5)
    entered = [(1, "a", 0), (1, "b", 10), (2, "a", 0), (2, "b", 0)]
    assert cross(areas, table) == (entered, [(2, "a", 10)])


def test_parts_of_an_area_that_overlap_are_one() -> None:
    areas = collect_areas([name_box(), name_box(shape=shapely.box(0.5, 48, 2, 49))], [])
    table = make_track([0, 10, 20, 30], lon=[0.2, 0.7, 1.5, 3], lat=48.5)
    assert cross(areas, table) == ([(1, "box", 0)], [(1, "box", 30)])


def test_a_circle_may_reach_over_the_180th_meridian() -> None:
    circle = Place(name="c", type="x", country="", lon=179.99, lat=10, radius=5000)
    table = make_track([0, 10, 20, 30], lon=[179.9, 179.99, -179.99, -179.9], lat=10.0)
    assert cross(collect_areas([circle], []), table) == ([(1, "c", 10)], [(1, "c", 30)])


def test_there_may_be_no_areas_and_no_reports() -> None:
    assert cross(collect_areas([], []), make_track([0])) == ([], [])
    assert cross(collect_areas([name_box()], []), make_track([])) == ([], [])


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_crossings_are_those_of_comparing_every_report_with_every_area(seed: int) -> None:
    random = np.random.default_rng(seed)
    places = make_places(random)
    areas = collect_areas(places, [])
    table = make_walks(random)
    entered, left = cross(areas, table)
    expected = compare_all(table, places)
    assert (sorted(entered), sorted(left)) == expected


def make_places(random: np.random.Generator) -> list[Place]:
    """Stars, some with a hole, and circles; names repeat."""
    places = []
    for number in range(12):
        lon, lat = random.uniform(0, 0.4), random.uniform(48, 48.3)
        place = Place(name=f"area {number % 9}", type="x", country="")
        if number % 3 == 0:
            radius = float(random.uniform(200, 15_000))
            places.append(replace(place, lon=lon, lat=lat, radius=radius))
            continue
        angle = np.sort(random.uniform(0, 2 * np.pi, 20))
        reach = random.uniform(0.5, 1, 20) * random.uniform(0.01, 0.15)
        outline = np.stack([lon + reach * np.cos(angle), lat + reach * np.sin(angle)], axis=1)
        shape = shapely.make_valid(shapely.Polygon(outline))
        hole = shapely.box(lon - 0.01, lat - 0.005, lon + 0.01, lat + 0.005)
        places.append(replace(place, shape=shape - hole if number % 2 else shape))
    return places


def make_walks(random: np.random.Generator) -> pa.Table:
    tables = []
    for vessel in range(4):
        step = np.cumsum(random.normal(0, 0.01, (2, 80)), axis=1)
        lon, lat = step + random.uniform((0, 48), (0.4, 48.3))[:, None]
        t = np.cumsum(random.choice([10, 180, 500, 5000], 80))
        tables.append(make_track(t.tolist(), vessel=vessel, lon=lon.tolist(), lat=lat.tolist()))
    return pa.concat_tables(tables)


def compare_all(
    table: pa.Table, places: list[Place]
) -> tuple[list[tuple[int, str, int]], list[tuple[int, str, int]]]:
    entered, left = [], []
    for vessel in range(4):
        rows = [row for row in table.to_pylist() if row["vessel"] == vessel]
        for name in {place.name for place in places}:
            parts = [place for place in places if place.name == name]
            inside = [any(is_in(place, row["lon"], row["lat"]) for place in parts) for row in rows]
            for at in range(1, len(rows) - 1):
                waited = rows[at + 1]["t"] - rows[at - 1]["t"] <= SETTINGS.border_time
                if inside[at - 1] and not inside[at] and inside[at + 1] and waited:
                    inside[at] = True
            for at, row in enumerate(rows):
                if inside[at] and (at == 0 or not inside[at - 1]):
                    entered.append((vessel, name, row["t"]))
                if not inside[at] and at and inside[at - 1]:
                    left.append((vessel, name, row["t"]))
    return sorted(entered), sorted(left)


def is_in(place: Place, lon: float, lat: float) -> bool:
    if place.shape is not None:
        return bool(place.shape.intersects(shapely.Point(lon, lat)))
    here, there = np.array([lon, lat]), np.array([place.lon, place.lat])
    return bool(measure_distances(here[:1], here[1:], there[:1], there[1:])[0] <= place.radius)


def test_areas_of_files_are_crossed(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({**shapely.geometry.mapping(BOX), "id": "sea"}))
    table = make_track([0, 10], lon=[0.5, 5], lat=48.5)
    assert cross(read_areas([path], SETTINGS), table) == ([(1, "sea", 0)], [(1, "sea", 10)])
