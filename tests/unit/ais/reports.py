"""Reports made by hand, for the tests of reading and cleaning."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from phenesthe.ais.clean import clean_tracks
from phenesthe.ais.normalise import SCHEMA, Chunk
from phenesthe.ais.settings import Settings

#: Metres of a degree of latitude, about.
DEGREE = 111_195.0
KNOT = 1852 / 3600
V = 219001559


def make_reports(*rows: Sequence[Any]) -> pa.Table:
    """Rows of vessel, t, lon, lat, and then speed, course, heading, type as far as given."""
    full = [(*row, *[None] * (len(SCHEMA) - len(row))) for row in rows]
    columns = zip(*full, strict=True) if full else ((),) * len(SCHEMA)
    arrays = [pa.array(one, kind) for one, kind in zip(columns, SCHEMA.types, strict=True)]
    return pa.table(arrays, schema=SCHEMA)


def sail(
    vessel: int, t: range, lon: float, lat: float, knots: float = 10.0
) -> list[tuple[float, ...]]:
    """Northwards, a report each step."""
    return [(vessel, at, lon, lat + (at - t.start) * knots * KNOT / DEGREE, knots, 0.0) for at in t]


def clean(table: pa.Table, settings: Settings | None = None) -> tuple[pa.Table, Counter[str]]:
    """What is kept and what is dropped; nothing gets lost between."""
    found = clean_tracks(Chunk(table, table.num_rows), settings or Settings())
    assert found.rows.num_rows + found.dropped.total() == table.num_rows
    return found.rows, found.dropped
