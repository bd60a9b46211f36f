"""Random programs cut into stages and partitions: without Spark, and on it."""

import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from phenesthe.check.program import CheckedProgram
from tests.equivalence.compare import Results, describe, find_difference, find_local, save
from tests.equivalence.overrides import compile_with
from tests.equivalence.partitioned import find_partitioned
from tests.equivalence.plans import WISHES, make_case
from tests.equivalence.streams import Stream

PARTITIONS = (1, 2, 7)
_SECONDS_BETWEEN_LINES = 10.0

#: Finds the results of a program, given its text too, with a number of partitions.
Finder = Callable[[str, CheckedProgram, Stream, int], Results]


def run_partitioned(cases: int, seed: int, failures: Path) -> bool:
    def find(_text: str, program: CheckedProgram, stream: Stream, partitions: int) -> Results:
        return find_partitioned(program, stream, partitions)

    return _run("partitioned", find, cases, seed, failures)


def run_spark(cases: int, seed: int, failures: Path) -> bool:
    from phenesthe.engines.spark.session import open_session
    from tests.equivalence.on_spark import find_on_spark

    with open_session(settings={"spark.sql.shuffle.partitions": "2"}) as session:

        def find(text: str, _program: CheckedProgram, stream: Stream, partitions: int) -> Results:
            program = compile_with(text, stream.params)
            return find_on_spark(session.spark, program, stream, partitions)

        return _run("spark", find, cases, seed, failures)


def _run(name: str, find: Finder, cases: int, seed: int, failures: Path) -> bool:
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
            found = find(case.text, program, case.stream, partitions)
            difference = find_difference(expected, found)
            if difference is not None:
                text, lines = save(case, failures, f"soak_{name}")
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
