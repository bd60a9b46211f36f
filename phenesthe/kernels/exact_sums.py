"""Sums of numbers without an error, whatever the order, and rounded once.

Every float is a whole number of 2⁻¹⁰⁷⁴, so a sum of floats is one, too: here it is a row of limbs
of 32 bits, each in a column of its own. A column of limbs is summed up by itself, and sums over
ranges of rows are differences of running sums. Only at the end limbs are carried.

| function | gives |
|---|---|
| `split_floats(values)` | `Terms`: float64 values taken apart |
| `split_ints(values)` | the same of int64 values |
| `sum_ranges(terms, low, high)` | `Sums`: of the rows low ≤ i < high, for each range |
| `Sums.zeros(count)` | as many sums of nothing |
| `Sums.add(other)`, `.subtract(other)` | one by one and exact: a sum is kept and gone on from |
| `Sums.take(rows)` | some of them |
| `fold_sums(sums, number, count)` | the sums of all that have one number |
| `Sums.trim()` | the same in few columns: `Sums(low, limbs, special)` is all there is to keep |
| `round_sums(sums)` | float64, as `math.fsum`; NaN: undefined |
| `to_ints(sums)` | int64, or Python's ints where one is too large; for sums of ints |
| `sum_floats(values, low, high)` | rounded sums of ranges, all at once in little memory |
| `sum_ints(values, low, high)` | the same of ints, as `to_ints` |

A sum is undefined if a NaN is among its values, or infinities of both signs. A sum beyond all
floats is an infinity. There may be 2³⁰ rows, and no more values in a sum of sums.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from phenesthe.kernels.arrays import Array, Mask
from phenesthe.kernels.near_sums import add_floats, add_ints

Floats = npt.NDArray[np.float64]
_BITS = 32
_MASK = (1 << _BITS) - 1
#: The lowest bit of limb 0 stands for 2⁻¹⁰⁸⁸, so that 2⁰ is the lowest bit of limb 34.
_LOWEST = -1088
_ONES = -_LOWEST // _BITS
_FRACTION = (1 << 52) - 1
#: How many limbs of sums are held at once, all ranges together.
_AT_ONCE = 1 << 24


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """Values as limbs: `parts[k]` of a row belong to limb `place + k`.

    `special` marks NaN, ∞ and −∞, unless there are none of these.
    """

    place: Array
    parts: tuple[Array, ...]
    special: tuple[Mask, ...] = ()

    def __len__(self) -> int:
        return len(self.place)

    def cut(self, rows: slice) -> "Terms":
        parts = tuple([one[rows] for one in self.parts])
        return Terms(self.place[rows], parts, tuple([one[rows] for one in self.special]))

    def list_limbs(self) -> range:
        """From the lowest limb that a value needs to the highest."""
        used = self.place[np.logical_or.reduce([part != 0 for part in self.parts])]
        if not len(used):
            return range(0)
        return range(int(used.min()), int(used.max()) + len(self.parts))

    def find_column(self, limb: int) -> Array:
        column = np.zeros(len(self), dtype=np.int64)
        for distance, part in enumerate(self.parts):
            rows = self.place == limb - distance
            if rows.any():
                np.add(column, part, out=column, where=rows)
        return column


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """`limbs[i, k]` are of limb `low + k` of sum i, not carried; `special` counts NaN, ∞ and −∞."""

    low: int
    limbs: Array
    special: Array

    @staticmethod
    def zeros(count: int) -> "Sums":
        return Sums(_ONES, np.zeros((count, 0), np.int64), np.zeros((count, 3), np.int64))

    def __len__(self) -> int:
        return len(self.limbs)

    def take(self, rows: Array | Mask) -> "Sums":
        return Sums(self.low, self.limbs[rows], self.special[rows])

    def add(self, other: "Sums") -> "Sums":
        one, another = _align(self.carry(), other.carry())
        return Sums(one.low, one.limbs + another.limbs, one.special + another.special)

    def subtract(self, other: "Sums") -> "Sums":
        one, another = _align(self.carry(), other.carry())
        return Sums(one.low, one.limbs - another.limbs, one.special - another.special)

    def carry(self) -> "Sums":
        """Every limb but the last from 0 to 2³² − 1; the last has the sign."""
        limbs = np.zeros((len(self), self.limbs.shape[1] + 2), dtype=np.int64)
        over = np.zeros(len(self), dtype=np.int64)
        for at in range(limbs.shape[1] - 1):
            if at < self.limbs.shape[1]:
                over = over + self.limbs[:, at]
            limbs[:, at] = over & _MASK
            over >>= _BITS
        limbs[:, -1] = over
        return Sums(self.low, limbs, self.special)

    def trim(self) -> "Sums":
        """Without the limbs at both ends that say nothing of any of the sums."""
        carried = self.carry()
        limbs, first, last = carried.limbs, 0, carried.limbs.shape[1]
        while last - first > 1:
            below, top = limbs[:, last - 2], limbs[:, last - 1]
            is_set = below >> (_BITS - 1)
            if bool((top != -is_set).any()):
                break
            # The last is no more than the sign of the one below.
            limbs[:, last - 2] = below - (is_set << _BITS)
            last -= 1
        while first < last and not limbs[:, first].any():
            first += 1
        return Sums(carried.low + first, limbs[:, first:last], carried.special)


def split_floats(values: Floats) -> Terms:
    bits = np.ascontiguousarray(values, dtype=np.float64).view(np.int64)
    exponent = (bits >> 52) & 0x7FF
    fraction = bits & _FRACTION
    is_finite = exponent != 0x7FF
    whole = np.where(exponent > 0, fraction | (_FRACTION + 1), fraction)
    whole = np.where(is_finite, whole, 0)
    # What is subnormal counts 2⁻¹⁰⁷⁴ as well.
    position = np.maximum(exponent, 1) - 1 - 1074 - _LOWEST
    shift = position & (_BITS - 1)
    low, high = (whole & _MASK) << shift, (whole >> _BITS) << shift
    sign = np.where(bits < 0, -1, 1)
    parts = (
        sign * (low & _MASK),
        sign * ((low >> _BITS) + (high & _MASK)),
        sign * (high >> _BITS),
    )
    special: tuple[Mask, ...] = ()
    if not is_finite.all():
        is_nan, is_infinite = np.isnan(values), np.isinf(values)
        special = (is_nan, is_infinite & (bits >= 0), is_infinite & (bits < 0))
    return Terms(position >> 5, parts, special)


def split_ints(values: Array) -> Terms:
    place = np.full(len(values), _ONES, dtype=np.int64)
    return Terms(place, (values & _MASK, values >> _BITS))


def sum_ranges(terms: Terms, low: Array, high: Array) -> Sums:
    """Of an empty range the sum is 0. O(rows + ranges) for each limb that is used."""
    high = np.maximum(low, high)
    limbs = terms.list_limbs()
    found = np.empty((len(low), len(limbs)), dtype=np.int64)
    for at, limb in enumerate(limbs):
        found[:, at] = _sum_column(terms.find_column(limb), low, high)
    special = np.zeros((len(low), 3), dtype=np.int64)
    for at, marks in enumerate(terms.special):
        if marks.any():
            special[:, at] = _sum_column(marks.astype(np.int64), low, high)
    return Sums(limbs.start if len(limbs) else _ONES, found, special)


def _sum_column(column: Array, low: Array, high: Array) -> Array:
    running = np.zeros(len(column) + 1, dtype=np.int64)
    np.cumsum(column, out=running[1:])
    return running[high] - running[low]


def sum_floats(values: Floats, low: Array, high: Array) -> Floats:
    """Ranges near each other are taken together, with no more rows than these need."""
    quick = add_floats(values, low, high)
    if quick is not None:
        return quick
    found = np.empty(len(low), dtype=np.float64)
    terms = split_floats(values)
    size = max(_AT_ONCE // max(len(terms.list_limbs()), 1), 1)
    for begin in range(0, len(low), size):
        chosen = slice(begin, begin + size)
        first, last = low[chosen], np.maximum(low[chosen], high[chosen])
        least = int(first.min())
        near = terms.cut(slice(least, int(last.max())))
        found[chosen] = round_sums(sum_ranges(near, first - least, last - least))
    return found


def sum_ints(
    values: Array, low: Array, high: Array
) -> npt.NDArray[np.int64] | npt.NDArray[np.object_]:
    quick = add_ints(values, low, high)
    return to_ints(sum_ranges(split_ints(values), low, high)) if quick is None else quick


def fold_sums(sums: Sums, number: Array, count: int) -> Sums:
    """`number[i]` says to which of the new sums a sum belongs."""
    carried = sums.carry()
    limbs = np.zeros((count, carried.limbs.shape[1]), dtype=np.int64)
    special = np.zeros((count, 3), dtype=np.int64)
    np.add.at(limbs, number, carried.limbs)
    np.add.at(special, number, carried.special)
    return Sums(carried.low, limbs, special)


def round_sums(sums: Sums) -> Floats:
    """To the nearest float, of two that are as near to the one that ends in 0."""
    is_negative, limbs = _find_magnitude(sums)
    count, width = limbs.shape
    rows = np.arange(count)
    has_any = limbs != 0
    top = width - 1 - np.argmax(has_any[:, ::-1], axis=1)
    lowest = np.argmax(has_any, axis=1)

    def pick(distance: int) -> npt.NDArray[np.uint64]:
        at = top - distance
        return np.where(at >= 0, limbs[rows, np.maximum(at, 0)], 0).astype(np.uint64)

    first, second, third = pick(0), pick(1), pick(2)
    # The 64 bits from the highest that is set on, and whether anything is below them.
    length = np.frexp(first.astype(np.float64))[1].astype(np.int64)
    unsigned = length.astype(np.uint64)
    bits = ((first << np.uint64(_BITS)) | second) << (np.uint64(_BITS) - unsigned)
    bits |= third >> unsigned
    below = (third & ((np.uint64(1) << unsigned) - np.uint64(1)) != 0) | (lowest < top - 2)
    dropped = bits & np.uint64(0x7FF)
    kept = (bits >> np.uint64(11)).astype(np.int64)
    half = np.uint64(0x400)
    kept += (dropped > half) | ((dropped == half) & (below | (kept & 1 == 1)))
    exponent = _BITS * (sums.low + top) - 2 * _BITS + length + 11 + _LOWEST
    with np.errstate(over="ignore"):
        found = np.ldexp(kept.astype(np.float64), exponent.astype(np.int32))
    found = np.where(is_negative, -found, found)
    found[~has_any.any(axis=1)] = 0.0
    return _put_special(found, sums.special)


def _find_magnitude(sums: Sums) -> tuple[Mask, Array]:
    """Whether a sum is negative, and the carried limbs of it without its sign."""
    limbs = sums.carry().limbs
    is_negative = limbs[:, -1] < 0
    if is_negative.any():
        opposite = Sums(sums.low, -sums.limbs[is_negative], sums.special[is_negative])
        limbs[is_negative] = opposite.carry().limbs
    return is_negative, limbs


def _put_special(found: Floats, special: Array) -> Floats:
    if special.any():
        is_nan, above, below = (special > 0).T
        found[above] = np.inf
        found[below] = -np.inf
        found[is_nan | (above & below)] = np.nan
    return found


def to_ints(sums: Sums) -> npt.NDArray[np.int64] | npt.NDArray[np.object_]:
    """Python's ints for all where one does not fit into 64 bits."""
    carried = _widen(sums.carry(), _ONES, _ONES + 3)
    low, high, more = (carried.limbs[:, at] for at in range(3))
    rest = carried.limbs[:, 3:]
    sign = np.where(high >> (_BITS - 1) == 1, -1, 0)
    # What lies above 64 bits is the sign of what lies there, or it does not fit.
    is_last = not rest.shape[1]
    fits = more == (sign if is_last else sign & _MASK)
    for at in range(rest.shape[1]):
        fits &= rest[:, at] == (sign if at == rest.shape[1] - 1 else sign & _MASK)
    if fits.all():
        return np.asarray(low | (high << _BITS))
    exact = np.zeros(len(sums), dtype=object)
    for at in range(carried.limbs.shape[1]):
        exact += carried.limbs[:, at].astype(object) * (1 << (_BITS * at))
    return exact


def _align(one: Sums, other: Sums) -> tuple[Sums, Sums]:
    low = min(one.low, other.low)
    end = max(one.low + one.limbs.shape[1], other.low + other.limbs.shape[1])
    return _widen(one, low, end), _widen(other, low, end)


def _widen(sums: Sums, low: int, end: int) -> Sums:
    """With limbs from `low` to `end` at least."""
    before = max(sums.low - low, 0)
    after = max(end - sums.low - sums.limbs.shape[1], 0)
    parts = (
        np.zeros((len(sums), before), dtype=np.int64),
        sums.limbs,
        np.zeros((len(sums), after), dtype=np.int64),
    )
    return Sums(sums.low - before, np.concatenate(parts, axis=1), sums.special)
