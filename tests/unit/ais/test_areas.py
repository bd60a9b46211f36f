import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from phenesthe.ais.areas import Areas, read_areas
from phenesthe.ais.settings import Settings
from phenesthe.io.errors import DataError

SQUARE = [[0, 48], [1, 48], [1, 49], [0, 49], [0, 48]]


def make_feature(coordinates: Any, kind: str = "Polygon", **properties: Any) -> dict[str, Any]:
    geometry = {"type": kind, "coordinates": coordinates}
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def read(folder: Path, *features: Any, name: str = "areas.geojson") -> Areas:
    path = folder / name
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return read_areas([path], Settings())


def test_geojson_has_polygons_and_points(tmp_path: Path) -> None:
    areas = read(
        tmp_path,
        make_feature([SQUARE], name="Iroise", type="Natura"),
        make_feature([[SQUARE]], "MultiPolygon", Name="bank", category="fishing"),
        make_feature([-4.5, 48.4], "Point", name="Brest", type="port", radius=900),
    )
    assert areas.names == ("Iroise", "bank", "Brest")
    assert areas.types == ("natura", "fishing", "port")
    assert areas.mark_circles().tolist() == [False, False, True]
    assert areas.radius[2] == 900
    assert areas.set_aside == ()
    assert areas.list_types().to_pylist()[0] == {"area": "Iroise", "type": "natura"}


def test_a_number_of_thousands_of_digits_is_no_geojson(tmp_path: Path) -> None:
    path = tmp_path / "areas.geojson"
    path.write_text('{"features": [' + "9" * 5000 + "]}")
    with pytest.raises(DataError, match="neither GeoJSON nor CSV"):
        read_areas([path], Settings())


def test_a_file_of_points_names_their_type_if_they_do_not(tmp_path: Path) -> None:
    path = tmp_path / "ports.csv"
    path.write_text("id,name,country,lon,lat,size\n1,Brest,France,-4.5,48.4,Large\n2,,,0,0,\n")
    areas = read_areas([path], Settings(point_radius=1500))
    assert (areas.names, areas.types) == (("Brest", "2"), ("port", "port"))
    assert areas.radius.tolist() == [1500, 1500]


def test_places_of_one_name_are_one_area_unless_they_differ(tmp_path: Path) -> None:
    ports, anchorages = tmp_path / "ports.csv", tmp_path / "anchorages.csv"
    ports.write_text("name,lon,lat,country\nBrest,-4.5,48.4,\nBath,0,51,UK\nBath,-69,44,US\n")
    anchorages.write_text("name,Longitude,LAT,radius\nBrest,-4.4,48.3,800\nBrest,-4.4,48.2,700\n")
    areas = read_areas([ports, anchorages], Settings())
    assert areas.names == ("Brest (port)", "Bath (UK)", "Bath (US)", "Brest (anchorage)")
    assert areas.owner.tolist() == [0, 1, 2, 3, 3]
    assert areas.types == ("port", "port", "port", "anchorage")


def test_what_is_no_area_is_set_aside_with_its_reason(tmp_path: Path) -> None:
    bow = [[0, 0], [1, 1], [1, 0], [0, 1], [0, 0]]
    areas = read(
        tmp_path,
        make_feature([SQUARE], name="good"),
        make_feature([bow], name="bow"),
        make_feature([[0, 0], [1, 1]], "LineString"),
        make_feature([[[500, 0], [501, 0], [501, 1], [500, 0]]]),
        make_feature([]),
        make_feature("?"),
        {"type": "Feature", "properties": None, "geometry": None},
        7,
        make_feature([0, 0], "Point", radius="wide"),
        make_feature([0, 0], "Point", radius=-1),
    )
    assert areas.names == ("good",)
    reasons = {one.feature: one.reason for one in areas.set_aside}
    assert list(reasons) == [f"feature {number}" for number in range(2, 11)]
    assert reasons["feature 2"].startswith("its outline is not valid (self-intersection")
    assert reasons["feature 3"] == "a LineString is no area"
    assert "no longitude and latitude" in reasons["feature 4"]
    assert reasons["feature 5"] == "its geometry is empty"
    assert reasons["feature 6"] == reasons["feature 8"] == "its geometry is not GeoJSON"
    assert reasons["feature 9"] == "its radius `wide` is not a number"
    assert reasons["feature 10"] == "its radius `-1` is not above 0"
    assert str(areas.set_aside[0]).startswith(f"{tmp_path / 'areas.geojson'}, feature 2: ")


