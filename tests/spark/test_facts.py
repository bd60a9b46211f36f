"""Facts without arguments have no columns, and rows all the same, wherever they pass."""

import json
import pickle
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession

import phenesthe
from phenesthe import io
from phenesthe.engines.local import run_local
from phenesthe.engines.spark import build, reading, run
from phenesthe.engines.spark.explain import explain_on_spark
from phenesthe.engines.spark.layout import Parcel, lay_out
from phenesthe.engines.spark.reading import inputs, small_files
from phenesthe.engines.spark.reading.disks import HadoopFiles
from tests.equivalence.compare import Results, read_table
from tests.spark.same import check_same

#: A stage by key, and one of one partition. Nobody says that anything is disabled.
TEXT = """
input event seen(v: int);
fact enabled();
fact disabled();
fact member(v: int);
event found(V) : seen(V) and enabled();
event lost(V) : seen(V) and member(V) and not disabled();
event never(V) : seen(V) and disabled();
state alarm() : seen(_) and enabled() ~> seen(4) and member(4);
"""
PROGRAM = phenesthe.compile(text=TEXT).checked
EXPECTED: Results = {
    "found": {((v,), v) for v in range(1, 5)},
    "lost": {((v,), v) for v in (2, 4)},
    "never": set(),
    "alarm": {((), 1, None)},
}
LAYOUT = lay_out([(one, one.arguments) for one in PROGRAM.facts])
ENABLED = [one.name for one in PROGRAM.facts].index("enabled")


def make_rows(count: int) -> pa.Table:
    return pa.table({"row": pa.nulls(count)}).select([])


@pytest.mark.parametrize("count", [0, 1, 3, 2**17 + 1])
def test_rows_without_columns_keep_their_number(count: int) -> None:
    batches = list(LAYOUT.join(ENABLED, make_rows(count)))
    assert sum(batch.num_rows for batch in batches) == count
    split = LAYOUT.split(batches)
    assert [table.num_rows for table in split] == [
        count if at == ENABLED else 0 for at in range(len(PROGRAM.facts))
    ]
    names = tuple(one.name for one in PROGRAM.facts)
    sent = Parcel(names, LAYOUT, pa.Table.from_batches(batches, LAYOUT.make_schema()))
    opened = pickle.loads(pickle.dumps(sent)).open()
    assert {name: table.num_rows for name, table in opened.items()} == {
        name: count if name == "enabled" else 0 for name in names
    }
    assert opened["enabled"].column_names == []


def write_lines(place: Path) -> Path:
    lines: list[object] = [{"name": "seen", "args": [v], "t": v} for v in range(1, 5)]
    lines += [{"fact": "member", "args": [v]} for v in (2, 4)]
    lines += [{"fact": "enabled", "args": []}] * 2
    lines += [{"fact": "disabled", "args": []}]
    lines += [{"fact": "disabled", "args": [], "op": "retract", "arrival": 1}]
    path = place / "all.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


def write_tables(place: Path, form: str) -> Path:
    pq.write_table(pa.table({"v": [1, 2, 3, 4], "t": [1, 2, 3, 4]}), place / "seen.parquet")
    (place / "member.csv").write_text("v\n2\n4\n", encoding="utf-8")
    match form:
        case "parquet":
            pq.write_table(pa.table({"note": ["a", "b"]}), place / "enabled.parquet")
            operations = pa.table({"op": ["insert", "retract"], "arrival": [1, 2]})
            pq.write_table(operations, place / "disabled.parquet")
        case "bare parquet":
            pq.write_table(pa.table({"note": ["a"]}), place / "enabled.parquet")
            # Without a column the format has no rows either.
            pq.write_table(make_rows(0), place / "disabled.parquet")
        case "csv":
            (place / "enabled.csv").write_text("note\na\nb\n", encoding="utf-8")
            (place / "disabled.csv").write_text("note,op\na,retract\na,insert\n", encoding="utf-8")
        case _:
            (place / "enabled.jsonl").write_text("{}\n{}\n", encoding="utf-8")
            lines = '{"op": "retract"}\n{"op": "insert"}\n'
            (place / "disabled.jsonl").write_text(lines, encoding="utf-8")
    return place


def evaluate(spark: SparkSession, read: reading.Inputs) -> Results:
    found = run.run_spark(spark, PROGRAM, read, partitions=3, together=True)
    try:
        return {name: read_table(table) for name, table in found.collect().items()}
    finally:
        found.release()
        read.release()


@pytest.mark.parametrize("is_small", [True, False], ids=["driver", "workers"])
@pytest.mark.parametrize("form", ["lines", "parquet", "bare parquet", "csv", "jsonl"])
def test_files(
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    form: str,
    is_small: bool,
) -> None:
    if not is_small:
        monkeypatch.setattr(small_files, "SMALL", -1)
    place = write_lines(tmp_path) if form == "lines" else write_tables(tmp_path, form)
    loaded = io.read_input(PROGRAM, place)
    assert not loaded.rejects
    local = run_local(PROGRAM, loaded.tables, loaded.facts)
    assert {name: read_table(table) for name, table in local.items()} == EXPECTED
    read = reading.read_input(spark, PROGRAM, place)
    check_same(PROGRAM, loaded, read)
    assert evaluate(spark, read) == EXPECTED


@pytest.mark.parametrize("form", ["parquet", "bare parquet"])
def test_files_elsewhere(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setattr(inputs, "open_disk", lambda spark, _: HadoopFiles(spark))
    place = write_tables(tmp_path, form).as_uri()
    assert evaluate(spark, reading.read_input(spark, PROGRAM, place)) == EXPECTED


@pytest.mark.parametrize("rows", [build.BROADCAST_ROWS, 0], ids=["along", "travelling"])
@pytest.mark.parametrize("form", ["frame", "bare frame", "arrow"])
def test_given(spark: SparkSession, monkeypatch: pytest.MonkeyPatch, form: str, rows: int) -> None:
    """Facts that come along with a task, and facts that travel with its rows."""
    monkeypatch.setattr(build, "BROADCAST_ROWS", rows)
    enabled: dict[str, DataFrame | pa.Table] = {
        "frame": spark.range(2).withColumnRenamed("id", "note"),
        "bare frame": spark.range(2).select(),
        "arrow": make_rows(2),
    }
    operations = spark.createDataFrame([("insert",), ("retract",)], "op string")
    given = {
        "seen": spark.createDataFrame([(v, v) for v in range(1, 5)], "v bigint, t bigint"),
        "member": spark.createDataFrame([(2,), (4,)], "v bigint"),
        "enabled": enabled[form],
        "disabled": operations,
    }
    assert evaluate(spark, reading.read_given(spark, PROGRAM, given)) == EXPECTED


def test_the_plan_is_printed(session: object) -> None:
    assert session is not None  # the plan is made on the session that runs
    assert "MapInArrow" in explain_on_spark(PROGRAM)
