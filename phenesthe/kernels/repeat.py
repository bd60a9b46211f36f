"""`repeat φ while gap OP D and COND`."""

from dataclasses import dataclass

import numpy as np

from phenesthe.kernels.arrays import OPEN, Array, Instants, Intervals, Mask, number_rows
from phenesthe.kernels.order import mark_new
from phenesthe.kernels.spans import (
    Length,
    Operator,
    compare,
    compare_some_later,
    measure,
    take_lengths,
)


def find_repeats(
    instants: Instants, operator: Operator, gap: Length, q: int, connects: Mask | None = None
) -> Intervals:
    """The maximal runs of at least two instants.

    `connects[i]` tells whether instant i and the one before it satisfy COND; what it says of the
    first instant of a key does not matter. Only a key's last instant can still be followed by a
    neighbour, so only the run that ends there can be open. A gap that varies has one length for
    each key.
    """
    key, t = instants.key, instants.t
    follows = mark_following(instants, operator, gap)
    if connects is not None:
        follows &= connects
    is_followed = np.roll(follows, -1)
    first, last = np.flatnonzero(~follows & is_followed), np.flatnonzero(follows & ~is_followed)
    te = t[last]
    at_end = np.roll(mark_new(key), -1)[last]
    at_end &= compare_some_later(te, q, operator, take_lengths(gap, key[last]))
    te[at_end] = OPEN
    return Intervals(key[first], t[first], te)


def mark_following(instants: Instants, operator: Operator, gap: Length) -> Mask:
    """Which instants have one before them in their key at a gap that satisfies `OP D`."""
    follows = ~mark_new(instants.key)
    gaps = take_lengths(gap, instants.key[1:])
    follows[1:] &= compare(measure(instants.t[1:], instants.t[:-1]), operator, gaps)
    return follows


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """Rows of φ and their distinct instants; those of instant i are offset[i] … offset[i+1] − 1."""

    instants: Instants
    offset: Array


def group_occurrences(key: Array, t: Array) -> Occurrences:
    """Group rows sorted by (key, t), of which many may share an instant."""
    first = np.flatnonzero(mark_new(key, t))
    if len(first) == len(key):
        return Occurrences(Instants(key, t), number_rows(len(t) + 1))
    return Occurrences(Instants(key[first], t[first]), np.append(first, len(t)))
