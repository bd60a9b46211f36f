"""Many thousand damaged files, each read by the commands that read such files."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.damage.examine import Tally, draw_case, examine, prepare
from tests.damage.scenes import read_sound
from tests.soak.pool import examine_in_pool

_CHUNK = 20


@dataclass(slots=True)
class Outcome:
    done: int = 0
    failing: list[int] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)

    def merge(self, other: "Outcome") -> None:
        self.done += other.done
        self.failing += other.failing
        self.tally.merge(other.tally)


def run_damage(cases: int, seed: int, failures: Path) -> bool:
    """Whether all were answered. The first that was not is written to a file."""
    total = Outcome()
    seconds = examine_in_pool(examine_cases, total, cases=cases, seed=seed, chunk=_CHUNK)
    if total.failing:
        report_failure(total.failing[0], failures)
        return False
    print("\n".join(total.tally.list_lines()))
    print(
        f"{total.done:,} damaged files are read or refused in words, {total.done / seconds:.1f} a "
        f"second; of {sum(total.tally.judged.values()):,} all rows were used or set aside",
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
    scene, _, data = draw_case(number, read_sound(prepare()))
    failures.mkdir(parents=True, exist_ok=True)
    file = failures / f"soak_damage_{Path(scene.file).name}"
    file.write_bytes(data)
    print(examine(number, Tally()), file=sys.stderr)
    print(f"case {number}; the damaged file is {file}", file=sys.stderr)
