"""Machines: what value holds, given what happened before.

Several ways to the same stays. `machine_steps` goes from event to event, which numba makes quick.
Without it, and without clocks, `machine_blocks` goes on in many places at once. With clocks every
transition that could fire is a node: an instant and the value that it enters. From each node one
other follows, however the machine came to it, so that all are found at once; marked are those that
one comes to from where a machine begins.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from phenesthe.kernels.arrays import OPEN, Array, Instants, join_columns, number_rows
from phenesthe.kernels.machine_blocks import find_held, list_stays
from phenesthe.kernels.machine_steps import follow
from phenesthe.kernels.order import encode, mark_new, order_rows
from phenesthe.kernels.ranges import mark_reached

#: Which way to go: `numba` or `numpy`; otherwise as the number of rows suggests.
SWITCH = "PHENESTHE_MACHINES"
#: With fewer rows numba takes longer to load than it saves.
_MANY_ROWS = 200_000


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A machine in numbers; the last value is that of one which is not entered.

    `fires[v, e]`: the first transition that leaves v on event e, or their number for none;
    `target[n]`: the value that transition n enters. `due[v]`: how long after v was entered time
    alone ends it, or OPEN; `after[v]`: what it enters then.
    """

    fires: Array
    target: Array
    due: Array
    after: Array

    @property
    def unentered(self) -> int:
        return len(self.due) - 1


@dataclass(frozen=True, slots=True)
class Transition:
    """As it is written: values by their numbers; None for `_`. Of `event` and `after` one is."""

    source: int | None
    target: int | None
    event: int | None
    after: int | None


def make_table(count: int, transitions: Sequence[Transition], events: int) -> Table:
    """Of `count` values the first is what a machine has before its first transition."""
    unentered, never = count, len(transitions)
    fires = np.full((count + 1, events), never, dtype=np.int64)
    due = np.full(count + 1, OPEN, dtype=np.int64)
    target = np.array(
        [unentered if one.target is None else one.target for one in transitions], dtype=np.int64
    )
    enters = number_rows(count + 1)
    for number, one in enumerate(transitions):
        left = range(count) if one.source is None else (one.source,)
        if one.event is not None:
            leaves_first = one.source is None or one.source == 0
            for value in (*left, *([unentered] if leaves_first else [])):
                fires[value, one.event] = min(fires[value, one.event], number)
        elif one.after is not None:
            for value in left:
                if one.after < due[value]:
                    due[value], enters[value] = one.after, target[number]
    # Entered again by time alone, a value holds on, and its other clocks never run out.
    due[enters == number_rows(count + 1)] = OPEN
    return Table(fires, target, due, enters)


@dataclass(frozen=True, slots=True, eq=False)
class Stays:
    """On which intervals a value was held from when it was entered or, if it has a clock, entered
    again, to when it was left: by key, then time. Of one key they touch."""

    key: Array
    value: Array
    ts: Array
    te: Array


@dataclass(frozen=True, slots=True, eq=False)
class Begin:
    """By key, the value with which it begins and when that was entered."""

    value: Array
    since: Array


def find_stays(table: Table, key: Array, t: Array, event: Array, begin: Begin, q: int) -> Stays:
    """`event[i]` happens at (key[i], t[i]), in any order; `begin` has a row for every key."""
    order = order_rows(key, t)
    key, t, event = key[order], t[order], event[order]
    way = os.environ.get(SWITCH) or ("numba" if len(t) >= _MANY_ROWS else "numpy")
    steps = load_numba() if way == "numba" else None
    if steps is None:
        if np.any(table.due < OPEN):
            return _find_by_nodes(table, key, t, event, begin, q)
        return _find_by_blocks(table, key, t, event, begin)
    found, count = steps(
        key, t, event, begin.value, begin.since,
        table.fires, table.target, table.due, table.after, q,
    )  # fmt: skip
    return Stays(*found[:, :count])


@cache
def load_numba() -> Callable[..., Any] | None:
    """The loops compiled, and kept compiled where there is a place for it."""
    if find_spec("numba") is None:
        return None
    import numba

    try:
        compiled: Callable[..., Any] = numba.njit(cache=True)(follow)
    except RuntimeError:
        # Neither the package nor the user has a folder that can be written.
        compiled = numba.njit(follow)
    return compiled


def _find_by_blocks(table: Table, key: Array, t: Array, event: Array, begin: Begin) -> Stays:
    first = np.flatnonzero(mark_new(key, t))
    before, after = find_held(table.fires, table.target, key, first, event, begin.value)
    found = list_stays(key[first], t[first], before, after, begin.value, begin.since)
    held = found[1] != table.unentered
    return Stays(*[column[held] for column in found])


@dataclass(frozen=True, slots=True, eq=False)
class _Leaving:
    """Of one value, the moments at which an event leaves it, and what it then enters."""

    moment: Array
    target: Array


