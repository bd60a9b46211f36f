"""Sessions: what they set, what they leave alone, and that they make no noise."""

import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from phenesthe.engines.spark.class_archive import name_archive
from phenesthe.engines.spark.failures import EngineError
from phenesthe.engines.spark.java import Java, find_java
from phenesthe.engines.spark.masters import check_master
from phenesthe.engines.spark.progress import describe, step, watch
from phenesthe.engines.spark.session import adopt, open_session
from phenesthe.engines.spark.ship import ship_package, zip_package
from tests.interrupts import heed_interrupts
from tests.spark.slow_workers import sleep
from tests.strategies.corpus import PROJECT

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from phenesthe.engines.spark.session import Session


def start(code: str, folder: Path, **environment: str) -> "subprocess.Popen[str]":
    """A process of its own, as a terminal would start it, with nothing of Spark's around it."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SPARK_", "PYSPARK_"))
    }
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**kept, "PYTHONPATH": str(PROJECT), "TMPDIR": str(folder / "tmp"), **environment},
        start_new_session=True,
        preexec_fn=heed_interrupts,
    )


EMBEDDED = """
import json, os
from phenesthe.engines.spark.session import open_session

said = []
before = dict(os.environ)
with open_session(say=said.append) as session:
    spark = session.spark
    conf = spark.sparkContext.getConf()
    names = ("spark.master", "spark.ui.enabled", "spark.sql.session.timeZone",
             "spark.sql.shuffle.partitions", "spark.driver.maxResultSize")
    found = {name: conf.get(name) for name in names}
    found["rows"] = spark.range(5).mapInArrow(lambda batches: batches, "id long").count()
    found["python"] = spark.sparkContext.pythonExec
    found["logged"] = "NativeCodeLoader" in session.log.read_text()
found["environment"] = os.environ == before
found["said"] = said
print(json.dumps(found))
"""


def test_an_embedded_session_makes_no_noise_and_yields_to_the_user(tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    conf = tmp_path / "conf"
    conf.mkdir()
    (conf / "spark-defaults.conf").write_text(
        "spark.driver.memory 600m\nspark.sql.session.timeZone=Europe/Athens\n"
    )
    process = start(
        EMBEDDED,
        tmp_path,
        SPARK_CONF_DIR=str(conf),
        PYSPARK_SUBMIT_ARGS="--conf spark.sql.shuffle.partitions=3 pyspark-shell",
        PYSPARK_PYTHON="/no/such/python",
    )
    output, errors = process.communicate(timeout=180)
    assert (process.returncode, errors) == (0, "")
    found = json.loads(output)  # nothing but what the program printed
    (said,) = found.pop("said")
    assert said.startswith("Spark 4.")
    assert f"driver 600 MiB, Python {sys.version.split()[0]}" in said
    assert int(found.pop("spark.driver.maxResultSize")) == 300 * 2**20
    assert found == {
        "spark.master": "local[*]",
        "spark.ui.enabled": "false",
        "spark.sql.session.timeZone": "Europe/Athens",
        "spark.sql.shuffle.partitions": "3",
        "rows": 5,
        "python": sys.executable,
        "logged": True,
        "environment": True,
    }
    assert sorted(os.listdir(tmp_path)) == ["conf", "tmp"]
    assert not [name for name in os.listdir(tmp_path / "tmp") if name.startswith("phenesthe")]


INTERRUPTED = """
import sys
from phenesthe.engines.spark.failures import explained
from phenesthe.engines.spark.session import open_session
from tests.spark.slow_workers import sleep

try:
    with open_session(say=print) as session, explained("evaluating", log=session.log):
        session.spark.range(3).mapInArrow(lambda batches: batches, "id long").count()
        print("running", flush=True)
        session.spark.range(3).mapInArrow(sleep(60), "id long").count()
except KeyboardInterrupt:
    sys.exit(130)
"""


def test_ctrl_c_ends_the_job_and_the_jvm_without_a_word(tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    process = start(INTERRUPTED, tmp_path)
    assert process.stdout is not None
    while (line := process.stdout.readline()) and line != "running\n":
        pass
    # As a terminal does it: to every process of the group, the JVM and the workers too.
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=60) == ("", "")
    assert process.returncode == 130
    with pytest.raises(ProcessLookupError):
        # Whoever is left has at most not been buried yet; the JVM was waited for.
        _wait_for_group(process.pid)
    assert not [name for name in os.listdir(tmp_path / "tmp") if name.startswith("phenesthe")]


def _wait_for_group(group: int) -> None:
    for _ in range(100):
        os.killpg(group, 0)
        time.sleep(0.1)


def test_who_asks_again_gets_the_same_session(session: "Session") -> None:
    said: list[str] = []
    with open_session(say=said.append) as again:
        assert again is session
    with open_session("local[2]") as again:
        assert again is session
    assert session.spark.range(2).count() == 2  # still runs
    assert said == []


def test_another_master_than_the_running_one(session: "Session") -> None:
    assert session.spark.sparkContext.master == "local[2]"
    with (
        pytest.raises(EngineError, match=r"already runs Spark on local\[2\]"),
        open_session("local[1]"),
    ):
        pass


def test_an_adopted_session_keeps_its_settings(spark: "SparkSession") -> None:
    other = spark.newSession()
    other.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    adopted = adopt(other)
    assert adopted.spark is other
    assert adopted.log is None
    assert other.conf.get("spark.sql.session.timeZone") == "Asia/Tokyo"
    assert "local[2]" in adopted.text


def test_what_is_set(spark: "SparkSession") -> None:
    assert spark.conf.get("spark.sql.session.timeZone") == "UTC"
    assert int(spark.conf.get("spark.sql.execution.arrow.maxRecordsPerBatch") or 0) > 10_000
    assert spark.sparkContext.uiWebUrl is None


def test_the_package_goes_to_the_workers_once(spark: "SparkSession") -> None:
    before = _list_files(spark)
    ship_package(spark)
    (added,) = _list_files(spark) - before
    assert "phenesthe-" in added
    ship_package(spark)
    assert _list_files(spark) == before | {added}


def _list_files(spark: "SparkSession") -> set[str]:
    return {str(file) for file in spark.sparkContext.listFiles}


def test_what_is_sent_needs_no_compiler(tmp_path: Path) -> None:
    """Workers have NumPy, PyArrow and PySpark; what reads programs and draws is not there."""
    package = zip_package(tmp_path)
    assert zip_package(tmp_path).name == package.name
    with zipfile.ZipFile(package) as content:
        assert all(name.endswith(".py") for name in content.namelist())
    code = f"""
