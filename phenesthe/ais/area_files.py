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
from io import StringIO
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import shapely

from phenesthe.files.csv_form import NoHeader, count_among, read_form
from phenesthe.files.special import name_special
from phenesthe.files.text import BEGINNING, decode, find_encoding, open_text
from phenesthe.io.errors import DataError
from phenesthe.io.foreign import refuse_foreign, refuse_packed
from phenesthe.io.places import refuse_absence, refuse_special_file
from phenesthe.io.read_csv import refuse_header
from phenesthe.io.read_tables import refusing
from phenesthe.io.spelling import fold

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
#: What maps are kept in elsewhere.
_FORMATS = {
    ".shp": "a shapefile",
    ".kml": "KML",
    ".kmz": "KML",
    ".gpkg": "a GeoPackage",
    ".gml": "GML",
    ".parquet": "a Parquet file",
}
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


@dataclass(frozen=True, slots=True)
class Found:
    """The places of a file, what is none, and what was assumed."""

    places: list[Place]
    set_aside: list[SetAside]
    notes: list[str]


class _Refusal(Exception):
    """Why a feature is no place."""


def read_places(path: Path, radius: float) -> "Found":
    """The places of a file. Raises `DataError` for one that can have none."""
    places: list[Place] = []
    set_aside: list[SetAside] = []
    untyped = 0
    text = _read_text(path)
    is_csv = path.name.removesuffix(".gz").lower().endswith((".csv", ".tsv", ".txt"))
    features = _split_csv(path, text) if is_csv else _split_geojson(path, text)
    # What is no text cannot stand in a table.
    stem = os.fsencode(path.name.partition(".")[0]).decode(errors="replace")
    assumed = stem.lower().removesuffix("s")
    for feature, properties, geometry in features:
        try:
            given = _choose(properties)
            place = Place(
                name=given["name"] or f"{stem} {feature.split()[-1]}",
                type=given["type"].lower() or assumed,
                country=given["country"],
            )
            if geometry is None:
                places.append(_add_circle(place, given, radius))
            else:
                places.append(_add_shape(place, given, geometry, radius))
            untyped += not given["type"]
        except _Refusal as reason:
            set_aside.append(SetAside(str(path), feature, str(reason)))
    return Found(places, set_aside, _list_notes(path, places, untyped, assumed))


def _list_notes(path: Path, places: list[Place], untyped: int, assumed: str) -> list[str]:
    if not places:
        return [
            f"`{path}` has no area: no polygon, and no point with a radius; nothing will be found "
            f"to be in it\n  help: {_HINT}"
        ]
    if untyped:
        areas = "1 area has" if untyped == 1 else f"{untyped:,} areas have"
        return [
            f"`{path}`: {areas} no `type`; `{assumed}` is assumed, because of the name of the "
            "file\n"
            "  help: give each a property (in CSV a column) `type`, such as port, anchorage, "
            "fishing or coast"
        ]
    return []


def _read_text(path: Path) -> str:
    refuse_foreign_areas(path)
    special = name_special(path)
    if special is not None:
        raise refuse_special_file(str(path), special)
    if not path.exists():
        raise refuse_absence(str(path))
    if path.is_dir():
        raise DataError(f"cannot read `{path}`: it is a folder", _HINT)
    with refusing(path):
        refuse_packed(path)
        with open_text(path) as file:
            content = file.read(_MOST + 1)
    if len(content) > _MOST:
        raise DataError(
            f"cannot read `{path}`: it has more than {_MOST // 2**20} MiB",
            "cut it into several files, or draw the areas more coarsely",
        )
    try:
        return decode(content, find_encoding(content[:BEGINNING]))
    except UnicodeDecodeError:
        raise DataError(f"`{path}` is neither GeoJSON nor CSV: it is not text", _HINT) from None


def refuse_foreign_areas(path: Path) -> None:
    """Raise `DataError` for what other programs keep areas in."""
    if path.suffix.lower() in _FORMATS:
        raise DataError(
            f"cannot read `{path}`: it is {_FORMATS[path.suffix.lower()]}",
            f"make GeoJSON of it: ogr2ogr -t_srs EPSG:4326 {path.stem}.geojson {path}",
        )
    if path.suffix.lower() != ".json":
        refuse_foreign(path)


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
    words = [one for synonyms in _SYNONYMS.values() for one in synonyms]
    try:
        form = read_form(text[:BEGINNING].encode(), "utf-8", count_among(words, fold))
    except NoHeader as problem:
        raise refuse_header(str(path), problem) from None
    reader = csv.DictReader(StringIO(text, newline=""), delimiter=form.separator)
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
