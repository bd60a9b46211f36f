"""Two operands brought to common bindings."""

from typing import TYPE_CHECKING, assert_never

from phenesthe.graph import lengths as graph
from phenesthe.kernels.arrays import OPEN, Array, Intervals
from phenesthe.kernels.order import sort_instants
from phenesthe.kernels.relations import Relation
from phenesthe.kernels.runs import find_first_after, find_last_before
from phenesthe.kernels.spans import Length, add, subtract, take_lengths
from phenesthe.operators.lengths import read_lengths
from phenesthe.operators.rows import Bindings, Dense, Rows, as_event, spread
from phenesthe.vocabulary import Names

if TYPE_CHECKING:
    from phenesthe.operators.work import Work


def bring_together(
    ev: "Work", left: Rows, right: Rows, names: Names
) -> tuple[Bindings, Intervals, Intervals]:
    """The bindings both sides agree on, and the intervals of each side under them."""
    left_own, left_key = ev.keys.bind(left.variables, left)
    right_own, right_key = ev.keys.bind(right.variables, right)
    bindings, one, other = ev.keys.join(left_own, right_own, names)
    return (
        bindings,
        _spread(left, one, left_own.count, left_key),
        _spread(right, other, right_own.count, right_key),
    )


def _spread(rows: Rows, own_of: Array, count: int, key: Array) -> Intervals:
    joined, row = spread(own_of, count, key)
    return Intervals(joined, rows.ts[row], rows.te[row])


def list_candidates(
    ev: "Work",
    name: Relation,
    left: Rows | Dense,
    right: Rows | Dense,
    names: Names,
    near: graph.Length,
) -> tuple[Bindings, Intervals, Intervals]:
    """As `bring_together`; of a dense side only the instants that could be in a pair are listed.

    `near` is how far apart two instants may be that are asked to be the same.
    """
    if isinstance(left, Rows) and isinstance(right, Rows):
        return bring_together(ev, left, right, names)
    if isinstance(left, Dense):
        assert isinstance(right, Rows), "the checker lets only one side be dense"
        right_own, right_key = ev.keys.bind(right.variables, right)
        bindings, one, other = ev.keys.join(left.bindings, right_own, names)
        intervals = _spread(right, other, right_own.count, right_key)
        nearby = take_lengths(read_lengths(ev.keys, bindings, near), intervals.key)
        return bindings, _pick_left(name, left, one, intervals, nearby), intervals
    assert isinstance(right, Dense)
    left_own, left_key = ev.keys.bind(left.variables, left)
    bindings, one, other = ev.keys.join(left_own, right.bindings, names)
    intervals = _spread(left, one, left_own.count, left_key)
    return bindings, intervals, _pick_right(name, right, other, intervals)


def _pick_left(
    name: Relation, dense: Dense, own_of: Array, right: Intervals, near: Length
) -> Intervals:
    event = as_event(dense.event, *spread(own_of, dense.bindings.count, dense.event.key))
    match name:
        case "before":
            # Contiguous: nothing but the last instant before a right start can be in a pair.
            found, t = find_last_before(event, right.key, right.ts)
            return _instants(right.key[found], t[found])
        case "starts":
            # The earliest is before the end of the right, if any is.
            found, t = find_first_after(event, right.key, subtract(right.ts, near) - 1)
            found[found] = t[found] <= add(right.ts, near)[found]
            return _instants(right.key[found], t[found])
        case "finishes":
            # The latest is after the start of the right, if any is.
            is_known = right.te < OPEN
            known, near = right.take(is_known), take_lengths(near, is_known)
            found, t = find_last_before(event, known.key, add(add(known.te, near), 1))
            found[found] = t[found] >= subtract(known.te, near)[found]
            return _instants(known.key[found], t[found])
        case "meets" | "overlaps" | "equals" | "contains":
            raise AssertionError("takes no event on its left")
        case _:
            assert_never(name)


def _pick_right(name: Relation, dense: Dense, own_of: Array, left: Intervals) -> Intervals:
    event = as_event(dense.event, *spread(own_of, dense.bindings.count, dense.event.key))
    match name:
        case "before":
            known = left.take(left.te < OPEN)
            found, t = find_first_after(event, known.key, known.te)
            return _instants(known.key[found], t[found])
        case "contains":
            # Any instant inside will do; if the first one is not inside, none is.
            found, t = find_first_after(event, left.key, left.ts)
            return _instants(left.key[found], t[found])
        case "meets" | "overlaps" | "equals" | "starts" | "finishes":
            raise AssertionError("takes no event on its right")
        case _:
            assert_never(name)


def _instants(key: Array, t: Array) -> Intervals:
    return sort_instants(key, t).view_as_intervals()
