"""Measure, best of three, and compare with the targets."""

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass

from tests.benchmarks import checking, engine


@dataclass(frozen=True, slots=True)
class Benchmark:
    name: str
    text: str
    measure: Callable[[], float]
    target: float
    unit: str


BENCHMARKS = (
    Benchmark("large", "check 5,000 definitions", checking.measure_large, 4.0, "s"),
    Benchmark("growth", "10,000 definitions take", checking.measure_growth, 2.3, "times that"),
    Benchmark("edit", "check 200 definitions, one changed", checking.measure_edit, 0.150, "s"),
    Benchmark("start", "`phenesthe check` of a small file", checking.measure_start, 0.6, "s"),
    Benchmark("small", "`phenesthe run`, 844 events", engine.measure_small, 1.0, "s"),
    Benchmark("states", "a million events, states, trips", engine.measure_states, 1.5, "x DuckDB"),
    Benchmark("all", "a million events, everything", engine.measure_everything, 2.5, "x DuckDB"),
    Benchmark("exponent", "0.1 to 10 million events", engine.measure_exponent, 1.1, "exponent"),
    Benchmark("memory", "peak at 10 million events", engine.measure_memory, 400, "bytes/row"),
    Benchmark("allen", "13 relations, 2 x 100,000 intervals", engine.measure_relations, 0.15, "s"),
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--only", action="append", choices=[b.name for b in BENCHMARKS])
    parser.add_argument("--strict", action="store_true", help="exit 1 if a target is missed")
    given = parser.parse_args()
    missed = 0
    print(f"{'':8} {'':36} {'measured':>9} {'target':>9}")
    for benchmark in BENCHMARKS:
        if given.only and benchmark.name not in given.only:
            continue
        figure = benchmark.measure()
        is_met = figure <= benchmark.target
        missed += not is_met
        print(
            f"{benchmark.name:8} {benchmark.text:36} {figure:9.3f} {benchmark.target:9.3f} "
            f"{benchmark.unit:10} {'met' if is_met else 'missed'}",
            flush=True,
        )
    return 1 if missed and given.strict else 0


if __name__ == "__main__":
    sys.exit(main())
