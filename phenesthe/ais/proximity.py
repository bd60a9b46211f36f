"""Which vessels are close to each other, and when.

Three steps, each for a part of the data: positions by cell and slot (`list_slots`), the pairs in a
cell (`pair_slots`), and the intervals of a pair (`join_slots`). Never all pairs: the cost grows
with the positions and the pairs found.
"""

from itertools import pairwise

import numpy as np
import pyarrow as pa

from phenesthe.ais.settings import Settings
from phenesthe.ais.slots import bound_slots, list_slots
from phenesthe.ais.stays import collect_stays, compare_stays, list_candidates
from phenesthe.ais.track import view_track
from phenesthe.arrow import to_ints, wrap
from phenesthe.kernels.arrays import Array, number_rows
from phenesthe.kernels.order import mark_new
from phenesthe.kernels.search import expand_ranges
from phenesthe.kernels.sphere import RADIUS

#: Positions, and pairs of stays, looked at together, which bounds memory.
_POSITIONS = 1 << 21
_PAIRS = 1 << 16


def find_proximity(table: pa.Table, settings: Settings) -> pa.Table:
    """The intervals of each two vessels, vessel1 < vessel2, that are close to each other."""
    low, high, _ = bound_slots(view_track(table), settings)
    first, last = int(low.min(initial=0)), int(high.max(initial=0))
    pieces = 1 + int(np.maximum(high - low, 0).sum()) // _POSITIONS
    edges = np.linspace(first, last, pieces + 1).astype(np.int64).tolist()
    runs = [pair_slots(list_slots(table, settings, window), settings) for window in pairwise(edges)]
    return join_slots(pa.concat_tables(runs), settings)


def pair_slots(slots: pa.Table, settings: Settings) -> pa.Table:
    """vessel1 < vessel2 and the first and last of slots in a row at which they are close.

    Of all positions in some cells at some slots.
    """
    stays = collect_stays(slots)
    home, low, high = list_candidates(stays)
    limit = (2 * np.sin(settings.near / RADIUS / 2)) ** 2
    runs = [_merge(number_rows(0), number_rows(0), number_rows(0), number_rows(0), 1)]
    for part in _split(high - low):
        number, other = expand_ranges(low[part], high[part])
        one, other, first, last = compare_stays(stays, home[part][number], other, limit)
        left, right = stays.vessel[one], stays.vessel[other]
        runs.append(_merge(np.minimum(left, right), np.maximum(left, right), first, last, 1))
    return _merge_table(pa.concat_tables(runs), 1)


def join_slots(runs: pa.Table, settings: Settings) -> pa.Table:
    """vessel1, vessel2, ts, te: of pairs of which all runs are given.

    Runs that are at most `settings.rejoin` apart are one; what is seen at one instant only has no
    length and is left out.
    """
    joined = _merge_table(runs, max(settings.rejoin // settings.slot, 1))
    first, last = to_ints(joined["first"]), to_ints(joined["last"])
    ends = {"ts": wrap(first * settings.slot), "te": wrap(last * settings.slot)}
    pairs = {name: joined[name] for name in ("vessel1", "vessel2")}
    return pa.table({**pairs, **ends}).filter(wrap(first < last))


def _split(count: Array) -> list[slice]:
    """Rows in parts that have about as many pairs as are looked at together."""
    total = np.cumsum(count)
    edges = np.arange(0, int(total[-1]) if len(total) else 0, _PAIRS)
    starts = [*np.unique(np.searchsorted(total, edges, side="right")).tolist(), len(count)]
    return [slice(low, high) for low, high in pairwise(starts)]


def _merge_table(runs: pa.Table, gap: int) -> pa.Table:
    one, other, first, last = (to_ints(column) for column in runs.columns)
    return _merge(one, other, first, last, gap)


def _merge(one: Array, other: Array, first: Array, last: Array, gap: int) -> pa.Table:
    """Runs of the same pair as one where they overlap or are at most so many slots apart."""
    order = np.lexsort((first, other, one))
    one, other, first, last = one[order], other[order], first[order], last[order]
    is_new = mark_new(one, other)
    # How far the runs of a pair have reached: a pair's numbers are all above those before it.
    lift = np.cumsum(is_new) * (int(last.max(initial=0)) - int(first.min(initial=0)) + 1)
    reached = np.maximum.accumulate(last + lift) - lift
    apart = first - np.concatenate((first[:1], reached[:-1]))
    begins = np.flatnonzero(is_new | (apart > gap))
    ends = np.append(begins[1:], len(one))[: len(begins)] - 1
    return pa.table(
        {
            "vessel1": wrap(one[begins]),
            "vessel2": wrap(other[begins]),
            "first": wrap(first[begins]),
            "last": wrap(reached[ends]),
        }
    )
