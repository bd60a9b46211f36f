"""What a replay reads on Spark: the rows and the places that the local engine finds."""

from collections import Counter
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession

from phenesthe.engines.spark import reading
from phenesthe.engines.spark.reading import small_files, streaming
from phenesthe.engines.spark.reading.bring_to_driver import bring_to_driver
from phenesthe.io import stream as local
from phenesthe.io.columns import Reason
from tests.spark.same import bag_rejects, bag_rows
from tests.unit.io.samples import AIS, PROGRAM, write_lines

#: What is told of a row beside where it stands.
TOLD = (streaming.KNOWN, streaming.ARRIVED, streaming.RETRACT)
COLUMNS = {"vessel": [1, 2, 1, 3, 1], "speed": [0.5] * 5, "name": ["a", "b", "a", "c", "a"]}
OPERATIONS = {
    "ok": [True] * 5,
    "t": [7, 5, 7, 90, 7],
    "arrival": [None, 20, 9, None, 8],
    "op": ["insert", None, "retract", "insert", "retract"],
}
LINES: list[dict[str, Any] | str] = [
    {"name": "ais", "args": [1, 0.5, "a", True], "t": 7},
    {"name": "ais", "args": [1, 0.5, "a", True], "t": 7, "op": "retract", "arrival": 9},
    {"name": "ais", "args": [2, 1, "b", False], "t": 3, "arrival": 2},
    {"name": "in_port", "args": [4, "brest"], "ts": 5, "te": None},
    "no object",
    {"name": "in_port", "args": [4, "brest"], "ts": 5, "te": 9},
    {"name": "in_port", "args": [4, "brest"], "ts": 5, "te": 5},
    {"name": "convoy", "args": [4, 5], "ts": 1, "te": 80, "op": "retract"},
    {"name": "convoy", "args": [4, 5], "ts": 1, "te": 80, "arrival": 85},
    {"name": "alarm", "args": [], "t": 11},
    {"fact": "vessel_type", "args": [7, "tug"]},
    {"fact": "vessel_type", "args": [8, "tug"], "op": "retract"},
]


