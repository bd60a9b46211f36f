"""A replay stage by stage and partition by partition tells what one memory tells."""

from random import Random

import pytest

import phenesthe
from phenesthe.engines.spark.replay_worker import Emit
from phenesthe.plan.stages import find_stages
from tests.equivalence.late import WindowedCase, make_windowed
from tests.equivalence.plans import make_case as make_planned
from tests.equivalence.shrink_windowed import describe_windowed
from tests.equivalence.vocabulary import declare
from tests.equivalence.windowed import Failure, make_case
from tests.equivalence.windowed_partitioned import (
    plan_queries,
    tell_in_one_place,
    tell_in_partitions,
)
from tests.reference import Row
from tests.reference.windowed import Operation

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


@pytest.mark.parametrize(
    ("definitions", "rows"),
    [
        # What will begin long ago, of a binding that is known in part, or as a whole.
        ("dynamic far(V, W) : busy(V) before calls(V, W);"
         " dynamic found(W) : seen(W) starts far(_, W);",
         {"busy": [((1,), 1, 3)], "seen": [((2,), 1)], "calls": [((1, 2), 50)]}),
        ("dynamic far(V, W) : calls(V, W) before busy(V);"
         " dynamic found(W) : seen(W) starts far(_, W);",
         {"calls": [((1, 2), 1)], "seen": [((2,), 1)], "busy": [((1,), 50, 60)]}),
        # Of a formula that is computed as a whole every time.
        ("dynamic far(V, W) : (member(V) and not seen(V)) before calls(V, W);"
         " dynamic found(W) : seen(W) starts far(_, W);",
         {"seen": [((1,), t) for t in range(4, 51)] + [((2,), 3)], "calls": [((1, 2), 50)]}),
        # A row that comes two ways, and changes.
        ("state near(V, W) : (calls(V, W) ~> seen(W)) complement busy(V);"
         " state found(V) : near(V, _) union near(_, V);",
         {"calls": [((1, 2), 1), ((3, 3), 2)], "seen": [((2,), 20), ((3,), 30)],
          "busy": [((1,), 40, 50)]}),
    ],
)  # fmt: skip
def test_what_stages_must_know_of_each_other(definitions: str, rows: dict[str, list[Row]]) -> None:
    text = declare(definitions) + definitions
    program = phenesthe.compile(text=text).checked
    assert len(find_stages(program)) == 2
    operations = {name: [Operation(row) for row in found] for name, found in rows.items()}
    case = WindowedCase(
        text=text, operations=operations, facts={"member": [(1,)]}, window=5, step=5
    )
    expected, _ = tell_in_one_place(case, program, "changes")
    assert any(name == "found" for _, name, _ in expected)
    for partitions in (1, 2, 7):
        found, _ = tell_in_partitions(case, program, "changes", partitions)
        assert found == expected
