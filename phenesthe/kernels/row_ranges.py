"""Which rows belong together: by key, by how long ago they were, by the interval they lie in.

Rows are sorted by (key, time). What is found are row numbers: a range is the rows low ≤ i < high,
empty where high ≤ low. A range that belongs to a time never cuts an instant in two.

| function | gives `(low, high)` of |
|---|---|
| `find_groups(key)` | each run of equal keys, in their order |
| `find_over(key, t, wanted, at, span)` | rows of key `wanted[i]` with a time in (at − span, at] |
| `find_past(key, t, wanted, at, span)` | the same in [at − span, at) |
| `find_within(key, t, wanted, ts, te)` | the same in [ts, te]; to the last one where `te` is OPEN |

`wanted` may be in any order. All cost O((rows + wanted) log rows).
"""

from typing import TypeAlias

import numpy as np

from phenesthe.kernels.arrays import OPEN, Array
from phenesthe.kernels.order import encode, mark_new
from phenesthe.kernels.spans import subtract

#: Row numbers: the first of each range, and the one after its last.
Ranges: TypeAlias = tuple[Array, Array]


def find_groups(key: Array) -> Ranges:
    first = np.flatnonzero(mark_new(key))
    return first, np.append(first, len(key))[1:]


def find_over(key: Array, t: Array, wanted: Array, at: Array, span: int) -> Ranges:
    return _search(key, t, wanted, _go_back(t, at, span), "right", at, "right")


def find_past(key: Array, t: Array, wanted: Array, at: Array, span: int) -> Ranges:
    return _search(key, t, wanted, _go_back(t, at, span), "left", at, "left")


def find_within(key: Array, t: Array, wanted: Array, ts: Array, te: Array) -> Ranges:
    return _search(key, t, wanted, ts, "left", te, "right")


def _go_back(t: Array, at: Array, span: int) -> Array:
    """No further than to before the first row, so that the times stay close together."""
    if not len(t):
        return at
    return np.maximum(subtract(at, span), max(int(t.min()), -OPEN) - 1)


def _search(
    key: Array, t: Array, wanted: Array, lower: Array, low_side: str, upper: Array, high_side: str
) -> Ranges:
    rows, begin, end = encode((key, t), (wanted, lower), (wanted, upper))
    low = np.searchsorted(rows, begin, side=low_side)  # type: ignore[call-overload]  # one of two words
    high = np.searchsorted(rows, end, side=high_side)  # type: ignore[call-overload]  # the same
    return low, np.maximum(low, high)
