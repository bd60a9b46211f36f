"""Φ• on either form: listed as long as one listed side bounds the result, dense otherwise."""

from phenesthe.kernels.arrays import Event, Instants, Intervals
from phenesthe.kernels.instants import mark_held, unite_instants
from phenesthe.kernels.runs import combine_runs, list_held, mark_occurring


def intersect_events(left: Event, right: Event) -> Event:
    """`φ and ψ`."""
    if isinstance(left, Instants):
        return left.take(mark_occurring(right, left.key, left.t))
    if isinstance(right, Instants):
        return right.take(mark_occurring(left, right.key, right.t))
    return combine_runs(left, "and", right)


def unite_events(left: Event, right: Event) -> Event:
    """`φ or ψ`."""
    if isinstance(left, Instants) and isinstance(right, Instants):
        return unite_instants(left, right)
    return combine_runs(left, "or", right)


def subtract_events(left: Event, right: Event) -> Event:
    """`φ and not ψ`."""
    if isinstance(left, Instants):
        return left.take(~mark_occurring(right, left.key, left.t))
    return combine_runs(left, "and not", right)


def keep_inside(event: Event, state: Intervals, q: int) -> Event:
    """`φ in σ`."""
    if isinstance(event, Instants):
        return event.take(mark_held(event, state))
    return combine_runs(event, "and", list_held(state, q))


def keep_outside(event: Event, state: Intervals, q: int) -> Event:
    """`φ not in σ`."""
    if isinstance(event, Instants):
        return event.take(~mark_held(event, state))
    return combine_runs(event, "and not", list_held(state, q))
