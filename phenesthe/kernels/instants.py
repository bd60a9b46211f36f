"""Φ• on listed instants."""

import numpy as np

from phenesthe.kernels.arrays import OPEN, Instants, Intervals, Mask, Pairs, join_columns
from phenesthe.kernels.order import encode, sort_instants
from phenesthe.kernels.search import expand_ranges


def mark_common(instants: Instants, others: Instants) -> Mask:
    """Which instants are also among the others. The first may come in any order."""
    wanted, there = encode((instants.key, instants.t), (others.key, others.t))
    at = np.searchsorted(there, wanted)
    found = at < len(there)
    found[found] = there[at[found]] == wanted[found]
    return found


def intersect_instants(left: Instants, right: Instants) -> Instants:
    return left.take(mark_common(left, right))


def subtract_instants(left: Instants, right: Instants) -> Instants:
    return left.take(~mark_common(left, right))


def unite_instants(left: Instants, right: Instants) -> Instants:
    return sort_instants(join_columns(left.key, right.key), join_columns(left.t, right.t))


def mark_held(instants: Instants, intervals: Intervals) -> Mask:
    """At which instants some interval has a ≤ t ≤ b: `φ in σ`, and negated `φ not in σ`.

    The instants may come in any order and the intervals may overlap: what counts is how far those
    that started by t reach.
    """
    wanted, start, end = encode(
        (instants.key, instants.t), (intervals.key, intervals.ts), (intervals.key, intervals.te)
    )
    at = np.searchsorted(start, wanted, side="right") - 1
    held = at >= 0
    held[held] = np.maximum.accumulate(end)[at[held]] >= wanted[held]
    return held


def pair_held(instants: Instants, intervals: Intervals) -> Pairs:
    """(instant, interval) rows with a ≤ t ≤ b, by interval. Intervals may come in any order.

    The instants of an interval are neighbours, so the cost is the sorted search and the output.
    """
    there, start, end = encode(
        (instants.key, instants.t), (intervals.key, intervals.ts), (intervals.key, intervals.te)
    )
    interval, instant = expand_ranges(
        np.searchsorted(there, start), np.searchsorted(there, end, side="right")
    )
    return instant, interval


def list_starts(intervals: Intervals) -> Instants:
    """`start(σ)` of a state."""
    return Instants(intervals.key, intervals.ts)


def list_ends(intervals: Intervals) -> Instants:
    """`end(σ)` of a state: the known ends."""
    known = intervals.te < OPEN
    return Instants(intervals.key[known], intervals.te[known])
