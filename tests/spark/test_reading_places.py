"""Places that are not on this machine, and places that are no input."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from phenesthe import io
from phenesthe.engines.spark import reading
from phenesthe.engines.spark.reading import inputs
from phenesthe.engines.spark.reading.disks import BehindServer, Disk, HadoopFiles, open_disk
from phenesthe.engines.spark.reading.paths import escape, name_file
from phenesthe.io import DataError
from tests.spark.same import bag_rejects, collect
from tests.unit.io.samples import AIS, PROGRAM, list_rows, write_lines


def test_paths_as_spark_has_them() -> None:
    assert escape("/a[1]/{b}*?\\") == "/a\\[1\\]/\\{b\\}\\*\\?\\\\"
    assert name_file("file:/x%20y/a.parquet", {"/x y/a.parquet": "a"}) == "a"
    assert name_file("s3a://b/x%20y", {}) == "s3a://b/x y"
    assert name_file("s3a://b/x/y%25.parquet", {"/x": "s3a://b/x"}) == "s3a://b/x/y%.parquet"


def write_folder(folder: Path) -> Path:
    """A table of each kind, in a folder whose name Spark would take for a pattern."""
    folder = folder / "x [1] {a,b}*"
    (folder / "ais").mkdir(parents=True)
    rows = {key: [value] * 3 for key, value in AIS.items()}
    for at in range(2):
        table = pa.table(rows | {"vessel": [1, None, at]})
        pq.write_table(table, folder / "ais" / f"{at} %20.parquet")
    stamps = pa.table({"t": pa.array([1, None, 10**9], pa.timestamp("ns"))})
    pq.write_table(stamps, folder / "alarm.parquet")
    (folder / "convoy.csv").write_text("leader,follower,ts,te\n1,2,3,4\nx,2,3,4\n1,2,3\n")
    write_lines(folder / "vessel_type.jsonl", [{"vessel": 1, "type": "a"}, "?"])
    (folder / "holiday").mkdir()
    (folder / "_hidden.csv").write_text("x")
    return folder


@pytest.mark.parametrize("kind", [HadoopFiles, BehindServer])
def test_a_folder_elsewhere(
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: Callable[[SparkSession], Disk],
) -> None:
    folder = write_folder(tmp_path)
    monkeypatch.setattr(inputs, "open_disk", lambda spark, _: kind(spark))
    found = reading.read_input(spark, PROGRAM, f"file://{folder}")
    local = io.read_input(PROGRAM, folder)
    for name, table in collect(PROGRAM, found).items():
        expected = local.tables[name] if name in local.tables else local.facts[name]
        assert list_rows(table) == list_rows(expected), name
    shown = {line.replace("file://", "") for line in bag_rejects(found.rejects)}
    assert shown == set(bag_rejects(local.rejects))
    found.release()


@pytest.mark.parametrize("kind", [HadoopFiles, BehindServer])
def test_nothing_elsewhere(
    spark: SparkSession, tmp_path: Path, kind: Callable[[SparkSession], Disk]
) -> None:
    with pytest.raises(DataError, match=r"there is no `file:.*absent`"):
        kind(spark).look(f"file://{tmp_path}/absent")
    (tmp_path / "x.jsonl").write_text("{}\n")
    assert not kind(spark).look(f"file://{tmp_path}/x.jsonl").is_folder


def test_addresses_of_this_machine_are_paths(spark: SparkSession, tmp_path: Path) -> None:
    for place in (str(tmp_path), f"file://{tmp_path}", f"file:{tmp_path}"):
        assert open_disk(spark, place).look(place).path == str(tmp_path)
    assert isinstance(open_disk(spark, "hdfs://nowhere/x"), HadoopFiles)


def test_what_is_no_input(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "x.csv").touch()
    (tmp_path / "x.jsonl").touch()
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "ais.csv").touch()
    (tmp_path / "two" / "ais.jsonl").touch()
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "ais.csv").touch()
    for place, mapping in [
        ("absent", {}), ("x.csv", {}), ("x.jsonl", {"ais.t": "x"}), ("two", {}), ("empty", {}),
        ("empty", {"ais": "x"}),
    ]:  # fmt: skip
        with pytest.raises(DataError) as local:
            io.read_input(PROGRAM, tmp_path / place, mapping=mapping)
        with pytest.raises(DataError) as found:
            reading.read_input(spark, PROGRAM, tmp_path / place, mapping=mapping)
        assert str(found.value) == str(local.value)
    with pytest.raises(DataError, match=r"as the table of `ais`"):
        reading.read_given(spark, PROGRAM, {"ais": __file__})


def test_a_system_that_spark_does_not_know(spark: SparkSession) -> None:
    with pytest.raises(DataError, match="reading the input"):
        reading.read_input(spark, PROGRAM, "s3a://bucket/x")
