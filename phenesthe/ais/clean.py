"""The reports of many vessels as tracks: one ship each, one report an instant, no jumps.

Nothing depends on the order in which rows come, nor on which vessels are cleaned together: both
engines find the same. Every row that goes is counted by its reason.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.ais.motion import derive_motion
from phenesthe.ais.normalise import FLOATS, SCHEMA, Chunk
from phenesthe.ais.settings import Settings
from phenesthe.ais.split import split_tracks
from phenesthe.ais.track import list_measures, view_track
from phenesthe.arrow import to_ints, wrap
from phenesthe.kernels.arrays import Array, Mask


def clean_tracks(chunk: Chunk, settings: Settings) -> Chunk:
    """Sorted by vessel and time, with a speed, a course and a heading in every row."""
    tidy = _drop_duplicates(replace(chunk, rows=sort_reports(chunk.rows)))
    track = view_track(tidy.rows)
    tidy = tidy.keep(split_tracks(track, settings))
    tidy = tidy.keep({"same_instant": _mark_same(tidy.rows, ("vessel", "t"))})
    return derive_motion(tidy, settings)


def sort_reports(rows: Any) -> Any:
    """By vessel and time; where both are the same, by all the rest, unknown values last."""
    rows = rows.combine_chunks()
    vessel, t = to_ints(rows["vessel"]), to_ints(rows["t"])
    if len(t) and not _is_sorted(vessel, t):
        order = np.lexsort((t, vessel))
        rows = rows.take(wrap(order))
        vessel, t = vessel[order], t[order]
    tied = np.zeros(len(t), dtype=bool)
    tied[1:] = (vessel[1:] == vessel[:-1]) & (t[1:] == t[:-1])
    tied[:-1] |= tied[1:]
    if not tied.any():
        return rows
    places = np.flatnonzero(tied)
    some = rows.take(wrap(places))
    keys = [_rank(some["type"]), *(list_measures(some[name]) for name in reversed(FLOATS))]
    inner = np.lexsort((*keys, t[places], vessel[places]))
    order = np.arange(len(t))
    order[places] = places[inner]
    return rows.take(wrap(order))


def _is_sorted(vessel: Array, t: Array) -> bool:
    same = vessel[1:] == vessel[:-1]
    return bool(((vessel[1:] > vessel[:-1]) | (same & (t[1:] >= t[:-1]))).all())


def _rank(column: Any) -> npt.NDArray[np.int64]:
    """Places in the order of texts, null last."""
    places = pc.rank(column, sort_keys="ascending", tiebreaker="dense")
    return to_ints(pa.chunked_array([places]))


def _drop_duplicates(chunk: Chunk) -> Chunk:
    """One of the reports of a vessel that say the same place at the same instant."""
    is_same = _mark_same(chunk.rows, ("vessel", "t", "lon", "lat"))
    return chunk.keep({"duplicate": is_same})


def _mark_same(rows: Any, names: tuple[str, ...]) -> Mask:
    """Which rows are the same in these columns as the one before."""
    is_same = np.ones(rows.num_rows, dtype=bool)
    is_same[:1] = False
    for name in names:
        whole = SCHEMA.field(name).type == pa.int64()
        values = to_ints(rows[name]) if whole else list_measures(rows[name])
        is_same[1:] &= values[1:] == values[:-1]
    return is_same
