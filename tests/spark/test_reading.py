"""What Spark reads is what the local engine reads, with the same rows set aside."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from phenesthe.engines.spark.reading import small_files
from tests.spark.columns import COLUMNS
from tests.spark.same import read_both
from tests.unit.io.samples import PROGRAM, make_program, write_lines

CSV = (
    b"vessel,speed,name,ok,t\n"
    b'1,0.5,"a\nb",true,7\n'
    b"x,0.5,a,true,7\n"
    b"\n"
    b",0.5,a,true,7\n"
    b'2,nan,"",false,1970-01-01T00:00:08.9\n'
    b"2,1,a,1,8\n"
    b"2,1,a,true,soon\n"
    b"2,1,a,true\n"
    b"\xff,1\n"
    b"2,1,\xe9,true,8\n"
    b"2,1,a,true,4611686018427387904\n"
    b"3,-inf,a,TRUE,-9"
)


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files are read by workers, as large ones are."""
    monkeypatch.setattr(small_files, "SMALL", -1)


@pytest.fixture
def blocks(spark: SparkSession) -> Iterator[None]:
    """Text is cut into blocks of some hundred bytes."""
    names = ("spark.sql.files.maxPartitionBytes", "spark.sql.files.openCostInBytes")
    for name in names:
        spark.conf.set(name, "400")
    yield
    for name in names:
        spark.conf.unset(name)


def write_folder(folder: Path) -> None:
    """A table of each kind, with something wrong in each."""
    (folder / "ais.csv").write_bytes(CSV)
    (folder / "convoy.csv").write_bytes(
        b"\xef\xbb\xbfleader,follower,ts,te\r\n1,2,5,5\r\n\r\n1,2\r\n1,2,5,\r\n"
        b'"1",2,5,6\r\n3,4,9,\r\nx,"a""b",1,2'
    )
    ports = pa.table(
        {
            "vessel": pa.array([1, None, 3, 4, 5], pa.int32()),
            "port": pa.array(["a", "b", None, "d", "e"]).dictionary_encode(),
            "ts": pa.array([1, 2, 3, 2**62, 7], pa.int64()),
            "te": pa.array([2.0, None, 4.0, None, 7.5]),
            "other": [[1], [2], [3], [4], [5]],
        }
    )
    pq.write_table(ports, folder / "in_port.parquet")
    (folder / "alarm" / "day=1").mkdir(parents=True)
    (folder / "alarm" / "_SUCCESS").touch()
    times = {
        "1.parquet": pa.array([1, None, 2**62]),
        "2.parquet": pa.array([-1, None, 10**18 + 1], pa.timestamp("ns")),
        "day=1/3.parquet": pa.array(["1970-01-01T00:00:50Z", "7", "x"]),
        "day=1/4.parquet": pa.array([1.0, None, 1.5], pa.float16()),
    }
    for name, column in times.items():
        pq.write_table(pa.table({"t": column, "x": [1, 2, 3]}), folder / "alarm" / name)
    pq.write_table(pa.table({"x": [1, 2]}), folder / "alarm" / "5.parquet")
    operations = {"t": [1, 99], "op": ["retract", "retract"], "arrival": [200, None]}
    pq.write_table(pa.table(operations), folder / "alarm" / "6.parquet")
    write_lines(
        folder / "vessel_type.jsonl",
        [
            {"vessel": 1, "type": "a"},
            "{",
            {"vessel": "x"},
            {"vessel": 2, "type": "b", "op": "retract"},
            {"vessel": 3, "type": "c"},
            {"vessel": 1, "type": "a", "op": "retract"},
        ],
    )
    (folder / "holiday.csv").write_text("day\n1\n2\n")
    (folder / "unknown.csv").touch()


def test_a_folder(spark: SparkSession, tmp_path: Path) -> None:
    write_folder(tmp_path)
    inputs = read_both(spark, PROGRAM, tmp_path)
    assert inputs.held == ()


@pytest.mark.usefixtures("workers")
def test_a_large_folder(spark: SparkSession, tmp_path: Path) -> None:
    write_folder(tmp_path)
    inputs = read_both(spark, PROGRAM, tmp_path)
    # By lines, as a whole where that did not do, and settled.
    assert len(inputs.held) == 3
    assert len(inputs.rejects) == 26


@pytest.mark.usefixtures("workers")
def test_types_that_python_converts(spark: SparkSession, tmp_path: Path) -> None:
    declared = {
        "uint64": "int", "decimal128": "int", "decimal256": "float", "float64": "int",
        "binary": "str", "fixed": "str", "broken": "str", "bool": "int", "null": "str",
    }  # fmt: skip
    text = ["unit millisecond;"]
    for name, type_name in declared.items():
        text.append(f"input event {name}(x: {type_name});")
        table = pa.table({"x": COLUMNS[name], "t": range(len(COLUMNS[name]))})
        pq.write_table(table, tmp_path / f"{name}.parquet")
    for name in ("string", "duration", "time", "ms_zone", "ns", "date"):
        text.append(f"input state {name}(x: int);")
        count = len(COLUMNS[name])
        table = pa.table({"x": range(count), "ts": [-9] * count, "te": COLUMNS[name]})
        pq.write_table(table, tmp_path / f"{name}.parquet")
    text.append("event out(X) : float64(X);")
    read_both(spark, make_program(text="\n".join(text)), tmp_path)


@pytest.mark.usefixtures("workers", "blocks")
def test_lines(spark: SparkSession, tmp_path: Path) -> None:
    rows: list[object] = [
        {"name": "ais", "args": [number, "NaN", "a", True], "t": number} for number in range(40)
    ]
    rows[3] = "nonsense"
    rows[17] = {"name": "ais", "args": [17, 0.5, "a", True], "t": "soon"}
    rows[30] = {"name": "in_port", "args": [1, "a"], "ts": 3, "te": 2}
    rows += [
        {"name": "in_port", "args": [1, "a"], "ts": 3},
        {"fact": "vessel_type", "args": [7, "fishing"]},
        {"name": "ais", "args": [39, "NaN", "a", True], "t": 39, "op": "retract", "arrival": 50},
        {"name": "ais", "args": [39, "NaN", "b", True], "t": 39, "op": "retract"},
        {"name": "none", "args": []},
    ]
    path = tmp_path / "in.jsonl"
    write_lines(path, [row if isinstance(row, str | dict) else "" for row in rows])
    facts = tmp_path / "facts"
    facts.mkdir()
    (facts / "vessel_type.csv").write_text("vessel,type\n8,cargo\n")
    inputs = read_both(spark, PROGRAM, path, facts=facts)
    assert (inputs.first, inputs.last) == (0, 38)
    assert inputs.counts["ais"] == 36
    assert inputs.counts["vessel_type"] == 2
