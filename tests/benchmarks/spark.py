"""The Spark engine beside Spark's own floor, beside SQL window functions, and at other sizes.

All in one session, which is warmed up first. What is compared is measured by turns, because a JVM
grows faster the longer it runs.
"""

import atexit
import math
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

import phenesthe
from phenesthe.engines.spark.reading import read_input
from phenesthe.engines.spark.run import Found, run_spark
from phenesthe.engines.spark.session import open_session
from phenesthe.engines.spark.write import write_folder
from phenesthe.plan.needed import list_columns
from tests.benchmarks.engine import GOLDEN, PROGRAM, RUNS, STATES, WORK, best, stream
from tests.benchmarks.spark_floor import run_floor
from tests.benchmarks.spark_windows import run_windows

WARM_UP = 3


@cache
def session() -> SparkSession:
    """One for all measurements of this process, as the engine starts it."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(open_session()).spark


def run_program(folder: Path, target: Path, *only: str) -> Found:
    """What `phenesthe run` does once the session is there."""
    program = phenesthe.compile(PROGRAM).checked
    names = only or tuple(program.reported)
    inputs = read_input(session(), program, str(folder), columns=list_columns(program, names))
    found = run_spark(session(), program, inputs, only=names, together=True)
    write_folder(session(), program, found, str(target), overwrite=True)
    found.release()
    return found


def time_by_turns(*jobs: Callable[[], object]) -> list[float]:
    """The best seconds of each."""
    found: list[list[float]] = [[] for _ in jobs]
    for run in range(WARM_UP + RUNS):
        for job, seconds in zip(jobs, found, strict=True):
            began = time.perf_counter()
            job()
            if run >= WARM_UP:
                seconds.append(time.perf_counter() - began)
    return [min(seconds) for seconds in found]


@cache
def compare(copies: int = 1) -> dict[str, float]:
    """Seconds of the program, the floor, the states alone, and the states in SQL."""
    folder, events = stream(206, copies)
    names = ("program", "floor", "states", "windows")
    program, floor, states, windows = (WORK / f"spark_{name}" for name in names)
    partitions = run_program(folder, program).stages[0].frame.rdd.getNumPartitions()
    rows = sum(count_rows(table) for table in program.iterdir())
    jobs: list[Callable[[], object]] = [
        lambda: run_program(folder, program),
        lambda: run_floor(session(), folder, floor, ratio=rows / events, partitions=partitions),
        lambda: run_program(folder, states, *STATES),
        lambda: run_windows(session(), folder, windows),
    ]
    seconds = dict(zip(names, time_by_turns(*jobs), strict=True))
    assert abs(count_rows(floor) - rows) <= partitions
    for name in STATES:
        assert read_sorted(states / f"{name}.parquet") == read_sorted(windows / name), name
    show(f"{events:,} events, {rows:,} results, {partitions} partitions", seconds)
    return seconds


def count_rows(table: Path) -> int:
    """Of one file, or a folder of them."""
    files = [table] if table.is_file() else table.glob("*.parquet")
    return sum(pq.read_metadata(file).num_rows for file in files)


def read_sorted(folder: Path) -> pa.Table:
    table = pq.read_table(folder)
    return table.sort_by([(name, "ascending") for name in table.column_names]).combine_chunks()


def show(what: str, seconds: dict[str, float]) -> None:
    print(f"{what}: " + ", ".join(f"{name} {s:.2f} s" for name, s in seconds.items()), flush=True)


def measure_floor() -> float:
    return compare()["program"] / compare()["floor"]


def measure_windows() -> float:
    return compare()["states"] / compare()["windows"]


def measure_exponent() -> float:
    """The slope of seconds over events in logarithms, from 1 to 10 million events."""
    small, large = stream(206), stream(206, 10)
    target = WORK / "spark_program"
    once, ten = time_by_turns(
        lambda: run_program(small[0], target), lambda: run_program(large[0], target)
    )
    show("1 and 10 million events", {"one": once, "ten": ten})
    return math.log(ten / once) / math.log(large[1] / small[1])


def measure_start() -> float:
    """From the start of the process to its end, with a JVM that starts and stops in it."""
    return best(
        "phenesthe", "run", str(PROGRAM), "--engine", "spark", "--input", str(GOLDEN),
        "--output", str(WORK / "spark_small"), "--overwrite", "--quiet",
    )  # fmt: skip
