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

#: Runs that do not count. The floor is nearly all JVM and gains more from them than the program, so
#: too few would make the program look better beside it than it is.
WARM_UP = 10
#: Enough where a run is long, or where both sides gain alike.
SHORT_WARM_UP = 4


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


def time_by_turns(*jobs: Callable[[], object], warm_up: int) -> list[float]:
    """The best seconds of each."""
    found: list[list[float]] = [[] for _ in jobs]
    for run in range(warm_up + RUNS):
        for job, seconds in zip(jobs, found, strict=True):
            began = time.perf_counter()
            job()
            if run >= warm_up:
                seconds.append(time.perf_counter() - began)
    return [min(seconds) for seconds in found]


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
    """The whole program beside as many rows that nobody looks at."""
    folder, events = stream(206)
    target, other = WORK / "spark_program", WORK / "spark_floor"
    partitions = run_program(folder, target).stages[0].frame.rdd.getNumPartitions()
    rows = sum(count_rows(table) for table in target.iterdir())
    program, floor = time_by_turns(
        lambda: run_program(folder, target),
        lambda: run_floor(session(), folder, other, ratio=rows / events, partitions=partitions),
        warm_up=WARM_UP,
    )
    assert abs(count_rows(other) - rows) <= partitions
    what = f"{events:,} events, {rows:,} results, {partitions} partitions"
    show(what, {"program": program, "floor": floor})
    return program / floor


def measure_windows() -> float:
    """The states and trips beside the same in SQL, which must find the same."""
    folder, events = stream(206)
    target, other = WORK / "spark_states", WORK / "spark_windows"
    states, windows = time_by_turns(
        lambda: run_program(folder, target, *STATES),
        lambda: run_windows(session(), folder, other),
        warm_up=SHORT_WARM_UP,
    )
    for name in STATES:
        assert read_sorted(target / f"{name}.parquet") == read_sorted(other / name), name
    show(f"{events:,} events", {"states": states, "SQL windows": windows})
    return states / windows


def measure_exponent() -> float:
    """The slope of seconds over events in logarithms, from 1 to 10 million events.

    A small run that is not warm yet would make the slope look flatter, so it is warmed up alone.
    """
    small, large = stream(206), stream(206, 10)
    target = WORK / "spark_program"
    (once,) = time_by_turns(lambda: run_program(small[0], target), warm_up=WARM_UP)
    (ten,) = time_by_turns(lambda: run_program(large[0], target), warm_up=1)
    show("1 and 10 million events", {"one": once, "ten": ten})
    return math.log(ten / once) / math.log(large[1] / small[1])


def measure_start() -> float:
    """From the start of the process to its end, with a JVM that starts and stops in it."""
    return best(
        "phenesthe", "run", str(PROGRAM), "--engine", "spark", "--input", str(GOLDEN),
        "--output", str(WORK / "spark_small"), "--overwrite", "--quiet",
    )  # fmt: skip
