"""A standalone cluster on this machine, of processes that the pip installation of PySpark has."""

import json
import os
import re
import signal
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pyspark

_CLASS = Path(pyspark.__file__).parent / "bin" / "spark-class"
#: Seconds for anything to happen; a busy machine takes ten for a JVM.
_PATIENCE = 120.0
#: A JVM that lives for seconds does better without optimising itself.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

Found = TypeVar("Found")


def wait_for(what: str, find: Callable[[], Found | None]) -> Found:
    """What `find` gives as soon as it gives something."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        found = find()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"waited in vain for {what}")


def make_environment(**more: str) -> dict[str, str]:
    """Nothing of Spark's around us. Names of machines may lead nowhere, so there are none."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SPARK_", "PYSPARK_", "PYTHONPATH"))
    }
    return {**kept, "SPARK_LOCAL_IP": "127.0.0.1", **more}


@dataclass(slots=True)
class Daemon:
    """A master or a worker, which leads a group of processes: the executors are part of it."""

    process: subprocess.Popen[bytes]
    folder: Path

    def read_log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")

    def read_executors(self, application: str) -> str:
        """What the executors of a worker logged."""
        logs = self.folder.glob(f"{application}/*/stderr")
        return "".join(file.read_text(errors="replace") for file in logs)

    def kill(self) -> None:
        """All at once, as when a machine loses its power. Python workers then end by themselves."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@dataclass(slots=True)
class Cluster:
    folder: Path
    daemons: list[Daemon] = field(default_factory=list)
    workers: list[Daemon] = field(default_factory=list)
    master: str = ""
    page: str = ""

    def start_master(self) -> None:
        daemon = self._start("master.Master")

        def find(pattern: str) -> str:
            match = wait_for("the master", lambda: re.search(pattern, daemon.read_log()))
            return match[1]

        self.master = find(r"Starting Spark master at (spark://\S+)")
        port = find(r"service 'MasterUI' on port (\d+)")
        self.page = f"http://127.0.0.1:{port}/json/"

    def have_workers(self, count: int) -> None:
        """Start as many as are missing, and wait until the master knows them."""
        while len(self.workers) < count:
            arguments = (self.master, "--cores", "1", "--memory", "1g", "--work-dir")
            self.workers.append(self._start("worker.Worker", *arguments))
        wait_for("the workers", lambda: self.count_workers() == count)

    def kill_worker(self, worker: Daemon) -> None:
        worker.kill()
        self.workers.remove(worker)

    def count_workers(self) -> int:
        return int(self.ask()["aliveworkers"])

    def find_running(self) -> str | None:
        """The application that has executors."""
        found = [one["id"] for one in self.ask()["activeapps"] if one["state"] == "RUNNING"]
        return found[0] if found else None

    def ask(self) -> dict[str, Any]:
        with urllib.request.urlopen(self.page, timeout=_PATIENCE) as answer:
            found: dict[str, Any] = json.load(answer)
        return found

    def stop(self) -> None:
        for daemon in self.daemons:
            if daemon.process.poll() is None:
                daemon.kill()

    def _start(self, name: str, *arguments: str) -> Daemon:
        folder = self.folder / f"{name}-{len(self.daemons)}"
        folder.mkdir()
        command = [str(_CLASS), f"org.apache.spark.deploy.{name}", *arguments]
        if arguments:
            command.append(str(folder))
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [*command, "--host", "127.0.0.1", "--port", "0", "--webui-port", "0"],
                cwd=folder,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=make_environment(
                    SPARK_DAEMON_MEMORY="256m",
                    SPARK_DAEMON_JAVA_OPTS=JAVA,
                    # It would take a port of its own that others may have.
                    SPARK_MASTER_OPTS="-Dspark.master.rest.enabled=false",
                    SPARK_LOCAL_DIRS=str(folder),
                ),
                start_new_session=True,
            )
        daemon = Daemon(process, folder)
        self.daemons.append(daemon)
        return daemon


@contextmanager
def start_cluster(folder: Path) -> Iterator[Cluster]:
    """A master without workers; whatever happens, no process is left at the end."""
    cluster = Cluster(folder)
    try:
        cluster.start_master()
        yield cluster
    finally:
        cluster.stop()
