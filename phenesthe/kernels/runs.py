"""Φ• on runs of instants, so that a negation never lists the seconds of a day."""

from typing import Literal, TypeAlias

import numpy as np

from phenesthe.kernels.arrays import Array, Event, Instants, Intervals, Mask, Runs, join_columns
from phenesthe.kernels.order import encode, mark_new, sort_codes
from phenesthe.kernels.search import expand_ranges

Rule: TypeAlias = Literal["and", "or", "and not"]

#: Whether an instant is in the result, by (in the left) + 2 · (in the right).
TRUTH = {
    "and": np.array([False, False, False, True]),
    "or": np.array([False, True, True, True]),
    "and not": np.array([False, True, False, False]),
}


def view_as_runs(event: Event) -> Runs:
    """The same instants; listed ones become runs of one, neighbours are not merged."""
    if isinstance(event, Runs):
        return event
    return Runs(event.key, event.t, event.t)


def list_held(state: Intervals, q: int) -> Runs:
    """The instants up to q at which a state holds."""
    return Runs(state.key, state.ts, np.minimum(state.te, q))


def list_instants(runs: Runs) -> Instants:
    """Every instant of the runs: only for results that are themselves one per instant."""
    row, t = expand_ranges(runs.first, runs.last + 1)
    return Instants(runs.key[row], t)


def combine_runs(left: Event, rule: Rule, right: Event) -> Runs:
    """The instants that the rule picks, as maximal runs. O((n + m) log(n + m))."""
    one, other = view_as_runs(left), view_as_runs(right)
    key = join_columns(one.key, one.key, other.key, other.key)
    # An instant past the last one closes a run, so that runs one tick apart cancel out.
    time = join_columns(one.first, one.last + 1, other.first, other.last + 1)
    weight = np.repeat([1, -1, 2, -2], [len(one), len(one), len(other), len(other)])
    (code,) = encode((key, time))
    rows = sort_codes(code)
    if not len(rows):
        return Runs(key, time, time)
    is_last = np.roll(mark_new(code[rows]), -1)
    inside = TRUTH[rule][np.cumsum(weight[rows])[is_last]]
    rows = rows[is_last]
    was_inside = np.concatenate(([False], inside[:-1]))
    begins, ends = rows[inside & ~was_inside], rows[was_inside & ~inside]
    return Runs(key[begins], time[begins], time[ends] - 1)


def negate(event: Event, keys: Array, first: int, last: int) -> Runs:
    """`not φ` for the given keys (sorted, each once) on the timeline first … last."""
    if first > last:
        return Runs(keys[:0], keys[:0], keys[:0])
    timeline = Runs(keys, np.full(len(keys), first), np.full(len(keys), last))
    return combine_runs(timeline, "and not", event)


def mark_occurring(event: Event, key: Array, t: Array) -> Mask:
    """At which of the given (key, t), in any order, the event is true."""
    runs = view_as_runs(event)
    wanted, first, last = encode((key, t), (runs.key, runs.first), (runs.key, runs.last))
    at = np.searchsorted(last, wanted)
    found = at < len(runs)
    found[found] = first[at[found]] <= wanted[found]
    return found


def find_last_before(event: Event, key: Array, t: Array) -> tuple[Mask, Array]:
    """The last instant of the event before each (key, t), in any order, and whether it is there."""
    runs = view_as_runs(event)
    wanted, first = encode((key, t), (runs.key, runs.first))
    at = np.searchsorted(first, wanted) - 1
    found = at >= 0
    found[found] = runs.key[at[found]] == key[found]
    instant = np.zeros(len(t), dtype=np.int64)
    instant[found] = np.minimum(runs.last[at[found]], t[found] - 1)
    return found, instant


def find_first_after(event: Event, key: Array, t: Array) -> tuple[Mask, Array]:
    """The first instant of the event after each (key, t), in any order, and whether it is there."""
    runs = view_as_runs(event)
    wanted, last = encode((key, t), (runs.key, runs.last))
    at = np.searchsorted(last, wanted, side="right")
    found = at < len(runs)
    found[found] = runs.key[at[found]] == key[found]
    instant = np.zeros(len(t), dtype=np.int64)
    instant[found] = np.maximum(runs.first[at[found]], t[found] + 1)
    return found, instant
