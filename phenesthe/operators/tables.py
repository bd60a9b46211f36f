"""Rows that are remembered: compared, put together, and what changed about them."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from phenesthe.frozen import dataclass
from phenesthe.kernels.arrays import NEVER, OPEN, Array, Mask, join_columns
from phenesthe.kernels.order import encode, order_rows
from phenesthe.kernels.search import expand_ranges
from phenesthe.operators.rows import Bindings, Keys, Rows
from phenesthe.operators.unchanged import Part
from phenesthe.vocabulary import Names

Column: TypeAlias = npt.NDArray[Any]


def make_empty(variables: Names, extras: Sequence[str], kind: str) -> Rows:
    nothing = np.empty(0, dtype=np.int64)
    te = nothing if kind == "event" else np.empty(0, dtype=np.int64)
    return Rows(
        variables, tuple([nothing for _ in variables]), nothing, te, dict.fromkeys(extras, nothing)
    )


def remap(rows: Rows, types: Mapping[str, str], codes: Mapping[str, Array]) -> Rows:
    """The same values under new codes."""
    columns = [
        codes[types[name]][column] if types[name] in codes else column
        for name, column in zip(rows.variables, rows.columns, strict=True)
    ]
    return Rows(rows.variables, tuple(columns), rows.ts, rows.te, rows.extra)


def arrange(rows: Rows, names: Names) -> Rows:
    """The same rows with their columns in another order."""
    if rows.variables == names:
        return rows
    columns = tuple([rows.column(name) for name in names])
    return Rows(names, columns, rows.ts, rows.te, rows.extra)


def join(parts: Sequence[Rows]) -> Rows:
    """Rows of the same variables, one after the other, in no order; extras stay."""
    parts = [parts[0], *[part for part in parts[1:] if len(part)]]
    if len(parts) == 1:
        return parts[0]
    first = parts[0]
    ts = join_columns(*[part.ts for part in parts])
    is_event = all(part.te is part.ts for part in parts)
    te = ts if is_event else join_columns(*[part.te for part in parts])
    columns = tuple(
        [join_columns(*[part.column(name) for part in parts]) for name in first.variables]
    )
    extra = {name: np.concatenate([part.extra[name] for part in parts]) for name in first.extra}
    return Rows(first.variables, columns, ts, te, extra)


@dataclass(frozen=True, slots=True)
class Merge:
    """How added rows go between others: the places they take in the end, and those they do not."""

    added: Array
    others: Mask

    def put(self, column: Column, added: Column) -> Column:
        # Of a column without rows nobody knows yet what its numbers are.
        kind = column.dtype if len(column) else added.dtype
        merged = np.empty(len(self.others), dtype=kind)
        merged[self.added] = added
        merged[self.others] = column
        return merged

    def put_rows(self, rows: Rows, added: Rows) -> Rows:
        ts = self.put(rows.ts, added.ts)
        te = ts if rows.te is rows.ts else self.put(rows.te, added.te)
        columns = [self.put(rows.column(n), added.column(n)) for n in rows.variables]
        extra = {name: self.put(rows.extra[name], added.extra[name]) for name in rows.extra}
        return Rows(rows.variables, tuple(columns), ts, te, extra)


def weave(keys: Keys, kept: Rows, removed: Rows, added: Rows) -> tuple[Rows, Merge, Part]:
    """The added rows in order, how they go between those that were kept, and what that changes."""
    key, one, other = keys.pack(kept.variables, kept, removed, added)
    if _is_news(kept, removed, added) and _is_rising(other, added.ts):
        places = _place(np.searchsorted(key, other, side="right"), len(key))
        return added, places, Part(as_bindings(added), added.ts - 1)
    code, gone, come = encode((key, kept.ts), (one, removed.ts), (other, added.ts))
    changed = _find_changes((code, kept), (gone, removed), (come, added))
    is_event = kept.te is kept.ts
    if not _is_rising(come, added.te):
        by = np.argsort(come, kind="stable") if is_event else np.lexsort((added.te, come))
        added, come = added.take(by), come[by]
    return added, _find_places((code, kept), (come, added)), changed


def find_places(keys: Keys, kept: Rows, added: Rows) -> Merge:
    """How rows in their order go between others."""
    key, other = keys.pack(kept.variables, kept, added)
    code, come = encode((key, kept.ts), (other, added.ts))
    return _find_places((code, kept), (come, added))


def _find_places(kept: tuple[Array, Rows], added: tuple[Array, Rows]) -> Merge:
    """Both are in order. Among rows with one start the order of their ends counts too."""
    (code, rows), (wanted, new) = kept, added
    later = np.searchsorted(code, wanted, side="right")
    if rows.te is not rows.ts:
        low = np.searchsorted(code, wanted)
        for at in np.flatnonzero(low < later):
            ends = rows.te[low[at] : later[at]]
            later[at] = low[at] + np.searchsorted(ends, new.te[at], side="right")
    return _place(later, len(code))


def _is_news(kept: Rows, removed: Rows, added: Rows) -> bool:
    """Events later than all there were: each comes last in its binding, whatever its time."""
    if kept.te is not kept.ts or len(removed):
        return False
    return not len(kept) or bool(added.ts.min() > kept.ts.max())


def _place(before: Array, count: int) -> Merge:
    """Given how many of the others come before each of the added rows."""
    place = before + np.arange(len(before))
    is_other = np.ones(count + len(before), dtype=np.bool_)
    is_other[place] = False
    return Merge(place, is_other)


def sort(keys: Keys, rows: Rows) -> Rows:
    """By binding, then time; rows are distinct already."""
    return rows.take(order(keys, rows))


def order(keys: Keys, rows: Rows) -> Array:
    (key,) = keys.pack(rows.variables, rows)
    return order_rows(key, rows.ts, None if rows.te is rows.ts else rows.te)


def compare(keys: Keys, old: Rows, new: Rows) -> tuple[Mask, Mask]:
    """Which old rows are not among the new ones, and the other way round. Either has no twins."""
    gone, come = np.ones(len(old), dtype=np.bool_), np.ones(len(new), dtype=np.bool_)
    if not len(old) or not len(new):
        return gone, come
    if not old.extra:
        key, other = keys.pack(old.variables, old, new)
        code, codes = encode((key, old.ts), (other, new.ts))
        if _is_strict(code) and _is_strict(codes):
            # One row for each binding and start: its end decides.
            place = np.minimum(np.searchsorted(code, codes), len(code) - 1)
            same = (code[place] == codes) & (old.te[place] == new.te)
            gone[place[same]] = False
            return gone, ~same
    rows, same = _find_twins(_list_digits(keys, join([old, new])))
    one, other = rows[:-1][same], rows[1:][same]
    gone[np.minimum(one, other)] = False
    come[np.maximum(one, other) - len(old)] = False
    return gone, come


def find(keys: Keys, wanted: Rows, rows: Rows) -> Array:
    """The number of each wanted row among the rows, or -1. Neither has twins.

    The rows come by binding, then time.
    """
    found = np.full(len(wanted), -1, dtype=np.int64)
    if not len(wanted) or not len(rows):
        return found
    # Few of many have the binding and the start of a row that is there.
    key, other = keys.pack(rows.variables, rows, wanted)
    code, codes = encode((key, rows.ts), (other, wanted.ts))
    low, high = np.searchsorted(code, codes), np.searchsorted(code, codes, side="right")
    like = np.flatnonzero(low < high)
    if len(like):
        near = np.unique(expand_ranges(low[like], high[like])[1])
        by, same = _find_twins(_list_digits(keys, join([rows.take(near), wanted.take(like)])))
        one, two = by[:-1][same], by[1:][same]
        found[like[np.maximum(one, two) - len(near)]] = near[np.minimum(one, two)]
    return found


def mark_distinct(keys: Keys, rows: Rows) -> Mask:
    """One of each row, its extras looked at too. Rows come by binding, then time."""
    marks = np.ones(len(rows), dtype=np.bool_)
    (key,) = keys.pack(rows.variables, rows)
    if bool(np.any((key[1:] == key[:-1]) & (rows.ts[1:] == rows.ts[:-1]))):
        by, same = _find_twins(_list_digits(keys, rows))
        marks[by[1:][same]] = False
    return marks


def _list_digits(keys: Keys, rows: Rows) -> list[Array]:
    """Columns of integers that are the same exactly for the same rows."""
    digits = [*keys.pack(rows.variables, rows), rows.ts]
    if rows.te is not rows.ts:
        digits.append(rows.te)
    for values in rows.extra.values():
        if values.dtype == np.float64:
            # One spelling per number; all NaN are one.
            values = np.where(np.isnan(values), np.nan, values + 0.0)
        digits.append(np.ascontiguousarray(values).view(np.int64))
    return digits


def _find_twins(digits: list[Array]) -> tuple[Array, Mask]:
    """The rows in an order in which the same ones are neighbours, and which are the same."""
    rows = np.lexsort(digits[::-1])
    same = np.ones(len(rows) - 1, dtype=np.bool_)
    for digit in digits:
        found = digit[rows]
        same &= found[1:] == found[:-1]
    return rows, same


def _find_changes(
    kept: tuple[Array, Rows], removed: tuple[Array, Rows], added: tuple[Array, Rows]
) -> Part:
    """By binding, the time up to which the rows before and after look the same.

    A row that came or went differs from its start on. But intervals with the same start look the
    same as long as one of them still holds: up to the instant before the first end that differs,
    or before the last end of those there were, or of those there are.
    """
    rows = join([part for _, part in (removed, added) if len(part)])
    bindings = Bindings(rows.variables, rows.columns, len(rows))
    if rows.te is rows.ts:
        return Part(bindings, rows.ts - 1)
    names, number = np.unique(np.concatenate((removed[0], added[0])), return_inverse=True)
    first = np.full(len(names), OPEN, dtype=np.int64)
    np.minimum.at(first, number, rows.te)
    old, new = (np.full(len(names), NEVER, dtype=np.int64) for _ in range(2))
    count = len(removed[0])
    np.maximum.at(old, number[:count], removed[1].te)
    np.maximum.at(new, number[count:], added[1].te)
    # Those that were kept come in the order of their ends, if they have one start.
    after = np.searchsorted(kept[0], names, side="right")
    there = np.flatnonzero(after > np.searchsorted(kept[0], names))
    if len(there):
        last = kept[1].te[after[there] - 1]
        for ends in (old, new):
            ends[there] = np.maximum(ends[there], last)
    least = np.minimum(first, np.minimum(old, new))[number]
    return Part(bindings, np.where(least == NEVER, rows.ts, least) - 1)


def find_last(keys: Keys, names: Names, rows: Rows, time: Array, among: Mask) -> Mask:
    """Of the rows among which to look: those with the latest time of their binding."""
    found = np.zeros(len(rows), dtype=np.bool_)
    at = np.flatnonzero(among)
    if not len(at):
        return found
    bindings = Bindings(names, tuple([rows.column(name)[at] for name in names]), len(at))
    (key,) = keys.pack(names, bindings)
    times = time[at]
    if not _is_rising(key, times):
        by = order_rows(key, times)
        at, key, times = at[by], key[by], times[by]
    ends = np.append(np.flatnonzero(key[1:] != key[:-1]), len(key) - 1)
    last = np.repeat(times[ends], np.diff(ends, prepend=-1))
    found[at[times == last]] = True
    return found


def _is_strict(code: Array) -> bool:
    return bool(np.all(code[1:] > code[:-1]))


def _is_rising(key: Array, time: Array) -> bool:
    same = key[1:] == key[:-1]
    return bool(np.all((key[1:] > key[:-1]) | (same & (time[1:] >= time[:-1]))))


def match(keys: Keys, wanted: Rows | Bindings, rows: Rows) -> Array:
    """For every wanted binding the one row of it, or -1: rows have at most one each."""
    names = rows.variables
    count = wanted.count if isinstance(wanted, Bindings) else len(wanted)
    found = np.full(count, -1, dtype=np.int64)
    if len(rows) and count:
        one, other = keys.match(names, wanted, rows)
        found[one] = other
    return found


def as_bindings(rows: Rows) -> Bindings:
    return Bindings(rows.variables, rows.columns, len(rows))


def sum_up(rows: Rows, at: Array) -> Rows:
    """What coalesced intervals that span the cut were up to it: one that ends there."""
    spanning = mark_spanning(rows, at) & (rows.ts < at)
    own = rows.take(spanning)
    return Rows(own.variables, own.columns, own.ts, at[spanning])


def mark_spanning(rows: Rows, at: Array) -> Mask:
    """Which intervals began by `at` and end after it."""
    return (rows.ts <= at) & (rows.te > at)
