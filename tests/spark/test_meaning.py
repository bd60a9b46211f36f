"""Scopes and guarded negations on Spark, at once and in windows."""

import pytest
from pyspark.sql import SparkSession

import phenesthe
from phenesthe.check.program import CheckedProgram
from tests.equivalence.compare import Results, build_table, find_local
from tests.equivalence.in_windows import find_in_windows
from tests.equivalence.on_spark import find_on_spark
from tests.equivalence.streams import Stream
from tests.reference import Row
from tests.spark.replays import ReplayCase, tell_locally, tell_on_spark

SCOPES = """\
input state s(x: int);
input state u(x: int);
state d() : (s(L) lasting > 5) union u(L);
state e() : ((s(L) lasting > 5) where L == L) union u(L);
event f() : start(u(L)) or end(s(L));
event g() : start(u(L)) or (end(s(L)) and L == L);
"""
SCOPES_ROWS = Stream(inputs={"s": [((1,), 1, 5), ((2,), 3, 8)], "u": [((1,), 30, 40)]})
NEGATIONS = """\
input event z(x: int);
input event a(x: int);
input event g(x: int);
event one(X)   : z(X) and not g(_);
event two(X)   : z(X) and not not a(_);
event three(X) : z(X) and not (g(_) or not a(_));
event four(X)  : z(X) and (g(_) or not g(_));
"""
NEGATIONS_ROWS = Stream(
    inputs={"z": [((1,), 1), ((1,), 5)], "a": [((3,), 1), ((3,), 5)], "g": [((7,), 9)]}, start=3
)


def make_replay(program: CheckedProgram, stream: Stream) -> ReplayCase:
    tables = {one.name: build_table(one, stream.inputs[one.name]) for one in program.inputs}
    return ReplayCase(program=program, given=tables, window=6, step=4, start=stream.start)


@pytest.mark.parametrize("partitions", [1, 3])
def test_a_variable_of_several_alternatives_ends_with_all_of_them(
    spark: SparkSession, partitions: int
) -> None:
    program = phenesthe.compile(text=SCOPES)
    states: set[Row] = {((), 30, 40)}
    events: set[Row] = {((), 5), ((), 8), ((), 30)}
    expected: Results = {"d": states, "e": states, "f": events, "g": events}
    assert find_local(program.checked, SCOPES_ROWS) == expected
    assert find_in_windows(program.checked, SCOPES_ROWS, window=6, step=4) == expected
    assert find_on_spark(spark, program, SCOPES_ROWS, partitions) == expected
    replayed = make_replay(program.checked, SCOPES_ROWS)
    told = tell_on_spark(spark, replayed, "final", partitions)
    assert told == tell_locally(replayed, "final")


@pytest.mark.parametrize("partitions", [1, 3])
def test_a_guarded_not_looks_at_its_own_instant(spark: SparkSession, partitions: int) -> None:
    program = phenesthe.compile(text=NEGATIONS)
    expected = {name: {((1,), 1), ((1,), 5)} for name in program.checked.reported}
    assert find_local(program.checked, NEGATIONS_ROWS) == expected
    assert find_on_spark(spark, program, NEGATIONS_ROWS, partitions) == expected
    # In windows what lies at the start or before it is too late.
    known = {name: {((1,), 5)} for name in program.checked.reported}
    assert find_in_windows(program.checked, NEGATIONS_ROWS, window=6, step=4) == known
    replayed = make_replay(program.checked, NEGATIONS_ROWS)
    told = tell_on_spark(spark, replayed, "final", partitions)
    assert told == tell_locally(replayed, "final")
