"""What is computed of many rows, for ranges of them: the rows low ≤ i < high of each.

Groups, windows and intervals are such ranges (`row_ranges`); an empty one is high ≤ low. A range
may overlap others, and nothing costs more for it. Sums are in `exact_sums`.

| function | gives for each range |
|---|---|
| `count_rows(low, high)` | how many rows |
| `count_distinct(codes, low, high)` | how many codes; a row has a code, the same for one value |
| `find_least(codes, low, high)` | a row with the least code, −1 for none |
| `find_greatest(codes, low, high)` | the same with the greatest code |
| `find_first(low, high)` | the first row, −1 for none |
| `find_last(instant, low, high)` | the first row of the last instant, −1 for none |
| `mark_any(marks, low, high)` | whether it has a marked row |
| `average(sums, count)` | `round_sums` divided by `count_rows`; NaN for none |

| function | gives |
|---|---|
| `list_instants(key, t)` | of each row the first row of its instant; rows come by (key, t) |
| `sum_shared(key, ts, te, others, q)` | ticks of each interval that a state holds |

Where rows are sorted by (key, t, value), the first row of an instant is the one with the least
value, as `first` and `last` want it. To `find_least` and `find_greatest` a NaN is the greatest
value: where it is to make the result undefined, `mark_any(np.isnan(values), low, high)` tells.
"""

import numpy as np
import numpy.typing as npt

from phenesthe.kernels.arrays import OPEN, Array, Intervals, Mask, number_rows
from phenesthe.kernels.exact_sums import Floats
from phenesthe.kernels.order import encode, mark_new, sort_codes
from phenesthe.kernels.search import CountTree, MinimumTree


def count_rows(low: Array, high: Array) -> Array:
    return np.asarray(np.maximum(high - low, 0))


def mark_any(marks: Mask, low: Array, high: Array) -> Mask:
    """Whether a marked row is in the range."""
    running = np.concatenate([[0], np.cumsum(marks)])
    return running[np.maximum(low, high)] > running[low]


def count_distinct(codes: Array, low: Array, high: Array) -> Array:
    """A code counts where it has no row before it in the range. O((rows + ranges) log rows)."""
    order = sort_codes(codes)
    before = np.full(len(codes), -1, dtype=np.int64)
    again = ~mark_new(codes[order])
    before[order[again]] = order[np.flatnonzero(again) - 1]
    return CountTree(before).count_below(low, high, low, side="left")


def find_least(codes: Array, low: Array, high: Array) -> Array:
    """Of several with the least code the first. O((rows + ranges) log rows)."""
    order = sort_codes(codes)
    return _find_by_rank(order, low, high)


def find_greatest(codes: Array, low: Array, high: Array) -> Array:
    """Of several with the greatest code the last."""
    order = sort_codes(codes)[::-1]
    return _find_by_rank(order, low, high)


def _find_by_rank(order: Array, low: Array, high: Array) -> Array:
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = number_rows(len(order))
    least = MinimumTree(rank).find_minima(low, high)
    found = np.full(len(low), -1, dtype=np.int64)
    is_any = least < OPEN
    found[is_any] = order[least[is_any]]
    return found


def list_instants(key: Array, t: Array) -> Array:
    new = mark_new(key, t)
    return np.asarray(np.flatnonzero(new)[np.cumsum(new) - 1])


def find_first(low: Array, high: Array) -> Array:
    return np.where(low < high, low, -1)


def find_last(instant: Array, low: Array, high: Array) -> Array:
    found = np.full(len(low), -1, dtype=np.int64)
    is_any = low < high
    found[is_any] = instant[high[is_any] - 1]
    return found


def average(sums: Floats, count: Array) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(count > 0, sums / count, np.nan)


def sum_shared(key: Array, ts: Array, te: Array, others: Intervals, q: int) -> Array:
    """How many ticks of each interval a state holds, open ends being at q.

    The intervals may come in any order and overlap; those of the state are disjoint within a key.
    """
    start, end = np.minimum(ts, q), np.minimum(te, q)
    return _measure_until(key, end, others, q) - _measure_until(key, start, others, q)


def _measure_until(key: Array, at: Array, others: Intervals, q: int) -> Array:
    """The ticks up to a time, and those of all lesser keys: only differences mean something.

    They are taken modulo 2⁶⁴, where no interval is longer.
    """
    begins, ends = np.minimum(others.ts, q), np.minimum(others.te, q)
    lengths = _as_unsigned(ends) - _as_unsigned(begins)
    running = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(lengths)])
    wanted, known = encode((key, at), (others.key, begins))
    place = np.searchsorted(known, wanted, side="right")
    last = np.maximum(place - 1, 0)
    found = running[place]
    if len(others):
        is_inside = (place > 0) & (others.key[last] == key) & (ends[last] > at)
        left = _as_unsigned(ends[last]) - _as_unsigned(at)
        found = np.where(is_inside, found - left, found)
    return found.astype(np.uint64).view(np.int64)


def _as_unsigned(times: Array) -> npt.NDArray[np.uint64]:
    return np.ascontiguousarray(times, dtype=np.int64).view(np.uint64)
