"""Files of places: GeoJSON, and CSV with one point a line.

A place is named by `name`, or by what is called alike; its type is `type`, or else the file's name
without a final s, so that `ports.csv` has places of the type `port`. What cannot be understood is
set aside, with the file, the feature and the reason.
"""

import csv
import json
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import shapely

from phenesthe.ais.sources import SEPARATORS
from phenesthe.files.special import name_special
from phenesthe.io.errors import DataError, describe_failure
from phenesthe.io.places import refuse_special_file

Geometries: TypeAlias = npt.NDArray[Any]

#: What columns and properties may be called, the best name first.
_SYNONYMS = {
    "name": ("name", "area", "area_name", "port", "port_name", "main port name", "label", "id"),
    "type": ("type", "area_type", "kind", "category"),
    "country": ("country", "country_code", "iso3"),
    "lon": ("lon", "longitude", "lng", "x"),
    "lat": ("lat", "latitude", "y"),
    "radius": ("radius", "radius_m"),
}
#: Of a file, in bytes: all of it is held at once.
_MOST = 256 * 2**20
_HINT = "give areas as GeoJSON polygons, or as CSV with the columns name, type, lon, lat and radius"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A polygon, or a point and the radius in metres around it, which are NaN for a polygon."""

    name: str
    type: str
    country: str
    shape: Any = None
    lon: float = math.nan
    lat: float = math.nan
    radius: float = math.nan


@dataclass(frozen=True, slots=True)
class SetAside:
    file: str
    feature: str
    reason: str

    def __str__(self) -> str:
        return f"{self.file}, {self.feature}: {self.reason}"


class _Refusal(Exception):
    """Why a feature is no place."""


def read_places(path: Path, radius: float) -> tuple[list[Place], list[SetAside]]:
    places: list[Place] = []
    set_aside: list[SetAside] = []
    special = name_special(path)
    if special is not None:
        raise refuse_special_file(str(path), special)
    try:
        with path.open("rb") as file:
            content = file.read(_MOST + 1)
        text = content.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise DataError(f"cannot read `{path}`: {describe_failure(problem)}", _HINT) from None
    if len(content) > _MOST:
        raise DataError(
            f"cannot read `{path}`: it has more than {_MOST // 2**20} MiB",
            "cut it into several files, or draw the areas more coarsely",
        )
    is_csv = path.suffix.lower() in (".csv", ".tsv", ".txt")
    features = _split_csv(path, text) if is_csv else _split_geojson(path, text)
    # What is no text cannot stand in a table.
    stem = os.fsencode(path.stem).decode(errors="replace")
    for feature, properties, geometry in features:
        try:
            given = _choose(properties)
            place = Place(
                name=given["name"] or f"{stem} {feature.split()[-1]}",
                type=given["type"].lower() or stem.lower().removesuffix("s"),
                country=given["country"],
            )
            if geometry is None:
                places.append(_add_circle(place, given, radius))
            else:
                places.append(_add_shape(place, given, geometry, radius))
        except _Refusal as reason:
            set_aside.append(SetAside(str(path), feature, str(reason)))
    return places, set_aside


def _choose(properties: Mapping[str, Any]) -> dict[str, str]:
    """The first value that is there for each thing we look for, or the empty text."""
    known = {str(name).strip().lower(): value for name, value in properties.items()}
    chosen = {}
    for name, synonyms in _SYNONYMS.items():
        values = (known.get(one) for one in synonyms)
        texts = (str(value).strip() for value in values if value is not None)
        chosen[name] = next((text for text in texts if text), "")
    return chosen


def _split_csv(path: Path, text: str) -> Iterator[tuple[str, dict[str, Any], None]]:
    lines = text.splitlines()
    if not lines:
        raise DataError(f"`{path}` is empty", _HINT)
    reader = csv.DictReader(lines, delimiter=max(SEPARATORS, key=lines[0].count))
    columns = {one.strip().lower() for one in reader.fieldnames or ()}
    for needed in ("lon", "lat"):
        if not columns.intersection(_SYNONYMS[needed]):
            raise DataError(f"`{path}` has no column `{needed}`", _HINT)
    for row in reader:
        yield f"line {reader.line_num}", {k: v for k, v in row.items() if k is not None}, None


def _split_geojson(path: Path, text: str) -> Iterator[tuple[str, dict[str, Any], Any]]:
    try:
        root = json.loads(text)
    except (ValueError, RecursionError):  # numbers of thousands of digits too
        raise DataError(f"`{path}` is neither GeoJSON nor CSV", _HINT) from None
    features = root.get("features", [root]) if isinstance(root, dict) else None
    if not isinstance(features, list):
        raise DataError(f"`{path}` has no GeoJSON features", _HINT)
    for number, feature in enumerate(features, start=1):
        if not isinstance(feature, dict):
            feature = {}
        is_feature = feature.get("type") == "Feature"
        properties = feature.get("properties") if is_feature else None
        known = dict(properties) if isinstance(properties, dict) else {}
        if feature.get("id") is not None:
            known.setdefault("id", feature["id"])
        yield f"feature {number}", known, (feature.get("geometry") if is_feature else feature) or {}


def _add_shape(place: Place, given: dict[str, str], geometry: Any, usual: float) -> Place:
    try:
        shape = shapely.force_2d(shapely.from_geojson(json.dumps(geometry)))
    except shapely.errors.GEOSException:
        raise _Refusal("its geometry is not GeoJSON") from None
    if shape.is_empty:
        raise _Refusal("its geometry is empty")
    if shape.geom_type == "Point":
        return _add_circle(place, {**given, "lon": repr(shape.x), "lat": repr(shape.y)}, usual)
    if shape.geom_type not in ("Polygon", "MultiPolygon"):
        raise _Refusal(f"a {shape.geom_type} is no area")
    _check_position(*shape.bounds[:2])
    _check_position(*shape.bounds[2:])
    _check_sides(shape)
    if not shape.is_valid:
        reason = shapely.is_valid_reason(shape)
        raise _Refusal(f"its outline is not valid ({reason[:1].lower()}{reason[1:]})")
    return replace(place, shape=shape)


def _check_sides(shape: Any) -> None:
    """Refuse a side from 179 to -179, which may mean the short way over the 180th meridian, but
    in a plane, where GeoJSON has its polygons (RFC 7946, 3.1.9), is the long way around the Earth.
    """
    for ring in shapely.get_rings(shape):
        wide = np.abs(np.diff(shapely.get_coordinates(ring)[:, 0]))
        if ((wide > 180) & (wide < 360)).any():
            raise _Refusal("a side of it goes over the 180th meridian: cut it in two there")


def _add_circle(place: Place, given: dict[str, str], usual: float) -> Place:
    lon, lat = _read_number(given, "lon"), _read_number(given, "lat")
    _check_position(lon, lat)
    radius = _read_number(given, "radius") if given["radius"] else usual
    if not radius > 0:
        raise _Refusal(f"its radius `{given['radius']}` is not above 0")
    return replace(place, lon=lon, lat=lat, radius=radius)


def _read_number(given: dict[str, str], name: str) -> float:
    try:
        number = float(given[name])
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise _Refusal(f"its {name} `{given[name]}` is not a number")
    return number


def _check_position(lon: float, lat: float) -> None:
    if not (-180 <= lon <= 180 and -90 <= lat <= 90):
        raise _Refusal(f"{lon:g}, {lat:g} is no longitude and latitude in degrees")
