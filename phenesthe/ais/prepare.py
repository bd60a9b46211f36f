"""From checked reports to the tables of the library, a group of vessels at a time.

This is all that both engines do with reports once those of a vessel are together. Only proximity
needs vessels that are close to each other, and comes after it (`proximity`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from phenesthe.ais.areas import Areas
from phenesthe.ais.clean import clean_tracks, sort_reports
from phenesthe.ais.crossings import find_crossings
from phenesthe.ais.normalise import Chunk
from phenesthe.ais.points import find_critical_points
from phenesthe.ais.settings import Settings
from phenesthe.ais.tables import fit_table
from phenesthe.ais.vessel_types import find_types
from phenesthe.arrow import to_ints
from phenesthe.kernels.order import mark_new

#: Reports that are worked on at once; more only take more memory.
_GROUP = 500_000


@dataclass(frozen=True, slots=True)
class Group:
    """Clean reports of some vessels, how many these are, and what was found."""

    chunk: Chunk
    vessels: int
    tables: dict[str, Any]


def prepare_vessels(reports: Any, types: Any, areas: Areas, settings: Settings) -> Iterator[Group]:
    """All that follows from the reports of each vessel by itself.

    `reports` has all reports of its vessels, in any order, and `types` what else they have told of
    their types.
    """
    ordered = sort_reports(reports)
    for rows in _cut(ordered):
        chunk = clean_tracks(Chunk(rows, rows.num_rows), settings)
        track = chunk.rows
        tables = {"ais": track, **find_critical_points(track, settings)}
        tables |= find_crossings(track, areas, settings)
        tables["vessel_type"] = find_types(track, types)
        fitted = {name: fit_table(name, table) for name, table in tables.items()}
        yield Group(chunk, fitted["vessel_type"].num_rows, fitted)


def _cut(rows: Any) -> Iterator[Any]:
    """Slices of whole vessels."""
    begins = np.flatnonzero(mark_new(to_ints(rows["vessel"])))
    start = 0
    while start < rows.num_rows:
        after = np.searchsorted(begins, start + _GROUP)
        stop = int(begins[after]) if after < len(begins) else rows.num_rows
        yield rows.slice(start, stop - start)
        start = stop


def join_tables(tables: list[Any], schema: Any) -> Any:
    return pa.concat_tables([schema.empty_table(), *tables])
