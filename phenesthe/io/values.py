"""Lists of JSON values to declared types.

An int is a JSON number without a fraction (`7` or `7.0`) that fits into 64 bits. A float may be
written as any number, and as "NaN", "Infinity" or "-Infinity", which JSON has no numbers for.
"""

from collections.abc import Callable
from typing import Any, Final

import pyarrow as pa

from phenesthe.arrow import pack
from phenesthe.io.columns import TYPES, Fit, Reason, Unfit, fit_each, mark_far
from phenesthe.io.text import fit_text_times, read_tick
from phenesthe.io.time_format import TimeFormat
from phenesthe.io.times import LIMIT
from phenesthe.vocabulary import INT_MAX, INT_MIN, Unit, ValueType


class Missing:
    """Stands where a row has no such key."""


MISSING: Final = Missing()
_NOT_FINITE = {"NaN", "Infinity", "-Infinity"}
_WHOLE: dict[ValueType, frozenset[type]] = {
    "int": frozenset({int}),
    "float": frozenset({float, int}),
    "str": frozenset({str}),
    "bool": frozenset({bool}),
}


def fit_values(values: list[Any], declared: ValueType) -> Fit:
    if set(map(type, values)) - {type(None)} <= _WHOLE[declared]:
        try:
            return Fit(pa.chunked_array([pack(values, TYPES[declared])]))
        except (OverflowError, UnicodeEncodeError):
            pass  # a number too long, or half of a surrogate pair: found below
    return fit_each(values, TYPES[declared], _READERS[declared])


def fit_value_times(values: list[Any], unit: Unit, form: TimeFormat | None = None) -> Fit:
    kinds = set(map(type, values)) - {type(None)}
    if kinds <= {int} or kinds <= {str}:
        try:
            target = pa.string() if str in kinds else pa.int64()
            column = pa.chunked_array([pack(values, target)])
            return fit_text_times(column, unit, form) if str in kinds else mark_far(column, None)
        except (OverflowError, UnicodeEncodeError):
            pass
    return fit_each(values, pa.int64(), lambda value: _read_time(value, unit, form))


def _read_time(value: Any, unit: Unit, form: TimeFormat | None) -> int:
    if isinstance(value, str):
        return read_tick(value, unit) if form is None else _read_told(value, unit, form)
    tick = _find_whole(value)
    if not -LIMIT < tick < LIMIT:
        raise Unfit(Reason.TIME_OUT_OF_RANGE)
    return tick


def _read_told(value: str, unit: Unit, form: TimeFormat) -> int:
    try:
        found = form.read(pa.chunked_array([pack([value], pa.string())]), unit)[0].as_py()
    except UnicodeEncodeError:
        raise Unfit(Reason.WRONG_TYPE) from None
    return read_tick(value, unit) if found is None else int(found)


def _read_int(value: Any) -> int:
    whole = _find_whole(value)
    if INT_MIN <= whole <= INT_MAX:
        return whole
    raise _name_problem(value)


def _find_whole(value: Any) -> int:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _name_problem(value)
    return value


def _read_float(value: Any) -> float:
    if (isinstance(value, int | float) and not isinstance(value, bool)) or (
        isinstance(value, str) and value in _NOT_FINITE
    ):
        try:
            return float(value)
        except OverflowError:
            pass
    raise _name_problem(value)


def _read_str(value: Any) -> str:
    if isinstance(value, str) and value.encode(errors="replace").decode() == value:
        return value
    raise _name_problem(value)


def _read_bool(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise _name_problem(value)


def _name_problem(value: Any) -> Unfit:
    return Unfit(Reason.MISSING_COLUMN if value is MISSING else Reason.WRONG_TYPE)


_READERS: dict[ValueType, Callable[[Any], Any]] = {
    "int": _read_int,
    "float": _read_float,
    "str": _read_str,
    "bool": _read_bool,
}
