"""Random programs cut into stages and partitions, without Spark."""

import sys
import time
from collections import Counter
from pathlib import Path

from tests.equivalence.compare import describe, find_difference, find_local, save
from tests.equivalence.partitioned import find_partitioned
from tests.equivalence.plans import WISHES, make_case

PARTITIONS = (1, 2, 7)
_SECONDS_BETWEEN_LINES = 10.0


def run_partitioned(cases: int, seed: int, failures: Path) -> bool:
    """Whether all agreed with one place; the first that does not is written to files."""
    began = spoken = time.perf_counter()
    plans: Counter[str] = Counter()
    definitions = filled = 0
    for number in range(seed * 1_000_003, seed * 1_000_003 + cases):
        case, program = make_case(number)
        expected = find_local(program, case.stream)
        definitions += len(expected)
        filled += sum(map(bool, expected.values()))
        plans.update(wish.__name__ for wish in WISHES if wish(program))
        for partitions in PARTITIONS:
            found = find_partitioned(program, case.stream, partitions)
            difference = find_difference(expected, found)
            if difference is not None:
                text, lines = save(case, failures, "soak_partitioned")
                print(describe(case, difference), file=sys.stderr)
                print(
                    f"case {number} differs with {partitions} partitions; it is in {text} and "
                    f"{lines}",
                    file=sys.stderr,
                )
                return False
        if time.perf_counter() - spoken > _SECONDS_BETWEEN_LINES:
            spoken = time.perf_counter()
            done = number + 1 - seed * 1_000_003
            print(f"{done:,} of {cases:,} agree, {spoken - began:.0f} s", flush=True)
    print("\n".join(f"  {wish:24} {count:,}" for wish, count in plans.most_common()))
    print(
        f"{cases:,} programs agree for {', '.join(map(str, PARTITIONS))} partitions; {filled:,} of "
        f"{definitions:,} definitions have results",
        flush=True,
    )
    return True