def test_lines_that_are_no_place_are_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "ports.csv"
    path.write_text("name,lon,lat\nA,x,1\nB,0\nC,0,91\nD,0,1,2,3\n")
    areas = read_areas([path], Settings())
    assert areas.names == ("D",)
    assert [one.feature for one in areas.set_aside] == ["line 2", "line 3", "line 4"]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_points_are_separated_as_reports_are(tmp_path: Path, separator: str) -> None:
    path = tmp_path / "ports.csv"
    path.write_text("name,lon,lat,radius\nA,1,2,300\n".replace(",", separator))
    areas = read_areas([path], Settings())
    assert areas.names == ("A",)
    assert (areas.lon[0], areas.lat[0], areas.radius[0]) == (1, 2, 300)


def test_a_side_over_the_180th_meridian_is_not_drawn_around_the_earth(tmp_path: Path) -> None:
    def make_box(west: float, east: float) -> list[list[float]]:
        return [[west, 9], [east, 9], [east, 11], [west, 11], [west, 9]]

    areas = read(
        tmp_path,
        make_feature([make_box(179, -179)], name="fiji"),
        make_feature([make_box(-180, 180)], name="belt"),
        make_feature([make_box(179, 180)], name="cut"),
        make_feature([make_box(-180, -179)], name="cut"),
    )
    assert areas.names == ("belt", "cut")
    assert "cut it in two" in areas.set_aside[0].reason


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "name,x1,y1\nA,0,0\n", "has no column `lon`"),
        ("a.csv", "", "is empty"),
        ("a.geojson", "PK", "is neither GeoJSON nor CSV"),
        ("a.geojson", "[1]", "has no GeoJSON features"),
        ("a.geojson", '{"features": 3}', "has no GeoJSON features"),
    ],
)
def test_a_file_of_no_areas_is_an_error(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError, match=message) as caught:
        read_areas([tmp_path / name], Settings())
    assert caught.value.hint


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no"):
        read_areas([tmp_path / "none.csv"], Settings())


def test_no_files_are_no_areas_and_areas_travel(tmp_path: Path) -> None:
    assert len(read_areas([], Settings())) == 0
    areas = pickle.loads(pickle.dumps(read(tmp_path, make_feature([SQUARE], name="a"))))
    assert areas.names == ("a",)
    assert areas.shapes[0].area == 1


def test_what_is_assumed_of_areas_is_said(tmp_path: Path) -> None:
    (tmp_path / "ports.csv").write_text("name;lon;lat\na;5;55\nb;6;55\n")
    (tmp_path / "none.geojson").write_text('{"type": "FeatureCollection", "features": []}')
    line = '{"type": "LineString", "coordinates": [[1, 2], [3, 4]]}'
    (tmp_path / "lines.geojson").write_text(line)
    (tmp_path / "good.csv").write_text("name,type,lon,lat\nc,port,5,55\n")
    names = ("ports.csv", "none.geojson", "lines.geojson", "good.csv")
    areas = read_areas([tmp_path / one for one in names], Settings())
    assert areas.types == ("port", "port", "port")
    first, second, third = areas.notes
    assert f"`{tmp_path / 'ports.csv'}`: 2 areas have no `type`; `port` is assumed" in first
    assert f"`{tmp_path / 'none.geojson'}` has no area" in second
    assert f"`{tmp_path / 'lines.geojson'}` has no area" in third


@pytest.mark.parametrize(
    ("encoding", "separator"), [("utf-16", "\t"), ("windows-1252", ";"), ("utf-8-sig", ",")]
)
def test_areas_are_read_as_all_text_is(tmp_path: Path, encoding: str, separator: str) -> None:
    text = "name,type,lon,lat\nKøbenhavn,port,12.5,55.7\n".replace(",", separator)
    (tmp_path / "a.csv").write_bytes(text.encode(encoding))
    assert read_areas([tmp_path / "a.csv"], Settings()).names == ("København",)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.shp", b"\x00\x00\x27\x0a", r"a shapefile\n.*ogr2ogr"),
        ("a.kml", b"<kml/>", r"KML\n.*ogr2ogr"),
        ("a.zip", b"PK\x03\x04", r"a zip archive\n.*unzip"),
        ("a.geojson", b"PK\x03\x04", "a zip archive"),
        ("a.geojson", b"\x89PNG\r\n\x81\x8d", "neither GeoJSON nor CSV"),
        ("a.xlsx", b"PK\x03\x04", r"an Excel workbook\n.*save it as CSV"),
    ],
)
def test_files_that_hold_no_areas_have_a_remedy(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=message):
        read_areas([tmp_path / name], Settings())
