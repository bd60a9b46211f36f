"""`φ ~> ψ`, with or without `expires` and `limit`."""

from collections.abc import Sequence

import numpy as np

from phenesthe.kernels.arrays import OPEN, Array, Event, Intervals, Mask, Runs
from phenesthe.kernels.order import encode, mark_new
from phenesthe.kernels.runs import find_first_after, view_as_runs
from phenesthe.kernels.spans import Length, add, as_spans, measure, take_lengths

#: All rows but the first.
_LATER = slice(1, None)


def find_ranges_until(
    start: Event,
    stops: Sequence[tuple[Event, Array | None]],
    q: int,
    expires: Length | None = None,
    limit: Length | None = None,
) -> Intervals:
    """`start ~> (stop or stop or …) [expires] [limit]`.

    `join[k]` beside a stop is the key of the stop that belongs to key k of `start`, where the stop
    has fewer variables; without it both have the same keys.

    A stop at an instant of φ counts for nothing (φ wins). So the state that holds at one run of φ
    holds through to the next run exactly when no stop lies strictly between the two and the clock
    does not run out; and it ends, after its last run of φ, at the first stop or the deadline. A
    run of φ that is dense restarts the clock at each of its instants, since D is at least one.
    Durations that vary have one length for each key.
    """
    runs = view_as_runs(start)
    key, first, last = runs.key, runs.first, runs.last
    end = np.full(len(runs), OPEN, dtype=np.int64)
    for stop, join in stops:
        found, at = find_first_after(stop, key if join is None else join[key], last)
        end[found] = np.minimum(end[found], at[found])
    new = mark_new(key)
    new[1:] |= end[:-1] < first[1:]
    if expires is not None:
        own = take_lengths(expires, key)
        new[1:] |= measure(first[1:], last[:-1]) > as_spans(take_lengths(own, _LATER))
        over = measure(q, last) >= as_spans(own)
        end[over] = np.minimum(end[over], last[over] + take_lengths(own, over))
    is_final = np.roll(new, -1)
    if limit is None:
        return Intervals(key[new], first[new], end[is_final])
    own = take_lengths(limit, key)
    # Where a state ends but for its limit does not depend on where in its course it began.
    unlimited = end[is_final][np.cumsum(new) - 1]
    if (first < last).any():
        return _cut_runs(runs, unlimited, own, q)
    return _cut_instants(key, first, unlimited, own, q)


def _cut_instants(key: Array, t: Array, end: Array, limit: Length, q: int) -> Intervals:
    """The instants that begin a state: the first, and from each the first one after its end."""
    end = np.minimum(end, add(t, limit))
    wanted, there = encode((key, end), (key, t))
    following = np.searchsorted(there, wanted, side="right")
    count = len(t)
    ends_key = following >= count
    ends_key[~ends_key] = key[following[~ends_key]] != key[~ends_key]
    chosen = mark_reached(mark_new(key), np.where(ends_key, count, following))
    found = np.where(end <= q, end, OPEN)
    return Intervals(key[chosen], t[chosen], found[chosen])


def mark_reached(first: Mask, following: Array) -> Mask:
    """The rows that one comes to from the first ones, each time going to the one that follows.

    `following` is a later row, or their number for none. With jumps of 2ᵏ, 2ᵏ⁻¹, … 1 steps every
    row on the way is come upon: O(n log n), however long the way is.
    """
    count = len(first)
    reached = np.append(first, False)
    jumps = [np.append(following, count)]
    while (jumps[-1] < count).any():
        jumps.append(jumps[-1][jumps[-1]])
    for jump in reversed(jumps):
        reached[jump[reached]] = True
    return reached[:count]


def _cut_runs(runs: Runs, end: Array, limit: Length, q: int) -> Intervals:
    """A state may begin inside a run, where the one before it reached its limit.

    One step for each result: of a run there may be many.
    """
    found: list[tuple[int, int, int]] = []
    number, count = 0, len(runs)
    keys, firsts, lasts, ends, limits = (
        column.tolist()
        for column in (runs.key, runs.first, runs.last, end, np.broadcast_to(limit, end.shape))
    )
    while number < count:
        key, ts = keys[number], firsts[number]
        while number < count and keys[number] == key:
            te = min(ends[number], ts + limits[number])
            found.append((key, ts, te if te <= q else OPEN))
            while number < count and keys[number] == key and lasts[number] <= te:
                number += 1
            if number < count and keys[number] == key:
                ts = max(firsts[number], te + 1)
    columns = np.array(found, dtype=np.int64).reshape(-1, 3)
    return Intervals(columns[:, 0].copy(), columns[:, 1].copy(), columns[:, 2].copy())
