"""Each way in which Spark fails becomes one message with its remedy, and no stack."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from phenesthe.engines.spark.failures import EngineError, explain, explained
from phenesthe.engines.spark.jvm import launch_jvm
from phenesthe.engines.spark.noise import silence_python_side
from phenesthe.io.errors import DataError
from tests.spark import bad_workers
from tests.spark.bad_workers import Batches

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from phenesthe.engines.spark.session import Session


def failure_of(action: Callable[[], object], log: Path | None = None) -> DataError:
    with pytest.raises(DataError) as caught, explained("reading the input", log=log):
        action()
    text = str(caught.value)
    assert "Traceback" not in text
    assert "\tat " not in text
    assert "SQLSTATE" not in text
    assert "org.apache" not in text or "org.apache.hadoop:" in text
    assert caught.value.__suppress_context__
    return caught.value


@pytest.mark.parametrize(
    ("function", "reason", "remedy"),
    [
        (bad_workers.run_out_of_memory, "does not fit in a worker's memory", "partitions=N"),
        (bad_workers.leave, "a Python worker was killed", "partitions=N"),
        (bad_workers.be_killed, "a Python worker was killed", "partitions=N"),
        (bad_workers.crash, "crashed (Fatal Python error: Segmentation fault)", "PYSPARK_PYTHON"),
        (bad_workers.import_missing, "no Python package `a_package_nobody_has`", "PYSPARK_PYTHON"),
        (bad_workers.fill_disk, "no space left on the disk", "SPARK_LOCAL_DIRS"),
    ],
)
def test_a_worker_that_ends_badly(
    spark: "SparkSession", function: Callable[[Batches], Batches], reason: str, remedy: str
) -> None:
    frame = spark.range(3).mapInArrow(function, "id long")
    problem = failure_of(frame.count)
    assert problem.message.startswith("reading the input failed: ")
    assert reason in problem.message
    assert problem.hint is not None
    assert remedy in problem.hint


def test_an_unknown_exception_of_a_worker(session: "Session") -> None:
    frame = session.spark.range(3).mapInArrow(bad_workers.fail, "id long")
    problem = failure_of(frame.collect)
    assert problem.message == ("reading the input failed: a worker said ValueError: the first line")
    assert str(problem).endswith(f"\n  log: {session.log}")


@pytest.mark.parametrize("action", ["collect", "toArrow", "count"])
def test_a_message_of_a_worker_comes_through(spark: "SparkSession", action: str) -> None:
    frame = spark.range(3).mapInArrow(bad_workers.send_message, "id long")
    problem = failure_of(getattr(frame, action))
    assert problem.message == 'naïve "words"\nin two lines {}'
    assert problem.hint == "a remedy"


def test_a_message_without_a_remedy_comes_through_a_write(
    spark: "SparkSession", tmp_path: Path
) -> None:
    frame = spark.range(3).mapInArrow(bad_workers.send_without_hint, "id long")
    problem = failure_of(lambda: frame.write.parquet(str(tmp_path / "out")))
    assert (problem.message, problem.hint) == ("no remedy", None)


def test_the_session_survives_all_that(spark: "SparkSession") -> None:
    assert spark.range(7).mapInArrow(lambda batches: batches, "id long").count() == 7


def test_a_missing_path(spark: "SparkSession", tmp_path: Path) -> None:
    problem = failure_of(lambda: spark.read.parquet(str(tmp_path / "nowhere")))
    assert problem.message == f"reading the input failed: there is no {tmp_path}/nowhere"
    assert isinstance(problem, EngineError)
    assert problem.log is None


@pytest.fixture
def table(tmp_path: Path) -> Path:
    folder = tmp_path / "table"
    folder.mkdir()
    pq.write_table(pa.table({"id": range(1000)}), folder / "a.parquet")
    return folder


def test_a_file_among_others_that_is_no_parquet(spark: "SparkSession", table: Path) -> None:
    (table / "b.parquet").write_bytes(b"a,b\n1,2\n" * 100)
    problem = failure_of(spark.read.schema("id long").parquet(str(table)).collect)
    assert f"{table}/b.parquet is not a Parquet file" in problem.message


def test_a_file_among_others_that_is_cut_short(spark: "SparkSession", table: Path) -> None:
    content = (table / "a.parquet").read_bytes()
    (table / "b.parquet").write_bytes(content[: len(content) // 2])
    problem = failure_of(spark.read.schema("id long").parquet(str(table)).collect)
    assert f"{table}/b.parquet cannot be read (" in problem.message


def test_a_file_among_others_with_other_types(spark: "SparkSession", table: Path) -> None:
    pq.write_table(pa.table({"id": ["x"]}), table / "b.parquet")
    problem = failure_of(spark.read.schema("id long").parquet(str(table)).collect)
    assert f"column `id` of {table}/b.parquet is BINARY, elsewhere bigint" in problem.message


def test_a_file_that_goes_away(spark: "SparkSession", table: Path) -> None:
    frame = spark.read.schema("id long").parquet(str(table))
    (table / "a.parquet").unlink()
    problem = failure_of(frame.collect)
    assert problem.message == (
        f"reading the input failed: {table}/a.parquet was there and is no more"
    )


@pytest.mark.parametrize(
    ("path", "reason", "remedy"),
    [
        ("s3a://bucket/x", "only with the package hadoop-aws", "org.apache.hadoop:hadoop-aws"),
        ("s3://bucket/x", "does not know s3:// paths", "s3a://"),
        ("zzz://bucket/x", "does not know zzz:// paths", "see that the path is right"),
        ("hdfs://localhost:1/x", "nobody answers at localhost:1", "firewall"),
    ],
)
def test_a_place_spark_cannot_reach(
    spark: "SparkSession", path: str, reason: str, remedy: str
) -> None:
    problem = failure_of(lambda: spark.read.parquet(path))
    assert reason in problem.message
    assert problem.hint is not None
    assert remedy in problem.hint


def test_a_target_that_exists(spark: "SparkSession", table: Path) -> None:
    problem = failure_of(lambda: spark.range(3).write.parquet(str(table)))
    assert problem.message.endswith(f"{table} exists")


def test_a_target_that_cannot_be(spark: "SparkSession") -> None:
    problem = failure_of(lambda: spark.range(3).write.parquet("/proc/nothing/here"))
    assert problem.message.endswith("nothing can be written to /proc/nothing/here")


def test_a_condition_of_spark_is_told_without_its_codes(session: "Session") -> None:
    problem = failure_of(lambda: session.spark.range(3).select("nothing").collect(), session.log)
    assert problem.message.startswith("reading the input failed: A column, variable, or function")
    assert "UNRESOLVED" not in problem.message


def test_failures_print_nothing(spark: "SparkSession", capfd: pytest.CaptureFixture[str]) -> None:
    failure_of(lambda: spark.range(3).selectExpr("1 / (id - id)").collect())
    failure_of(lambda: spark.sql("select nothing"))
    frame = spark.range(3).mapInArrow(bad_workers.crash, "id long")
    failure_of(frame.collect)
    assert capfd.readouterr() == ("", "")


def test_a_broken_call_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    """As Py4J does when Ctrl-C comes while it waits for the JVM."""
    with silence_python_side():
        logging.exception("the JVM went away")
        for name in ("py4j.clientserver", "py4j.java_gateway"):
            logging.getLogger(name).exception("shutting down a connection")
    assert capfd.readouterr() == ("", "")


def test_a_home_of_no_spark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from pyspark import SparkContext

    monkeypatch.setattr(SparkContext, "_gateway", None)
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    with pytest.raises(EngineError) as caught:
        launch_jvm(None, tmp_path / "spark.log", 0)
    assert caught.value.message == f"SPARK_HOME is {tmp_path}, which has no Spark in it"
    assert caught.value.hint == "unset SPARK_HOME"


def test_errors_of_our_own_are_left_alone() -> None:
    mistake = ValueError("a mistake in the engine")
    with pytest.raises(ValueError, match="a mistake") as caught, explained("evaluating"):
        raise mistake
    assert caught.value is mistake


def test_messages_that_are_there_are_left_alone() -> None:
    message = DataError("clear already", "do this")
    with pytest.raises(DataError) as caught, explained("evaluating"):
        raise message
    assert caught.value is message
    assert explain(message, doing="evaluating") is message


class FromSpark(Exception):
    """Looks like an exception of PySpark."""


FromSpark.__module__ = "pyspark.errors"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "Job aborted due to stage failure: Total size of serialized results of 9 tasks (1.1 "
            "GiB) is bigger than spark.driver.maxResultSize (1024.0 MiB)",
            "too much is to be brought together on one machine",
        ),
        ("java.lang.OutOfMemoryError: Java heap space", "Spark's JVM ran out of memory"),
        (
            "ExecutorLostFailure (executor 1 exited caused by one of the running tasks)\n"
            "java.io.IOException: No space left on device",
            "there is no space left on the disk",
        ),
        (
            "ExecutorLostFailure (executor 1 exited caused by one of the running tasks) Reason: "
            "Executor heartbeat timed out after 150000 ms",
            "workers of the cluster were lost",
        ),
        ("Job 4 cancelled as part of cancellation of all jobs", "the job was cancelled"),
        (
            "[PYTHON_VERSION_MISMATCH] Python in worker has different version: 3.12 than that in "
            "driver: 3.11, PySpark cannot run with different minor versions.",
            "the workers have Python 3.12, and the driver has 3.11",
        ),
        (
            'java.io.IOException: Cannot run program "python3.11": error=2, No such file',
            "a worker cannot start `python3.11`",
        ),
        (
            "org.apache.hadoop.security.AccessControlException: Permission denied: user=me, "
            'access=READ, inode="/data/ais":hdfs:supergroup:drwx------',
            "permission denied: /data/ais",
        ),
        (
            "java.io.FileNotFoundException: /data/x.parquet (Permission denied)",
            "permission denied",
        ),
        ("<_InactiveRpcError ... status = StatusCode.UNAVAILABLE ...>", "nobody answers"),
        ("All masters are unresponsive! Giving up.", "the master does not accept us"),
        ("java.net.UnknownHostException: nowhere.example", "there is no host `nowhere.example`"),
    ],
)
def test_what_needs_a_cluster_or_a_broken_machine(text: str, reason: str) -> None:
    problem = explain(FromSpark(text), doing="evaluating")
    assert problem.message.startswith(f"evaluating failed: {reason}")
    assert problem.hint


@pytest.mark.parametrize(
    ("logged", "reason"),
    [
        ("", "Spark's JVM ended, as happens when it is killed"),
        (
            "26/01/01 WARN x: Permission denied\njava.lang.OutOfMemoryError: Java heap space\n",
            "Spark's JVM ran out of memory",
        ),
        ("Error: Missing application resource.\n\nUsage: ...", "Java says: Missing application"),
        ("Invalid maximum heap size: -Xmx900000g", "the machine does not have as much memory"),
        (
            "ERROR DiskBlockManager: Failed to create any local dir.\n",
            "no folder for Spark's temporary files can be written: ",
        ),
    ],
)
def test_a_jvm_that_is_gone_is_explained_by_its_log(
    tmp_path: Path, logged: str, reason: str
) -> None:
    log = tmp_path / "spark.log"
    log.write_text(logged)
    problem = explain(ConnectionRefusedError(111, "refused"), doing="evaluating", log=log)
    assert problem.message.startswith(f"evaluating failed: {reason}")
    assert str(problem).endswith(f"  log: {log}")
