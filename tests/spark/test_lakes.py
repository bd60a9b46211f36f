"""Tables of which a log says which files count: Spark refuses them as the local engine does."""

from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

import phenesthe
from phenesthe import io
from phenesthe.ais.spark import look_on_spark
from phenesthe.engines.spark import reading
from phenesthe.engines.spark.reading import inputs
from phenesthe.engines.spark.reading.disks import BehindServer, Disk, HadoopFiles
from phenesthe.io import DataError
from tests.unit.io.test_lakes import LAKES, ROWS, TEXT, write_lake, write_rest

PROGRAM = phenesthe.compile(text=TEXT)


@pytest.mark.parametrize("kind", LAKES)
@pytest.mark.parametrize("place", ["", "e", "e.parquet", "e/day=1"])
def test_a_folder_here(spark: SparkSession, tmp_path: Path, kind: str, place: str) -> None:
    write_lake(tmp_path / "in" / place, kind)
    write_rest(tmp_path / "in")
    for read in (reading.read_input, reading.read_stream):
        with pytest.raises(DataError) as found:
            read(spark, PROGRAM.checked, tmp_path / "in")
        with pytest.raises(DataError) as local:
            io.read_input(PROGRAM.checked, tmp_path / "in")
        assert str(found.value) == str(local.value)
        assert f"{kind} table" in str(found.value)


@pytest.mark.parametrize("kind", LAKES)
@pytest.mark.parametrize("place", ["", "e", "e.parquet"])
@pytest.mark.parametrize("disk", [HadoopFiles, BehindServer])
def test_a_folder_elsewhere(
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    place: str,
    disk: Callable[[SparkSession], Disk],
) -> None:
    write_lake(tmp_path / "in" / place, kind)
    write_rest(tmp_path / "in")
    monkeypatch.setattr(inputs, "open_disk", lambda spark, _: disk(spark))
    with pytest.raises(DataError, match=f"{kind} table"):
        reading.read_input(spark, PROGRAM.checked, f"file://{tmp_path}/in")


def test_a_path_given_in_python(spark: SparkSession, tmp_path: Path) -> None:
    write_lake(tmp_path / "e", "Delta")
    pq.write_table(ROWS.drop_columns(["t"]), tmp_path / "k.parquet")
    facts = spark.read.parquet(str(tmp_path / "k.parquet"))
    with pytest.raises(DataError, match="is a Delta table"):
        PROGRAM.run({"e": tmp_path / "e", "k": facts})["d"].count()


def test_ais_reports(spark: SparkSession, tmp_path: Path) -> None:
    write_lake(tmp_path / "e.parquet", "Delta")
    for place in (f"file://{tmp_path}/e.parquet", str(tmp_path / "e.parquet")):
        with pytest.raises(DataError, match="is a Delta table"):
            look_on_spark(spark, place, {})
