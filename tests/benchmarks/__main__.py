"""Measure, best of three, and compare with the targets."""

import argparse
import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from phenesthe.check import check
from tests.benchmarks.fleet import make_program
from tests.strategies.corpus import PROJECT

_RUNS = 3
_TAGS = (f"_t{number}" for number in count())


def time_check(text: str) -> float:
    """Seconds to check a program that has no errors.

    Of this process alone: checking uses one processor and waits for nothing, so that on an idle
    machine a clock shows the same, and on a busy one this is what can be compared.
    """
    data = text.encode()
    gc.collect()
    began = time.process_time()
    program, diagnostics = check(Path("fleet.phe"), data, read=lambda _: None)
    seconds = time.process_time() - began
    assert program is not None, diagnostics[0].message
    return seconds


def measure_large() -> float:
    return min(time_check(make_program(5_000, next(_TAGS))) for _ in range(_RUNS))


def measure_growth() -> float:
    """How many times longer twice as many definitions take; both sizes by turns."""
    pairs = [
        [time_check(make_program(size, next(_TAGS))) for size in (5_000, 10_000)]
        for _ in range(_RUNS)
    ]
    return min(twice for _, twice in pairs) / min(once for once, _ in pairs)


def measure_edit() -> float:
    """Check again what was just checked, one definition changed."""
    text = make_program(200, next(_TAGS))
    time_check(text)
    return min(time_check(text.replace("S1 >= 2.7", f"S1 >= 3.{n}", 1)) for n in range(_RUNS))


def measure_start() -> float:
    """The command on a small file, from the start of the process to its end."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "small.phe"
        file.write_text(make_program(12, next(_TAGS)))
        return min(_time_command("check", str(file)) for _ in range(_RUNS))


def _time_command(*arguments: str) -> float:
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "phenesthe", *arguments],
        check=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
    )
    return time.perf_counter() - began


@dataclass(frozen=True, slots=True)
class Benchmark:
    name: str
    text: str
    measure: Callable[[], float]
    target: float
    unit: str


BENCHMARKS = (
    Benchmark("large", "check 5,000 definitions", measure_large, 4.0, "s"),
    Benchmark("growth", "10,000 definitions take", measure_growth, 2.3, "times that"),
    Benchmark("edit", "check 200 definitions, one changed", measure_edit, 0.150, "s"),
    Benchmark("start", "`phenesthe check` of a small file", measure_start, 0.6, "s"),
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
