"""Small traffic in every format, for the tests of both engines."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyais.encode import encode_dict

from phenesthe.ais.tables import TABLES
from tests.unit.ais.test_formats import BREST_HEAD, DANISH_HEAD, US_HEAD

START = 1_600_000_000


def write_samples(folder: Path) -> list[Path]:
    """A file of each format, with bad rows in some, and overlapping vessels in several."""
    writers = {
        "danish.csv": _write_danish,
        "us.csv": _write_us,
        "brest.csv": _write_brest,
        "log.nmea": _write_log,
    }
    for name, write in writers.items():
        (folder / name).write_text("\n".join(write()) + "\n")
    columns = zip(*_sail(219000005, 40), strict=True)
    table = pa.table([pa.array(one) for one in columns], names=["mmsi", "time", "lon", "lat"])
    pq.write_table(table, folder / "plain.parquet")
    return [*(folder / name for name in writers), folder / "plain.parquet"]


def write_areas(folder: Path) -> Path:
    """A square and a circle that the vessels go through."""
    corners = [[9.99, 55.005], [10.05, 55.005], [10.05, 55.02], [9.99, 55.02], [9.99, 55.005]]
    square = {"type": "Polygon", "coordinates": [corners]}
    feature = {"type": "Feature", "properties": {"name": "bank", "type": "fishing"}}
    path = folder / "areas.geojson"
    features = [{**feature, "geometry": square}]
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    (folder / "points.csv").write_text("name,type,lon,lat,radius\nquay,port,10.0,55.0,400\n")
    return path


def _sail(vessel: int, count: int, step: int = 20) -> Iterator[tuple[int, int, float, float]]:
    """Out of a port, northwards, with a rest on the way; two vessels a little apart are close."""
    for at in range(count):
        way = min(at, count // 3) + max(at - 2 * count // 3, 0)
        yield vessel, START + at * step, 10.0 + vessel % 10 * 1e-3, 55.0 + way * step * 5e-5


def _write_danish() -> Iterator[str]:
    yield DANISH_HEAD
    for vessel, t, lon, lat in _sail(219000001, 60):
        time = datetime.fromtimestamp(t, UTC).strftime("%d/%m/%Y %H:%M:%S")
        start = f"{time},Class A,{vessel},{lat:.6f},{lon:.6f},Engaged in fishing,0.0"
        yield f"{start},6.0,360.0,511,Unknown,,ANNA,Fishing{',' * 12}"
        if t % 400 == 0:
            yield f"{start},6.0,0.0,0,Unknown,,ANNA,Fishing{',' * 12}"
            yield f"{time},Base Station,2190047,{lat},{lon},,{',' * 19}"
    yield "cut off,Class A"


def _write_us() -> Iterator[str]:
    yield US_HEAD
    for vessel, t, lon, lat in _sail(366000002, 60, 17):
        time = datetime.fromtimestamp(t, UTC).strftime("%Y-%m-%dT%H:%M:%S")
        yield f'{vessel},{time},{lat:.6f},{lon:.6f},5.0,1.0,2.0,"TOM, INC",,,31,0,20,7,3,31,A'
    yield "366000002,2020-09-13T12:30:01,15,100,5,1,2,,,,31,0,,,,,A"


def _write_brest() -> Iterator[str]:
    yield BREST_HEAD
    for vessel, t, lon, lat in _sail(227000003, 90, 31):
        yield f"{vessel},0,0,,,511,{lon:.6f},{lat:.6f},{t}"
        if t % 2:
            yield f"{vessel},0,0,9,90,511,{lon + 2:.6f},{lat:.6f},{t + 5}"
    yield f"12,0,0,1,1,1,10,55,{START}"


def _write_log() -> Iterator[str]:
    fields: dict[str, Any] = {"mmsi": "227000004", "speed": 4.2, "course": 0.5, "heading": 511}
    for at, (_, t, lon, lat) in enumerate(_sail(227000004, 60)):
        kind = 18 if at % 2 else 1
        for line in encode_dict({"type": kind, "lon": lon, "lat": lat, **fields}, talker_id="AI"):
            yield f"\\c:{t}*00\\{line}"
        if at % 20 == 0:
            told: dict[str, Any] = {
                "type": 5,
                "mmsi": "227000004",
                "ship_type": 52,
                "shipname": "TUG",
            }
            yield from (f"{t} {line}" for line in encode_dict(told, talker_id="AI"))
    yield "# the end"


def read_folder(folder: Path) -> dict[str, Any]:
    """Every table that was written, its rows in one order."""
    assert {one.stem for one in folder.glob("*.parquet")} == set(TABLES)
    tables = {name: pq.read_table(folder / f"{name}.parquet") for name in TABLES}
    return {
        name: table.sort_by([(one, "ascending") for one in table.column_names]).to_pydict()
        for name, table in tables.items()
    }


def count_rows(told: dict[str, Any]) -> int:
    return int(np.sum([told["kept"], *told["dropped"].values()]))
