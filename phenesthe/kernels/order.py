"""One integer per (key, time), in the same order: what makes `searchsorted` a join.

Running maxima over such codes restart at every key by themselves, because every code of a key is
below every code of the next one.
"""

from dataclasses import dataclass

import numpy as np

from phenesthe.kernels.arrays import (
    NEVER,
    OPEN,
    Array,
    Instants,
    Intervals,
    Mask,
    join_columns,
    number_rows,
)

#: How many codes an int64 can tell apart, the greatest left free.
CODES = OPEN
#: From so many rows on it is quicker to sort codes and row numbers together.
MANY_ROWS = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Coding:
    """How (key, time) columns become codes and codes become columns again.

    Either by their distance from the least key and time, of which `ranked` is None, or by the ranks
    of keys and times among these.
    """

    low_key: int
    low: int
    width: int
    ranked: tuple[Array, Array] | None = None

    def encode(self, key: Array, time: Array) -> Array:
        if self.ranked is not None:
            keys, times = self.ranked
            return np.searchsorted(keys, key) * self.width + np.searchsorted(times, time)
        code = np.minimum(time, self.low + self.width - 1)
        code -= self.low
        code += (key - self.low_key if self.low_key else key) * self.width
        return code

    def decode(self, code: Array) -> tuple[Array, Array]:
        key = code // self.width
        time = key * self.width
        np.subtract(code, time, out=time)
        if self.ranked is not None:
            keys, times = self.ranked
            return keys[key], times[time]
        is_open = time == self.width - 1
        key += self.low_key
        time += self.low
        time[is_open] = OPEN
        return key, time


def make_coding(*columns: tuple[Array, Array], spare: int = 0) -> Coding:
    """With codes that leave so many bits of an int64 free.

    A key is given as many codes as there are ticks between the first and the last time, and one
    for OPEN. Where that is more than an int64 can count, keys and times are replaced by their
    ranks first, at the price of a sort.
    """
    keys = [key for key, _ in columns if len(key)]
    times = [time for _, time in columns if len(time)]
    if not keys:
        return Coding(0, 0, 1)
    low_key = min([int(np.minimum.reduce(key)) for key in keys])
    high_key = max([int(np.maximum.reduce(key)) for key in keys])
    low = min([int(np.minimum.reduce(time)) for time in times])
    high = max([low - 1, *[find_last_known(time) for time in times]])
    width = high - low + 2
    if (high_key - low_key + 1) * width <= CODES >> spare:
        return Coding(low_key, low, width)
    all_keys, all_times = np.unique(join_columns(*keys)), np.unique(join_columns(*times))
    return Coding(0, 0, len(all_times), (all_keys, all_times))


def encode(*columns: tuple[Array, Array]) -> list[Array]:
    """Codes ≥ 0 of (key, time) columns, comparable across the columns, in lexicographic order."""
    coding = make_coding(*columns)
    return [coding.encode(key, time) for key, time in columns]


def find_last_known(time: Array) -> int:
    """The greatest time that is not OPEN, NEVER if there is none."""
    last = int(np.maximum.reduce(time))
    if last < OPEN:
        return last
    return int(np.max(time, where=time < OPEN, initial=NEVER))


def sort_codes(code: Array) -> Array:
    """The row numbers in the order of the codes, those of equal codes as they came.

    A code and its row number in one integer sort several times as quickly as row numbers by codes.
    """
    count = len(code)
    if count < MANY_ROWS:
        return np.argsort(code, kind="stable")
    packed = _pack_numbered(code)
    if packed is not None:
        packed &= (1 << (count - 1).bit_length()) - 1
        return packed
    rows = np.argsort(code)
    new = mark_new(code[rows])
    if new.all():
        return rows
    bits = (count - 1).bit_length()
    rank = np.cumsum(new) - 1
    rank <<= bits
    rank |= rows
    rank.sort()
    rank &= (1 << bits) - 1
    return rank


def sort_with_codes(code: Array) -> tuple[Array, Array]:
    """As `sort_codes`, and the codes in their order."""
    packed = None if len(code) < MANY_ROWS else _pack_numbered(code)
    if packed is None:
        rows = sort_codes(code)
        return rows, code[rows]
    bits = (len(code) - 1).bit_length()
    found = packed >> bits
    found += int(np.minimum.reduce(code))
    packed &= (1 << bits) - 1
    return packed, found


def _pack_numbered(code: Array) -> Array | None:
    """Sorted, the distance of each code from the least one and its row number behind it."""
    low, bits = int(np.minimum.reduce(code)), (len(code) - 1).bit_length()
    if int(np.maximum.reduce(code)) - low >= 1 << (63 - bits):
        return None
    packed = code - low
    packed <<= bits
    packed |= number_rows(len(code))
    packed.sort()
    return packed


def rank_codes(code: Array) -> tuple[Array, Array]:
    """The first row of each different code, by codes, and of every row which one its code is."""
    rows = sort_codes(code)
    new = mark_new(code[rows])
    rank = np.empty(len(code), dtype=np.int64)
    rank[rows] = np.cumsum(new) - 1
    return rows[new], rank


def order_rows(key: Array, time: Array, end: Array | None = None) -> Array:
    """The row numbers in the order of (key, time) or (key, time, end).

    Rows mostly come sorted; finding that out is far cheaper than sorting them.
    """
    (code,) = encode((key, time))
    if end is None:
        return number_rows(len(code)) if is_rising(code) else sort_codes(code)
    rising, tied = code[1:] > code[:-1], code[1:] == code[:-1]
    if bool(np.all(rising | (tied & (end[1:] >= end[:-1])))):
        return number_rows(len(code))
    rows = sort_codes(code)
    found = code[rows]
    if bool(np.any(found[1:] == found[:-1])):
        rows = sort_codes(end)
        return rows[sort_codes(code[rows])]
    return rows


def is_rising(column: Array) -> bool:
    return bool(np.all(column[1:] >= column[:-1]))


def mark_new(*columns: Array) -> Mask:
    """For sorted columns: which rows differ from the row before."""
    new = np.ones(len(columns[0]), dtype=np.bool_)
    if len(new):
        new[1:] = False
        for column in columns:
            new[1:] |= column[1:] != column[:-1]
    return new


def sort_instants(key: Array, t: Array) -> Instants:
    """Rows in any order, with or without duplicates, as a relation."""
    rows = order_rows(key, t)
    instants = Instants(key[rows], t[rows])
    return instants.take(mark_new(instants.key, instants.t))


def sort_intervals(key: Array, ts: Array, te: Array) -> Intervals:
    """Rows in any order, with or without duplicates, as a relation."""
    rows = order_rows(key, ts, te)
    intervals = Intervals(key[rows], ts[rows], te[rows])
    return intervals.take(mark_new(intervals.key, intervals.ts, intervals.te))
