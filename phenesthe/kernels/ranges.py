"""`φ ~> ψ`, with or without `expires`."""

from collections.abc import Sequence

import numpy as np

from phenesthe.kernels.arrays import OPEN, Array, Event, Intervals
from phenesthe.kernels.order import mark_new
from phenesthe.kernels.runs import find_first_after, view_as_runs
from phenesthe.kernels.spans import measure


def find_ranges(
    start: Event, stop: Event, q: int, expires: int | None = None, join: Array | None = None
) -> Intervals:
    """The state `start ~> stop [expires]`.

    `join[k]` is the key of `stop` that belongs to key k of `start`, where `stop` has fewer
    variables; without it both have the same keys.
    """
    return find_ranges_until(start, [(stop, join)], q, expires)


def find_ranges_until(
    start: Event, stops: Sequence[tuple[Event, Array | None]], q: int, expires: int | None = None
) -> Intervals:
    """`start ~> (stop or stop or …)`, where each stop may have keys of its own.

    A stop at an instant of φ counts for nothing (φ wins). So the state that holds at one run of φ
    holds through to the next run exactly when no stop lies strictly between the two and the clock
    does not run out; and it ends, after its last run of φ, at the first stop or the deadline. A
    run of φ that is dense restarts the clock at each of its instants, since D is at least one.
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
        new[1:] |= measure(first[1:], last[:-1]) > expires
        over = measure(q, last) >= expires
        end[over] = np.minimum(end[over], last[over] + expires)
    is_final = np.roll(new, -1)
    return Intervals(key[new], first[new], end[is_final])
