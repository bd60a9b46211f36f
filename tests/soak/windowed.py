"""Many thousand random replays on which the working memory must agree with the reference."""

import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from phenesthe.memory import Memory
from tests.equivalence.late import WindowedCase
from tests.equivalence.shares import list_features, list_lines, list_session
from tests.equivalence.shrink_windowed import describe_windowed, shrink_windowed
from tests.equivalence.windowed import (
    Failure,
    compare_windowed,
    examine,
    examine_all,
    list_expected,
    make_case,
)
from tests.equivalence.windowed_coverage import WindowedCoverage
from tests.soak.pool import examine_in_pool

_CHUNK = 10


@dataclass(slots=True)
class Outcome:
    done: int = 0
    failing: list[int] = field(default_factory=list)
    coverage: WindowedCoverage = field(default_factory=WindowedCoverage)
    features: Counter[str] = field(default_factory=Counter)

    def merge(self, other: "Outcome") -> None:
        self.done += other.done
        self.failing += other.failing
        self.coverage.merge(other.coverage)
        self.features.update(other.features)


def run_windowed(cases: int, seed: int, failures: Path) -> bool:
    """Whether all cases agreed. The first that does not is made small and written to a file."""
    total = Outcome()
    seconds = examine_in_pool(examine_cases, total, cases=cases, seed=seed, chunk=_CHUNK)
    if total.failing:
        report_failure(total.failing[0], failures)
        return False
    print("\n".join(total.coverage.list_lines()))
    print("\n".join(list_lines(total.features, total.done)))
    print(f"{total.done:,} replays agree, {total.done / seconds:.1f} a second", flush=True)
    return True


def examine_cases(numbers: Iterable[int]) -> Outcome:
    outcome = Outcome()
    for number in numbers:
        case, program = make_case(number)
        expected = list_expected(case, program)
        # Every third in all ways; the others in one, and no change may lie before the frontier,
        # which moves now and then in half of these.
        slack = case.window // 2 * (number % 3 - 1)
        failure = (
            examine(case, program, expected, partial(Memory, watch=True, slack=slack))
            if number % 3
            else examine_all(case, program, expected)
        )
        outcome.done += 1
        outcome.features.update(list_features(case.text, case.params))
        outcome.features.update(list_session(case, expected))
        if failure is not None:
            outcome.failing.append(number)
        outcome.coverage.add(program, expected, case.window)
    return outcome


def report_failure(number: int, failures: Path) -> None:
    def compare(case: WindowedCase) -> Failure | None:
        slack = case.window // 2
        return (
            compare_windowed(case, partial(Memory, watch=True))
            or compare_windowed(case, partial(Memory, watch=True, slack=slack))
            or compare_windowed(case)
        )

    case = shrink_windowed(make_case(number)[0], compare)
    failure = compare(case)
    assert failure is not None
    failures.mkdir(parents=True, exist_ok=True)
    file = failures / "soak_windowed.txt"
    file.write_text(describe_windowed(case, failure), encoding="utf-8")
    print(describe_windowed(case, failure), file=sys.stderr)
    print(f"case {number} differs; it is in {file}", file=sys.stderr)
