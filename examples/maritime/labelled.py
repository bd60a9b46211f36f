"""Fishing as the library recognises it, beside what observers on board noted.

The reports come in a Parquet table with the columns mmsi, t (seconds), lon, lat, ship_type and, if
they are known, sog and cog; `label` is what the observer noted and `gear` what the vessel fishes
with. The vessels are taken to be on fishing grounds wherever they are.

A report stands for the time until the next one of the trip. Time without a label, or with one that
is neither in `FISHING` nor in `OTHER`, is not counted: nobody has said what was done then.
"""

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from examples.maritime.intervals import Span, close_pauses, intersect, measure_total
from examples.maritime.recognise import recognise
from examples.maritime.scores import Score
from phenesthe.ais.settings import Settings
from phenesthe.arrow import pack, to_bools, to_floats, to_ints
from phenesthe.io.errors import DataError
from phenesthe.io.read_tables import refusing
from phenesthe.report.rows import Row

#: The parts of the definition, and the whole.
NAMES = ("trawling_speed", "trawling_movement", "trawling")
FISHING = ("hauling", "set", "shooting", "tow")
OTHER = ("steaming", "travel")
_SCHEMA = pa.schema(
    {
        "mmsi": pa.int64(),
        "t": pa.int64(),
        "lon": pa.float64(),
        "lat": pa.float64(),
        "label": pa.string(),
        "gear": pa.string(),
    }
)
#: Degrees around all positions, so that none is on the border.
_MARGIN = 0.1


@dataclass(frozen=True, slots=True)
class Trip:
    """Reports of a vessel without a communication gap: when it fished, when it did not."""

    vessel: int
    gear: str
    begins: int
    fishing: tuple[Span, ...]
    other: tuple[Span, ...]

    def __str__(self) -> str:
        return f"{self.vessel} {datetime.fromtimestamp(self.begins, UTC):%m-%d %H:%M}"


@dataclass(frozen=True, slots=True)
class Judged:
    """How each name fits the labelled time of one or more trips."""

    text: str
    labelled_time: int
    scores: dict[str, Score]

    @property
    def fishing(self) -> float:
        """The share of fishing, which is the precision of who takes all of the time for it."""
        return self.scores[NAMES[-1]].true_time / self.labelled_time

    @property
    def wrong(self) -> float | None:
        """The share of the other time that is taken for fishing."""
        whole = self.scores[NAMES[-1]]
        other = self.labelled_time - whole.true_time
        return (whole.recognised_time - whole.shared_time) / other if other else None


def judge_file(path: Path) -> Iterator[list[Judged]]:
    """The trips with labels of each kind of gear and their sum, and at last the sum of all."""
    table = _read(path)
    trips = _list_trips(table)
    if not trips:
        raise DataError(
            f"no report in `{path}` has a label to compare with",
            f"labels are {', '.join((*FISHING, *OTHER))}",
        )
    with tempfile.TemporaryDirectory() as folder:
        area = _write_area(table, Path(folder) / "grounds.geojson")
        rows = recognise(path, NAMES, Path(folder), areas=(area,))
    judged = {trip: _judge(trip, rows) for trip in trips}
    for gear in sorted({trip.gear for trip in trips}):
        own = [one for trip, one in judged.items() if trip.gear == gear]
        yield [*own, _add(gear, own)]
    yield [_add("all", judged.values())]


def _read(path: Path) -> Any:
    """The reports of a vessel, a time and a place, in order."""
    with refusing(path):
        table = pq.read_table(path)
        missing = [name for name in _SCHEMA.names if name not in table.column_names]
        if missing:
            raise DataError(
                f"`{path}` has no column {', '.join(f'`{name}`' for name in missing)}",
                f"a labelled track has the columns {', '.join(_SCHEMA.names)}",
            )
        table = table.select(_SCHEMA.names).cast(_SCHEMA)
    for name in ("mmsi", "t", "lon", "lat"):
        table = table.filter(pc.is_finite(table[name]))
    return table.sort_by([("mmsi", "ascending"), ("t", "ascending")])


def _list_trips(table: Any) -> list[Trip]:
    """Those that have a label that is counted."""
    vessel, t = to_ints(table["mmsi"]), to_ints(table["t"])
    is_cut = (np.diff(vessel) != 0) | (np.diff(t) >= Settings().gap)
    edges = np.unique(np.concatenate([[0], np.flatnonzero(is_cut) + 1, [len(t)]]))
    trips = []
    for start, stop in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        part = table.slice(start, stop - start)
        trip = Trip(
            vessel=int(vessel[start]),
            gear=str(part["gear"][0]),
            begins=int(t[start]),
            fishing=_list_spans(part, FISHING),
            other=_list_spans(part, OTHER),
        )
        if trip.fishing or trip.other:
            trips.append(trip)
    return trips


def _list_spans(reports: Any, labels: Sequence[str]) -> tuple[Span, ...]:
    t = to_ints(reports["t"])
    noted = pc.is_in(reports["label"], value_set=pack(labels, pa.string()))
    holds = np.flatnonzero(to_bools(noted)[:-1])
    spans = zip(t[holds].tolist(), t[holds + 1].tolist(), strict=True)
    return tuple(close_pauses(spans, 0))


def _write_area(table: Any, path: Path) -> Path:
    lon, lat = to_floats(table["lon"]), to_floats(table["lat"])
    west, east = float(lon.min()) - _MARGIN, float(lon.max()) + _MARGIN
    south, north = float(lat.min()) - _MARGIN, float(lat.max()) + _MARGIN
    ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    feature = {
        "type": "Feature",
        "properties": {"name": "grounds", "type": "fishing"},
        "geometry": {"type": "Polygon", "coordinates": [ring]},
    }
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}))
    return path


def _judge(trip: Trip, rows: Sequence[Row]) -> Judged:
    labelled = close_pauses((*trip.fishing, *trip.other), 0)
    last = labelled[-1][1]
    scores = {}
    for name in NAMES:
        own = [row for row in rows if row.name == name and row.args == (trip.vessel,)]
        spans = [(row.start, last if row.end is None else row.end) for row in own]
        scores[name] = Score(
            true_time=measure_total(trip.fishing),
            recognised_time=measure_total(intersect(spans, labelled)),
            shared_time=measure_total(intersect(spans, trip.fishing)),
        )
    return Judged(str(trip), measure_total(labelled), scores)


def _add(text: str, parts: Iterable[Judged]) -> Judged:
    own = list(parts)
    scores = {name: sum((one.scores[name] for one in own), Score()) for name in NAMES}
    return Judged(text, sum(one.labelled_time for one in own), scores)