@pytest.fixture(params=["driver", "workers"])
def reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files are read by the driver, and by workers as large ones are."""
    if request.param == "workers":
        monkeypatch.setattr(small_files, "SMALL", -1)


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small_files, "SMALL", -1)


def check_same(expected: local.Stream, found: reading.StreamInputs) -> None:
    """All rows are refused in the end, so that each tells where it stands."""
    assert bag_rejects(found.rejects) == bag_rejects(expected.rejects)
    for name, feed in expected.feeds.items():
        frame = found.frames[name]
        assert frame.columns[-len(streaming.BESIDE) :] == list(streaming.BESIDE)
        rows, wanted = frame.toArrow(), streaming.add_beside(feed)
        assert rows.column_names == wanted.column_names, name
        fields = [one for one in rows.column_names if one not in streaming.BESIDE]
        chosen = [*fields, *TOLD]
        assert bag_rows(rows.select(chosen)) == bag_rows(wanted.select(chosen)), name
        assert found.counts[name] == rows.num_rows
        assert found.is_plain[name] == streaming.is_plain(feed.batches), name
        reasons = [Reason.TOO_LATE] * rows.num_rows
        found.set_aside(name, rows, reasons)
        feed.set_aside(np.arange(rows.num_rows), reasons, expected.rejects)
        assert bag_rejects(found.rejects) == bag_rejects(expected.rejects), name
    for name, table in expected.facts.items():
        facts = found.facts[name]
        count = facts.count()
        assert found.counts[name] == count
        if facts.columns:
            assert bag_rows(facts.toArrow()) == bag_rows(table)
        else:
            assert count == table.num_rows
    assert found.rejects.counts == expected.rejects.counts
    assert found.warnings == expected.warnings
    times = (found.begin, found.first, found.last)
    assert times == (expected.begin, expected.first, expected.last)


def check_gathered(expected: local.Stream, found: reading.StreamInputs) -> None:
    """On the driver the rows are in the order in which they apply."""
    gathered = bring_to_driver(PROGRAM, found)
    assert list(gathered.feeds) == list(expected.feeds)
    for name, feed in expected.feeds.items():
        other = gathered.feeds[name]
        assert other.table.equals(feed.table), name
        assert other.known.tolist() == feed.known.tolist()
        assert (other.retract is None) == (feed.retract is None or not feed.retract.any())
        if other.retract is not None and feed.retract is not None:
            assert other.retract.tolist() == feed.retract.tolist()
    for name, table in expected.facts.items():
        assert gathered.facts[name].num_rows == table.num_rows
        if table.num_columns:
            assert bag_rows(gathered.facts[name]) == bag_rows(table)
    assert gathered.rejects is found.rejects
    times = (gathered.begin, gathered.first, gathered.last)
    assert times == (expected.begin, expected.first, expected.last)


def read_both(spark: SparkSession, path: Path, **options: Any) -> reading.StreamInputs:
    found = reading.read_stream(spark, PROGRAM, path, **options)
    try:
        expected = local.read_stream(PROGRAM, path, **options)
        if "columns" not in options:
            check_gathered(expected, found)
        check_same(expected, found)
    finally:
        found.release()
    return found


def write_tables(folder: Path) -> None:
    (folder / "ais").mkdir()
    table = pa.table(COLUMNS | OPERATIONS)
    pq.write_table(table.slice(0, 2), folder / "ais" / "1 %2B+ü.parquet")
    pq.write_table(table.slice(2), folder / "ais" / "2.parquet")
    bad = table.slice(1, 2).set_column(2, "name", pa.nulls(2, pa.string()))
    pq.write_table(bad.drop_columns("op"), folder / "ais" / "3.parquet")
    port = "vessel,port,ts,te,arrival\n1,brest,3,,\n\n1,brest,3,9,12\n2,brest,x,9,12\n"
    (folder / "in_port.csv").write_text(port)
    (folder / "convoy.csv").write_text('leader,follower,ts,te\n1,2,"4\n",\n\n1,2,40,50\n')
    write_lines(folder / "alarm.jsonl", [{"t": 4}, {"t": None}, {"t": 2, "op": "retract"}])
    write_lines(folder / "vessel_type.jsonl", [{"vessel": 1, "type": "tug", "op": "retract"}])


@pytest.mark.usefixtures("reader")
def test_lines(spark: SparkSession, tmp_path: Path) -> None:
    found = read_both(spark, write_lines(tmp_path / "all.jsonl", LINES))
    assert (found.begin, found.first, found.last) == (1, 1, 80)
    assert found.is_plain == {"ais": False, "in_port": True, "convoy": False, "alarm": True}
    assert found.rejects.count_reasons() == {
        "too late": 8,
        "retraction of nothing": 1,
        "te not after ts": 1,
        "unreadable line": 1,
    }


@pytest.mark.usefixtures("reader")
def test_tables(spark: SparkSession, tmp_path: Path) -> None:
    write_tables(tmp_path)
    read_both(spark, tmp_path)


@pytest.mark.usefixtures("reader")
def test_what_is_taken_back_leaves_no_times(spark: SparkSession, tmp_path: Path) -> None:
    """It is the begin, but neither the first nor the last instant of what a run sees."""
    rows = COLUMNS | {"ok": [True] * 5, "t": [7, 5, 7, 90, 90], "op": ["insert"] * 5}
    table = pa.table(rows)
    taken = table.set_column(5, "op", pa.array(["retract"] * 5)).take([1, 3])
    pq.write_table(pa.concat_tables([table.slice(0, 4), taken]), tmp_path / "ais.parquet")
    found = read_both(spark, tmp_path)
    assert (found.begin, found.first, found.last) == (5, 7, 7)
    assert found.counts["ais"] == 6


def test_frames_and_tables_in_memory(spark: SparkSession) -> None:
    table = pa.table(COLUMNS | OPERATIONS)
    port = {"vessel": [1, 2], "port": ["x", "y"], "ts": [2, 1], "te": [None, 4]}
    given: dict[str, Any] = {"ais": table, "in_port": pa.table(port)}
    frames = given | {"ais": spark.createDataFrame(table).repartition(3).coalesce(2).cache()}
    # A frame has an order of its own.
    expected = local.stream_given(PROGRAM, given | {"ais": frames["ais"].toArrow()})
    check_same(expected, reading.stream_given(spark, PROGRAM, frames))


@pytest.mark.usefixtures("workers")
@pytest.mark.parametrize("takes_back", [False, True])
def test_arguments_that_nobody_wants(spark: SparkSession, tmp_path: Path, takes_back: bool) -> None:
    """They are there where rows are compared: to see which is taken back."""
    rows = COLUMNS | OPERATIONS | ({} if takes_back else {"op": ["insert"] * 5})
    pq.write_table(pa.table(rows), tmp_path / "ais.parquet")
    pq.write_table(
        pa.table({"vessel": [1], "port": ["x"], "ts": [2], "te": [5]}), tmp_path / "in_port.parquet"
    )
    columns = {"ais": ["vessel"], "in_port": ["vessel"], "alarm": [], "convoy": []}
    found = read_both(spark, tmp_path, columns=columns)
    arguments = list(AIS)[:-1] if takes_back else ["vessel"]
    assert found.frames["ais"].columns[: -len(streaming.BESIDE)] == [*arguments, "t"]
    assert found.frames["in_port"].columns[:4] == ["vessel", "port", "ts", "te"]


@pytest.mark.usefixtures("workers")
def test_who_does_not_ask_where_rows_stand_does_not_pay(
    spark: SparkSession, tmp_path: Path
) -> None:
    port = {"vessel": [1], "port": ["x"], "ts": [2], "te": [5]}
    pq.write_table(pa.table(port), tmp_path / "in_port.parquet")
    assert "row_index" in explain(reading.read_stream(spark, PROGRAM, tmp_path).frames["in_port"])
    frame = reading.read_stream(spark, PROGRAM, tmp_path, placed=False).frames["in_port"]
    plan = explain(frame.select("vessel", "ts", f"`{streaming.KNOWN}`"))
    assert "ReadSchema: struct<vessel:bigint,ts:bigint>" in plan


@pytest.mark.usefixtures("workers")
def test_places_of_what_cannot_be_late_need_not_be_told(
    spark: SparkSession, tmp_path: Path
) -> None:
    (tmp_path / "in_port.csv").write_text("vessel,port,ts,te\n1,brest,3,\n")
    (tmp_path / "convoy.csv").write_text("leader,follower,ts,te,arrival\n1,2,3,,9\n")
    found = reading.read_stream(spark, PROGRAM, tmp_path, placed=False)
    placed = {
        name: Counter(row[0] for row in found.frames[name].select(pick(streaming.NUMBER)).collect())
        for name in ("in_port", "convoy")
    }
    found.release()
    assert placed == {"in_port": Counter([None]), "convoy": Counter([2])}


def pick(name: str) -> str:
    return f"`{name}`"


def explain(frame: DataFrame) -> str:
    text = StringIO()
    with redirect_stdout(text):
        frame.explain()
    return text.getvalue()
