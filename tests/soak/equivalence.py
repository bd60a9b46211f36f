"""Many thousand random programs on which the local engine must agree with the reference."""

import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.equivalence.cases import Sample
from tests.equivalence.compare import compare, describe, save
from tests.equivalence.coverage import Coverage
from tests.equivalence.shares import list_features, list_lines
from tests.equivalence.shrink import shrink
from tests.equivalence.streams import starts_late
from tests.soak.pool import examine_in_pool

_CHUNK = 25


@dataclass(slots=True)
class Outcome:
    """What some cases came to."""

    done: int = 0
    rejected: int = 0
    definitions: int = 0
    filled: int = 0
    late: int = 0
    failing: list[int] = field(default_factory=list)
    coverage: Coverage = field(default_factory=Coverage)
    features: Counter[str] = field(default_factory=Counter)

    def merge(self, other: "Outcome") -> None:
        self.done += other.done
        self.rejected += other.rejected
        self.definitions += other.definitions
        self.filled += other.filled
        self.late += other.late
        self.failing += other.failing
        self.coverage.merge(other.coverage)
        self.features.update(other.features)


def run(cases: int, seed: int, failures: Path) -> bool:
    """Whether all cases agreed. The first that does not is made small and written to files."""
    total = Outcome()
    seconds = examine_in_pool(examine, total, cases=cases, seed=seed, chunk=_CHUNK)
    if total.failing:
        report_failure(total.failing[0], failures)
        return False
    tried = total.done + total.rejected
    print("\n".join(total.coverage.list_lines()))
    print("\n".join(list_lines(total.features, total.done)))
    print(
        f"{total.done:,} programs agree, {total.done / seconds:.0f} a second; the checker accepted "
        f"{total.done / tried:.1%} of what was written; {total.filled:,} of "
        f"{total.definitions:,} definitions have results; {total.late / total.done:.0%} of the "
        "streams begin before the timeline does",
        flush=True,
    )
    return True


def examine(numbers: Iterable[int]) -> Outcome:
    outcome = Outcome()
    for number in numbers:
        sample = Sample(number)
        outcome.done += 1
        outcome.features.update(list_features(sample.case.text, sample.case.stream.params))
        outcome.rejected += sample.rejected
        outcome.definitions += len(sample.expected)
        outcome.filled += sum(map(bool, sample.expected.values()))
        outcome.late += starts_late(sample.case.stream)
        if sample.compare() is not None:
            outcome.failing.append(number)
        if sample.formulas is not None:
            outcome.coverage.add(sample.program, sample.formulas, sample.expected)
    return outcome


def report_failure(number: int, failures: Path) -> None:
    case = shrink(Sample(number).case)
    difference = compare(case)
    assert difference is not None
    text, lines = save(case, failures, "soak_equivalence")
    print(describe(case, difference), file=sys.stderr)
    print(f"case {number} differs; it is in {text} and {lines}", file=sys.stderr)
