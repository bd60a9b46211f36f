"""What Parquet files of this machine say of themselves: columns, types and statistics.

Where these tell that every row fits, nobody has to look at the rows before they are used.
"""

from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from phenesthe.engines.spark.reading.conversions import Stored, find_stored
from phenesthe.files.opening import opening_parquet
from phenesthe.io.read_tables import refusing
from phenesthe.io.spelling import fold

_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Statistics:
    """Of a column: how many rows are null, the least and the greatest number. None: not told."""

    nulls: int | None = None
    least: int | None = None
    greatest: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Footer:
    path: Path
    rows: int
    columns: list[str]
    stored: dict[str, Stored | None]
    statistics: dict[str, Statistics]


def read_footers(paths: Sequence[Path], wanted: Collection[str]) -> list[Footer]:
    """In the order of the paths. Types and statistics are of the wanted columns, as far as names
    tell, which a file may spell in another way."""
    if len(paths) == 1:
        return [_read_footer(paths[0], wanted)]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(lambda path: _read_footer(path, wanted), paths))


def _read_footer(path: Path, wanted: Collection[str]) -> Footer:
    with refusing(path), opening_parquet(path) as file:
        schema, metadata = file.schema_arrow, file.metadata
        places = {metadata.schema.column(at).path: at for at in range(metadata.num_columns)}
        alike = {fold(one) for one in wanted}
        chosen = [one for one in schema if one.name in wanted or fold(one.name) in alike]
        # Spark does not tell `t` from `T`.
        folded = [name.lower() for name in schema.names]
        return Footer(
            path=path,
            rows=metadata.num_rows,
            columns=list(schema.names),
            stored={
                field.name: _find_stored(field, metadata, places)
                if folded.count(field.name.lower()) == 1
                else None
                for field in chosen
            },
            statistics={
                field.name: _read_statistics(field, metadata, places[field.name])
                for field in chosen
                if field.name in places
            },
        )


def _find_stored(field: pa.Field, metadata: Any, places: dict[str, int]) -> Stored | None:
    at = places.get(field.name)  # a nested column has only parts
    if at is None:
        return None
    return find_stored(field.type, metadata.schema.column(at).physical_type)


def _read_statistics(field: pa.Field, metadata: Any, at: int) -> Statistics:
    groups = [metadata.row_group(one) for one in range(metadata.num_row_groups)]
    found = [(one.column(at).statistics, one.num_rows) for one in groups if one.num_rows]
    if any(one is None or not one.has_null_count for one, _ in found):
        return Statistics()
    nulls = sum(one.null_count for one, _ in found)
    numbers = [one for one, rows in found if one.null_count < rows]
    if pa.types.is_unsigned_integer(field.type) or not all(
        one.has_min_max and one.physical_type in ("INT32", "INT64") for one in numbers
    ):
        return Statistics(nulls)
    least = min((one.min_raw for one in numbers), default=None)
    return Statistics(nulls, least, max((one.max_raw for one in numbers), default=None))


def join_statistics(members: Sequence[Footer], column: str) -> Statistics:
    """Of some files together; what one does not tell is not known."""
    nulls, numbers = 0, []
    for one in members:
        found = one.statistics[column]
        if found.nulls is None:
            return Statistics()
        nulls += found.nulls
        if found.nulls < one.rows:
            numbers.append((found.least, found.greatest))
    least = [low for low, _ in numbers if low is not None]
    greatest = [high for _, high in numbers if high is not None]
    if len(least) < len(numbers) or not least or not greatest:
        return Statistics(nulls)
    return Statistics(nulls, min(least), max(greatest))
