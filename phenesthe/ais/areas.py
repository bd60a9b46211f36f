"""Areas that vessels enter and leave: polygons, and circles around points."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import shapely

from phenesthe.ais.area_files import Geometries, Place, SetAside, read_places
from phenesthe.ais.earth import bound_latitudes, bound_longitudes
from phenesthe.ais.settings import Settings
from phenesthe.arrow import pack
from phenesthe.kernels.arrays import Array, Mask
from phenesthe.kernels.sphere import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Areas:
    """An area has a name of its own and one type, and one shape or more."""

    names: tuple[str, ...]
    types: tuple[str, ...]
    #: The number of the area that each shape is a part of.
    owner: Array
    #: Polygons; of a circle what bounds it, in degrees.
    shapes: Geometries
    #: The centre and the radius in metres of a circle, NaN for a polygon.
    lon: Floats
    lat: Floats
    radius: Floats
    #: What was not understood, and why.
    set_aside: tuple[SetAside, ...]
    #: What was assumed, and which files are of no use.
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    def mark_circles(self) -> Mask:
        return np.isfinite(self.radius)

    def list_types(self) -> pa.Table:
        """The fact `area_type`."""
        return pa.table(
            {"area": pack(self.names, pa.string()), "type": pack(self.types, pa.string())}
        )


def read_areas(paths: Iterable[Path], settings: Settings) -> Areas:
    """The areas of GeoJSON and CSV files.

    Places of one name and type are parts of one area. Where places of one name differ in type or
    country, those are added to their names.
    """
    places: list[Place] = []
    set_aside: list[SetAside] = []
    notes: list[str] = []
    for path in paths:
        found = read_places(path, settings.point_radius)
        places += found.places
        set_aside += found.set_aside
        notes += found.notes
    return collect_areas(places, set_aside, notes)


def collect_areas(
    places: Sequence[Place], set_aside: Sequence[SetAside], notes: Sequence[str] = ()
) -> Areas:
    labels = _label(places)
    number: dict[str, int] = {}
    for label in labels:
        number.setdefault(label, len(number))
    type_of = {label: place.type for label, place in zip(labels, places, strict=True)}
    lon, lat, radius = (
        np.array([getattr(place, name) for place in places], dtype=np.float64)
        for name in ("lon", "lat", "radius")
    )
    shapes: Geometries = np.array([place.shape for place in places], dtype=object)
    is_circle = np.isfinite(radius)
    shapes[is_circle] = _bound_circles(lon[is_circle], lat[is_circle], radius[is_circle])
    return Areas(
        names=tuple(number),
        types=tuple(type_of[label] for label in number),
        owner=np.array([number[label] for label in labels], dtype=np.int64),
        shapes=shapes,
        lon=lon,
        lat=lat,
        radius=radius,
        set_aside=tuple(set_aside),
        notes=tuple(notes),
    )


def _label(places: Sequence[Place]) -> list[str]:
    kinds: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for place in places:
        kinds[place.name].add((place.type, place.country))
    labels = []
    for place in places:
        types, countries = (set(column) for column in zip(*kinds[place.name], strict=True))
        parts = [place.type] if len(types) > 1 else []
        parts += [place.country] if len(countries) > 1 and place.country else []
        labels.append(f"{place.name} ({', '.join(parts)})" if parts else place.name)
    return labels


def _bound_circles(lon: Floats, lat: Floats, radius: Floats) -> Geometries:
    """Boxes; where one reaches over the 180th meridian it goes once around the Earth."""
    height, width = bound_latitudes(radius), bound_longitudes(lat, radius)
    west, east = lon - width, lon + width
    is_around = (west < -180) | (east > 180)
    west, east = np.where(is_around, -180.0, west), np.where(is_around, 180.0, east)
    boxes: Geometries = shapely.box(west, lat - height, east, lat + height)
    return boxes
