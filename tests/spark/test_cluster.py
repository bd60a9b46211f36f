"""The real command on a real cluster, of which workers are killed in the midst of the work."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.spark.standalone import JAVA, Cluster, Daemon, make_environment, start_cluster, wait_for
from tests.strategies.corpus import PROJECT

#: States of a vessel are one stage, those of a pair another: rows cross the cluster in between.
PROGRAM = """
input event ais(v: int, speed: float);
input state near(v: int, w: int);
fact berth(v: int, place: str);

state stopped(V)     : (ais(V, S) and S <= 0.5) ~> (ais(V, R) and R > 0.5);
event docked(V, P)   : start(stopped(V)) and berth(V, P);
state together(V, W) : near(V, W) intersection stopped(V) intersection stopped(W);
"""
NAMES = ("docked", "stopped", "together")
EVENTS = 300_000
VESSELS = 2_000


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with start_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the program, its input, and what the local engine finds."""
    folder = tmp_path_factory.mktemp("story")
    (folder / "program.phe").write_text(PROGRAM)
    (folder / "input").mkdir()
    random = np.random.default_rng(1)
    last, pairs = EVENTS // 20, EVENTS // 20
    start = random.integers(0, last, pairs)
    tables = {
        "ais": {
            "v": random.integers(0, VESSELS, EVENTS),
            "speed": np.round(random.uniform(0, 2, EVENTS), 1),
            "t": random.integers(0, last, EVENTS),
        },
        "near": {
            "v": random.integers(0, VESSELS, pairs),
            "w": random.integers(0, VESSELS, pairs),
            "ts": start,
            "te": start + random.integers(1, 500, pairs),
        },
        "berth": {
            "v": np.arange(0, VESSELS, 3),
            "place": np.array(["a", "b", "c"])[np.arange(0, VESSELS, 3) % 3],
        },
    }
    for name, columns in tables.items():
        pq.write_table(pa.table(columns), folder / "input" / f"{name}.parquet")
    done = start_run(folder, "local/", "--engine", "local")
    assert done.communicate(timeout=120) == ("", "")
    return folder


def start_run(
    story: Path, output: str, *options: str, **environment: str
) -> "subprocess.Popen[str]":
    """`phenesthe run`, as a terminal would start it."""
    command = [sys.executable, "-m", "phenesthe", "run", "program.phe", "--input", "input"]
    return subprocess.Popen(
        [*command, "--output", output, "--quiet", *options],
        cwd=story,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=make_environment(PYTHONPATH=str(PROJECT), PYSPARK_PYTHON=sys.executable, **environment),
    )


@contextmanager
def run_on(
    cluster: Cluster, story: Path, output: str, **settings: str
) -> "Iterator[subprocess.Popen[str]]":
    """The command at work on two workers; it does not outlive the test."""
    cluster.have_workers(2)
    given = {
        "spark.driver.extraJavaOptions": JAVA,
        "spark.executor.extraJavaOptions": JAVA,
        "spark.sql.shuffle.partitions": "4",
        **settings,
    }
    arguments = " ".join(f"--conf '{name}={value}'" for name, value in given.items())
    process = start_run(
        story,
        output,
        *("--master", cluster.master, "--partitions", "8"),
        PYSPARK_SUBMIT_ARGS=f"{arguments} pyspark-shell",
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate()


def wait_until_at_work(cluster: Cluster, process: "subprocess.Popen[str]") -> tuple[str, Daemon]:
    """The application, and a worker that has evaluated a partition and is at another one."""

    def find() -> tuple[str, Daemon] | None:
        assert process.poll() is None, process.communicate()
        application = cluster.find_running()
        if application is None:
            return None
        for worker in cluster.workers:
            if worker.read_executors(application).count("Starting Python task execution") > 1:
                return application, worker
        return None

    return wait_for("work", find)


def read_results(folder: Path) -> dict[str, object]:
    tables = {file.stem: pq.read_table(file) for file in folder.iterdir()}
    return {
        name: table.sort_by([(column, "ascending") for column in table.column_names]).to_pydict()
        for name, table in tables.items()
    }


def list_around(story: Path) -> list[str]:
    """All that lies beside the input, hidden or not."""
    return sorted(path.name for path in story.iterdir())


def test_a_worker_is_killed_and_nothing_is_lost(cluster: Cluster, story: Path) -> None:
    before = list_around(story)
    with run_on(cluster, story, "found/") as process:
        application, victim = wait_until_at_work(cluster, process)
        cluster.kill_worker(victim)
        (survivor,) = cluster.workers
        assert process.communicate(timeout=200) == ("", "")
        assert process.returncode == 0
    # It had to do again what the other one had done.
    log = survivor.read_executors(application)
    attempts = re.findall(r"Running task \d+\.(\d+) in stage \d+\.(\d+)", log)
    assert any(attempt != ("0", "0") for attempt in attempts)
    # The workers had the package from us.
    assert list(survivor.folder.glob(f"{application}/*/phenesthe-*.zip"))
    assert list_around(story) == sorted([*before, "found"])
    assert not list((story / "found").rglob("_temporary"))
    expected = read_results(story / "local")
    assert sorted(expected) == list(NAMES)
    assert all(expected.values())
    assert read_results(story / "found") == expected


def test_all_workers_are_killed_and_it_is_said(cluster: Cluster, story: Path) -> None:
    before = list_around(story)
    patience = {
        "spark.network.timeout": "12s",
        "spark.network.timeoutInterval": "6s",
        "spark.executor.heartbeatInterval": "3s",
    }
    with run_on(cluster, story, "nothing/", **patience) as process:
        wait_until_at_work(cluster, process)
        for worker in list(cluster.workers):
            cluster.kill_worker(worker)
        output, errors = process.communicate(timeout=200)
    assert (process.returncode, output) == (1, "")
    message, hint = errors.splitlines()
    assert message == (
        "error: all workers of the cluster were lost, and none came back within 12 s"
    )
    assert hint.startswith("  help: see their logs")
    assert list_around(story) == before


def test_a_cluster_that_is_not_there(story: Path) -> None:
    before = list_around(story)
    process = start_run(story, "nothing/", "--master", "spark://127.0.0.1:1")
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (1, "")
    message, hint = errors.splitlines()
    assert message.startswith("error: nobody answers at spark://127.0.0.1:1: ")
    assert hint.startswith("  help: see that it runs")
    assert list_around(story) == before
