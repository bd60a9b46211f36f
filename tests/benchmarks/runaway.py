"""What once ran away: how time or memory grows with the size, here and in another checkout.

python -m tests.benchmarks.runaway [--against DIR] [--only CASE ...] [--timeout SECONDS] runs each
case at growing sizes, each run in a process of its own. The exponent is the slope of a straight
line through the logarithms of sizes and figures, less what the least size of all costs: 1 is
linear, 2 quadratic, near 0 flat. Seconds are the processor's, so that a busy machine says the same
as an idle one. A run that takes too many of them, or too much memory, is ended, and larger sizes of
its case are left out.

DIR is another checkout, say `git worktree add ../before COMMIT`, which is measured beside this one.
"""

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from tests.benchmarks.crowded_cases import CROWDED
from tests.benchmarks.runaway_cases import CASES, Case

EVERY = (*CASES, *CROWDED)
PROJECT = Path(__file__).parents[2]
#: Less than this beside what the least size costs is noise: seconds, MiB.
_NOISE = {"seconds": 0.1, "MiB": 8.0}
_MIB = 2**20
#: A process that waits, and takes no processor time, is ended after so many times its limit.
_PATIENCE = 10


@dataclass(frozen=True, slots=True)
class Limits:
    seconds: int
    mib: int


@dataclass(frozen=True, slots=True)
class Run:
    """What one process took, or why there is nothing to say of it."""

    figures: dict[str, float]
    why_not: str = ""


def measure(checkout: Path, case: Case, size: int, limits: Limits) -> Run:
    with TemporaryDirectory(prefix="runaway") as name:
        folder = Path(name)
        command = case.write(folder, size)
        return run(checkout, command, folder, limits)


def run(checkout: Path, command: Sequence[str], folder: Path, limits: Limits) -> Run:
    """Call `phenesthe` of a checkout. What it complains about is no concern of ours."""

    def limit() -> None:
        most = limits.mib * _MIB
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CPU, (limits.seconds, limits.seconds + 1))

    with (folder / "said").open("wb") as said:
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "phenesthe", *command],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(checkout)},
            stdout=subprocess.DEVNULL,
            stderr=said,
            preexec_fn=limit,
        )
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.perf_counter() - began > _PATIENCE * limits.seconds:
                process.kill()
                os.wait4(process.pid, 0)
                return Run({}, "timed out")
            time.sleep(0.005)
    seconds = usage.ru_utime + usage.ru_stime
    if seconds >= limits.seconds:
        return Run({}, "timed out")
    text = (folder / "said").read_text(errors="replace")
    if os.WIFSIGNALED(status) or "MemoryError" in text or "out of memory" in text:
        return Run({}, "out of memory")
    if "Traceback" in text:
        return Run({}, "failed")
    return Run({"seconds": seconds, "MiB": usage.ru_maxrss / 1024})


@dataclass(slots=True)
class Column:
    """The runs of one case in one checkout."""

    checkout: Path
    case: Case
    limits: Limits
    base: float = 0.0
    found: dict[int, Run] | None = None

    def measure(self, size: int) -> Run:
        if self.found is None:
            self.found = {}
            least = measure(self.checkout, self.case, 1, self.limits)
            self.base = least.figures.get(self.case.figure, 0.0)
        if any(one.why_not for one in self.found.values()):
            return Run({}, "left out")
        self.found[size] = measure(self.checkout, self.case, size, self.limits)
        return self.found[size]

    def find_exponent(self) -> float | None:
        """None where fewer than two sizes came to an end."""
        figure = self.case.figure
        points = [
            (log(size), log(max(one.figures[figure] - self.base, _NOISE[figure])))
            for size, one in (self.found or {}).items()
            if one.figures
        ]
        if len(points) < 2:
            return None
        sizes, figures = zip(*points, strict=True)
        return float(np.polyfit(sizes, figures, 1)[0])


def compare(case: Case, checkouts: Sequence[Path], limits: Limits) -> None:
    columns = [Column(checkout, case, limits) for checkout in checkouts]
    names = ("here", "against", "ratio")[: 1 if len(columns) == 1 else 3]
    print(f"{case.name}: {case.text} ({case.figure})")
    print(f"{'n':>10}" + "".join(f"{name:>14}" for name in names))
    for size in case.sizes:
        runs = [column.measure(size) for column in columns]
        cells = [f"{one.figures[case.figure]:.2f}" if one.figures else one.why_not for one in runs]
        if len(runs) == 2 and all(one.figures for one in runs):
            here, there = (one.figures[case.figure] for one in runs)
            cells.append(f"{here / there:.3f}")
        print(f"{size:>10}" + "".join(f"{cell:>14}" for cell in cells), flush=True)
    exponents = [column.find_exponent() for column in columns]
    shown = ["unknown" if one is None else f"{one:.2f}" for one in exponents]
    print(f"{'exponent':>10}" + "".join(f"{one:>14}" for one in shown), end="\n\n", flush=True)


def measure_crowded() -> float:
    """The greatest exponent of the crowded cases."""
    found: list[float] = []
    for case in CROWDED:
        column = Column(PROJECT, case, Limits(60, 6 * 1024))
        for size in case.sizes:
            column.measure(size)
        exponent = column.find_exponent()
        assert exponent is not None, case.name
        found.append(exponent)
    return max(found)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.runaway",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--against", type=Path, metavar="DIR", help="another checkout")
    parser.add_argument("--only", action="append", choices=[case.name for case in EVERY])
    parser.add_argument("--timeout", type=int, default=60, metavar="SECONDS")
    parser.add_argument("--memory", type=int, default=6 * 1024, metavar="MIB")
    given = parser.parse_args()
    checkouts = [PROJECT]
    if given.against is not None:
        if not (given.against / "phenesthe" / "__main__.py").is_file():
            parser.error(f"`{given.against}` is no checkout: there is no phenesthe/__main__.py")
        checkouts.append(given.against.resolve())
    for case in EVERY:
        if not given.only or case.name in given.only:
            compare(case, checkouts, Limits(given.timeout, given.memory))
    return 0


if __name__ == "__main__":
    sys.exit(main())
