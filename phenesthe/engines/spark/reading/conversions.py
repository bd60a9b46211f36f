"""What a column holds, and how Spark itself makes a declared type of it.

Spark converts only what it surely converts as the local engine does, row by row: a row it is not
sure of is judged by the local engine's own code. So the conditions here are sufficient for a row to
fit, and need not be necessary.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Literal, TypeAlias

import pyarrow as pa
from pyspark.sql import Column
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from phenesthe.engines.spark.layout import SQL_TYPES
from phenesthe.io.times import LIMIT, PER_SECOND, TICKS_PER_SECOND
from phenesthe.vocabulary import Unit, ValueType

#: `count` is a whole number of parts of a second since 1970, `day` one of days. `other` is left to
#: the local engine.
Form: TypeAlias = Literal[
    "whole", "real", "text", "truth", "count", "stamp", "zoneless", "date", "day", "null", "other"
]
#: Every whole number up to here is a float, and no other number looks like it.
_EXACT = 2**53
_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Held:
    form: Form
    #: Of a `count`.
    per_second: int = 1


@dataclass(frozen=True, slots=True)
class Stored:
    """A column of a Parquet file: the type to ask Spark for, and the file's own where it differs.

    Spark has neither nanoseconds nor unsigned numbers, and would turn seconds into microseconds.
    Counts are asked for as they are stored.
    """

    sql: str
    held: Held
    own: pa.DataType | None = None


_BY_TYPE: dict[type[st.DataType], Form] = {
    st.ByteType: "whole",
    st.ShortType: "whole",
    st.IntegerType: "whole",
    st.LongType: "whole",
    st.FloatType: "real",
    st.DoubleType: "real",
    st.StringType: "text",
    st.BooleanType: "truth",
    st.TimestampType: "stamp",
    st.TimestampNTZType: "zoneless",
    st.DateType: "date",
    st.NullType: "null",
}

_STORED: dict[pa.DataType, Stored] = {
    pa.int8(): Stored("tinyint", Held("whole")),
    pa.int16(): Stored("smallint", Held("whole")),
    pa.int32(): Stored("int", Held("whole")),
    pa.int64(): Stored("bigint", Held("whole")),
    pa.uint8(): Stored("smallint", Held("whole"), pa.uint8()),
    pa.uint16(): Stored("int", Held("whole"), pa.uint16()),
    pa.uint32(): Stored("bigint", Held("whole"), pa.uint32()),
    pa.uint64(): Stored("decimal(20, 0)", Held("other"), pa.uint64()),
    pa.float32(): Stored("float", Held("real")),
    pa.float64(): Stored("double", Held("real")),
    pa.string(): Stored("string", Held("text")),
    pa.large_string(): Stored("string", Held("text")),
    pa.string_view(): Stored("string", Held("text")),
    pa.bool_(): Stored("boolean", Held("truth")),
    pa.null(): Stored("int", Held("null")),
    pa.date32(): Stored("int", Held("day"), pa.date32()),
    pa.binary(): Stored("binary", Held("other")),
    pa.large_binary(): Stored("binary", Held("other")),
}


def find_held(given: st.DataType) -> Held:
    """What a column of a Spark frame holds."""
    return Held(_BY_TYPE.get(type(given), "other"))


def find_stored(given: pa.DataType, physical: str) -> Stored | None:
    """How a column of a Parquet file is read; None if Spark cannot read it as it is."""
    if pa.types.is_dictionary(given):
        return find_stored(given.value_type, physical)
    if pa.types.is_timestamp(given):
        if physical == "INT96":  # a day and nanoseconds, of which Spark makes microseconds
            return Stored("timestamp", Held("stamp"), given)
        return Stored("bigint", Held("count", PER_SECOND[given.unit]), given)
    if pa.types.is_duration(given) or pa.types.is_time64(given):
        return Stored("bigint", Held("other"), given)
    if pa.types.is_time32(given):
        return Stored("int", Held("other"), given)
    if pa.types.is_fixed_size_binary(given):
        return Stored("binary", Held("other"), given)
    if pa.types.is_decimal128(given):
        return Stored(f"decimal({given.precision}, {given.scale})", Held("other"))
    return _STORED.get(given)


@dataclass(frozen=True, slots=True)
class Made:
    """A column of a declared type, and what is true of the rows in which it surely fits."""

    value: Column
    conditions: Sequence[Column] = ()


def make_argument(column: Column, held: Held, declared: ValueType) -> Made | None:
    """None where only the local engine knows. Nothing is said of nulls."""
    target = SQL_TYPES[declared]
    match declared, held.form:
        case _, "null":
            return Made(sf.lit(None).cast(target))
        case "int", "real":
            return _make_whole(column)
        case ("int", "whole") | ("float", "whole" | "real") | ("bool", "truth"):
            return Made(column.cast(target))
        case "str", "text":
            # The cast drops a collation.
            return Made(column.cast(target), [sf.is_valid_utf8(column)])
        case _:
            return None


def make_time(column: Column, held: Held, unit: Unit) -> Made | None:
    """Ticks; the same, with nulls for what is too far from 1970 to be counted."""
    match held.form:
        case "whole" | "null":
            return Made(column.cast("bigint"))
        case "real":
            return _make_whole(column)
        case "count":
            return Made(_scale(column, held.per_second, unit))
        case "stamp":
            return Made(_scale(sf.unix_micros(column), 1_000_000, unit))
        case "zoneless":
            since = column - sf.lit("1970-01-01 00:00:00").cast("timestamp_ntz")
            seconds = since.cast("interval second").cast("decimal(20, 6)")
            return Made(_scale((seconds * 1_000_000).cast("bigint"), 1_000_000, unit))
        case "date" | "day":
            days = sf.unix_date(column) if held.form == "date" else column
            return Made(_scale(days.cast("bigint") * _DAY, 1, unit))
        case _:
            return None


def is_tick(ticks: Column) -> list[Column]:
    return [ticks > sf.lit(-LIMIT), ticks < sf.lit(LIMIT)]


def scale_count(count: int, held: Held, unit: Unit) -> int:
    """The same for one number, as a file has it."""
    scale = TICKS_PER_SECOND[unit]
    if held.form == "whole":
        return count
    if held.form == "day":
        return count * _DAY * scale
    if held.per_second > scale:
        return count // (held.per_second // scale)
    return count * (scale // held.per_second)


def join_conditions(conditions: Sequence[Column]) -> Column:
    return reduce(and_, conditions) if conditions else sf.lit(True)


def _make_whole(column: Column) -> Made:
    near = [column >= sf.lit(-_EXACT), column <= sf.lit(_EXACT), column == sf.rint(column)]
    return Made(column.try_cast("bigint"), near)


def _scale(count: Column, per_second: int, unit: Unit) -> Column:
    scale = TICKS_PER_SECOND[unit]
    if per_second == scale:
        return count
    if per_second < scale:
        return sf.try_multiply(count, sf.lit(scale // per_second))
    parts = sf.lit(per_second // scale)
    # Rounded down before 1970 too, where `div` rounds up.
    return sf.call_function("div", count, parts) - (count % parts < 0).cast("bigint")
