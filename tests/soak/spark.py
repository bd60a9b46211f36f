"""Random programs over stored rows on which Spark must agree with the local engine."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tests.spark.compare_stored import Seen

_SECONDS_BETWEEN_LINES = 10.0


def run_spark(cases: int, seed: int, failures: Path) -> bool:
    from tests.spark.compare_stored import compare_run

    return _run("spark", compare_run, cases, seed, failures)


def run_spark_replays(cases: int, seed: int, failures: Path) -> bool:
    from tests.spark.compare_stored import compare_replay

    return _run("spark_replays", compare_replay, cases, seed, failures)


def _run(
    name: str,
    compare: "Callable[[SparkSession, int], Seen]",
    cases: int,
    seed: int,
    failures: Path,
) -> bool:
    """Whether all cases agreed; the first that does not is written to a file."""
    from phenesthe.engines.spark.session import open_session
    from tests.spark.compare_stored import Seen

    began = spoken = time.perf_counter()
    total = Seen()
    # As short runs are started; the tests have a session as it is for long ones.
    with open_session(settings={"spark.sql.shuffle.partitions": "2"}, is_small=True) as session:
        for done in range(cases):
            number = seed * 1_000_003 + done
            total.merge(compare(session.spark, number))
            if total.failure is not None:
                failures.mkdir(parents=True, exist_ok=True)
                file = failures / f"soak_{name}.txt"
                file.write_text(total.failure, encoding="utf-8")
                print(total.failure, file=sys.stderr)
                print(f"case {number} differs; it is in {file}", file=sys.stderr)
                return False
            if time.perf_counter() - spoken > _SECONDS_BETWEEN_LINES:
                spoken = time.perf_counter()
                print(f"{done + 1:,} of {cases:,} agree, {spoken - began:.0f} s", flush=True)
    print("\n".join(f"  {shape:34} {count:,}" for shape, count in sorted(total.shapes.items())))
    print(
        f"{cases:,} cases agree, {time.perf_counter() - began:.0f} s; {total.filled:,} of "
        f"{total.definitions:,} definitions have results ({total.told:,} rows told); "
        f"{total.too_late:,} rows too late, {total.of_nothing:,} retractions of nothing",
        flush=True,
    )
    return True
