"""Many random programs of which nothing may remember more than is said of it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.equivalence.bounds import Judged, judge_case
from tests.equivalence.windowed import make_case
from tests.soak.pool import examine_in_pool

_CHUNK = 5


@dataclass(slots=True)
class Outcome:
    done: int = 0
    failing: list[int] = field(default_factory=list)
    judged: Judged = field(default_factory=Judged)

    def merge(self, other: "Outcome") -> None:
        self.done += other.done
        self.failing += other.failing
        self.judged.merge(other.judged)


def run_bounds(cases: int, seed: int, failures: Path) -> bool:
    """Whether nothing remembered more than was said; the first program that did goes to a file."""
    total = Outcome()
    seconds = examine_in_pool(examine_cases, total, cases=cases, seed=seed, chunk=_CHUNK)
    if total.failing:
        case, _ = make_case(total.failing[0])
        failures.mkdir(parents=True, exist_ok=True)
        file = failures / "soak_bounds.phe"
        file.write_text(case.text, encoding="utf-8")
        print("\n".join(map(str, total.judged.excesses)))
        print(f"case {total.failing[0]}, window {case.window}; the program is in {file}")
        return False
    print("\n".join(total.judged.list_lines()))
    print(f"{total.done:,} programs, {total.done / seconds:.1f} a second", flush=True)
    return True


def examine_cases(numbers: Iterable[int]) -> Outcome:
    outcome = Outcome()
    for number in numbers:
        judged = judge_case(number)
        outcome.done += 1
        if judged.excesses:
            outcome.failing.append(number)
        outcome.judged.merge(judged)
    return outcome
