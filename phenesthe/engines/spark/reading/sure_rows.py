"""The rows of a typed source that surely fit, as Spark expressions, and what footers prove of them.

Everything here is Catalyst's: a frame of such rows takes filters and columns down to its scan.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyspark.sql import Column
from pyspark.sql import functions as sf

from phenesthe.engines.spark.reading.conversions import (
    Held,
    Made,
    is_tick,
    join_conditions,
    make_argument,
    make_time,
    scale_count,
)
from phenesthe.engines.spark.reading.footers import Statistics
from phenesthe.engines.spark.reading.sources import Part, Typed
from phenesthe.io.columns import list_times
from phenesthe.io.extent import Extent, choose
from phenesthe.io.times import LIMIT
from phenesthe.vocabulary import Unit


@dataclass(frozen=True, slots=True)
class SureRows:
    """`values` are those of the arguments and times, as declared.

    `conditions` are what is left to be seen of the rows; together they hold of rows that fit.
    """

    values: Mapping[str, Column]
    conditions: Sequence[Column]
    arrival: Column | None
    retract: Column | None
    #: Of all rows, if nothing is left to be seen.
    extent: Extent | None


def find_sure_rows(typed: Typed) -> SureRows | None:
    """None if the rows have to be judged by the local engine, every one of them."""
    judge = typed.judge
    signature, unit = judge.signature, judge.clock.unit
    parts = {part.column: part for part in typed.parts}
    values: dict[str, Column] = {}
    conditions: list[Column] = []
    types = dict(zip(signature.arguments, signature.types, strict=True))
    for name in judge.list_arguments():
        part = parts.get(judge.names[name])
        made = None if part is None else make_argument(_get(part), part.held, types[name])
        if part is None or made is None:
            return None
        values[name] = made.value
        conditions += _is_there(part)
        conditions += made.conditions
    times = list_times(signature)
    for name in times:
        part = parts.get(judge.names[name])
        made = None if part is None else make_time(_get(part), part.held, unit)
        if part is None or made is None:
            return None
        values[name] = made.value
        near = _is_near(part, made, unit)
        if name != "te":
            conditions += [*_is_there(part), *near]
        elif part.statistics.nulls is None or part.statistics.nulls != typed.rows:
            near = [*near, made.value > values["ts"]]
            conditions.append(_get(part).isNull() | join_conditions(near))
    arrival = retract = None
    part = None if "arrival" in signature.arguments else parts.get(judge.names["arrival"])
    if part is not None:
        made = make_time(_get(part), part.held, unit)
        if made is None:
            return None
        arrival = made.value
        near = _is_near(part, made, unit)
        if near:
            conditions.append(_get(part).isNull() | join_conditions(near))
    part = None if "op" in signature.arguments else parts.get(judge.names["op"])
    if part is not None and part.held.form != "null":
        if part.held.form != "text":
            return None
        conditions.append(_get(part).isNull() | _get(part).isin("insert", "retract"))
        retract = sf.coalesce(_get(part) == "retract", sf.lit(False))
    if typed.rows == 0:
        return SureRows(values, [], arrival, None, Extent())
    extent = None
    if not conditions and retract is None:
        extent = _find_extent(typed, [parts[judge.names[name]] for name in times], unit)
    if extent is not None and arrival is not None:
        extent.arrivals = parts[judge.names["arrival"]].statistics.nulls != typed.rows
    return SureRows(values, conditions, arrival, retract, extent)


def _get(part: Part) -> Column:
    return sf.col(part.slot)


def _is_there(part: Part) -> list[Column]:
    return [] if part.statistics.nulls == 0 else [_get(part).isNotNull()]


def _is_near(part: Part, made: Made, unit: Unit) -> list[Column]:
    """What makes a time a tick, if the file does not tell that all are."""
    ends = _list_ends(part.held, part.statistics, unit)
    if not made.conditions and ends and all(-LIMIT < end < LIMIT for end in ends):
        return []
    return [*made.conditions, *is_tick(made.value)]


def _list_ends(held: Held, statistics: Statistics, unit: Unit) -> list[int]:
    if held.form not in ("whole", "count", "day"):
        return []
    raw = (statistics.least, statistics.greatest)
    return [scale_count(one, held, unit) for one in raw if one is not None]


def _find_extent(typed: Typed, times: Sequence[Part], unit: Unit) -> Extent | None:
    """From the footers; None if they do not have it all."""
    if typed.rows is None:
        return None
    ends: list[int] = []
    for part in times:
        found = _list_ends(part.held, part.statistics, unit)
        if not found and part.statistics.nulls != typed.rows:
            return None
        ends += found
    return Extent(typed.rows, choose(min, *ends), choose(max, *ends))