def _find_by_nodes(table: Table, key: Array, t: Array, event: Array, begin: Begin, q: int) -> Stays:
    """A node is a moment, a (key, t) at which something happens, and a value that is entered then.

    Nodes of what a key begins with come before all others.
    """
    first = np.flatnonzero(mark_new(key, t))
    moments = Instants(key[first], t[first])
    leaving = [_find_leaving(table, value, event, first, len(t)) for value in range(len(table.due))]
    width = len(table.due)
    codes = np.sort(join_columns(*[one.moment * width + one.target for one in leaving]))
    codes = codes[mark_new(codes)]
    keys = len(begin.value)
    last = np.searchsorted(moments.key, number_rows(keys), side="right")
    nodes = _Nodes(
        key=join_columns(number_rows(keys), moments.key[codes // width]),
        value=join_columns(begin.value, codes % width),
        since=join_columns(begin.since, moments.t[codes // width]),
        # A key's own moments are those after `moment` and before `last`.
        moment=join_columns(np.searchsorted(moments.key, number_rows(keys)) - 1, codes // width),
    )
    following = np.full(len(nodes.key), len(nodes.key), dtype=np.int64)
    parts: list[tuple[Array, Array, Array, Array]] = []
    active = number_rows(len(nodes.key))
    value, since, moment = nodes.value, nodes.since, nodes.moment
    # One round for each time that time alone ends a value between two events.
    while len(active):
        own = nodes.key[active]
        end, deadline = _find_ends(table, leaving, moments, last[own], value, since, moment, q)
        by_event, entered = end.by_event, end.entered
        te = np.where(by_event, end.t, deadline)
        is_held = value != table.unentered
        parts.append((active[is_held], value[is_held], since[is_held], te[is_held]))
        code = end.moment[by_event] * width + entered[by_event]
        following[active[by_event]] = keys + np.searchsorted(codes, code)
        goes_on = ~by_event & (deadline < OPEN)
        active, value, since = active[goes_on], table.after[value[goes_on]], deadline[goes_on]
        moment = _find_moments(moments, nodes.key[active], since)
    is_first = np.zeros(len(nodes.key), dtype=np.bool_)
    is_first[:keys] = True
    reached = mark_reached(is_first, following)
    node, held, ts, te = (
        join_columns(*[part[at] for part in parts]) if parts else np.empty(0, dtype=np.int64)
        for at in range(4)
    )
    kept = reached[node]
    own, ts = nodes.key[node[kept]], ts[kept]
    by = order_rows(own, ts)
    return Stays(own[by], held[kept][by], ts[by], te[kept][by])


@dataclass(frozen=True, slots=True, eq=False)
class _Nodes:
    key: Array
    value: Array
    since: Array
    moment: Array


def _find_leaving(table: Table, value: int, event: Array, first: Array, count: int) -> _Leaving:
    """Of several events of a moment the one counts whose transition is listed first."""
    never = len(table.target)
    fires = table.fires[value][event]
    chosen = np.minimum.reduceat(fires, first) if count else fires
    moment = np.flatnonzero(chosen < never)
    target = table.target[chosen[moment]]
    if table.due[value] == OPEN:
        # To enter it again changes nothing.
        moment, target = moment[target != value], target[target != value]
    return _Leaving(moment, target)


@dataclass(frozen=True, slots=True, eq=False)
class _Ends:
    """Where an event ends a stay: its moment, its time, what is entered."""

    by_event: np.ndarray[Any, np.dtype[np.bool_]]
    moment: Array
    t: Array
    entered: Array


def _find_ends(
    table: Table,
    leaving: Sequence[_Leaving],
    moments: Instants,
    last: Array,
    value: Array,
    since: Array,
    moment: Array,
    q: int,
) -> tuple[_Ends, Array]:
    """What ends the stays in a value since some time: an event, or time; an event wins."""
    count = len(value)
    deadline = np.full(count, OPEN, dtype=np.int64)
    timed = np.flatnonzero(table.due[value] < OPEN)
    wait = table.due[value[timed]]
    # As `add`, each its own.
    deadline[timed] = np.minimum(since[timed], OPEN - wait) + wait
    deadline[deadline > q] = OPEN
    at, t = np.full(count, -1, dtype=np.int64), np.full(count, OPEN, dtype=np.int64)
    entered = np.full(count, -1, dtype=np.int64)
    for number, one in enumerate(leaving):
        chosen = np.flatnonzero(value == number)
        place = np.searchsorted(one.moment, moment[chosen], side="right")
        there = place < len(one.moment)
        chosen, place = chosen[there], place[there]
        found = one.moment[place]
        there = found < last[chosen]
        chosen, place, found = chosen[there], place[there], found[there]
        at[chosen], t[chosen], entered[chosen] = found, moments.t[found], one.target[place]
    by_event = (at >= 0) & (t <= deadline)
    return _Ends(by_event, at, t, entered), deadline


def _find_moments(moments: Instants, key: Array, t: Array) -> Array:
    """The last moment up to each (key, t), of whatever key."""
    known, wanted = encode((moments.key, moments.t), (key, t))
    return np.searchsorted(known, wanted, side="right").astype(np.int64, copy=False) - 1
