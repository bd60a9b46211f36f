"""Parameters: their defaults, and what a run may say instead."""

import math
from typing import cast

import pytest

from tests.unit.check.programs import accept, check_files

TEXT = """\
unit millisecond;
param count: int = 3;
param speed: float = 1;
param mode: str = fast;
param hot: bool = true;
param pause: duration = 1.5s;
input event e(c: int, s: float, m: str, h: bool);
event d() : e(count, speed, mode, hot);
state s() : d() ~> d() expires pause;
"""


def values(**given: object) -> dict[str, object]:
    program = accept(TEXT, parameters=given)
    return {parameter.name: parameter.value for parameter in program.parameters}


def test_defaults_have_the_declared_type() -> None:
    found = values()
    assert found == {"count": 3, "speed": 1.0, "mode": "fast", "hot": True, "pause": 1500}
    assert [type(value) for value in found.values()] == [int, float, str, bool, int]


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("count", 7, 7),
        ("count", "7", 7),
        ("count", "-7", -7),
        ("speed", "0.3", 0.3),
        ("speed", 2, 2.0),
        ("speed", "1e-3", 0.001),
        ("speed", "inf", math.inf),
        ("speed", -math.inf, -math.inf),
        ("mode", "slow", "slow"),
        ("mode", "", ""),
        ("mode", "true", "true"),
        ("hot", "false", False),
        ("hot", False, False),
        ("pause", "2m", 120_000),
        ("pause", "250ms", 250),
        ("pause", "250", 250),
        ("pause", 250, 250),
        ("pause", "0.5s", 500),
    ],
)
def test_a_run_overrides_a_parameter(name: str, given: object, value: object) -> None:
    found = values(**{name: given})[name]
    assert found == value
    assert type(found) is type(value)


def test_a_float_may_be_no_number() -> None:
    assert math.isnan(cast(float, values(speed="nan")["speed"]))
    assert math.isnan(cast(float, values(speed=math.nan)["speed"]))


@pytest.mark.parametrize("given", ["-0.0", -0.0, "-0"])
def test_minus_zero_is_zero(given: object) -> None:
    assert math.copysign(1, cast(float, values(speed=given)["speed"])) == 1


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("count", "7.5"),
        ("count", 7.5),
        ("count", True),
        ("count", "7s"),
        ("count", ""),
        ("count", "9223372036854775808"),
        ("count", 2**63),
        ("count", None),
        ("speed", "fast"),
        ("speed", True),
        ("speed", 10**400),
        ("mode", 3),
        ("mode", None),
        ("hot", "yes"),
        ("hot", "True"),
        ("hot", 1),
        ("pause", "soon"),
        ("pause", "0.5ms"),
        ("pause", "1e3s"),
        ("pause", 0.5),
        ("pause", [1]),
    ],
)
def test_a_wrong_value_is_an_error_that_says_what_is_right(name: str, given: object) -> None:
    program, found = check_files(TEXT, parameters={name: given})
    assert program is None
    (problem,) = found
    assert problem.code == "P004"
    assert f"`{name}`" in problem.message
    assert problem.hint.startswith("give ")


def test_an_unknown_parameter_suggests_one() -> None:
    _, (problem,) = check_files(TEXT, parameters={"cuont": 3})
    assert problem.code == "P004"
    assert problem.hint == "did you mean `count`?"


@pytest.mark.parametrize("value", ["-1s", "0", 0, -5])
def test_a_value_must_suit_the_place_where_it_is_used(value: object) -> None:
    program, (problem,) = check_files(TEXT, parameters={"pause": value})
    assert program is None
    assert problem.code == "P004"
    assert problem.hint == "give at least 1"


@pytest.mark.parametrize("word", ["lasting >", "lasting <="])
def test_a_duration_elsewhere_may_be_zero(word: str) -> None:
    text = f"param d: duration = 1m;\ninput state a();\nstate b() : a() {word} d;"
    assert accept(text, parameters={"d": 0}).parameters[0].value == 0
    assert check_files(text, parameters={"d": -1})[0] is None


def test_every_wrong_value_is_told() -> None:
    _, found = check_files(TEXT, parameters={"count": "x", "speed": "y", "other": 1})
    assert [d.code for d in found] == ["P004"] * 3
