"""Stage by stage and partition by partition, the same is found as in one place."""

from random import Random

import pytest

import phenesthe
from phenesthe.plan.stages import find_stages
from tests.equivalence.compare import Case, describe, find_difference, find_local
from tests.equivalence.partitioned import find_partitioned
from tests.equivalence.plans import WISHES, make_case
from tests.equivalence.streams import make_stream
from tests.equivalence.vocabulary import declare

CASES = 60
PARTITIONS = (1, 2, 7)


def test_random_programs() -> None:
    wishes = dict.fromkeys((wish.__name__ for wish in WISHES), 0)
    definitions = filled = 0
    for number in range(CASES):
        case, program = make_case(number)
        expected = find_local(program, case.stream)
        definitions += len(expected)
        filled += sum(map(bool, expected.values()))
        for wish in WISHES:
            wishes[wish.__name__] += wish(program)
        for partitions in PARTITIONS:
            found = find_partitioned(program, case.stream, partitions)
            difference = find_difference(expected, found)
            assert difference is None, f"case {number}\n{describe(case, difference)}"
    assert min(wishes.values()) >= 2, wishes
    assert filled > definitions / 2


@pytest.mark.parametrize(
    ("definitions", "stages"),
    [
        # Keys that only a fact has.
        ("state found(V) : (member(V) and not seen(V)) ~> seen(V);", 1),
        ("state found(V) : ((member(V) and pair(V, _)) and not seen(V)) ~> seen(V);", 1),
        ("state found(V) : ((pair(W, V) and pair(V, W)) and not seen(V)) ~> seen(V);", 1),
        # A constant in place of the key takes rows of many partitions.
        ("event one(V, W) : calls(V, W); event found(V) : one(V, 1) and seen(V);", 1),
        ("event one(V, W) : calls(V, W); dynamic found(V) : one(1, V) before busy(V);", 2),
        # Pairs, with everything else sent where a pair is.
        ("dynamic found(V, W) : (busy(V) intersection busy(W)) during convoy(V, W);", 1),
        ("state near(V, W) : (calls(V, W) ~> seen(W)) complement busy(V);"
         " state found(V) : near(V, _) union busy(V);", 2),
        ("event found(V, W) : calls(V, W) in busy(V) and not seen(W);", 1),
        ("event found(V, W) : seen(V) and seen(W) and pair(V, W);", 1),
        # Alternatives that rest on the same pair, and some that do not.
        ("event near(V, W) : calls(V, W) in busy(V) or calls(V, W) in busy(W);"
         " event found(V, W) : near(V, W) and not seen(W);", 1),
        ("state near(V, W) : (busy(V) intersection (calls(V, W) ~> seen(W)))"
         " union (busy(W) intersection (calls(V, W) ~> seen(W)));"
         " state found(V, W) : near(V, W) complement busy(W);", 1),
        ("event near(V, W) : calls(V, W) in busy(V) or calls(W, V) in busy(W);"
         " event found(V, W) : near(V, W) and not seen(W);", 2),
        # What only uses pairs stays with them.
        ("state near(V, W) : (calls(V, W) ~> seen(W)) complement busy(V);"
         " event found(V, W) : start(near(V, W));", 1),
        ("state near(V, W) : (calls(V, W) ~> seen(W)) complement busy(V);"
         " state more(V, W) : near(V, W) union (calls(V, W) ~> calls(W, V));"
         " state found(V, W) : more(V, W) intersection busy(W);", 1),
        # Keys that only facts together have cannot stay with pairs.
        ("event near(V, W) : calls(V, W) and seen(V) and seen(W);"
         " state found(V, W) : (member(V) and member(W) and not near(V, W)) ~> near(V, W);", 2),
        ("event near(V, W) : calls(V, W) and seen(V) and seen(W);"
         " exclusive state found(V, W, X) { 1 : near(V, W) ~> near(V, W);"
         " 2 : (member(V) and member(W) and not near(V, W)) ~> near(V, W); }", 2),
        ("event near(V, W) : calls(V, W) and seen(V) and seen(W);"
         " state found(V, W) : (pair(V, W) and not near(V, W)) ~> near(V, W);", 1),
        # Under two keys, and behind a stage of one partition.
        ("state found(V) : inside(V, _) complement (calls(V, _) ~> calls(_, V));", 1),
        ("event both() : tick() and seen(_); event found(V) : both() and seen(V);", 1),
        # What time alone makes is made in every partition.
        ('state night() : daily("00:00:03", "00:00:20");'
         " state found(V) : busy(V) complement night();", 2),
        ('state night() : daily("00:00:03", "00:00:12");'
         ' state later() : (night() without daily("00:00:05", "00:00:07")) lasting < 99;'
         " event found(V) : seen(V) not in later();", 2),
        ("state found(V) : (always() where member(V)) complement busy(V);", 1),
        ("event found(V) : start(always()) and member(V);"
         ' event early(V) : seen(V) in dates("1970-01-01", "1970-01-01");', 1),
        ('state part(V) : busy(V) intersection daily("23:59:50", "00:00:09");'
         " state found() : part(_) union (tick() limit 3);", 2),
        # A fact without arguments, in every partition and in the only one.
        ("event found(V) : seen(V) and enabled();"
         " event both() : tick() and not enabled();", 2),
    ],
)  # fmt: skip
def test_programs_that_are_cut(definitions: str, stages: int) -> None:
    text = declare(definitions) + definitions
    program = phenesthe.compile(text=text).checked
    assert len(find_stages(program)) == stages
    filled = 0
    for number in range(12):
        stream = make_stream(Random(number), text)
        expected = find_local(program, stream)
        filled += bool(expected["found"])
        for partitions in PARTITIONS:
            found = find_partitioned(program, stream, partitions)
            difference = find_difference(expected, found)
            assert difference is None, describe(Case(text, stream), difference)
    assert filled > 0