import sys
sys.modules |= dict.fromkeys(("textx", "arpeggio", "rich"))
sys.path.insert(0, {str(package)!r})
import phenesthe.engines.spark.worker, phenesthe.operators.load
print(phenesthe.engines.spark.worker.__file__)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.startswith(str(package)), done.stderr


def test_progress_in_our_words(session: "Session") -> None:
    said: list[str] = []
    frame = session.spark.range(0, 4, 1, 4).mapInArrow(sleep(1.5), "id long")
    with watch(session, said.append), step(session.spark, "evaluating stage 1 of 2"):
        assert frame.count() == 4
    assert "evaluating stage 1 of 2: 0 of 4 tasks" in said
    assert "evaluating stage 1 of 2: 2 of 4 tasks" in said
    assert len(said) == len(set(said))


def test_progress_of_several_stages() -> None:
    assert describe([(1, 2), (3000, 4000)]).endswith(": 1 of 2 tasks, 3,000 of 4,000 tasks")


@pytest.mark.parametrize(
    ("master", "reason", "remedy"),
    [
        ("spark://127.0.0.1:1", "nobody answers at spark://127.0.0.1:1: ", "without a master"),
        ("spark://nowhere.invalid:7077", "there is no host `nowhere.invalid`", "without a master"),
        ("sc://127.0.0.1:1/;token=secret", "127.0.0.1:1: connection refused", "firewall"),
        ("k8s://https://127.0.0.1:1", "127.0.0.1:1: connection refused", "firewall"),
        ("yarn", "known only by its configuration", "HADOOP_CONF_DIR"),
        ("mesos://host:5050", "`mesos://host:5050` is no master", "spark://HOST:7077"),
        ("local[0]", "`local[0]` is no master", "local[N]"),
        ("localhost:7077", "`localhost:7077` is no master", "spark://HOST:7077"),
    ],
)
def test_a_master_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch,
    master: str,
    reason: str,
    remedy: str,
) -> None:
    for name in ("HADOOP_CONF_DIR", "YARN_CONF_DIR", "http_proxy", "https_proxy", "grpc_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with pytest.raises(EngineError) as caught:
        check_master(master)
    assert reason in caught.value.message
    assert "secret" not in str(caught.value)
    assert caught.value.hint is not None
    assert remedy in caught.value.hint


QUICK = """
import json
from phenesthe.engines.spark.class_archive import find_archive
from phenesthe.engines.spark.java import find_java
from phenesthe.engines.spark.session import open_session

with open_session(is_small=True) as session:
    conf = session.spark.sparkContext.getConf()
    beans = session.spark._jvm.java.lang.management.ManagementFactory
    options = list(beans.getRuntimeMXBean().getInputArguments())
    rows = session.spark.range(5).mapInArrow(lambda batches: batches, "id long").count()
    found = {
        "rows": rows,
        "adaptive": conf.get("spark.sql.adaptive.enabled"),
        "partitions": conf.get("spark.sql.shuffle.partitions"),
        "is_quick": "-XX:TieredStopAtLevel=1" in options,
        "archive": [one for one in options if "SharedArchiveFile" in one],
    }
found["there"] = str(find_archive(find_java()))
print(json.dumps(found))
"""


def test_a_damaged_archive_of_classes_is_passed_over_without_a_word(tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    java = find_java()
    assert isinstance(java, Java)
    name = name_archive(java)
    assert name is not None
    archive = tmp_path / "cache" / "phenesthe" / f"{name}-10000.jsa"
    archive.parent.mkdir(parents=True)
    archive.write_bytes(b"no classes" * 1000)
    process = start(
        QUICK,
        tmp_path,
        XDG_CACHE_HOME=str(tmp_path / "cache"),
        PYSPARK_SUBMIT_ARGS="--conf spark.sql.shuffle.partitions=3 pyspark-shell",
    )
    output, errors = process.communicate(timeout=180)
    assert (process.returncode, errors) == (0, "")
    assert json.loads(output) == {
        "rows": 5,
        "adaptive": "false",
        "partitions": "3",
        "is_quick": True,
        "archive": [f"-XX:SharedArchiveFile={archive}"],
        "there": str(archive),
    }
