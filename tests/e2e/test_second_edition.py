"""Worked examples of the language's second edition, on which two independent readings agree.

Run at once and in windows. `tests/spark/test_second_edition.py` runs them on Spark.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.test_windows import start

CASES = Path(__file__).parents[1] / "data" / "golden" / "second" / "cases.jsonl"
#: What the examples are about, and the language has.
KNOWN = (
    "without", "limit", "limit and expires", "expires without a right side",
    "limit without a right side", "exclusive, any domain", "exclusive, any domain, limit",
    "before from", "before from within", "meets within",
    "machine", "machine that ends", "machine re-entered", "always",
    "starts within", "starts within, an instant", "equals within", "finishes within",
    "alternatives", "alternatives, right of ~>",
    "let", "let time",
    "at least", "count of",
    "duration from a fact",
    "aggregate over an interval: avg", "aggregate over an interval: count",
    "aggregate over an interval: distinct", "aggregate over an interval: first",
    "aggregate over an interval: last", "aggregate over an interval: max",
    "aggregate over an interval: min", "aggregate over an interval: sum",
    "aggregate over and past: count", "aggregate over and past: distinct",
    "aggregate over and past: first", "aggregate over and past: last",
    "aggregate over and past: max", "aggregate over and past: min",
    "aggregate over and past: sum", "condition with an aggregate", "total",
    "where with an aggregate",
)  # fmt: skip


def read_cases() -> list[dict[str, Any]]:
    cases = map(json.loads, CASES.read_text("utf-8").splitlines())
    return [case for case in cases if case["about"] in KNOWN]


def name_cases(cases: list[dict[str, Any]]) -> list[str]:
    seen: Counter[str] = Counter()
    names = []
    for case in cases:
        seen[case["about"]] += 1
        names.append(f"{case['about']} {seen[case['about']]}")
    return names


def write_case(folder: Path, case: dict[str, Any]) -> None:
    (folder / "p.phe").write_text(case["program"], "utf-8")
    rows = "".join(json.dumps(row) + "\n" for row in case["input"])
    (folder / "in.jsonl").write_text(rows, "utf-8")


def read_results(folder: Path) -> list[str]:
    lines = (folder / "out.jsonl").read_text("utf-8").splitlines()
    return sorted(json.dumps(json.loads(line), sort_keys=True) for line in lines)


def sort_expected(case: dict[str, Any]) -> list[str]:
    return sorted(json.dumps(row, sort_keys=True) for row in case["expected"])


@pytest.mark.parametrize(
    "options",
    [(), ("--window", "7", "--step", "3"), ("--window", "1", "--step", "1")],
    ids=["at once", "in windows", "instant by instant"],
)
@pytest.mark.parametrize("case", read_cases(), ids=name_cases(read_cases()))
def test_worked_examples(tmp_path: Path, case: dict[str, Any], options: tuple[str, ...]) -> None:
    write_case(tmp_path, case)
    ended = start(
        tmp_path, "run", "p.phe", "--quiet", "--engine", "local", "--allow-empty",
        "--input", "in.jsonl", "--output", "out.jsonl", *options,
    )  # fmt: skip
    assert ended.code == 0, ended
    assert read_results(tmp_path) == sort_expected(case)


def test_every_construct_that_is_known_has_an_example() -> None:
    assert {case["about"] for case in read_cases()} == set(KNOWN)
