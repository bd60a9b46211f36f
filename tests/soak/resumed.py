"""Random replays in several runs with a state, which together must tell what one run tells."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.equivalence.pieces import Pieced, compare_pieces
from tests.soak.pool import examine_in_pool

_CHUNK = 5


@dataclass(slots=True)
class Outcome:
    done: int = 0
    failing: list[int] = field(default_factory=list)
    pieced: Pieced = field(default_factory=Pieced)

    def merge(self, other: "Outcome") -> None:
        self.done += other.done
        self.failing += other.failing
        self.pieced.merge(other.pieced)


def run_resumed(cases: int, seed: int, failures: Path) -> bool:
    """Whether all cases agreed. The first that does not is written to a file."""
    total = Outcome()
    seconds = examine_in_pool(examine_cases, total, cases=cases, seed=seed, chunk=_CHUNK)
    if total.failing:
        difference = compare_pieces(total.failing[0], Pieced())
        assert difference is not None
        failures.mkdir(parents=True, exist_ok=True)
        file = failures / "soak_resumed.txt"
        file.write_text(difference, encoding="utf-8")
        print(difference, file=sys.stderr)
        print(f"it is in {file}", file=sys.stderr)
        return False
    print("\n".join(total.pieced.list_lines()))
    print(
        f"{total.done:,} replays in pieces agree, {total.done / seconds:.1f} a second", flush=True
    )
    return True


def examine_cases(numbers: Iterable[int]) -> Outcome:
    outcome = Outcome()
    for number in numbers:
        if compare_pieces(number, outcome.pieced) is not None:
            outcome.failing.append(number)
        outcome.done += 1
    return outcome
