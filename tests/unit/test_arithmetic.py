"""Numbers beyond 64 bits, beyond floats, and where one becomes the other."""

import math
import operator
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

import phenesthe
from tests.unit.io.samples import list_rows

#: About 10 to the 322nd: no float is as great.
HUGE = " * ".join(["X"] * 17)
GREAT = [2**63 - 1, -(2**63), 2**53 + 1, 3]
COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


def find(condition: str, values: list[int], way: str = "batch") -> list[int]:
    """The values for which a condition on `X` holds."""
    program = phenesthe.compile(text=f"input event g(a: int);\nevent d(X) : g(X) and {condition};")
    rows: dict[str, Any] = {"g": pa.table({"a": values, "t": [1] * len(values)})}
    if way == "batch":
        return [row[0] for row in list_rows(program.run(rows)["d"])]
    memory = program.memory(window=9)
    return [row[0] for row in list_rows(memory.advance(3, rows)["d"])]


@pytest.mark.parametrize("way", ["batch", "memory"])
@pytest.mark.parametrize(
    "value",
    [
        f"{HUGE} / 2",
        f"2 / ({HUGE})",
        f"{HUGE} + 0.5",
        f"0.5 - {HUGE}",
        f"{HUGE} * 0.0",
        f"max({HUGE}, 0.5)",
        f"min(0.5, {HUGE}, 1)",
        f"abs({HUGE} / 2)",
        f"angle_diff({HUGE}, 1)",
        f"angle_diff(1.5, {HUGE})",
        f"distance({HUGE}, 0, 0, 0)",
        f"distance(0, 0.5, 0, {HUGE})",
        f"-({HUGE}) / 2",
    ],
)
def test_a_whole_number_too_large_for_the_float_it_is_needed_as_is_undefined(
    value: str, way: str
) -> None:
    values = [2**63 - 1, -(2**63)]
    for comparison in COMPARISONS:
        assert find(f"{value} {comparison} 1", values, way) == []
        assert find(f"not ({value} {comparison} 1)", values, way) == sorted(values)


def test_only_the_rows_that_are_too_large_are_undefined() -> None:
    assert find(f"{HUGE} / 2 > 1", [3, 2**63 - 1, 5]) == [3, 5]
    assert find(f"max({HUGE}, 0.5) > 1", [3, 2**63 - 1, 5]) == [3, 5]


@pytest.mark.parametrize("comparison", COMPARISONS)
@pytest.mark.parametrize("other", ["0.5", "1e308", "9007199254740992.0", "-1e308", "inf", "-inf"])
def test_whole_numbers_and_floats_are_compared_exactly(comparison: str, other: str) -> None:
    text = "param p: float = 0.0;\ninput event g(a: int);\n"
    text += f"event d(X) : g(X) and {HUGE} {comparison} p;\n"
    text += f"event s(X) : g(X) and X {comparison} p;\n"
    program = phenesthe.compile(text=text, params={"p": other})
    result = program.run({"g": pa.table({"a": GREAT, "t": [1] * len(GREAT)})})
    compare, number = COMPARISONS[comparison], float(other)
    assert {row[0] for row in list_rows(result["d"])} == {
        one for one in GREAT if compare(one**17, number)
    }
    assert {row[0] for row in list_rows(result["s"])} == {
        one for one in GREAT if compare(one, number)
    }


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (f"abs({HUGE}) > 0", lambda one: True),  # noqa: ARG005
        (f"{HUGE} == {HUGE}", lambda one: True),  # noqa: ARG005
        (f"{HUGE} - {HUGE} == 0", lambda one: True),  # noqa: ARG005
        (f"max({HUGE}, X) > 2", lambda one: one > 2),
        (f"min({HUGE}, X) == {HUGE}", lambda one: one < 0),
        ("abs(X) == -X", lambda one: one <= 0),
        ("X - 1 < X", lambda one: True),  # noqa: ARG005
        ("X * X / X == X", lambda one: float(one * one) / float(one) == one),
    ],
)
def test_whole_numbers_stay_exact(condition: str, expected: Any) -> None:
    assert find(condition, GREAT) == sorted(one for one in GREAT if expected(one))


def test_an_infinite_distance_is_undefined() -> None:
    text = "param p: float = 0.0;\ninput event h(a: float);\n"
    text += "event d(X) : h(X) and not (distance(X, 0, -X, 0) >= p);\n"
    text += "event a(X) : h(X) and not (angle_diff(X, -X) >= p);\n"
    result = phenesthe.compile(text=text).run(
        {"h": pa.table({"a": [1.7e308, math.inf, math.nan, 1.0], "t": [1, 2, 3, 4]})}
    )
    assert {row[-1] for row in list_rows(result["d"])} == {2, 3}
    assert {row[-1] for row in list_rows(result["a"])} == {1, 2, 3}


def test_durations_are_weighed_exactly_by_the_checker() -> None:
    """As floats the two would be one number."""
    text = "input event e(x: int);\n"
    text += "event d(X) : e(X) and X > 9007199254740992s and X <= 9007199254740993s;\n"
    assert phenesthe.compile(text=text).diagnostics == ()
