"""Names of files, folders and columns that are not UTF-8."""

import json
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.ais_samples import write_areas, write_samples
from tests.unit.strange.command import run_here

PROGRAM = "input event e(x: int);\nevent a(X) : e(X);\n"
ROWS = "x,t\n1,2\nq,3\n"
#: As the system gives a name that is no text.
STRANGE = os.fsdecode(b"s\xff")
SHOWN = r"s\u{DCFF}"
LOCAL = ("--engine", "local")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "p.phe").write_text(PROGRAM)
    return tmp_path / "p.phe"


def make_input(folder: Path, suffix: str) -> Path:
    """One good row, and in text a bad one."""
    folder.mkdir()
    match suffix:
        case ".csv":
            (folder / "e.csv").write_text(ROWS)
        case ".jsonl":
            (folder / "e.jsonl").write_text('{"x": 1, "t": 2}\n{"x": "q", "t": 3}\n')
        case _:
            with (folder / "e.parquet").open("wb") as file:
                pq.write_table(pa.table({"x": [1, None], "t": [2, 3]}), file)
    return folder


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_a_folder_of_input(suffix: str, program: Path, tmp_path: Path) -> None:
    folder = make_input(tmp_path / STRANGE, suffix)
    rejects = tmp_path / "rejects.jsonl"
    done = run_here("run", program, "--input", folder, "--rejects", rejects, *LOCAL)
    assert done.code == 0
    assert json.loads(done.out)["t"] == 2
    assert SHOWN.replace("{DCFF}", "dcff") in rejects.read_text()
    strict = run_here("run", program, "--input", folder, "--strict", *LOCAL)
    assert strict.code == 1
    assert SHOWN in strict.err


def test_a_folder_of_parquet_files(program: Path, tmp_path: Path) -> None:
    make_input(tmp_path / "in", ".parquet")
    (tmp_path / "in" / "e").mkdir()
    (tmp_path / "in" / "e.parquet").rename(tmp_path / "in" / "e" / f"{STRANGE}.parquet")
    done = run_here("run", program, "--input", tmp_path / "in", *LOCAL)
    assert done.code == 0
    assert json.loads(done.out)["t"] == 2


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet", ""])
@pytest.mark.parametrize("windows", [(), ("--window", "5", "--step", "5")])
def test_results(suffix: str, windows: tuple[str, ...], program: Path, tmp_path: Path) -> None:
    folder = make_input(tmp_path / "in", ".csv")
    given: list[str | Path] = ["--output", tmp_path / (STRANGE + suffix), *windows, *LOCAL]
    assert run_here("run", program, "--input", folder, *given).code == 0
    again = run_here("run", program, "--input", folder, *given)
    assert again.code == 1
    assert f"{SHOWN}{suffix}` exists" in again.err
    shown = run_here("show", tmp_path / (STRANGE + suffix))
    assert shown.code == 0
    assert "a event" in shown.out


def test_a_state(program: Path, tmp_path: Path) -> None:
    folder = make_input(tmp_path / "in", ".csv")
    given = ("--state", tmp_path / STRANGE, "--window", "5", "--step", "5", *LOCAL)
    assert run_here("run", program, "--input", folder, *given).code == 0
    assert run_here("memory", tmp_path / STRANGE).code == 0
    (tmp_path / STRANGE / "state").write_bytes(b"no")
    done = run_here("memory", tmp_path / STRANGE)
    assert done.code == 1
    assert f"{SHOWN}` is damaged" in done.err


@pytest.mark.parametrize("format_", ["full", "concise", "json", "github"])
def test_a_program_with_a_mistake(format_: str, tmp_path: Path) -> None:
    (tmp_path / f"{STRANGE}.phe").write_text("event a(X) : e(X);\n")
    done = run_here("check", "--format", format_, tmp_path / f"{STRANGE}.phe")
    assert done.code == 1
    if format_ == "json":
        assert json.loads(done.out)[0]["file"].endswith(f"{STRANGE}.phe")
    else:
        assert f"{SHOWN}.phe" in done.out + done.err


def test_tests_of_a_program(tmp_path: Path) -> None:
    (tmp_path / f"{STRANGE}.phe").write_text(PROGRAM)
    lines = '{"test": "one"}\n{"expect": "a", "args": [1], "t": 1}\n'
    (tmp_path / f"{STRANGE}.test.jsonl").write_text(lines)
    done = run_here("test", tmp_path)
    assert done.code == 1
    assert f"{SHOWN}.test.jsonl:1: one" in done.out


def test_ais_reports_areas_and_tables(tmp_path: Path) -> None:
    samples = write_samples(tmp_path)
    write_areas(tmp_path)
    files = [one.rename(one.with_name(STRANGE + one.name)) for one in samples]
    points = tmp_path / f"{STRANGE}.csv"
    points.write_text("lon,lat,radius\n10.0,55.0,400\n181,2,3\n")
    given = ("--areas", tmp_path / "areas.geojson", points, "--output", tmp_path / STRANGE)
    done = run_here("ais", "prepare", *files, *given, *LOCAL)
    assert done.code == 0, done.err
    assert SHOWN in done.err
    with (tmp_path / STRANGE / "area_type.parquet").open("rb") as file:
        found = pq.read_table(file).to_pylist()
    assert {"area": "s\ufffd 2", "type": "s\ufffd"} in found


def write_columns(path: Path, columns: dict[str, list[object]], *, stores: bool = False) -> None:
    """A Parquet table whose column `abcd` has a name that is no text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path, store_schema=stores)
    content = path.read_bytes()
    assert b"abcd" in content
    path.write_bytes(content.replace(b"abcd", b"\xff\xfeab"))


@pytest.mark.parametrize("stores", [False, True])
@pytest.mark.parametrize("name", ["in/e.parquet", "in/e/part.parquet"])
def test_columns_of_input(stores: bool, name: str, program: Path, tmp_path: Path) -> None:
    path = tmp_path / name
    write_columns(path, {"x": [1], "t": [2], "abcd": [3]}, stores=stores)
    done = run_here("run", program, "--input", tmp_path / "in", *LOCAL)
    assert done.code == 1
    assert f"cannot read `{path}`: the name of a column is not UTF-8" in done.err


def test_columns_of_results(tmp_path: Path) -> None:
    write_columns(tmp_path / "r.parquet", {"name": ["a"], "args": ["[1]"], "t": [1], "abcd": [1]})
    write_columns(tmp_path / "r" / "a.parquet", {"t": [1], "abcd": [1]})
    for place in (tmp_path / "r.parquet", tmp_path / "r"):
        done = run_here("show", place)
        assert done.code == 1
        assert "the name of a column is not UTF-8" in done.err


def test_values_of_results(tmp_path: Path) -> None:
    write_columns(tmp_path / "r.parquet", {"name": ["abcd"], "args": ["[1]"], "t": [1]})
    done = run_here("show", tmp_path / "r.parquet")
    assert done.code == 1
    assert "r.parquet: not a readable Parquet table" in done.err
    assert "UTF8" in done.err


def test_columns_of_ais_reports(tmp_path: Path) -> None:
    path = tmp_path / "r.parquet"
    columns: dict[str, list[object]] = {
        "mmsi": [227000001],
        "time": [1],
        "lon": [1.0],
        "lat": [2.0],
        "abcd": [3],
    }
    write_columns(path, columns)
    done = run_here("ais", "prepare", path, "--output", tmp_path / "out", *LOCAL)
    assert done.code == 1
    assert f"cannot read `{path}`: the name of a column is not UTF-8" in done.err
