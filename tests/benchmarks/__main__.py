"""Measure, best of three, and compare with the targets.

A hundred million events on Spark take longer: `python -m tests.benchmarks.spark_long`; so do six
months in windows: `python -m tests.benchmarks.six_months`. Some windows and shares of late events
alone: `python -m tests.benchmarks.incremental --windows 24 168 --shares 5`.
"""

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from tests.benchmarks import (
    aggregates,
    alternatives,
    checking,
    edits,
    engine,
    incremental,
    machines,
    peers,
    queries,
    runaway,
    spark,
    windows,
)


@dataclass(frozen=True, slots=True)
class Benchmark:
    name: str
    text: str
    measure: Callable[[], float]
    target: float | None
    unit: str


BENCHMARKS = (
    Benchmark("large", "check 5,000 definitions", checking.measure_large, 4.0, "s"),
    Benchmark("growth", "10,000 definitions take", checking.measure_growth, 2.3, "times that"),
    Benchmark("edit", "check 200 definitions, one changed", checking.measure_edit, 0.150, "s"),
    Benchmark(
        "edits",
        "5,000 edits, 95 % have diagnostics in",
        edits.measure_edits,
        edits.TARGET_SECONDS,
        "s",
    ),
    Benchmark("start", "`phenesthe check` of a small file", checking.measure_start, 0.6, "s"),
    Benchmark("small", "`phenesthe run`, 844 events", engine.measure_small, 1.0, "s"),
    Benchmark("states", "a million events, states, trips", engine.measure_states, 1.5, "x DuckDB"),
    Benchmark("all", "a million events, everything", engine.measure_everything, 2.5, "x DuckDB"),
    Benchmark(
        "peers", "the same beside the fastest by hand", peers.measure_peers, 1.0, "x fastest"
    ),
    Benchmark("exponent", "0.1 to 10 million events", engine.measure_exponent, 1.1, "exponent"),
    Benchmark(
        "crowded", "much at one instant, worst case", runaway.measure_crowded, 1.2, "exponent"
    ),
    Benchmark("memory", "peak at 10 million events", engine.measure_memory, 400, "bytes/row"),
    Benchmark("allen", "13 relations, 2 x 100,000 intervals", engine.measure_relations, 0.15, "s"),
    Benchmark("machine", "a machine over a million events", machines.measure_machine, 2.0, "x ~>"),
    *[
        Benchmark(name + ending, text, partial(beside, name), target, unit)
        for name, text in (
            ("trips", "avg of speed over each trip"),
            ("mean", "avg over the last hour, at a report"),
            ("reports", "count over the last hour, at a report"),
            ("vessels", "count of vessels, by heading"),
        )
        for ending, beside, target, unit in (
            ("", aggregates.beside_range, 3.0, "x ~>"),
            ("-sql", aggregates.beside_duckdb, 1.0, "x DuckDB"),
        )
    ],
    Benchmark(
        "either",
        "alternatives about pairs",
        alternatives.measure_alternatives,
        1.1,
        "x by hand",
    ),
    Benchmark("replay", "a million events in 72 queries", windows.measure_replay, 1.7, "x at once"),
    Benchmark("one", "a query, one new event", queries.measure_one, 2.0, "ms CPU"),
    Benchmark("second", "maritime.all, every second", queries.measure_second, 15.0, "ms CPU"),
    Benchmark(
        "batches", "10,000 events at a time", queries.measure_golden_batches, 1.0, "us/event"
    ),
    Benchmark(
        "day", "maritime.all, 10,000 at a time", queries.measure_day_batches, 4.0, "us/event"
    ),
    Benchmark("lengths", "a window of 7 d beside 1 h", queries.measure_growth, 1.5, "x"),
    Benchmark(
        "incremental",
        "queries with up to 20 % late",
        incremental.measure_incremental,
        1.0,
        "x from scratch",
    ),
    Benchmark("cold", "`run` on Spark, 844 events", spark.measure_start, 30.0, "s"),
    Benchmark("floor", "a million events on Spark", spark.measure_floor, 2.0, "x floor"),
    Benchmark("windows", "the states of these on Spark", spark.measure_windows, None, "x SQL"),
    Benchmark("growing", "1 to 10 million on Spark", spark.measure_exponent, 1.1, "exponent"),
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--only", action="append", choices=[b.name for b in BENCHMARKS])
    parser.add_argument("--strict", action="store_true", help="exit 1 if a target is missed")
    given = parser.parse_args()
    missed = 0
    print(f"{'':11} {'':36} {'measured':>9} {'target':>9}")
    for benchmark in BENCHMARKS:
        if given.only and benchmark.name not in given.only:
            continue
        figure, target = benchmark.measure(), benchmark.target
        is_met = target is None or figure <= target
        missed += not is_met
        limit = "" if target is None else f"{target:.3f}"
        verdict = "" if target is None else "met" if is_met else "missed"
        print(
            f"{benchmark.name:11} {benchmark.text:36} {figure:9.3f} {limit:>9} "
            f"{benchmark.unit:14} {verdict}".rstrip(),
            flush=True,
        )
    return 1 if missed and given.strict else 0


if __name__ == "__main__":
    sys.exit(main())
