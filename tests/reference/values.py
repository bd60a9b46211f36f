"""Values and durations: parameters, literals, arithmetic, comparisons."""

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias, assert_never

from phenesthe.syntax.tree import (
    Aggregate,
    Arithmetic,
    BoolLiteral,
    Call,
    ComparisonOperator,
    Duration,
    DurationLiteral,
    FloatLiteral,
    IntLiteral,
    Literal_,
    Negate,
    ParameterRef,
    Previous,
    StrLiteral,
    Unit,
    Value,
    Variable,
    Wildcard,
    Word,
)

Scalar: TypeAlias = int | float | str | bool
Number: TypeAlias = int | float

EARTH_RADIUS = 6_371_008.8
MICROSECONDS: dict[Unit, int] = {"second": 1_000_000, "millisecond": 1_000, "microsecond": 1}
COMPARISONS = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
}  # fmt: skip

#: When a row is true: its start and its end.
Moments: TypeAlias = tuple[int, float]
TEXTS: dict[str, Callable[..., Scalar]] = {
    "length": len, "lower": str.lower, "upper": str.upper, "starts_with": str.startswith,
    "ends_with": str.endswith, "includes": operator.contains,
}  # fmt: skip
#: Functions without a value at infinity.
GEOMETRY = frozenset({"angle_diff", "distance"})


def name_previous(variable: str) -> str:
    """The name under which a binding holds `prev(X)`; no variable can be called that."""
    return f"prev({variable})"


def is_undefined(value: Scalar) -> bool:
    return isinstance(value, float) and math.isnan(value)


def compare(comparison: ComparisonOperator, left: Scalar, right: Scalar) -> bool:
    """ "A division by zero or a NaN makes a comparison false", `!=` too."""
    if is_undefined(left) or is_undefined(right):
        return False
    return bool(COMPARISONS[comparison](left, right))


@dataclass(frozen=True)
class Values:
    unit: Unit
    parameters: Mapping[str, Scalar]
    #: How to find an aggregate, given what is known and the row: there is one, once all is known.
    aggregates: list[Callable[[Aggregate, tuple[tuple[str, Scalar], ...], Moments], Scalar]] = (
        field(default_factory=list)
    )

    def count_ticks(self, duration: Duration, binding: tuple[tuple[str, Scalar], ...] = ()) -> int:
        """ "a bare number is in the file's unit"; parameters already count ticks."""
        ticks = self.evaluate(duration, binding)
        if not isinstance(ticks, int):
            raise ValueError(f"not a whole number of ticks: {ticks!r}")
        return ticks

    def count_if_given(
        self, duration: Duration | None, binding: tuple[tuple[str, Scalar], ...] = ()
    ) -> int | None:
        return None if duration is None else self.count_ticks(duration, binding)

    def evaluate(
        self, value: Value, binding: tuple[tuple[str, Scalar], ...], row: Moments | None = None
    ) -> Scalar:
        """The value under a binding of its variables; NaN stands for every undefined number.

        Integers are Python's: "exact beyond 64 bits".
        """
        match value:
            case Variable(name=name):
                return dict(binding)[name]
            case Previous(variable=variable):
                return dict(binding)[name_previous(variable.name)]
            case ParameterRef(name=name):
                return self.parameters[name]
            case IntLiteral() | FloatLiteral() | StrLiteral() | BoolLiteral() | DurationLiteral():
                return self.read_literal(value)
            case Negate(operand=operand):
                return -as_number(self.evaluate(operand, binding, row))
            case Arithmetic():
                return calculate(
                    value.operator,
                    as_number(self.evaluate(value.left, binding, row)),
                    as_number(self.evaluate(value.right, binding, row)),
                )
            case Call():
                if value.function in ("time", "start_time", "end_time", "duration"):
                    return ask(value.function, row)
                given = [self.evaluate(one, binding, row) for one in value.arguments]
                if value.function in TEXTS and any(map(is_undefined, given)):
                    return math.nan
                if value.function in TEXTS:
                    return TEXTS[value.function](*map(as_text, given))
                return call(value.function, [as_number(one) for one in given])
            case Aggregate():
                if row is None:
                    raise ValueError(f"nothing to aggregate for: {value!r}")
                (find,) = self.aggregates
                return find(value, binding, row)
            case Wildcard() | Word():
                raise ValueError(f"no value in a checked program: {value!r}")
            case _:
                assert_never(value)

    def read_literal(self, literal: Literal_) -> Scalar:
        match literal:
            case IntLiteral() | FloatLiteral() | StrLiteral() | BoolLiteral():
                return literal.value
            case DurationLiteral(microseconds=microseconds):
                ticks = microseconds / MICROSECONDS[self.unit]
                if ticks.denominator != 1:
                    raise ValueError(f"a fraction of a tick: {literal.text}")
                return ticks.numerator
            case _:
                assert_never(literal)


