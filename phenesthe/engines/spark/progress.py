"""How far Spark is, in our words: its own status, looked at now and then while it works."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from phenesthe.engines.spark.failures import explained
from phenesthe.engines.spark.lost_workers import Guard
from phenesthe.engines.spark.ship import is_connect

if TYPE_CHECKING:
    from pyspark.core.status import StatusTracker
    from pyspark.sql import SparkSession
    from pyspark.sql.connect.shell.progress import StageInfo

    from phenesthe.engines.spark.session import Session

#: Seconds between two looks.
_INTERVAL = 0.5
#: Seconds without a running task after which it is worth saying that nobody works.
_PATIENCE = 10.0

#: What is being done, the innermost last.
_steps: list[str] = ["working on Spark"]


@contextmanager
def step(spark: "SparkSession", text: str) -> Iterator[None]:
    """Say what the jobs started in this context do, to the watcher and on Spark's own pages."""
    context = None if is_connect(spark) else spark.sparkContext
    _steps.append(text)
    if context is not None:
        context.setJobDescription(text)
    try:
        yield
    finally:
        _steps.pop()
        if context is not None:
            # A JVM that is gone needs no description, and must not hide why we are here.
            with suppress(Exception):
                context.setJobDescription(_steps[-1])


@contextmanager
def working(spark: "SparkSession", text: str) -> Iterator[None]:
    """The same, and failures of Spark are told as failures of this."""
    with step(spark, text), explained(text):
        yield


@contextmanager
def watch(session: "Session", say: Callable[[str], None]) -> Iterator[None]:
    """Say what runs while this context is open: the step, and how many tasks of it are done."""
    watching = _watch_remote if is_connect(session.spark) else _watch_driver
    with watching(session.spark, say):
        yield


@contextmanager
def _watch_driver(spark: "SparkSession", say: Callable[[str], None]) -> Iterator[None]:
    """A thread of its own asks; it ends with the context, or with the JVM."""
    ended = threading.Event()
    context = spark.sparkContext
    thread = threading.Thread(
        target=_look,
        args=(context.statusTracker(), Guard(context), say, ended),
        name="spark-progress",
        daemon=True,
    )
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(2 * _INTERVAL)


def _look(
    tracker: "StatusTracker", guard: Guard, say: Callable[[str], None], ended: threading.Event
) -> None:
    said = ""
    last_work = time.monotonic()
    while not ended.wait(_INTERVAL):
        try:
            found = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
            stages = [stage for stage in found if stage is not None]
            is_waiting = bool(stages) and not any(stage.numActiveTasks for stage in stages)
            guard.look(is_waiting=is_waiting)
        except Exception:
            # The JVM is gone; whoever waits for its answer says so.
            return
        if not is_waiting:
            last_work = time.monotonic()
        text = describe((stage.numCompletedTasks, stage.numTasks) for stage in stages)
        if time.monotonic() - last_work > _PATIENCE:
            text = f"{text}, waiting for the cluster to give us workers"
        if stages and text != said and not ended.is_set():
            say(text)
            said = text


@contextmanager
def _watch_remote(spark: "SparkSession", say: Callable[[str], None]) -> Iterator[None]:
    """A Connect server tells by itself."""

    def tell(
        stages: "Iterable[StageInfo] | None",
        inflight_tasks: int,  # noqa: ARG001
        operation_id: str | None,  # noqa: ARG001
        done: bool,
    ) -> None:
        running = [stage for stage in stages or () if not stage.done]
        if running and not done:
            say(describe((stage.num_completed_tasks, stage.num_tasks) for stage in running))

    spark.registerProgressHandler(tell)  # type: ignore[arg-type]
    try:
        yield
    finally:
        spark.removeProgressHandler(tell)  # type: ignore[arg-type]


def describe(stages: Iterable[tuple[int, int]]) -> str:
    """One line: the present step, and of each running stage the tasks done and all of them."""
    counts = ", ".join(f"{done:,} of {total:,} tasks" for done, total in stages)
    return f"{_steps[-1]}: {counts}" if counts else _steps[-1]
