"""Tables of which a log says which files count are refused wherever a folder is read."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import phenesthe
from phenesthe.cli.main import main
from phenesthe.io import DataError
from phenesthe.io.lakes import check_lake_here
from tests.ais_samples import write_areas

TEXT = "input event e(x: int); fact k(x: int); event d(X) : e(X) and k(X);"
ROWS = pa.table({"x": [1, 2], "t": [1, 2]})
#: By what it is: where its files are, and what it keeps beside them.
LAKES = {
    "Delta": ("", "_delta_log/00000000000000000000.json"),
    "Iceberg": ("data", "metadata/00000-aaaa.gz.metadata.json"),
    "Hudi": ("", ".hoodie/hoodie.properties"),
}


def write_lake(folder: Path, kind: str, rows: pa.Table = ROWS) -> None:
    files, log = LAKES[kind]
    (folder / files).mkdir(parents=True)
    pq.write_table(rows, folder / files / "deleted.parquet")
    (folder / log).parent.mkdir()
    (folder / log).write_text("{}")


def write_rest(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    pq.write_table(pa.table({"x": [1, 2]}), folder / "k.parquet")


@pytest.mark.parametrize("kind", LAKES)
@pytest.mark.parametrize("place", ["in", "in/e", "in/e.parquet", "in/e/day=1"])
@pytest.mark.parametrize("windows", [(), ("--window", "5")])
def test_a_run(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    kind: str,
    place: str,
    windows: tuple[str, ...],
) -> None:
    write_lake(tmp_path / place, kind)
    write_rest(tmp_path / "in")
    (tmp_path / "p.phe").write_text(TEXT)
    given = ("run", str(tmp_path / "p.phe"), "--engine", "local", "--input", str(tmp_path / "in"))
    assert main([*given, *windows]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    article = "an" if kind == "Iceberg" else "a"
    assert f"error: `{tmp_path / place}` is {article} {kind} table" in err
    assert "help: write what the table holds now" in err


def test_facts_of_their_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_lake(tmp_path / "facts" / "k", "Delta")
    (tmp_path / "in.jsonl").write_text(json.dumps({"name": "e", "args": [1], "t": 1}))
    (tmp_path / "p.phe").write_text(TEXT)
    places = ("--input", str(tmp_path / "in.jsonl"), "--facts", str(tmp_path / "facts"))
    assert main(["run", str(tmp_path / "p.phe"), "--engine", "local", *places]) == 1
    assert "is a Delta table" in capsys.readouterr().err


def test_paths_given_in_python(tmp_path: Path) -> None:
    write_lake(tmp_path / "e", "Delta")
    program = phenesthe.compile(text=TEXT)
    with pytest.raises(DataError, match="is a Delta table"):
        program.run({"e": tmp_path / "e"})
    with pytest.raises(DataError, match="is a Delta table"):
        program.memory(window=5, facts={"k": tmp_path / "e"})


@pytest.mark.parametrize("kind", LAKES)
def test_ais_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str) -> None:
    write_lake(tmp_path / "reports", kind, pa.table({"mmsi": [1], "t": [1]}))
    places = ("--areas", str(write_areas(tmp_path)), "--output", str(tmp_path / "out"))
    given = ("ais", "prepare", str(tmp_path / "reports"), "--engine", "local")
    assert main([*given, *places]) == 1
    assert f"{kind} table" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_what_only_looks_like_it(tmp_path: Path) -> None:
    """Spark's marks, folders called `metadata` that hold something else."""
    (tmp_path / "metadata").mkdir()
    (tmp_path / "metadata" / "notes.json").write_text("{}")
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / "_delta_log").write_text("a file")
    pq.write_table(ROWS, tmp_path / "part-0.parquet")
    check_lake_here(tmp_path)
    program = phenesthe.compile(text="input event e(x: int); event d(X) : e(X);")
    assert program.run({"e": tmp_path})["d"].num_rows == 2
