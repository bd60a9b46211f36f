"""What owns something is evaluated, also where no row arrives: nothing may hold, and be found."""

from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

import phenesthe
from phenesthe.engines.spark.replay_worker import Emit
from phenesthe.engines.spark.results import SparkResults
from phenesthe.plan.stages import find_stages
from tests.equivalence.compare import read_table
from tests.spark.replays import ReplayCase, count_rows, show_difference, tell_locally, tell_on_spark

NOTHING_HEARD = pa.table({"x": pa.array([], pa.int64()), "t": pa.array([], pa.int64())})
EMITS: tuple[Emit, ...] = ("final", "changes", "snapshots")


@dataclass(frozen=True, slots=True)
class Empty:
    """A program, its tables, what it finds and how many stages it has."""

    text: str
    given: dict[str, Any]
    rows: dict[str, int]
    stages: int = 1
    start: int | None = None
    until: int | None = None


HEARD = "input event heard(x: int);"
CASES = {
    # No row passes the condition of an earlier stage.
    "one stage finds nothing": Empty(
        "input event ais(v: int, speed: float);"
        "event alarm(V) : ais(V, S) and S > 99;"
        "state quiet() : not alarm(_) ~> alarm(_);",
        {"ais": pa.table({"v": [7, 7], "speed": [3.0, 4.0], "t": [0, 12]})},
        {"alarm": 0, "quiet": 1},
        stages=2,
    ),
    "an absent input": Empty(
        f"{HEARD} input event tick(); state quiet() : not heard(_) ~> heard(_);",
        {"tick": pa.table({"t": [3, 9]})},
        {"quiet": 1},
    ),
    "an empty input": Empty(
        f"{HEARD} input event tick(); state quiet() : not heard(_) ~> heard(_);",
        {"tick": pa.table({"t": [3, 9]}), "heard": NOTHING_HEARD},
        {"quiet": 1},
    ),
    "no input has a row": Empty(
        f"{HEARD} state quiet() : not heard(_) ~> heard(_);",
        {"heard": NOTHING_HEARD},
        {"quiet": 1},
        start=0,
        until=9,
    ),
    "all rows are after q": Empty(
        f"{HEARD} state quiet() : not heard(_) ~> heard(_);",
        {"heard": pa.table({"x": [1], "t": [20]})},
        {"quiet": 1},
        start=0,
        until=9,
    ),
    "facts in one place": Empty(
        f"{HEARD} fact k(x: int); state quiet(X) : (k(X) and not heard(_)) ~> heard(X);",
        {"heard": pa.table({"x": [1], "t": [20]}), "k": pa.table({"x": [1, 2]})},
        {"quiet": 2},
        start=0,
        until=9,
    ),
    "facts by a key": Empty(
        f"{HEARD} fact k(x: int); state quiet(X) : (k(X) and not heard(X)) ~> heard(X);",
        {"heard": NOTHING_HEARD, "k": pa.table({"x": [*range(9)]})},
        {"quiet": 9},
        start=0,
        until=9,
    ),
    "what time alone makes, by a key of facts": Empty(
        f"{HEARD} fact k(x: int); state known(X) : always() where k(X);"
        'state night() : daily("00:00:03", "00:00:07");'
        "state silent(X) : (known(X) complement night()) without (heard(X) limit 3);",
        {"heard": NOTHING_HEARD, "k": pa.table({"x": [*range(9)]})},
        {"known": 9, "night": 1, "silent": 18},
        stages=2,
        start=0,
        until=9,
    ),
    "what time alone makes, alone": Empty(
        f"{HEARD} state all() : always(); event begins() : start(all());",
        {"heard": pa.table({"x": [1, 2], "t": [20, 30]})},
        {"all": 1, "begins": 1},
    ),
    "what time alone makes, without a timeline": Empty(
        f'{HEARD} state all() : always(); state day() : daily("00:00", "00:01");',
        {"heard": NOTHING_HEARD},
        {"all": 0, "day": 0},
    ),
    "facts of pairs": Empty(
        "input event meet(x: int, y: int); fact k(x: int, y: int);"
        "state apart(X, Y) : (k(X, Y) and not meet(X, Y)) ~> meet(X, Y);",
        {"k": pa.table({"x": [1, 2, 3], "y": [4, 5, 6]})},
        {"apart": 3},
        start=0,
        until=9,
    ),
    "pairs of which one side is silent": Empty(
        "input state near(x: int, y: int); input state asleep(x: int);"
        "state silent(X, Y) : (near(X, Y) complement asleep(X)) complement asleep(Y);",
        {"near": pa.table({"x": [1, 2], "y": [3, 4], "ts": [0, 2], "te": [5, 7]})},
        {"silent": 2},
    ),
    "several stages, each without a row": Empty(
        f"{HEARD} fact k(x: int);"
        "state quiet(X) : (k(X) and not heard(X)) ~> heard(X);"
        "event loud(X) : heard(X) and X > 5;"
        "state still() : not loud(_) ~> loud(_);"
        "event broken() : loud(_) in still();"
        "state calm() : not broken() ~> broken();",
        {"k": pa.table({"x": [1, 2, 3]})},
        {"quiet": 3, "loud": 0, "still": 1, "broken": 0, "calm": 1},
        stages=2,
        start=0,
        until=9,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_run(spark: SparkSession, name: str) -> None:
    case = CASES[name]
    program = phenesthe.compile(text=case.text)
    assert len(find_stages(program.checked)) == case.stages
    given = dict(case.given)
    options: Any = {"start": case.start, "until": case.until, "allow_empty": True}
    expected = program.run(given, **options)
    assert {one: expected[one].num_rows for one in expected} == case.rows
    # One frame makes it Spark's.
    first = program.checked.inputs[0].name
    schema = {"meet": "x long, y long, t long", "heard": "x long, t long"}
    given[first] = (
        spark.createDataFrame(given[first])
        if first in given and given[first].num_rows
        else spark.createDataFrame([], schema[first])
    )
    for partitions in (1, 7):
        found = program.run(given, partitions=partitions, **options)
        assert isinstance(found, SparkResults)
        tables = found.to_arrow()
        found.release()
        for one, table in tables.items():
            assert read_table(table) == read_table(expected[one]), one


#: Without a timeline there is no time at which a replay could ask.
TIMELESS = "what time alone makes, without a timeline"


@pytest.mark.parametrize("on_spark", [False, True])
@pytest.mark.parametrize("emit", EMITS)
def test_a_replay_without_a_timeline_finds_nothing(
    spark: SparkSession, emit: Emit, on_spark: bool
) -> None:
    case = CASES[TIMELESS]
    given = {"heard": spark.createDataFrame([], "x long, t long")} if on_spark else case.given
    program = phenesthe.compile(text=case.text)
    found = program.run(given, window="8s", step="4s", emit=emit, allow_empty=True)
    tables = found.to_arrow() if isinstance(found, SparkResults) else found
    assert {name: tables[name].num_rows for name in case.rows} == case.rows


@pytest.mark.parametrize("name", [name for name in CASES if name != TIMELESS])
def test_a_replay(spark: SparkSession, name: str) -> None:
    case = CASES[name]
    program = phenesthe.compile(text=case.text).checked
    replayed = ReplayCase(
        program=program, given=case.given, window=8, step=4, start=case.start, until=case.until
    )
    at = [*CASES].index(name)
    emit, partitions = EMITS[at % 3], (1, 2, 7)[at // 3 % 3]
    expected, set_aside = tell_locally(replayed, emit)
    found, set_aside_there = tell_on_spark(spark, replayed, emit, partitions)
    assert found == expected, show_difference(expected, found)
    assert set_aside_there == set_aside
    assert count_rows(expected) >= sum(case.rows.values())
