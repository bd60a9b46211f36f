"""The worked examples of the second edition on Spark, at once and replayed: all in one program.

Each has phenomena of its own, and its rows are moved in time so that all end at one instant.
"""

import re
from typing import Any

import pytest
from pyspark.sql import SparkSession

import phenesthe
from tests.e2e.test_second_edition import read_cases
from tests.equivalence.compare import Results, find_local
from tests.equivalence.on_spark import find_on_spark
from tests.equivalence.streams import Stream
from tests.reference import Row
from tests.spark.replays import tell_locally, tell_on_spark
from tests.spark.test_meaning import make_replay

_NAME = re.compile(r"\b(input \w+ |fact |state |event |dynamic |machine )([a-z]\w*)\(")


def _list_times(row: dict[str, Any]) -> list[int]:
    return [row[name] for name in ("t", "ts", "te") if row.get(name) is not None]


def _put_together() -> tuple[str, Stream, Results]:
    cases = [case for case in read_cases() if case["about"] != "always"]
    lasts = [max(t for row in case["input"] for t in _list_times(row)) for case in cases]
    text, last = "", max(lasts)
    inputs: dict[str, list[Row]] = {}
    facts: dict[str, list[Any]] = {}
    expected: Results = {}
    for number, case in enumerate(cases):
        own = {name for _, name in _NAME.findall(case["program"])}
        program = re.sub(
            r"\b([a-z]\w*)\(",
            lambda found, own=own, number=number: (  # type: ignore[misc]
                f"c{number}_{found[0]}" if found[1] in own else found[0]
            ),
            case["program"],
        )
        text += program
        for name in re.findall(r"input \w+ (\w+)\(", program):
            inputs[name] = []
        for name in re.findall(r"fact (\w+)\(", program):
            facts[name] = []
        for _, name in re.findall(
            r"^(?:exclusive )?(state|event|dynamic|machine) (\w+)\(", program, re.MULTILINE
        ):
            expected[name] = set()
        later = last - lasts[number]
        for row in (*case["input"], *case["expected"]):
            if "fact" in row:
                facts[f"c{number}_{row['fact']}"].append(tuple(row["args"]))
                continue
            name, arguments = f"c{number}_{row['name']}", tuple(row["args"])
            at: Any = tuple(
                None if row[one] is None else row[one] + later
                for one in ("t", "ts", "te")
                if one in row
            )
            if name in inputs:
                inputs[name].append((arguments, *at))
            else:
                expected[name].add((arguments, *at))
    return text, Stream(inputs=inputs, facts=facts), expected


@pytest.mark.parametrize("partitions", [1, 2, 7])
def test_worked_examples(spark: SparkSession, partitions: int) -> None:
    text, stream, expected = _put_together()
    program = phenesthe.compile(text=text)
    assert find_local(program.checked, stream) == expected
    assert sum(map(bool, expected.values())) > 20
    assert find_on_spark(spark, program, stream, partitions) == expected


def test_worked_examples_in_windows(spark: SparkSession) -> None:
    text, stream, _ = _put_together()
    replayed = make_replay(phenesthe.compile(text=text).checked, stream)
    assert tell_on_spark(spark, replayed, "final", 2) == tell_locally(replayed, "final")


@pytest.mark.parametrize("case", [one for one in read_cases() if one["about"] == "always"])
def test_what_holds_always(spark: SparkSession, case: dict[str, Any]) -> None:
    """Each has a timeline of its own."""
    program = phenesthe.compile(text=case["program"])
    rows: dict[str, list[Row]] = {one.name: [] for one in program.checked.inputs}
    facts: dict[str, list[Any]] = {one.name: [] for one in program.checked.facts}
    expected: Results = {name: set() for name in program.checked.reported}
    for row in (*case["input"], *case["expected"]):
        arguments = tuple(row["args"])
        if "fact" in row:
            facts[row["fact"]].append(arguments)
        else:
            found: Any = (arguments, *[row[one] for one in ("t", "ts", "te") if one in row])
            if row["name"] in rows:
                rows[row["name"]].append(found)
            else:
                expected[row["name"]].add(found)
    stream = Stream(inputs=rows, facts=facts)
    assert find_local(program.checked, stream) == expected
    assert find_on_spark(spark, program, stream, 3) == expected
    replayed = make_replay(program.checked, stream)
    assert tell_on_spark(spark, replayed, "final", 2) == tell_locally(replayed, "final")
