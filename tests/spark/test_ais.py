"""`phenesthe ais prepare` on Spark finds what one process finds."""

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from phenesthe.cli.main import main
from tests.ais_samples import read_folder, write_areas, write_samples


def prepare(files: list[str], output: Path, *options: str | Path) -> int:
    return main(["ais", "prepare", *files, "--output", str(output), "--quiet", *map(str, options)])


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize("partitions", [1, 3])
def test_the_same_as_in_one_process(tmp_path: Path, partitions: int) -> None:
    files = [str(one) for one in write_samples(tmp_path)]
    options = ["--areas", str(write_areas(tmp_path)), str(tmp_path / "points.csv")]
    assert prepare(files, tmp_path / "local", *options, "--engine", "local") == 0
    assert prepare(files, tmp_path / "spark", *options, "--partitions", str(partitions)) == 0
    expected = read_folder(tmp_path / "local")
    assert len(expected["proximity"]["ts"]) > 3
    assert read_folder(tmp_path / "spark") == expected
    summaries = [
        json.loads((tmp_path / one / "summary.json").read_text()) for one in ("local", "spark")
    ]
    assert summaries[0] == summaries[1]


@pytest.mark.usefixtures("spark")
def test_folders_packed_files_and_addresses(tmp_path: Path) -> None:
    import gzip

    import pyarrow.parquet as pq

    *_, plain = write_samples(tmp_path)
    table = pq.read_table(plain)
    folder = tmp_path / "plain"
    folder.mkdir()
    for at in range(2):
        pq.write_table(table.slice(at * 20, 20), folder / f"part-{at}.parquet")
    brest = tmp_path / "brest.csv"
    packed = tmp_path / "packed.csv.gz"
    packed.write_bytes(gzip.compress(brest.read_bytes()))
    assert prepare([str(plain), str(brest)], tmp_path / "one", "--engine", "local") == 0
    assert prepare([str(folder), str(packed)], tmp_path / "other") == 0
    assert prepare([plain.as_uri(), brest.as_uri()], tmp_path / "third") == 0
    expected = read_folder(tmp_path / "one")
    assert read_folder(tmp_path / "other") == expected
    assert read_folder(tmp_path / "third") == expected


def test_bad_files_are_one_message(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert spark.version
    (tmp_path / "odd.csv").write_text("a,b\n1,2\n")
    assert prepare([str(tmp_path / "odd.csv")], tmp_path / "out") == 1
    assert "its columns are `a`, `b`" in capsys.readouterr().err
    absent = (tmp_path / "absent.csv").as_uri()
    assert prepare([absent], tmp_path / "out") == 1
    said = capsys.readouterr().err
    assert "there is no" in said
    assert "Traceback" not in said
    assert not (tmp_path / "out").exists()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["odd.csv"]


@pytest.mark.usefixtures("spark")
def test_nothing_is_prepared_to_empty_tables(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_text("vessel,t,lon,lat\n")
    for engine in ("local", "spark"):
        assert prepare([str(tmp_path / "empty.csv")], tmp_path / engine, "--engine", engine) == 0
    found = read_folder(tmp_path / "spark")
    assert found == read_folder(tmp_path / "local")
    assert found["ais"]["t"] == []
