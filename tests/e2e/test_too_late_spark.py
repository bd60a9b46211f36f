"""Rows of tables that are too late: set aside by either engine, with the file and the place."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

from phenesthe.engines.spark.session import Session
from tests.e2e.test_windows import start

PROGRAM = "input event e(x: int);\nevent d(X) : e(X);\n"
ROWS = pa.table(
    {
        "x": [2, 1, 3, 4, 5],
        "t": [20, 1, 30, 22, 21],
        "arrival": [20, 20, 30, None, 40],
    }
)
PLAIN = ROWS.drop_columns(["arrival"])


def write_file(folder: Path, rows: pa.Table) -> None:
    pq.write_table(rows, folder / "in" / "e.parquet")


def write_folder(folder: Path, rows: pa.Table) -> None:
    """Of files one has a column that the other lacks, and one is in a folder of its own."""
    (folder / "in" / "e" / "day 1").mkdir(parents=True)
    pq.write_table(rows.slice(0, 2), folder / "in" / "e" / "day 1" / "ü%20.parquet")
    pq.write_table(rows.slice(2), folder / "in" / "e" / "more.parquet")
    pq.write_table(PLAIN.slice(2), folder / "in" / "e" / "plain.parquet")


def write_csv(folder: Path, rows: pa.Table) -> None:
    pc.write_csv(rows, folder / "in" / "e.csv")


def write_lines(folder: Path, rows: pa.Table) -> None:
    lines = [json.dumps(one) + "\n" for one in rows.to_pylist()]
    (folder / "in" / "e.jsonl").write_text("".join(lines))


WAYS = {"a file": write_file, "a folder": write_folder, "csv": write_csv, "lines": write_lines}
#: The options, whether rows tell when they came, and how many rows are too late.
OPTIONS = {
    "final": ((), True, 2),
    "a start": (("--start", "20"), False, 2),
    "a start and arrivals": (("--start", "20"), True, 3),
    "a state": (("--state", "STATE"), True, 2),
    "a state with a start": (("--state", "STATE", "--start", "20"), False, 2),
    "changes": (("--emit", "changes"), True, 2),
    "snapshots": (("--emit", "snapshots"), True, 2),
}


@pytest.mark.parametrize(
    ("way", "asked"),
    [
        *[("a file", asked) for asked in OPTIONS],
        *[(way, asked) for way in WAYS if way != "a file" for asked in ("final", "a state")],
        ("a folder", "a start"),
    ],
)
def test_set_aside_with_their_places(
    tmp_path: Path, session: Session, way: str, asked: str
) -> None:
    assert session.spark is not None
    options, tells_arrival, count = OPTIONS[asked]
    (tmp_path / "in").mkdir()
    (tmp_path / "p.phe").write_text(PROGRAM)
    WAYS[way](tmp_path, ROWS if tells_arrival else PLAIN)
    ends, kept = [], []
    for engine in ("local", "spark"):
        given = ("--quiet", "--input", "in", "--engine", engine, "--window", "8", "--step", "1")
        chosen = [engine if one == "STATE" else one for one in options]
        rejects = tmp_path / f"{engine}.rejects"
        ended = start(tmp_path, "run", "p.phe", *given, *chosen, "--rejects", str(rejects))
        ends.append((ended.code, ended.out, ended.err))
        kept.append([json.loads(line) for line in rejects.read_text().splitlines()])
    assert ends[0] == ends[1]
    assert kept[0] == kept[1]
    code, out, err = ends[0]
    assert code == 0
    assert out
    assert f"{count} too late" in err
    places = {
        (one["file"].rpartition("/")[2], one.get("line") or one["position"]) for one in kept[0]
    }
    assert len(places) == count
