"""Values over columns: numbers as NumPy columns, strings and truth values as ordered codes."""

import math
from typing import Any, Literal, TypeAlias, assert_never

import numpy as np
import numpy.typing as npt

from phenesthe.kernels.arrays import Mask
from phenesthe.kernels.sphere import measure
from phenesthe.vocabulary import ArithmeticOperator, ComparisonOperator

Column = npt.NDArray[Any]
Numeric: TypeAlias = Literal[
    "abs", "min", "max", "angle_diff", "distance", "sqrt", "floor", "round"
]
#: Beyond these, 64-bit arithmetic could wrap around and floats could not tell integers apart.
_SAFE_INT = 2**62
_EXACT_IN_FLOAT = 2**53


#: What a number that is not defined stands for where there is no NaN, and what is undefined.
Result: TypeAlias = tuple[Column, Mask]
_DEFINED: Mask = np.zeros(1, dtype=np.bool_)


def compute(operator: ArithmeticOperator, left: Column, right: Column) -> Result:
    """Where a float is undefined it is NaN; of whole numbers it is said."""
    if operator == "%":
        return _find_remainder(left, right)
    return _compute(operator, left, right), _DEFINED


def _find_remainder(left: Column, right: Column) -> Result:
    """With the sign of the divisor."""
    with np.errstate(all="ignore"):
        if left.dtype == np.float64 or right.dtype == np.float64:
            return np.mod(as_floats(left), as_floats(right)), _DEFINED
        undefined = np.asarray(right == 0, dtype=np.bool_)
        divisor = np.where(undefined, 1, right)
        # The least integer has no remainder by -1 in 64 bits, and by 1 the same one.
        divisor = np.where(divisor == -1, 1, divisor)
        if left.dtype != divisor.dtype:
            left, divisor = left.astype(object), divisor.astype(object)
        return np.asarray(np.mod(left, divisor)), undefined


def _compute(operator: ArithmeticOperator, left: Column, right: Column) -> Column:
    with np.errstate(all="ignore"):
        match operator:
            case "+":
                return _exact(np.add, left, right)
            case "-":
                return _exact(np.subtract, left, right)
            case "*":
                return _exact(np.multiply, left, right)
            case "/":
                divisor = as_floats(right)
                return np.where(divisor == 0, np.nan, as_floats(left) / divisor)
            case "%":
                raise AssertionError("a remainder may be undefined")
            case _:
                assert_never(operator)


def _exact(function: np.ufunc, left: Column, right: Column) -> Column:
    """Integers stay exact: where 64 bits might not be enough, Python's integers do it."""
    if left.dtype == np.float64 or right.dtype == np.float64:
        return np.asarray(function(as_floats(left), as_floats(right)))
    if left.dtype == np.int64 and right.dtype == np.int64:
        estimate = function(left.astype(np.float64), right.astype(np.float64))
        if estimate.size and float(np.max(np.abs(estimate))) >= _SAFE_INT:
            return np.asarray(function(left.astype(object), right.astype(object)))
    return np.asarray(function(left, right))


def as_floats(column: Column) -> Column:
    """An integer too large for any float has none: it is undefined."""
    if column.dtype != object:
        return column.astype(np.float64)
    found = [_as_float(value) for value in column.flat]
    return np.array(found, dtype=np.float64).reshape(column.shape)


def _as_float(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.nan


def negate(operand: Column) -> Column:
    return _compute("-", np.zeros(1, dtype=np.int64), operand)


def call(function: Numeric, arguments: list[Column]) -> Result:
    match function:
        case "floor" | "round":
            return _make_whole(function, arguments[0])
        case _:
            return _call(function, arguments), _DEFINED


def _make_whole(function: Literal["floor", "round"], column: Column) -> Result:
    """Whole numbers, however large the float is."""
    if column.dtype != np.float64:
        return column, _DEFINED
    undefined: Mask = ~np.isfinite(column)
    found = np.where(undefined, 0.0, column)
    if function == "floor":
        found = np.floor(found)
    else:
        nearer = np.trunc(found)
        found = nearer + np.where(np.abs(found - nearer) >= 0.5, np.copysign(1.0, found), 0.0)
    if np.any(np.abs(found) >= _SAFE_INT):
        return np.array([int(value) for value in found], dtype=object), undefined
    return found.astype(np.int64), undefined


def _call(
    function: Literal["abs", "min", "max", "angle_diff", "distance", "sqrt"],
    arguments: list[Column],
) -> Column:
    with np.errstate(all="ignore"):
        match function:
            case "abs":
                # Not `np.abs`: the least integer has no opposite in 64 bits.
                return np.maximum(arguments[0], negate(arguments[0]))
            case "sqrt":
                return np.sqrt(as_floats(arguments[0]))
            case "min" | "max":
                choose = np.minimum if function == "min" else np.maximum
                if any(argument.dtype == np.float64 for argument in arguments):
                    # Integers beyond 64 bits too: a float makes all of them floats.
                    arguments = [as_floats(argument) for argument in arguments]
                result = arguments[0]
                for other in arguments[1:]:
                    result = choose(result, other)
                return result
            case "angle_diff":
                first, second = (as_floats(argument) for argument in arguments)
                turn = np.abs(first - second) % 360.0
                return np.asarray(np.minimum(turn, 360.0 - turn))
            case "distance":
                radians = (np.radians(as_floats(argument)) for argument in arguments)
                lon1, lat1, lon2, lat2 = radians
                return measure(lat1, lat2, lon2 - lon1)
            case _:
                assert_never(function)


def compare(operator: ComparisonOperator, left: Column, right: Column) -> Mask:
    """False wherever a side is undefined, whatever the operator."""
    if left.dtype != right.dtype and (_is_large(left) or _is_large(right)):
        left, right = left.astype(object), right.astype(object)
    with np.errstate(all="ignore"):
        match operator:
            case "<":
                holds = left < right
            case "<=":
                holds = left <= right
            case ">":
                holds = left > right
            case ">=":
                holds = left >= right
            case "==":
                holds = left == right
            case "!=":
                holds = (left != right) & ~(_is_undefined(left) | _is_undefined(right))
            case _:
                assert_never(operator)
    return np.asarray(holds, dtype=np.bool_)


def _is_large(column: Column) -> bool:
    """Integers that a float comparison would round."""
    if column.dtype == object:
        return True
    if column.dtype != np.int64 or not column.size:
        return False
    return bool(np.max(column) > _EXACT_IN_FLOAT or np.min(column) < -_EXACT_IN_FLOAT)


def _is_undefined(column: Column) -> Mask:
    if column.dtype == object:
        found = [isinstance(value, float) and math.isnan(value) for value in column.flat]
        return np.array(found, dtype=np.bool_).reshape(column.shape)
    if column.dtype == np.float64:
        return np.isnan(column)
    return np.zeros(column.shape, dtype=np.bool_)
