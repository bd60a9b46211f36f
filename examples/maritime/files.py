"""Traffic as files: reports as the Danish Maritime Authority writes them, truth as JSON lines."""

import gzip
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.csv

from examples.maritime.fleet import Deed, Vessel
from examples.maritime.simulate import Traffic
from examples.maritime.transmit import Reports, transmit

#: The first second of the simulation: 1 March 2024.
EPOCH = 1_709_251_200
REPORTS, TRUTH = "ais.csv.gz", "truth.jsonl"

#: By number.
_STATUS = (
    "Under way using engine",
    "At anchor",
    "Not under command",
    "Restricted maneuverability",
    "Constrained by her draught",
    "Moored",
    "Aground",
    "Engaged in fishing",
)
_SHIP_TYPES = {"sar": "SAR"}
_MEASURES = tuple(field.name for field in fields(Reports))
_HEAD = (
    "# Timestamp,Type of mobile,MMSI,Latitude,Longitude,Navigational status,ROT,SOG,COG,Heading,"
    "IMO,Callsign,Name,Ship type,Cargo type,Width,Length,Type of position fixing device,Draught,"
    "Destination,ETA,Data source type,A,B,C,D"
)
_COLUMNS = tuple(_HEAD.split(","))


def write_traffic(traffic: Traffic, folder: Path, *, seed: int, noise: float, every: int) -> int:
    """Both files; the number of reports."""
    folder.mkdir(parents=True, exist_ok=True)
    heard = [
        transmit(vessel, noise, every, np.random.default_rng([seed, vessel.mmsi]))
        for vessel in traffic.vessels
    ]
    with _open_gzip(folder / REPORTS) as target:
        table = list_reports(traffic.vessels, heard)
        target.write((_HEAD + "\n").encode())
        options = pyarrow.csv.WriteOptions(include_header=False, quoting_style="none")
        pyarrow.csv.write_csv(table, target, options)
    last = max(int(reports.t[-1]) for reports in heard if len(reports))
    lines = "".join(json.dumps(line) + "\n" for line in list_lines(traffic.truth, last))
    (folder / TRUTH).write_text(lines, encoding="utf-8")
    return int(table.num_rows)


def _open_gzip(path: Path) -> gzip.GzipFile:
    # No name and no time in the head of the file: the same seed gives the same bytes.
    return gzip.GzipFile("", "wb", 6, path.open("wb"), mtime=0)


def list_lines(truth: Iterable[Deed], last: int) -> Iterator[dict[str, object]]:
    """Deeds as results; what lasts until the last report is still open."""
    for deed in truth:
        end = None if deed.te >= last - 1 else EPOCH + deed.te
        yield {"name": deed.name, "args": list(deed.args), "ts": EPOCH + deed.ts, "te": end}


def list_reports(vessels: Sequence[Vessel], heard: Sequence[Reports]) -> pa.Table:
    """One row for each report, in the order of time, then vessel, with the columns of `_HEAD`."""
    who = np.repeat(np.arange(len(vessels)), [len(reports) for reports in heard])
    whole = Reports(
        **{name: np.concatenate([getattr(one, name) for one in heard]) for name in _MEASURES}
    )
    order = np.lexsort((who, whole.t))
    whole, who = whole.keep(order), who[order]
    stamps = pa.array(whole.t + EPOCH, pa.timestamp("s"))
    columns: dict[str, object] = {
        _COLUMNS[0]: pa.compute.strftime(stamps, format="%d/%m/%Y %H:%M:%S"),
        "Latitude": whole.lat,
        "Longitude": whole.lon,
        "Navigational status": pa.array(_STATUS).take(whole.status),
        "SOG": whole.speed,
        "COG": whole.course,
        "Heading": whole.heading.astype(np.int64),
    }
    said = {
        "Type of mobile": [f"Class {vessel.mobile}" for vessel in vessels],
        "MMSI": [vessel.mmsi for vessel in vessels],
        "Name": [f"VESSEL {vessel.mmsi % 10_000}" for vessel in vessels],
        "Ship type": [_SHIP_TYPES.get(vessel.type, vessel.type.title()) for vessel in vessels],
        "Length": [vessel.length for vessel in vessels],
        "Data source type": ["AIS"] * len(vessels),
    }
    columns |= {name: pa.array(values).take(who) for name, values in said.items()}
    empty = pa.nulls(len(who), pa.string())
    return pa.table({name: columns.get(name, empty) for name in _COLUMNS})
