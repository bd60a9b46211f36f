"""What workers say names options as the user gives them, whoever started the session."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

import phenesthe
from phenesthe.engines.spark.dispatch import give_workers
from phenesthe.engines.spark.failures import explain
from phenesthe.engines.spark.results import SparkResults
from phenesthe.engines.spark.worker import refuse_size
from phenesthe.engines.spark.worker_errors import pack_error
from phenesthe.options import naming_flags
from phenesthe.results import Results


def fail(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from batches
    raise pack_error(refuse_size(1, "receiving its rows", is_keyed=True))


@pytest.mark.parametrize(("are_flags", "said"), [(True, "--partitions N"), (False, "partitions=N")])
def test_workers_name_options_as_they_were_given(
    spark: SparkSession, are_flags: bool, said: str
) -> None:
    with naming_flags(are_flags):
        frame = give_workers(spark.range(1), fail, "id bigint")
    with pytest.raises(Exception, match="phenesthe-carries") as problem:
        frame.collect()
    hint = explain(problem.value, doing="evaluating").hint
    assert hint == f"use more partitions ({said}) or give Python workers more memory"


PROGRAM = "input event ais(v: int);\nfact f(v: int);\nevent seen(V) : ais(V);\n"
TIMES = ["13/02/2020 10:00", "2020-02-13T11:00:00", "31/04/2020 10:00", "1/2/2020 3:04", "", "9"]
#: 2020-02-13T10:00:00 and 11:00:00, 2020-02-01T03:04:00, and the instant 9.
READ = [(0, 1581588000), (1, 1581591600), (3, 1580526240), (5, 9)]


@pytest.mark.parametrize("kind", ["tables", "files"])
def test_times_in_a_form_of_ones_own(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    program = phenesthe.compile(text=PROGRAM)
    frame = spark.createDataFrame(list(enumerate(TIMES)), "v int, t string")
    table = frame.toArrow()
    facts = spark.createDataFrame([(1,)], "v int")
    if kind == "files":
        rows = "".join(f"{at},{text}\n" for at, text in enumerate(TIMES))
        (tmp_path / "ais.csv").write_text(f"v,t\n{rows}")
    path = tmp_path / "ais.csv"
    local = program.run({"ais": path if kind == "files" else table}, time_format="%d/%m/%Y %H:%M")
    assert isinstance(local, Results)
    here = local["seen"]
    assert sorted(zip(here["V"].to_pylist(), here["t"].to_pylist(), strict=True)) == READ
    given = {"ais": str(path) if kind == "files" else frame, "f": facts}
    result = program.run(given, time_format="%d/%m/%Y %H:%M")
    assert isinstance(result, SparkResults)
    assert sorted((row.V, row.t) for row in result["seen"].collect()) == READ
    assert result.rejects.count_reasons() == local.rejects.count_reasons()
    result.release()


def test_a_form_that_cannot_be_read_is_an_error(spark: SparkSession) -> None:
    program = phenesthe.compile(text=PROGRAM)
    table = pa.table({"v": [1], "t": ["13/02/2020"]})
    with pytest.raises(phenesthe.DataError, match="the time format `%d/%m` has no year"):
        program.run({"ais": table}, time_format="%d/%m")
    frame = spark.createDataFrame([(1, "13/02/2020")], "v int, t string")
    with pytest.raises(phenesthe.DataError, match="the time format `%d/%m` has no year"):
        program.run({"ais": frame}, time_format="%d/%m")["seen"].collect()


def test_a_memory_reads_times_in_a_form_of_ones_own() -> None:
    memory = phenesthe.compile(text=PROGRAM).memory(window="8h", time_format="%d/%m/%Y %H:%M")
    table = pa.table({"v": [1], "t": ["13/02/2020 10:00"]})
    changes = memory.advance("2020-02-13T10:00:00", {"ais": table})
    assert changes["seen"]["t"].to_pylist() == [1581588000]
