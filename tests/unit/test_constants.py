"""Constants and parameters mean what the same value of a row means, to the last extreme."""

import itertools
import json
import math
from typing import Any

import pyarrow as pa
import pytest

import phenesthe
from phenesthe.memory.header import list_differences, make_header
from tests.unit.io.samples import list_rows

#: Two rows each, as a file may have them: of one value to a join.
ROWS = {
    "zero": (0.0, -0.0),
    "nan": (math.nan, -math.nan),
    "inf": (math.inf, math.inf),
    "negative inf": (-math.inf, -math.inf),
    "subnormal": (5e-324, 5e-324),
    "greatest": (1.7976931348623157e308, 1.7976931348623157e308),
}
TEXT = """
param wanted: float = 7.0;
input event e(s: str, f: float);
input state w(s: str, f: float);
fact k(s: str, f: float);
event by_event(S)  : e(S, wanted);
state by_state(S)  : w(S, wanted);
event by_fact(S)   : e(S, _) and k(S, wanted);
event by_join(S)   : e(S, F) and k(S, F);
event compared(S)  : e(S, F) and F == wanted;
event different(S) : e(S, F) and F != wanted;
event denied(S)    : e(S, F) and not (F != wanted);
"""


def make_rows(values: tuple[float, float]) -> dict[str, Any]:
    """`x` and `y` have a value each; `z` has another."""
    columns = {"s": ["x", "y", "z"], "f": [*values, 3.0]}
    return {
        "e": pa.table({**columns, "t": [1, 2, 3]}),
        "w": pa.table({**columns, "ts": [1, 2, 3], "te": [4, 5, 6]}),
        "k": pa.table({"s": columns["s"], "f": [*reversed(values), 3.0]}),
    }


def find(program: phenesthe.Program, given: dict[str, Any], **options: Any) -> dict[str, list[str]]:
    result = program.run(given, **options)
    return {name: [row[0] for row in list_rows(result[name])] for name in result}


@pytest.mark.parametrize("way", ["batch", "memory"])
@pytest.mark.parametrize(("name", "given"), list(itertools.product(ROWS, (0, 1))))
def test_a_parameter_joins_as_a_row_does(name: str, given: int, way: str) -> None:
    program = phenesthe.compile(text=TEXT, params={"wanted": ROWS[name][given]})
    rows = make_rows(ROWS[name])
    if way == "batch":
        found = find(program, rows)
    else:
        memory = program.memory(window=100, facts={"k": rows.pop("k")})
        memory.advance(2, rows)
        memory.advance(9)
        shown = memory.snapshot()
        found = {one: [row[0] for row in list_rows(shown[one])] for one in shown}
    is_nan = name == "nan"
    assert found == {
        "by_event": ["x", "y"],
        "by_state": ["x", "y"],
        "by_fact": ["x", "y"],
        "by_join": ["x", "y", "z"],
        "compared": [] if is_nan else ["x", "y"],
        "different": [] if is_nan else ["z"],
        "denied": ["x", "y", "z"] if is_nan else ["x", "y"],
    }


CONSTANTS = """
param zero: float = -0.0;
input event e(s: str, f: float);
event d(S) : e(S, -0.0);
event c(S) : e(S, zero);
event k(S) : e(S, 0.0);
"""
ZEROS = {"e": pa.table({"s": ["x", "y"], "f": [0.0, -0.0], "t": [1, 2]})}


@pytest.mark.parametrize("only", [None, ["d"], ["c"], ["k"]])
def test_the_constant_minus_zero_is_zero(only: list[str] | None) -> None:
    program = phenesthe.compile(text=CONSTANTS)
    found = find(program, ZEROS, only=only)
    assert found == {name: ["x", "y"] for name in only or ["d", "c", "k"]}
    memory = program.memory(window=9, only=only)
    memory.advance(1, ZEROS)
    memory.advance(5)
    shown = memory.snapshot()
    assert {one: [row[0] for row in list_rows(shown[one])] for one in shown} == found


def test_an_override_with_minus_zero_is_the_same_run() -> None:
    one, other = (
        make_header(
            phenesthe.compile(text=CONSTANTS, params={"zero": zero}).checked,
            ["c"],
            {},
            window=9,
            step=9,
            start=None,
            keeps_settled=True,
        )
        for zero in ("0.0", "-0.0")
    )
    assert list(list_differences(one, other)) == []


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "5e-324", "-0.0", "1e308"])
def test_what_a_program_becomes_is_json_whatever_its_parameters(value: str) -> None:
    program = phenesthe.compile(text=TEXT, params={"wanted": value})

    def refuse(word: str) -> None:
        raise AssertionError(word)

    shown = json.loads(program.explain("json"), parse_constant=refuse)
    assert shown["parameters"][0]["name"] == "wanted"


INTS = """
param n: int = 0;
input event g(a: int);
input event h(a: float);
event same(X)  : g(X) and X == n;
event joins()  : g(n);
event less(X)  : g(X) and X < n;
event next(X)  : g(X) and X + 1 > n;
event near(F)  : h(F) and F == n;
event below(F) : h(F) and F < n;
"""


@pytest.mark.parametrize("n", [2**63 - 1, -(2**63), 2**53 + 1, -(2**53) - 1])
@pytest.mark.parametrize("given", [int, str])
def test_extreme_whole_parameters_are_exact(n: int, given: type) -> None:
    program = phenesthe.compile(text=INTS, params={"n": given(n)})
    whole = sorted({n, max(n - 1, -(2**63)), min(n + 1, 2**63 - 1)})
    real = sorted({float(n), math.nextafter(n, 0), math.nextafter(n, math.copysign(1e30, n))})
    rows = {
        "g": pa.table({"a": whole, "t": [1] * len(whole)}),
        "h": pa.table({"a": real, "t": [1] * len(real)}),
    }
    result = program.run(rows)
    found = {name: [row[:-1] for row in list_rows(result[name])] for name in result}
    assert found == {
        "same": [(n,)],
        "joins": [()],
        "less": [(one,) for one in whole if one < n],
        "next": [(one,) for one in whole if one + 1 > n],
        "near": [(one,) for one in real if one == n],
        "below": [(one,) for one in real if one < n],
    }


@pytest.mark.parametrize("value", [2**53 + 1, 2**63 - 1, -(2**63)])
def test_a_whole_number_where_a_float_stands_is_that_float(value: int) -> None:
    text = f"param p: float = {value};\ninput event e(f: float);\n"
    text += f"event a() : e({value});\nevent b() : e({value}.0);\nevent c() : e(p);\n"
    program = phenesthe.compile(text=text)
    result = program.run({"e": pa.table({"f": [float(value)], "t": [1]})})
    assert {name: result[name].num_rows for name in result} == {"a": 1, "b": 1, "c": 1}


@pytest.mark.parametrize(
    ("condition", "is_impossible"),
    [
        ("not (F == F)", False),
        ("not (F != 1.0) and not (F != 2.0)", False),
        ("not (F == 1.0) and F == 1.0", True),
        ("not (F != 1.0) and F > 2", True),
        ("F != F", True),
    ],
)
def test_what_only_a_nan_meets_is_not_called_impossible(
    condition: str, is_impossible: bool
) -> None:
    text = f"input event e(f: float);\nevent d(F) : e(F) and {condition};\n"
    program = phenesthe.compile(text=text)
    assert ["W004" for _ in range(is_impossible)] == [one.code for one in program.diagnostics]
    found = program.run({"e": pa.table({"f": [math.nan, 1.0, 3.0], "t": [1, 2, 3]})})["d"]
    assert (found.num_rows == 0) == is_impossible
