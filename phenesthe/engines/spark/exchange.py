"""Frames on their way into a stage, and out of it again."""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_, or_

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from phenesthe.check.program import Signature
from phenesthe.engines.spark.layout import SQL_TYPES, Layout, Table
from phenesthe.plan.routes import Route
from phenesthe.plan.scans import Scan, Test


def write_filter(scan: Scan) -> Column:
    """Rows that some use of the input can match. Spark takes the condition to the scan."""
    return reduce(
        or_,
        (reduce(and_, map(_write_test, alternative)) for alternative in scan.alternatives),
    )


def _write_test(test: Test) -> Column:
    column, value = pick(test.column), sf.lit(test.value)
    match test.operator:
        case "<":
            return column < value
        case "<=":
            return column <= value
        case ">":
            return column > value
        case ">=":
            return column >= value
        case "==":
            return column == value
        case "!=":
            return column != value


def pick(name: str) -> Column:
    """A column by its name, whatever is in the name."""
    return sf.col(f"`{name}`")


def lay(frame: DataFrame, table: Table, layout: Layout) -> DataFrame:
    """The rows of one table in the slots of all.

    What names a user chose is gone from here on, so that ours cannot collide with them.
    """
    names = {slot: name for name, slot in table.list_fields()}
    columns = [sf.lit(table.tag).cast("int").alias("tag")]
    for slot, type_name in (*layout.slots.items(), ("ts", "int"), ("te", "int")):
        value = pick(names[slot]) if slot in names else sf.lit(None)
        columns.append(value.cast(SQL_TYPES[type_name]).alias(slot))
    return frame.select(*columns)


def take(found: DataFrame, table: Table) -> DataFrame:
    """One table out of those that travelled together."""
    fields = [sf.col(slot).alias(name) for name, slot in table.list_fields()]
    return found.filter(sf.col("tag") == table.tag).select(*fields)


def send(
    route: Route,
    frames: Mapping[str, DataFrame],
    signatures: Mapping[str, Signature],
    table: Table,
    layout: Layout,
    count: int,
) -> DataFrame:
    """The laid-out rows with the partition each goes to, in the column `bucket`."""
    laid = lay(frames[route.name], table, layout)
    arguments = signatures[route.name].arguments
    own = [sf.col(table.columns[arguments[at]]) for at in route.positions]
    if route.through is None:
        return laid.withColumn("bucket", _choose_bucket(own, count))
    through = route.through
    arguments = signatures[through.name].arguments
    whole = [pick(arguments[at]) for at in through.positions]
    parts = [f"part_{part}" for part in through.parts]
    keys = frames[through.name].select(
        *[whole[part].alias(f"part_{part}") for part in through.parts],
        _choose_bucket(whole, count).alias("bucket"),
    )
    # Each row once to each partition, however many keys of the partition it takes part in.
    matches = reduce(and_, (one == sf.col(part) for one, part in zip(own, parts, strict=True)))
    return laid.join(keys.distinct(), matches).drop(*parts)


def _choose_bucket(key: Sequence[Column], count: int) -> Column:
    if not key:
        return sf.lit(0)
    return sf.pmod(sf.hash(*key), sf.lit(count))
