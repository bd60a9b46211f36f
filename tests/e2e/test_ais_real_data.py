"""Real archives through `phenesthe ais prepare` on both engines, where they are at hand."""

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from phenesthe.cli.main import main
from tests.ais_samples import count_rows, read_folder
from tests.e2e.test_real_data import ARCHIVES, DATA


@pytest.mark.parametrize("archive", ARCHIVES)
def test_both_engines_find_the_same(archive: str, tmp_path: Path, spark: SparkSession) -> None:
    file = DATA / f"{archive}.parquet"
    if not file.is_file():
        pytest.skip(f"{file.name} is not at hand: it is not ours to ship")
    assert spark.version
    areas = [str(DATA / name) for name in ("ports.csv", "anchorages.csv")]
    command = ["ais", "prepare", str(file), "--quiet", "--areas", *areas]
    for engine in ("local", "spark"):
        output = str(tmp_path / engine)
        assert main([*command, "--engine", engine, "--output", output]) == 0
    told = json.loads((tmp_path / "local" / "summary.json").read_text())
    assert told["read"] == count_rows(told)
    assert told["kept"] > 0.99 * told["read"]
    assert told == json.loads((tmp_path / "spark" / "summary.json").read_text())
    tables = read_folder(tmp_path / "local")
    assert read_folder(tmp_path / "spark") == tables
    for name in (
        "enters_area",
        "stop_start",
        "slow_motion_start",
        "change_in_heading",
        "proximity",
    ):
        assert told["tables"][name] > 20, name
    assert len(set(tables["vessel_type"]["type"])) > 5
