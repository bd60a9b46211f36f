"""The areas of the example, and when a vessel truly is in them."""

import csv
import json
from dataclasses import dataclass
from functools import cache

import numpy as np
import shapely
from shapely.geometry import shape

from examples.maritime.fleet import Vessel
from examples.maritime.geography import AREAS, measure, move
from examples.maritime.intervals import Span, list_runs
from examples.maritime.motion import Motion


@dataclass(frozen=True, slots=True)
class Area:
    name: str
    type: str
    #: A polygon, or a point with a radius in metres.
    geometry: shapely.Geometry
    radius: float | None


@cache
def read_areas() -> tuple[Area, ...]:
    """The areas as `phenesthe ais prepare` is given them."""
    features = json.loads((AREAS / "areas.geojson").read_text(encoding="utf-8"))["features"]
    polygons = [
        Area(
            feature["properties"]["name"],
            feature["properties"]["type"],
            shape(feature["geometry"]),
            None,
        )
        for feature in features
    ]
    with (AREAS / "points.csv").open(encoding="utf-8", newline="") as lines:
        points = [
            Area(
                row["name"],
                row["type"],
                shapely.Point(float(row["lon"]), float(row["lat"])),
                float(row["radius"]),
            )
            for row in csv.DictReader(lines)
        ]
    return (*polygons, *points)


def list_stays(vessel: Vessel) -> dict[Area, list[Span]]:
    """When a vessel is in each of the areas, without those it never comes to."""
    stays = {area: _list_inside(vessel.motion, area, vessel.begins) for area in read_areas()}
    return {area: spans for area, spans in stays.items() if spans}


def _list_inside(motion: Motion, area: Area, begins: int) -> list[Span]:
    west, south, east, north = _bound(area)
    inside = (
        (motion.lon >= west) & (motion.lon <= east) & (motion.lat >= south) & (motion.lat <= north)
    )
    rows = np.flatnonzero(inside)
    lon, lat = motion.lon[rows], motion.lat[rows]
    if area.radius is None:
        shapely.prepare(area.geometry)
        inside[rows] = shapely.contains_xy(area.geometry, lon, lat)
    else:
        inside[rows] = measure(lon, lat, _find_center(area)) <= area.radius
    return list_runs(inside, begins)


def _bound(area: Area) -> tuple[float, float, float, float]:
    if area.radius is None:
        west, south, east, north = area.geometry.bounds
        return west, south, east, north
    center, reach = _find_center(area), 1.1 * area.radius
    return (*move(center, -reach, -reach), *move(center, reach, reach))


def _find_center(area: Area) -> tuple[float, float]:
    return float(area.geometry.x), float(area.geometry.y)
