"""What a run on Spark promises beside its results."""

import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession

import phenesthe
from phenesthe.engines.spark import build, run
from phenesthe.engines.spark.explain import explain_on_spark
from phenesthe.engines.spark.reading import read_given
from phenesthe.engines.spark.results import SparkResults
from phenesthe.engines.spark.write import write_folder
from phenesthe.io.errors import DataError
from phenesthe.io.kinds import find_kind
from tests.equivalence.compare import find_difference, find_local, read_table
from tests.equivalence.on_spark import find_on_spark
from tests.equivalence.overrides import compile_with
from tests.equivalence.plans import has_owners, make_case

TEXT = """
input event ais(vessel: int, speed: float, course: float);
state stopped(V) : ais(V, S1, _) and S1 <= 0.5 ~> ais(V, S2, _) and S2 >= 9.0;
event fast(V) : ais(V, S, _) and S >= 9.0;
dynamic pause(V) : end(stopped(V)) before start(stopped(V));
"""


@pytest.fixture
def ais(spark: SparkSession) -> DataFrame:
    rows = [(v, 0.1 if at % 7 < 3 else 9.5, 1.0, at) for v in range(9) for at in range(40)]
    return spark.createDataFrame(rows, "vessel bigint, speed double, course double, t bigint")


def run_on_spark(ais: DataFrame) -> SparkResults:
    results = phenesthe.compile(text=TEXT).run({"ais": ais}, partitions=3)
    assert isinstance(results, SparkResults)
    return results


def test_nothing_is_read_before_something_is_asked_for(spark: SparkSession) -> None:
    broken = spark.range(9).selectExpr(
        "id AS vessel", "double(raise_error('read')) AS speed", "1.0D AS course", "id AS t"
    )
    results = run_on_spark(broken)
    assert list(results) == ["stopped", "fast", "pause"]
    with pytest.raises(DataError, match="read"):
        results["stopped"].collect()


def test_a_stage_is_computed_once_for_all_its_results(ais: DataFrame) -> None:
    results = run_on_spark(ais)
    plans = [results[name]._jdf.queryExecution().executedPlan().toString() for name in results]
    assert all("InMemoryTableScan" in plan for plan in plans)
    expected = phenesthe.compile(text=TEXT).run({"ais": ais.toArrow()})
    for name in results:
        assert read_table(results[name].toArrow()) == read_table(expected[name])
        assert expected[name].num_rows > 9
    results.release()


@pytest.mark.parametrize("is_remote", [False, True])
def test_folders(ais: DataFrame, tmp_path: Path, is_remote: bool) -> None:
    """What the tasks write, and what Spark writes to an address."""
    spark, folder = ais.sparkSession, tmp_path / "found"
    target = folder.as_uri() if is_remote else str(folder)
    program = phenesthe.compile(text=TEXT).checked
    expected = phenesthe.compile(text=TEXT).run({"ais": ais.toArrow()})
    for overwrite in (False, True):
        inputs = read_given(spark, program, {"ais": ais})
        found = run.run_spark(spark, program, inputs, together=not is_remote)
        write_folder(spark, program, found, target, overwrite=overwrite)
        found.release()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["found"]
    assert {path.stem for path in folder.glob("[!.]*")} == set(expected)
    kinds = {"stopped": "state", "fast": "event", "pause": "dynamic"}
    for name, table in expected.items():
        written = pq.read_table(folder / f"{name}.parquet")
        assert written.column_names == table.column_names
        assert read_table(written) == read_table(table)
        assert find_kind(written.schema) == kinds[name]


def test_an_address_that_a_killed_run_was_replacing_is_put_back(
    ais: DataFrame, tmp_path: Path
) -> None:
    """There no two folders change places in one step."""
    old = tmp_path / ".found.phenesthe-old-0123456789ab"
    (old / "stopped.parquet").mkdir(parents=True)
    program = phenesthe.compile(text=TEXT).checked
    inputs = read_given(ais.sparkSession, program, {"ais": ais})
    found = run.run_spark(ais.sparkSession, program, inputs)
    with pytest.raises(DataError, match=r"found` exists; use overwrite=True"):
        write_folder(ais.sparkSession, program, found, (tmp_path / "found").as_uri())
    found.release()
    assert [path.name for path in tmp_path.iterdir()] == ["found"]


def test_an_address_with_other_things_is_not_overwritten(ais: DataFrame, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").touch()
    program = phenesthe.compile(text=TEXT).checked
    inputs = read_given(ais.sparkSession, program, {"ais": ais})
    found = run.run_spark(ais.sparkSession, program, inputs)
    with pytest.raises(DataError, match=r"it holds `thesis\.txt`"):
        write_folder(ais.sparkSession, program, found, tmp_path.as_uri(), overwrite=True)
    found.release()
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_large_facts_travel_with_the_rows(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "BROADCAST_ROWS", 0)
    cases = (make_case(number) for number in range(1, 200, 6))
    case, expected = next(
        (case, expected)
        for case, program in cases
        if has_owners(program) and any((expected := find_local(program, case.stream)).values())
    )
    overridden = compile_with(case.text, case.stream.params)
    found = find_on_spark(spark, overridden, case.stream, 3)
    assert find_difference(expected, found) is None


def test_filters_and_columns_reach_the_scan(session: object) -> None:
    assert session is not None  # the plan is made on the session that runs
    plan = explain_on_spark(phenesthe.compile(text=TEXT).checked)
    scan = next(line for line in plan.splitlines() if "FileScan parquet" in line)
    assert "INPUT/ais.parquet" in scan
    pushed = re.search(r"PushedFilters: \[(.*?)\], ReadSchema", scan)
    assert pushed is not None
    assert "LessThanOrEqual(speed,0.5)" in pushed[1]
    assert "GreaterThanOrEqual(speed,9.0)" in pushed[1]
    assert "course" not in scan
    assert plan.count("MapInArrow") == 1
