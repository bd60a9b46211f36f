"""What a run reads is never written over, with or without `--overwrite`."""

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import phenesthe
from phenesthe.io import DataError
from tests.e2e.test_windows import start

PROGRAM = """\
import m;
input event a(x: int);
input event b(x: int);
fact ok(x: int);
event e(X) : a(X) where ok(X);
event f(X) : b(X);
event g(X) : h(X);
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.phe").write_text(PROGRAM)
    (tmp_path / "m.phe").write_text("input event k(x: int);\nevent h(X) : k(X);\n")
    for name in ("d", "d/b", "fx", "one"):
        (tmp_path / name).mkdir()
    rows = pa.table({"x": [1, 2], "t": [1, 2]})
    pq.write_table(rows, tmp_path / "d" / "b" / "part.parquet")
    pq.write_table(rows, tmp_path / "one" / "a.parquet")
    (tmp_path / "d" / "a.csv").write_text("x,t\n1,1\n2,2\nz,3\n")
    (tmp_path / "d" / "k.csv").write_text("x,t\n1,1\n")
    for name in ("d", "fx"):
        (tmp_path / name / "ok.csv").write_text("x\n1\nz\n")
    (tmp_path / "link.csv").symlink_to(tmp_path / "d" / "a.csv")
    return tmp_path


def remember(folder: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


WRITTEN = {
    "rejects over a table": (("--rejects", "d/a.csv"), "is the table of `a`"),
    "rejects over facts": (("--rejects", "d/ok.csv"), "is the table of `ok`"),
    "stats over a table": (("--stats", "d/ok.csv", "--window", "5"), "is the table of `ok`"),
    "stats over a module": (("--stats", "m.phe"), "is the module `m.phe`"),
    "rejects over the program": (("--rejects", "p.phe"), "is the program"),
    "output over a table": (("--output", "d/a.csv"), "is the table of `a`"),
    "output over a link to a table": (("--output", "link.csv"), "is the table of `a`"),
    "output over facts": (("--facts", "fx", "--output", "fx/ok.csv"), "is the table of `ok`"),
    "output in a folder of Parquet": (
        ("--output", "d/b/part.parquet"),
        "lies in the table of `b`",
    ),
    "output over a folder of Parquet": (("--output", "d/b"), "is the table of `b`"),
    "output around facts": (("--facts", "fx/ok.csv", "--output", "fx"), "holds the facts"),
    "state in a table": (("--state", "d/b/st", "--window", "5"), "lies in the table of `b`"),
    "state over a table": (("--state", "d/b", "--window", "5"), "is the table of `b`"),
}


@pytest.mark.parametrize("overwrite", [(), ("--overwrite",)])
@pytest.mark.parametrize("case", WRITTEN)
def test_what_is_read_is_not_written_over(
    folder: Path, case: str, overwrite: tuple[str, ...]
) -> None:
    options, message = WRITTEN[case]
    before = remember(folder)
    ended = start(folder, "run", "p.phe", "--input", "d", "--engine", "local", *options, *overwrite)
    assert ended.code == 2, ended.err
    assert message in ended.err
    assert "help: " in ended.err
    assert remember(folder) == before


def test_a_folder_that_holds_the_input_is_not_replaced(folder: Path) -> None:
    (folder / "q.phe").write_text("input event a(x: int);\nevent e(X) : a(X);\n")
    before = remember(folder)
    given = ("--input", "one/a.parquet", "--engine", "local", "--output", "one", "--overwrite")
    ended = start(folder, "run", "q.phe", *given)
    assert ended.code == 2
    assert "--output `one` holds the input" in ended.err
    assert remember(folder) == before


def test_what_is_not_read_may_lie_in_the_folder_of_the_input(folder: Path) -> None:
    given = ("--input", "d", "--engine", "local", "--rejects", "d/bad.jsonl")
    assert start(folder, "run", "p.phe", *given, "--output", "d/results.jsonl").code == 0
    assert (folder / "d" / "bad.jsonl").read_text().count("\n") == 2


@pytest.mark.parametrize("address", ["file://{}/d", "s3a://bucket/d"])
def test_addresses_are_compared_as_well(folder: Path, address: str) -> None:
    place = address.format(folder)
    target = "d/a.csv" if place.startswith("file") else f"{place}/a"
    given = ("--input", place, "--engine", "spark", "--output", target, "--overwrite")
    ended = start(folder, "run", "p.phe", *given)
    assert ended.code == 2
    assert "is the table of `a`" in ended.err


def test_a_state_of_python_lies_in_no_table(folder: Path) -> None:
    program = phenesthe.compile(folder / "p.phe")
    inputs = {"b": folder / "d" / "b"}
    with pytest.raises(DataError, match="lies in the table of `b`"):
        program.run(inputs, window=5, state=folder / "d" / "b" / "st")
    with pytest.raises(DataError, match="holds the program"):
        program.run(inputs, window=5, state=folder)


@pytest.mark.parametrize("output", ["reports/", "reports/part.parquet", "areas.csv"])
def test_prepare_does_not_write_over_what_it_reads(folder: Path, output: str) -> None:
    (folder / "reports").mkdir()
    reports = {"mmsi": [219000001], "t": [1], "lon": [1.0], "lat": [2.0]}
    pq.write_table(pa.table(reports), folder / "reports" / "part.parquet")
    (folder / "areas.csv").write_text("name,type,lon,lat,radius\nq,quay,1,2,50\n")
    before = remember(folder)
    given = ("reports", "--areas", "areas.csv", "--engine", "local", "--output", output)
    ended = start(folder, "ais", "prepare", *given, "--overwrite")
    assert ended.code == 2, ended.err
    assert "which is read" in ended.err
    assert remember(folder) == before


@pytest.mark.parametrize("options", [(), ("--window", "5")])
def test_a_packed_twin_is_refused(folder: Path, options: tuple[str, ...]) -> None:
    (folder / "d" / "a.csv.gz").write_bytes(gzip.compress(b"x,t\n9,9\n"))
    ended = start(folder, "run", "p.phe", "--input", "d", "--engine", "local", *options)
    assert ended.code == 1
    assert "`a` has several tables in `d`: `a.csv` and `a.csv.gz`" in ended.err
