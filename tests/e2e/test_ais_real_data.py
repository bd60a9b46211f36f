"""Real archives through `phenesthe ais prepare` and the maritime library on both engines, where
they are at hand."""

import json
from collections import Counter
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from phenesthe.cli.main import main
from tests.ais_samples import count_rows, read_folder
from tests.e2e.test_real_data import ARCHIVES, DATA

ENGINES = ("local", "spark")


@pytest.mark.parametrize("archive", ARCHIVES)
def test_both_engines_find_the_same(archive: str, tmp_path: Path, spark: SparkSession) -> None:
    file = DATA / f"{archive}.parquet"
    if not file.is_file():
        pytest.skip(f"{file.name} is not at hand: it is not ours to ship")
    assert spark.version
    areas = [str(DATA / name) for name in ("ports.csv", "anchorages.csv")]
    command = ["ais", "prepare", str(file), "--quiet", "--areas", *areas]
    for engine in ENGINES:
        output = str(tmp_path / engine)
        assert main([*command, "--engine", engine, "--output", output]) == 0
    _check_tables(tmp_path)
    library = ["run", "maritime.all", "--quiet", "--input", str(tmp_path / "local")]
    for engine in ENGINES:
        output = str(tmp_path / f"{engine}.jsonl")
        assert main([*library, "--engine", engine, "--output", output]) == 0
    _check_results(tmp_path)


def _check_tables(folder: Path) -> None:
    told = json.loads((folder / "local" / "summary.json").read_text())
    assert told["read"] == count_rows(told)
    assert told["kept"] > 0.99 * told["read"]
    assert told == json.loads((folder / "spark" / "summary.json").read_text())
    tables = read_folder(folder / "local")
    assert read_folder(folder / "spark") == tables
    for name in (
        "enters_area",
        "stop_start",
        "slow_motion_start",
        "change_in_heading",
        "proximity",
    ):
        assert told["tables"][name] > 20, name
    assert len(set(tables["vessel_type"]["type"])) > 5


def _check_results(folder: Path) -> None:
    local, spark = ((folder / f"{engine}.jsonl").read_text().splitlines() for engine in ENGINES)
    assert spark == local
    counts = Counter(json.loads(line)["name"] for line in local)
    for name in ("moored", "underway", "low_speed", "moving_speed", "rendezvous"):
        assert counts[name] > 20, name
