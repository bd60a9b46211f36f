"""The JVM of a driver: started with its output in a log, and ended.

What a JVM prints (warnings of Java itself, of Spark, of the Python workers) goes wherever the
process that started it prints, so it is given a file from its first moment.
"""

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from phenesthe.engines.spark.failures import EngineError

if TYPE_CHECKING:
    from py4j.java_gateway import JavaGateway


def launch_jvm(master: str | None, log: Path, held: int) -> "JavaGateway":
    """A JVM that prints to the log; the one that is there, where this is a submitted job.

    It holds an open file of ours too, by which others see that it is still at work.

    PySpark knows it as its own before anything can interrupt.
    """
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway

    if SparkContext._gateway is not None:
        return SparkContext._gateway
    _check_home()
    conf = SparkConf(loadDefaults=False)
    # Spark's launcher turns it on where nobody says otherwise.
    conf.set("spark.ui.showConsoleProgress", "false")
    if master is not None:
        # Not only for the context: what a JVM is started with depends on it, for YARN above all.
        conf.setMaster(master)
    with log.open("ab") as stream, _defer_interrupt():
        given = {"stdout": stream, "stderr": subprocess.STDOUT, "pass_fds": (held,)}
        gateway: JavaGateway = launch_gateway(conf, given)  # type: ignore[no-untyped-call]
        SparkContext._gateway = gateway
        SparkContext._jvm = gateway.jvm
    return gateway


def _check_home() -> None:
    """PySpark starts the Spark of SPARK_HOME, and where there is none only misses a script."""
    home = os.environ.get("SPARK_HOME")
    if home and not Path(home, "bin", "spark-submit").is_file():
        raise EngineError(f"SPARK_HOME is {home}, which has no Spark in it", "unset SPARK_HOME")


@contextmanager
def _defer_interrupt() -> Iterator[None]:
    """Ctrl-C waits until the JVM is known: one that PySpark was still waiting for never ends.

    A second one does not wait.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    interrupted = False

    def note(_: int, __: FrameType | None) -> None:
        nonlocal interrupted
        if interrupted:
            raise KeyboardInterrupt
        interrupted = True

    handler = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if interrupted:
        raise KeyboardInterrupt


def stop_jvm(*, abruptly: bool, patience: float) -> None:
    """Stop the driver and its JVM, and let PySpark forget both, so that another can start.

    Abruptly: jobs may be running and the bridge be in the middle of a call. The JVM is told to
    end, which stops its jobs and removes its files, and is not asked anything more. It has so many
    seconds of patience to go away by itself.
    """
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    gateway = SparkContext._gateway
    # None where this is a submitted job: then the JVM started us.
    process: subprocess.Popen[bytes] | None = getattr(gateway, "proc", None)
    if process is not None and abruptly:
        process.terminate()
        _wait(process, patience)
    for running in (SparkSession._instantiatedSession, SparkContext._active_spark_context):
        if running is not None:
            with suppress(Exception):
                running.stop()
    SparkSession._instantiatedSession = SparkSession._activeSession = None
    if gateway is None or process is None:
        return
    SparkContext._gateway = SparkContext._jvm = None
    with suppress(Exception):
        gateway.shutdown()
    with suppress(OSError):
        # The end of its input tells the JVM to end.
        if process.stdin is not None:
            process.stdin.close()
    _wait(process, patience)


def _wait(process: "subprocess.Popen[bytes]", patience: float) -> None:
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
