"""Exact sums of numbers that are not too far apart, in a few passes.

Where all floats are whole numbers of one power of two, and small enough, a sum over a range is the
difference of two running sums of int64: of a high and a low part. The two parts of the result are
floats without an error, so that adding them rounds once.

| function | gives for each range of rows low ≤ i < high, or None where numbers are too far apart |
|---|---|
| `add_floats(values, low, high)` | the exact sum, rounded once, as `math.fsum` |
| `add_ints(values, low, high)` | the exact sum, an int64 |

`exact_sums` has all numbers.
"""

import math

import numpy as np
import numpy.typing as npt

from phenesthe.kernels.arrays import Array

Floats = npt.NDArray[np.float64]
#: Of a float, and of what a float has no error up to.
_DIGITS = 53
#: Running sums stay below 2⁶².
_LIMIT = 62
#: Powers of two beyond are not looked at: neither they nor what they are multiplied with overflow
#: or lose bits.
_FARTHEST = 900


def add_floats(values: Floats, low: Array, high: Array) -> Floats | None:
    high = np.maximum(low, high)
    sizes = np.abs(values)
    most = float(np.maximum.reduce(sizes, initial=0.0))
    if not math.isfinite(most):
        return None
    if most == 0.0:
        return np.zeros(len(low))
    # As whole numbers floats come in the same order, and a zero less one is the greatest.
    ranks = sizes.view(np.uint64)
    ranks -= np.uint64(1)
    least = float((np.minimum.reduce(ranks) + np.uint64(1)).view(np.float64))
    # Every value is a whole number of 2^unit, and less than 2^end.
    unit, end = math.frexp(least)[1] - _DIGITS, math.frexp(most)[1]
    if unit < -_FARTHEST or end > _FARTHEST:
        return None
    room = _LIMIT - len(values).bit_length()
    split = min(room, _DIGITS - 1)
    if end - unit - split > room:
        return None
    scaled = values * 2.0 ** -(unit + split)
    above = np.floor(scaled)
    scaled -= above
    scaled *= 2.0**split
    upper = _add(above.astype(np.int64), low, high)
    lower = _add(scaled.astype(np.int64), low, high)
    upper += lower >> split
    lower &= (1 << split) - 1
    if len(upper) and max(int(upper.max()), ~int(upper.min())) >> _DIGITS:
        return None
    found = upper.astype(np.float64)
    found *= 2.0**split
    found += lower
    found *= 2.0**unit
    return found


def add_ints(values: Array, low: Array, high: Array) -> Array | None:
    if len(values):
        most = max(int(np.maximum.reduce(values)), -int(np.minimum.reduce(values)))
        if most.bit_length() + len(values).bit_length() > _LIMIT:
            return None
    return _add(values, low, np.maximum(low, high))


def _add(values: Array, low: Array, high: Array) -> Array:
    running = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum(values, out=running[1:])
    found = running[high]
    found -= running[low]
    return found
