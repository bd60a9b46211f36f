"""A column made to fit its declared type, and the reasons why a row may not."""

from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.arrow import pack, to_ints
from phenesthe.check.program import Signature
from phenesthe.frozen import dataclass
from phenesthe.io.times import LIMIT
from phenesthe.vocabulary import ValueType

Codes: TypeAlias = npt.NDArray[np.int8]
Mask: TypeAlias = npt.NDArray[np.bool_]
Numbers: TypeAlias = npt.NDArray[np.int64]

TYPES: dict[ValueType, Any] = {
    "int": pa.int64(),
    "float": pa.float64(),
    "str": pa.string(),
    "bool": pa.bool_(),
}


class Reason(IntEnum):
    """Why a row was set aside. The texts are an interface: rejects are counted by them."""

    MISSING_COLUMN = 1
    WRONG_TYPE = 2
    NULL_ARGUMENT = 3
    NO_TIME = 4
    TIME_OUT_OF_RANGE = 5
    TE_NOT_AFTER_TS = 6
    UNKNOWN_OP = 7
    WRONG_NUMBER_OF_COLUMNS = 8
    WRONG_NUMBER_OF_ARGUMENTS = 9
    UNREADABLE_LINE = 10
    UNKNOWN_NAME = 11
    RETRACTION_OF_NOTHING = 12
    TOO_LATE = 13
    LINE_TOO_LONG = 14

    @property
    def text(self) -> str:
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True, slots=True)
class Fit:
    """Typed values, null where the row has none or a wrong one, and what is wrong (0: nothing).

    `problems` is None when no row has one, which is how good columns cost nothing.
    """

    values: Any
    problems: Codes | None = None


class Unfit(Exception):
    """One value does not fit; carries the reason."""

    def __init__(self, reason: Reason) -> None:
        self.reason = reason


def list_times(signature: Signature) -> tuple[str, ...]:
    """The time columns of a table."""
    match signature.kind:
        case "event":
            return ("t",)
        case "state" | "dynamic":
            return ("ts", "te")
        case None:
            return ()


def make_schema(signature: Signature, arguments: Iterable[str] | None = None) -> Any:
    """What a table that fits looks like, of all arguments or of those named."""
    types = dict(zip(signature.arguments, signature.types, strict=True))
    chosen = signature.arguments if arguments is None else tuple(arguments)
    return pa.schema(
        [(name, TYPES[types[name]]) for name in signature.arguments if name in chosen]
        + [(name, pa.int64()) for name in list_times(signature)]
    )


def make_table(schema: Any, columns: list[Any], count: int) -> Any:
    """A table that knows its number of rows even if it has no column."""
    if not columns:
        return pa.table({"row": pa.nulls(count)}).select([])
    return pa.Table.from_arrays(columns, schema=schema)


def join_tables(schema: Any, tables: list[Any]) -> Any:
    if len(tables) == 1:
        return tables[0]
    if not tables or not schema.names:
        return make_table(
            schema,
            [pa.chunked_array([], field.type) for field in schema],
            sum(table.num_rows for table in tables),
        )
    return pa.concat_tables(tables)


def mark_unreadable(values: Any, wrong: Mask) -> Fit:
    """Values of which some are of a wrong type."""
    if not wrong.any():
        return Fit(values)
    return Fit(values, np.where(wrong, np.int8(Reason.WRONG_TYPE), np.int8(0)))


def mark_far(values: Any, far: Mask | None) -> Fit:
    """Ticks of which those beyond the accepted range are marked, `far` among them."""
    ends = pc.min_max(values).as_py()
    if far is None and (ends["min"] is None or (ends["min"] > -LIMIT and ends["max"] < LIMIT)):
        return Fit(values)
    ticks = to_ints(values)
    outside = (ticks <= -LIMIT) | (ticks >= LIMIT)
    if far is not None:
        outside |= far
    return Fit(values, np.where(outside, np.int8(Reason.TIME_OUT_OF_RANGE), np.int8(0)))


def add_problems(fit: Fit, earlier: Codes | None) -> Fit:
    """Both problems of a column; a row with an earlier one has no value and no later one."""
    if earlier is None or fit.problems is None:
        return Fit(fit.values, earlier if fit.problems is None else fit.problems)
    return Fit(fit.values, np.where(earlier != 0, earlier, fit.problems))


def fit_each(values: Iterable[Any], target: Any, read: Callable[[Any], Any]) -> Fit:
    """Value by value, for columns in which something does not fit. `read` may raise `Unfit`."""
    good: list[Any] = []
    problems: list[int] = []
    for value in values:
        try:
            good.append(None if value is None else read(value))
            problems.append(0)
        except Unfit as unfit:
            good.append(None)
            problems.append(unfit.reason)
    codes = np.array(problems, dtype=np.int8)
    return Fit(pa.chunked_array([pack(good, target)]), codes if codes.any() else None)
