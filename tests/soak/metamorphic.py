"""Many thousand random programs, each changed in ways that must not change what it finds."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.equivalence.cases import Sample
from tests.equivalence.metamorphic import Tally, describe_broken, examine, shrink_broken
from tests.soak.pool import examine_in_pool

_CHUNK = 10


@dataclass(slots=True)
class Outcome:
    done: int = 0
    failing: list[int] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)

    def merge(self, other: "Outcome") -> None:
        self.done += other.done
        self.failing += other.failing
        self.tally.merge(other.tally)


def run_metamorphic(cases: int, seed: int, failures: Path) -> bool:
    """Whether no change mattered. The first that does is made small and written to a file."""
    total = Outcome()
    seconds = examine_in_pool(examine_cases, total, cases=cases, seed=seed, chunk=_CHUNK)
    if total.failing:
        report_failure(total.failing[0], failures)
        return False
    tally = total.tally
    print("\n".join(tally.list_lines()))
    print(
        f"{total.done:,} programs find the same after {sum(tally.made.values()):,} changes, "
        f"{total.done / seconds:.1f} a second, {tally.windowed:,} of them in windows; "
        f"{tally.filled:,} of {tally.definitions:,} definitions have results",
        flush=True,
    )
    return True


def examine_cases(numbers: Iterable[int]) -> Outcome:
    outcome = Outcome()
    for number in numbers:
        if examine(number, outcome.tally) is not None:
            outcome.failing.append(number)
        outcome.done += 1
    return outcome


def report_failure(number: int, failures: Path) -> None:
    broken = examine(number, Tally())
    assert broken is not None
    case, broken = shrink_broken(Sample(number).case, broken)
    failures.mkdir(parents=True, exist_ok=True)
    file = failures / "soak_metamorphic.txt"
    file.write_text(describe_broken(case, broken), encoding="utf-8")
    print(describe_broken(case, broken), file=sys.stderr)
    print(f"case {number} differs; it is in {file}", file=sys.stderr)
