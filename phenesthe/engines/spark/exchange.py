"""Frames on their way into a stage, and out of it again."""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_, or_

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from phenesthe.check.program import Signature
from phenesthe.engines.spark.layout import SQL_TYPES, Layout, Table
from phenesthe.graph.scan import Scan, Test
from phenesthe.plan.routes import Route
from phenesthe.vocabulary import ValueType


def write_filter(scan: Scan, signature: Signature) -> Column:
    """Rows that some use of the input can match. Spark takes the condition to the scan."""
    types = dict(zip(signature.arguments, signature.types, strict=True))
    return reduce(
        or_,
        (
            reduce(and_, (_write_test(test, types[test.column]) for test in alternative))
            for alternative in scan.alternatives
        ),
    )


def _write_test(test: Test, type_name: ValueType) -> Column:
    """Rows of NaN may pass, for which a comparison is false: who takes the rows looks again.

    The statistics and dictionaries of Parquet know two zeros, -0.0 before 0.0. A test with zero
    therefore has both of them on the same side.
    """
    column = pick(test.column)
    is_zero = type_name == "float" and test.value == 0
    least = sf.lit(-0.0 if is_zero else test.value)
    greatest = sf.lit(0.0) if is_zero else least
    match test.operator:
        case "<":
            return column < least
        case "<=":
            return column <= greatest
        case ">":
            return column > greatest
        case ">=":
            return column >= least
        case "==":
            return (column >= least) & (column <= greatest) if is_zero else column == least
        case "!=":
            return (column < least) | (column > greatest) if is_zero else column != least


def pick(name: str) -> Column:
    """A column by its name, whatever is in the name."""
    escaped = name.replace("`", "``")
    return sf.col(f"`{escaped}`")


def lay(frame: DataFrame, table: Table, layout: Layout, *more: str) -> DataFrame:
    """The rows of one table in the slots of all, and what else is asked for as SQL.

    What names a user chose is gone from here on, so that ours cannot collide with them. SQL and not
    columns, because every column is a handful of calls to the JVM.
    """
    names = {slot: name for name, slot in table.list_fields()}
    columns = [f"int({table.tag}) AS tag"]
    for slot, type_name in layout.slots.items():
        value = f"`{names[slot]}`" if slot in names else "NULL"
        columns.append(f"CAST({value} AS {SQL_TYPES[type_name]}) AS {slot}")
    return frame.selectExpr(*columns, *more)


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
    frame = frames[route.name]
    names = [signatures[route.name].arguments[at] for at in route.positions]
    if route.through is None:
        return lay(frame, table, layout, f"{choose_bucket(names, count)} AS bucket")
    through = route.through
    whole = [signatures[through.name].arguments[at] for at in through.positions]
    parts = [f"part_{part}" for part in through.parts]
    # Each row once to each partition, however many keys of the partition it takes part in.
    keys = (
        frames[through.name]
        .selectExpr(
            *[f"`{whole[part]}` AS part_{part}" for part in through.parts],
            f"{choose_bucket(whole, count)} AS bucket",
        )
        .distinct()
    )
    own = [table.columns[name] for name in names]
    matches = " AND ".join(f"{slot} = {part}" for slot, part in zip(own, parts, strict=True))
    return lay(frame, table, layout).join(keys, sf.expr(matches)).drop(*parts)


def choose_bucket(names: Sequence[str], count: int) -> str:
    """The partition of a row by its values, as SQL. What is equal to us is equal to this hash."""
    if not names:
        return "int(0)"
    return f"pmod(hash({', '.join(f'`{name}`' for name in names)}), {count})"
