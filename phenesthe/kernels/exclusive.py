"""`exclusive state`: several values of which at most one holds."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from phenesthe.kernels.arrays import Array, Event, Instants, Intervals, Runs
from phenesthe.kernels.events import subtract_events, unite_events
from phenesthe.kernels.order import mark_new
from phenesthe.kernels.ranges import find_ranges_until
from phenesthe.kernels.runs import view_as_runs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Branch:
    """One value's `start ~> stop [expires] [limit]`; `stops` as in `find_ranges_until`."""

    start: Event
    stops: Sequence[tuple[Event, Array | None]]
    expires: int | None = None
    limit: int | None = None


def find_exclusive(branches: Sequence[Branch], q: int) -> list[Intervals]:
    """The intervals of each value, in the order of the branches, which is their priority.

    All branches have one coding of keys: the arguments without the value. A value's own φ never
    ends it, so "any other value's φ" may as well be any φ: one union serves all branches.
    """
    anyone = branches[0].start
    starts = [anyone]
    for branch in branches[1:]:
        starts.append(subtract_events(branch.start, anyone))
        anyone = unite_events(anyone, starts[-1])
    return [
        find_ranges_until(start, [*branch.stops, (anyone, None)], q, branch.expires, branch.limit)
        for start, branch in zip(starts, branches, strict=True)
    ]


def find_exclusive_values(
    start: Event,
    group: Array,
    rank: Array,
    stops: Sequence[tuple[Event, Array | None]],
    q: int,
    *,
    expires: int | None = None,
    limit: int | None = None,
) -> Intervals:
    """The intervals of any values of which one holds at a time.

    `group[k]` is what key k of `start` is without its value, `rank[k]` where the value stands in
    the order of values: of two keys of one group the lesser counts alone where both are true.
    """
    choose = _choose_least if isinstance(start, Instants) else _choose_least_runs
    counted, anyone = choose(start, group, rank)  # type: ignore[arg-type]  # each takes its own form
    return find_ranges_until(counted, [*stops, (anyone, group)], q, expires, limit)


def _choose_least(start: Instants, group: Array, rank: Array) -> tuple[Event, Event]:
    """What counts, by key and by group."""
    own = group[start.key]
    rows = np.lexsort((rank[start.key], start.t, own))
    first = rows[mark_new(own[rows], start.t[rows])]
    counted = np.sort(first)
    return (
        Instants(start.key[counted], start.t[counted]),
        Instants(own[first], start.t[first]),
    )


def _choose_least_runs(start: Runs, group: Array, rank: Array) -> tuple[Event, Event]:
    """One value of each group after the other: as many steps as a group has values."""
    keys = np.unique(start.key)
    own = group[keys]
    rows = np.lexsort((rank[keys], own))
    keys, own = keys[rows], own[rows]
    begin = np.flatnonzero(mark_new(own))
    place = np.empty(len(group), dtype=np.int64)
    place[keys] = np.arange(len(keys)) - np.repeat(begin, np.diff(np.append(begin, len(keys))))
    counted: list[Runs] = []
    anyone: Event = Runs(start.key[:0], start.first[:0], start.last[:0])
    for number in range(int(place[keys].max(initial=-1)) + 1):
        part = start.take(place[start.key] == number)
        to_key = np.full(int(group.max(initial=0)) + 1, -1, dtype=np.int64)
        chosen = keys[place[keys] == number]
        to_key[group[chosen]] = chosen
        as_group = Runs(group[part.key], part.first, part.last)
        left = view_as_runs(subtract_events(as_group, anyone))
        anyone = unite_events(anyone, left)
        counted.append(Runs(to_key[left.key], left.first, left.last))
    columns = [
        np.concatenate([getattr(one, name) for one in counted]) if counted else start.key[:0]
        for name in ("key", "first", "last")
    ]
    order = np.lexsort((columns[1], columns[0]))
    return Runs(*[column[order] for column in columns]), anyone