def ask(moment: str, row: Moments | None) -> Number:
    """ "undefined while it is open, `end_time()` and `duration()`" """
    if row is None:
        raise ValueError(f"nothing to ask for {moment}")
    start, end = row
    if moment in ("time", "start_time"):
        return start
    if math.isinf(end):
        return math.nan
    return int(end) if moment == "end_time" else int(end) - start


def as_text(value: Scalar) -> str:
    if not isinstance(value, str):
        raise ValueError(f"not a text: {value!r}")
    return value


def as_number(value: Scalar) -> Number:
    if isinstance(value, str):
        raise ValueError(f"not a number: {value!r}")
    return value


def as_float(number: Number) -> float:
    """ "Undefined are: … an int too large for a float where one is needed"."""
    try:
        return float(number)
    except OverflowError:
        return math.nan


def calculate(sign: str, left: Number, right: Number) -> Number:
    """`/` "divides as floats"; by zero it is undefined. "`int` and `float` mix", as floats."""
    if isinstance(left, float) or isinstance(right, float):
        left, right = as_float(left), as_float(right)
    match sign:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return as_float(left) / as_float(right) if right != 0 else math.nan
        case "%":
            # "the sign of the divisor"
            if right == 0 or (isinstance(left, float) and math.isinf(left)):
                return math.nan
            return left % right
        case _:
            raise ValueError(sign)


def call(function: str, numbers: list[Number]) -> Number:
    """An undefined argument makes the result undefined, whatever the function.

    "`int` and `float` mix": as in arithmetic, a float among the arguments makes all of them floats.
    """
    if function in GEOMETRY or any(isinstance(number, float) for number in numbers):
        numbers = [as_float(number) for number in numbers]
    if any(number != number for number in numbers):
        return math.nan
    if function in GEOMETRY and any(math.isinf(number) for number in numbers):
        return math.nan
    match function:
        case "abs":
            return abs(numbers[0])
        case "sqrt":
            # "the root of a negative"
            root = as_float(numbers[0])
            return math.sqrt(root) if root >= 0 else math.nan
        case "floor" | "round":
            if isinstance(numbers[0], float) and math.isinf(numbers[0]):
                return math.nan
            exact = Fraction(numbers[0])
            # "half away from zero"
            nearest = math.floor(abs(exact) + Fraction(1, 2))
            return math.floor(exact) if function == "floor" else nearest * (-1 if exact < 0 else 1)
        case "min":
            return min(numbers)
        case "max":
            return max(numbers)
        case "angle_diff":
            turn = abs(numbers[0] - numbers[1]) % 360
            return min(turn, 360 - turn)
        case "distance":
            return measure_distance(*numbers)
        case _:
            raise ValueError(function)


def measure_distance(lon1: Number, lat1: Number, lon2: Number, lat2: Number) -> float:
    """ "in metres on a sphere of radius 6,371,008.8": the haversine formula."""
    phi1, phi2 = math.radians(lat1), math.radians(lat2)
    half_lat = (phi2 - phi1) / 2
    half_lon = (math.radians(lon2) - math.radians(lon1)) / 2
    chord = math.sin(half_lat) ** 2 + math.cos(phi1) * math.cos(phi2) * math.sin(half_lon) ** 2
    return 2 * EARTH_RADIUS * math.asin(math.sqrt(min(1.0, chord)))
