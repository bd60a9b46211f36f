"""Names that are not UTF-8 and links that go round: Spark says what is the matter with them."""

import gzip
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.ais_samples import write_samples
from tests.unit.strange.command import run_here
from tests.unit.strange.test_links import LOOP, make_loop
from tests.unit.strange.test_names import PROGRAM, STRANGE, make_input, write_columns

pytestmark = pytest.mark.usefixtures("spark")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "p.phe").write_text(PROGRAM)
    return tmp_path / "p.phe"


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_a_folder_of_input(suffix: str, program: Path, tmp_path: Path) -> None:
    folder = make_input(tmp_path / STRANGE, suffix)
    done = run_here("run", program, "--input", folder)
    assert done.code == 1
    assert rf"cannot read `{tmp_path}/s\u{{DCFF}}/e{suffix}` on Spark: its name is not UTF-8" in (
        done.err
    )
    assert "--engine local" in done.err


def test_a_file_of_a_table(program: Path, tmp_path: Path) -> None:
    folder = tmp_path / "in" / "e"
    folder.mkdir(parents=True)
    with (folder / f"{STRANGE}.parquet").open("wb") as file:
        pq.write_table(pa.table({"x": [1], "t": [2]}), file)
    done = run_here("run", program, "--input", tmp_path / "in")
    assert done.code == 1
    assert "on Spark: its name is not UTF-8" in done.err


def test_outputs(program: Path, tmp_path: Path) -> None:
    folder = make_input(tmp_path / "in", ".csv")
    for suffix in (".jsonl", ".parquet", ""):
        place = tmp_path / (STRANGE + suffix)
        assert run_here("run", program, "--input", folder, "--output", place).code == 0
        assert run_here("show", place).out.startswith("       2")


@pytest.mark.parametrize("name", ["danish.csv", "packed.csv.gz", "log.nmea", "plain.parquet"])
def test_reports(name: str, tmp_path: Path) -> None:
    first = write_samples(tmp_path)[0]
    (tmp_path / "packed.csv.gz").write_bytes(gzip.compress(first.read_bytes()))
    path = (tmp_path / name).rename(tmp_path / (STRANGE + name))
    done = run_here("ais", "prepare", path, "--output", tmp_path / "out")
    assert done.code == 1
    assert "on Spark: its name is not UTF-8" in done.err


def test_columns(program: Path, tmp_path: Path) -> None:
    path = tmp_path / "in" / "e.parquet"
    write_columns(path, {"x": [1], "t": [2], "abcd": [3]})
    done = run_here("run", program, "--input", tmp_path / "in")
    assert done.code == 1
    assert f"cannot read `{path}`: the name of a column is not UTF-8" in done.err


@pytest.mark.parametrize("name", ["in", "in.jsonl", "in/e.csv", "in/e.parquet", "in/e"])
def test_links(name: str, program: Path, tmp_path: Path) -> None:
    os.makedirs((tmp_path / name).parent, exist_ok=True)
    make_loop(tmp_path / name)
    place = tmp_path / name.split("/")[0]
    done = run_here("run", program, "--input", place)
    assert done.code == 1
    assert f"{name}`: it is {LOOP}" in done.err
