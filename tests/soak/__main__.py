"""Run the properties of the test suite on far more inputs than the test suite does."""

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.strategies import SearchStrategy

from phenesthe.syntax.printer import print_module
from tests.soak import (
    bounds,
    damage,
    editor,
    equivalence,
    kills,
    metamorphic,
    partitioned,
    resumed,
    spark,
    spark_kills,
    windowed,
)  # fmt: skip
from tests.soak.examine import (
    Seen,
    examine_bytes,
    examine_module,
    examine_program,
    examine_text,
    known_codes,
)
from tests.strategies.programs import damaged_files, programs
from tests.strategies.trees import MODULES, scatter

#: Hypothesis remembers every input of a run, so a soak is many small runs.
_BATCH = 200
_SECONDS_BETWEEN_LINES = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Soak:
    name: str
    text: str
    strategy: SearchStrategy[Any]
    examine: Callable[[Any], Seen]
    #: How a failing input is written to a file.
    save: Callable[[Any], bytes]
    #: Of the cases asked for, this many per hundred.
    percent: int


SOAKS = (
    Soak(
        name="damaged",
        text="mutated, truncated and spliced files never crash anything",
        strategy=damaged_files(),
        examine=examine_bytes,
        save=bytes,
        percent=100,
    ),
    Soak(
        name="programs",
        text="programs without errors are accepted, printed and read again",
        strategy=programs(),
        examine=examine_program,
        save=str.encode,
        percent=10,
    ),
    Soak(
        name="printed",
        text="any tree printed and read again is the same tree",
        strategy=MODULES,
        examine=examine_module,
        save=lambda module: print_module(module).encode(),
        percent=10,
    ),
    Soak(
        name="laid-out",
        text="formatting keeps trees and comments, and formatting twice changes nothing",
        strategy=MODULES.map(print_module).flatmap(scatter),
        examine=examine_text,
        save=str.encode,
        percent=10,
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    name: str
    text: str
    run: Callable[[int, int, Path], bool]
    #: Of the cases asked for in a soak of everything.
    share: float


COMPARISONS = (
    Comparison(
        name="equivalence",
        text="the local engine finds what the reference finds",
        run=equivalence.run,
        share=0.4,
    ),
    Comparison(
        name="partitioned",
        text="stage by stage and partition by partition the same is found as in one place",
        run=partitioned.run_partitioned,
        share=0.02,
    ),
    Comparison(
        name="windowed",
        text="in windows, with late rows and retractions, the reference's results at every query",
        run=windowed.run_windowed,
        share=0.2,
    ),
    Comparison(
        name="resumed",
        text="in several runs, each going on from the state of the last, what one run tells",
        run=resumed.run_resumed,
        share=0.01,
    ),
    Comparison(
        name="bounds",
        text="nothing remembers more than `compile` says, as long as it says how much",
        run=bounds.run_bounds,
        share=0.01,
    ),
    Comparison(
        name="metamorphic",
        text="a program that was changed in a way that means the same finds the same",
        run=metamorphic.run_metamorphic,
        share=0.04,
    ),
    Comparison(
        name="editor",
        text="after any edits the language server says what a fresh check says",
        run=editor.run_editor,
        share=0.2,
    ),
    Comparison(
        name="spark",
        text="Spark finds what the local engine finds in stored rows, also where there are none",
        run=spark.run_spark,
        share=0.004,
    ),
    Comparison(
        name="spark-replays",
        text="the same in windows, with rows that are late, too late and taken back",
        run=spark.run_spark_replays,
        share=0.004,
    ),
    Comparison(
        name="damage",
        text="damaged files of every kind are read or refused in words, no row is lost",
        run=damage.run_damage,
        share=0.2,
    ),
    Comparison(
        name="kills",
        text="cut off at any file-system call, a command made again ends as if it had not been",
        run=kills.run_kills,
        share=1,
    ),
    Comparison(
        name="spark-kills",
        text="the same on Spark, at random moments",
        run=spark_kills.run_spark_kills,
        share=0.0004,
    ),
)


@dataclass(slots=True)
class Tally:
    """What one soak has seen so far."""

    name: str
    wanted: int
    began: float = field(default_factory=time.perf_counter)
    spoken: float = field(default_factory=time.perf_counter)
    accepted: int = 0
    rejected: int = 0
    codes: Counter[str] = field(default_factory=Counter)

    @property
    def done(self) -> int:
        return self.accepted + self.rejected

    def add(self, seen: Seen) -> None:
        self.accepted += seen.accepted
        self.rejected += not seen.accepted
        self.codes.update(seen.codes.keys())
        if time.perf_counter() - self.spoken > _SECONDS_BETWEEN_LINES:
            self.report()

    def report(self) -> None:
        self.spoken = time.perf_counter()
        print(
            f"{self.name:9} {self.done:>7,} of {self.wanted:,}, accepted {self.accepted:,}, "
            f"rejected {self.rejected:,}, {self.spoken - self.began:.0f} s",
            flush=True,
        )


def main() -> int:
    given_ = _read_arguments()
    print(f"seed {given_.seed}")
    for soak in SOAKS:
        if given_.only and soak.name not in given_.only:
            continue
        wanted = max(1, given_.cases * soak.percent // 100)
        print(f"\n{soak.name}: {soak.text}", flush=True)
        tally = Tally(soak.name, wanted)
        if not _run(soak, tally, given_.seed, given_.failures):
            return 1
        tally.report()
        if soak is SOAKS[0]:
            _report_codes(tally.codes)
    for comparison in COMPARISONS:
        if given_.only and comparison.name not in given_.only:
            continue
        print(f"\n{comparison.name}: {comparison.text}", flush=True)
        cases = given_.cases if given_.only else int(given_.cases * comparison.share)
        if not comparison.run(cases, given_.seed, given_.failures):
            return 1
    return 0


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--cases", type=int, default=50_000, help="how many (default: 50,000)")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000)
    names = [*(soak.name for soak in SOAKS), *(one.name for one in COMPARISONS)]
    parser.add_argument("--only", action="append", choices=names)
    parser.add_argument(
        "--failures", type=Path, default=Path("build"), help="where a failing input is written"
    )
    return parser.parse_args()


def _run(soak: Soak, tally: Tally, start: int, failures: Path) -> bool:
    """Whether all cases passed. The input of a failure is made small, then written to a file."""
    latest: Any = None
    batch = 0
    while tally.done < tally.wanted:

        @seed(start * 1_000_003 + batch)
        @settings(
            max_examples=min(_BATCH, tally.wanted - tally.done),
            database=None,
            deadline=None,
            phases=(Phase.generate, Phase.shrink),
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
            verbosity=Verbosity.quiet,
        )
        @given(soak.strategy)
        def examine(value: Any) -> None:
            nonlocal latest
            latest = value
            tally.add(soak.examine(value))

        try:
            examine()
        except Exception:
            traceback.print_exc()
            failures.mkdir(parents=True, exist_ok=True)
            file = failures / f"soak_{soak.name}.phe"
            file.write_bytes(soak.save(latest))
            print(f"\nfailed after {tally.done:,} cases; the input is in {file}", file=sys.stderr)
            return False
        batch += 1
    return True


def _report_codes(codes: Counter[str]) -> None:
    print("inputs with each code:")
    listed = [f"{code} {codes[code]:,}" for code in sorted(codes)]
    for at in range(0, len(listed), 8):
        print("  " + "  ".join(f"{item:12}" for item in listed[at : at + 8]).rstrip())
    missing = sorted(known_codes() - codes.keys())
    print("codes not seen: " + (", ".join(missing) or "none"), flush=True)


if __name__ == "__main__":
    sys.exit(main())
