"""Parquet tables and frames: what Spark judges by itself, and what it pushes to the scan."""

from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

import phenesthe
from phenesthe import io
from phenesthe.engines.spark import reading
from phenesthe.engines.spark.reading import collect_rejects, small_files
from phenesthe.io import DataError
from tests.spark.same import check_same, read_both, read_both_given
from tests.unit.io.samples import AIS, PROGRAM

GOLDEN = Path(__file__).parents[1] / "data" / "golden"


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files are read by workers, as large ones are."""
    monkeypatch.setattr(small_files, "SMALL", -1)


@pytest.fixture
def long_plans(spark: SparkSession) -> Iterator[None]:
    spark.conf.set("spark.sql.maxMetadataStringLength", "10000")
    yield
    spark.conf.unset("spark.sql.maxMetadataStringLength")


def count_jobs(spark: SparkSession) -> int:
    return len(spark.sparkContext.statusTracker().getJobIdsForGroup(None))


def explain(frame: DataFrame) -> str:
    text = StringIO()
    with redirect_stdout(text):
        frame.explain()
    return text.getvalue()


def write_ais(path: Path, **columns: Any) -> None:
    rows = {key: [value] * 3 for key, value in AIS.items()} | columns
    pq.write_table(pa.table(rows), path)


def test_small_files_need_no_job(spark: SparkSession) -> None:
    program = phenesthe.compile(GOLDEN / "maritime.phe").checked
    before = count_jobs(spark)
    inputs = reading.read_input(spark, program, GOLDEN / "m1k")
    assert count_jobs(spark) == before
    check_same(program, io.read_input(program, GOLDEN / "m1k"), inputs)


@pytest.mark.usefixtures("workers")
def test_footers_prove_that_numbers_fit(spark: SparkSession, tmp_path: Path) -> None:
    program = phenesthe.compile(
        text="input event e(i: int, f: float, b: bool); event f(I) : e(I, _, _);"
    ).checked
    (tmp_path / "e").mkdir()
    times = [pa.array([5, -7]), pa.array([9_999, -1], pa.timestamp("ms")), pa.array([3, 3])]
    for at, column in enumerate(times):
        table = pa.table({"i": pa.array([1, 2], pa.int32()), "f": [0.5, 1.0], "b": [True, False]})
        pq.write_table(table.append_column("t", column), tmp_path / "e" / f"{at}.parquet")
    before = count_jobs(spark)
    inputs = reading.read_input(spark, program, tmp_path)
    assert count_jobs(spark) == before
    assert (inputs.first, inputs.last, inputs.counts) == (-7, 9, {"e": 6})
    check_same(program, io.read_input(program, tmp_path), inputs)


@pytest.mark.usefixtures("workers", "long_plans")
@pytest.mark.parametrize("bad", [False, True])
def test_filters_and_columns_go_to_the_scan(spark: SparkSession, tmp_path: Path, bad: bool) -> None:
    write_ais(
        tmp_path / "ais.parquet",
        vessel=pa.array([1, 2, None if bad else 3], pa.int32()),
        speed=pa.array([0.5, 1.0, 1.5], pa.float32()),
    )
    wanted = {"ais": ["vessel", "speed"]}
    inputs = reading.read_input(spark, PROGRAM, tmp_path, columns=wanted)
    frame = inputs.frames["ais"]
    assert frame.columns == ["vessel", "speed", "t"]
    plan = explain(
        frame.filter((sf.col("speed") <= 0.5) & (sf.col("vessel") > 0) & (sf.col("t") < 9))
    )
    assert "LessThanOrEqual(speed,0.5)" in plan
    assert "LessThan(t,9)" in plan
    assert "GreaterThan(vessel,0)" in plan
    assert "ReadSchema: struct<vessel:int,speed:float,t:bigint>" in plan
    assert "Python" not in plan
    inputs.release()


@pytest.mark.usefixtures("workers")
def test_retractions_meet_what_they_take_back(spark: SparkSession, tmp_path: Path) -> None:
    nan = float("nan")
    (tmp_path / "ais").mkdir()
    write_ais(tmp_path / "ais" / "1.parquet", speed=[nan, -0.0, 1.0], t=[7, 7, 90])
    write_ais(
        tmp_path / "ais" / "2.parquet",
        speed=[nan, 0.0, 2.0],
        op=["retract", "retract", "retract"],
        arrival=[None, 8, None],
    )
    write_ais(tmp_path / "ais" / "3.parquet", op=["insert", None, "delete"], t=[7.0, 1.5, 7.0])
    inputs = read_both(spark, PROGRAM, tmp_path, columns={"ais": ["vessel"]})
    assert inputs.frames["ais"].columns == ["vessel", "t"]
    assert (inputs.counts["ais"], inputs.last) == (2, 90)
    assert inputs.rejects.count_reasons() == {
        "retraction of nothing": 1, "unknown op": 1, "wrong type": 1,
    }  # fmt: skip


@pytest.mark.parametrize("folder", ["driver", "workers"])
def test_columns_elsewhere_missing_or_not_wanted(
    spark: SparkSession, tmp_path: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if folder == "workers":
        monkeypatch.setattr(small_files, "SMALL", -1)
    write_ais(tmp_path / "ais.parquet", Zeit=["1970-01-01", "x", "5"], name=[None, "a", "b"])
    (tmp_path / "convoy.csv").write_text("leader,ts,te\n1,2,3\n")
    (tmp_path / "in_port.jsonl").write_text('{"v": 1, "port": "a", "ts": 2}\n{"port": "b"}\n')
    (tmp_path / "vessel_type").mkdir()
    pq.write_table(pa.table({"day": [1, 2]}), tmp_path / "holiday.parquet")
    mapping = {"ais.t": "Zeit", "in_port.vessel": "v"}
    wanted: dict[str, list[str]] = {"ais": ["speed"], "in_port": [], "convoy": ["leader"]}
    read_both(spark, PROGRAM, tmp_path, mapping=mapping, columns=wanted)
    with pytest.raises(DataError, match=r'`mapping=\{"in_port.port": "p"\}`: .* has no column `p`'):
        reading.read_input(spark, PROGRAM, tmp_path, mapping=mapping | {"in_port.port": "p"})


@pytest.mark.usefixtures("workers")
def test_the_first_bad_row_can_be_an_error(spark: SparkSession, tmp_path: Path) -> None:
    write_ais(tmp_path / "ais.parquet", vessel=[1, 2, None], name=["a", None, "b"])
    (tmp_path / "convoy.csv").write_text("leader,follower,ts,te\nx,1,2,3\n")
    with pytest.raises(DataError) as local:
        io.read_input(PROGRAM, tmp_path, strict=True)
    with pytest.raises(DataError) as found:
        reading.read_input(spark, PROGRAM, tmp_path, strict=True)
    assert str(found.value) == str(local.value)
    assert "row 2: null argument in column `name`" in str(found.value)


@pytest.mark.usefixtures("workers")
def test_many_rejects_come_piece_by_piece(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collect_rejects, "_FEW", 10)
    vessels = [None if at % 3 else at for at in range(300)]
    rows = {key: [value] * 300 for key, value in AIS.items()} | {"vessel": vessels}
    pq.write_table(pa.table(rows), tmp_path / "ais.parquet", row_group_size=50)
    inputs = reading.read_input(spark, PROGRAM, tmp_path)
    lines = list(inputs.rejects.read_lines())
    assert lines == list(io.read_input(PROGRAM, tmp_path).rejects.read_lines())
    assert len(lines) == 200
    inputs.release()


def test_frames_tables_and_paths(spark: SparkSession, tmp_path: Path) -> None:
    ais = pa.table(
        {
            "vessel": pa.array([1, None, 3, 4], pa.int32()),
            "speed": [0.5, 1.0, float("nan"), 2.0],
            "name": ["a", "b", "c", "d"],
            "NAME": [1, 2, 3, 4],
            "ok": [True, False, True, None],
            "t": pa.array([1_500_000, 2, -1, 4], pa.timestamp("us", "UTC")),
        }
    )
    ports = pa.table({"vessel": [1, 2], "port": ["a", None], "ts": [1, 2], "te": [3.0, None]})
    path = tmp_path / "x.csv"
    path.write_text("leader,follower,ts,te\n1,2,3,4\n?,2,3,4\n")
    frame = spark.createDataFrame(ais).repartitionByRange(2, "NAME").sortWithinPartitions("NAME")
    # A row is shown without the columns that nobody looks at, as those of files are.
    local = {"ais": ais.drop_columns("NAME"), "in_port": ports, "convoy": path}
    given = {"ais": frame, "in_port": ports.to_pandas(), "convoy": str(path)}
    read_both_given(spark, PROGRAM, local, given)
    with pytest.raises(DataError, match=r"no input or fact `as`"):
        reading.read_given(spark, PROGRAM, {"as": frame})
    odd = frame.select(sf.expr("interval 1 month").alias("vessel"), "speed", "name", "ok", "t")
    with pytest.raises(DataError, match=r"column `vessel` of `table ais` is of the type interval"):
        reading.read_given(spark, PROGRAM, {"ais": odd})


@pytest.mark.usefixtures("workers")
def test_a_bad_file_among_many_is_named(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "ais").mkdir()
    for at in range(5):
        write_ais(tmp_path / "ais" / f"{at}.parquet")
    bad = tmp_path / "ais" / "3.parquet"
    whole = bad.read_bytes()
    bad.write_bytes(whole[:4] + bytes(200) + whole[204:])
    with pytest.raises(DataError, match=r"3\.parquet"):
        reading.read_input(spark, PROGRAM, tmp_path)
    bad.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError) as local:
        io.read_input(PROGRAM, tmp_path)
    with pytest.raises(DataError) as found:
        reading.read_input(spark, PROGRAM, tmp_path)
    assert str(found.value) == str(local.value)
