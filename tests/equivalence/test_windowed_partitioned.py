"""A replay stage by stage and partition by partition tells what one memory tells."""

from random import Random

from phenesthe.engines.spark.replay_worker import Emit
from phenesthe.plan.stages import find_stages
from tests.equivalence.late import WindowedCase, make_windowed
from tests.equivalence.plans import make_case as make_planned
from tests.equivalence.shrink_windowed import describe_windowed
from tests.equivalence.windowed import Failure, make_case
from tests.equivalence.windowed_partitioned import (
    plan_queries,
    tell_in_one_place,
    tell_in_partitions,
)

CASES = 40
WAYS: tuple[tuple[Emit, int], ...] = (
    ("changes", 7), ("changes", 2), ("final", 7), ("snapshots", 2), ("final", 1),
)  # fmt: skip


def test_random_replays() -> None:
    """Half of the programs are chosen by how they are cut."""
    cut = told = refused = 0
    for number in range(CASES):
        if number % 2:
            plain, program = make_planned(number)
            random = Random(f"partitioned {number}")
            case: WindowedCase = make_windowed(plain.text, program, plain.stream, random)
        else:
            case, program = make_case(number)
        if plan_queries(case, program) is None:
            continue
        emit, partitions = WAYS[number % len(WAYS)]
        expected, expected_refusals = tell_in_one_place(case, program, emit)
        found, refusals = tell_in_partitions(case, program, emit, partitions)
        for key in sorted({*expected, *found}, key=str):
            same = expected.get(key) == found.get(key)
            text = f"{key}: expected {expected.get(key)}, found {found.get(key)}"
            failure = Failure(f"case {number}, {emit} of {partitions}", None, text)
            assert same, describe_windowed(case, failure)
        assert refusals == expected_refusals, number
        cut += len(find_stages(program)) > 1
        told += len(expected)
        refused += len(refusals)
    assert cut > CASES / 4
    assert told > 5 * CASES
    assert refused > 10
