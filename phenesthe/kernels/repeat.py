"""`repeat φ while gap OP D and COND`."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from phenesthe.kernels.arrays import OPEN, Array, Instants, Intervals, Mask, number_rows
from phenesthe.kernels.order import mark_new
from phenesthe.kernels.spans import Operator, compare, compare_some_later, measure


def find_repeats(
    instants: Instants, operator: Operator, gap: int, q: int, connects: Mask | None = None
) -> Intervals:
    """The maximal runs of at least two instants.

    `connects[i]` tells whether instant i and the one before it satisfy COND; what it says of the
    first instant of a key does not matter. Only a key's last instant can still be followed by a
    neighbour, so only the run that ends there can be open.
    """
    key, t = instants.key, instants.t
    follows = mark_following(instants, operator, gap)
    if connects is not None:
        follows &= connects
    is_followed = np.roll(follows, -1)
    first, last = np.flatnonzero(~follows & is_followed), np.flatnonzero(follows & ~is_followed)
    te = t[last]
    at_end = np.roll(mark_new(key), -1)[last]
    at_end &= compare_some_later(te, q, operator, gap)
    te[at_end] = OPEN
    return Intervals(key[first], t[first], te)


def mark_following(instants: Instants, operator: Operator, gap: int) -> Mask:
    """Which instants have one before them in their key at a gap that satisfies `OP D`."""
    follows = ~mark_new(instants.key)
    follows[1:] &= compare(measure(instants.t[1:], instants.t[:-1]), operator, gap)
    return follows


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """Rows of φ with their distinct instants; those of instant i are offset[i] … offset[i+1] − 1.

    `candidates` are the instants whose gap to the one before holds: COND decides the rest.
    """

    instants: Instants
    offset: Array
    candidates: Array


@dataclass(frozen=True, slots=True, eq=False)
class NeighbourPairs:
    """Rows `previous` and `current` of neighbouring instants; `instant` numbers the later one."""

    instant: Array
    previous: Array
    current: Array


def group_occurrences(key: Array, t: Array, operator: Operator, gap: int) -> Occurrences:
    """Group rows sorted by (key, t), of which many may share an instant."""
    first = np.flatnonzero(mark_new(key, t))
    instants = Instants(key[first], t[first])
    candidates = np.flatnonzero(mark_following(instants, operator, gap))
    return Occurrences(instants, np.append(first, len(t)), candidates)


def list_neighbour_pairs(occurrences: Occurrences, budget: int) -> Iterator[NeighbourPairs]:
    """All pairs of rows on which COND decides, at most `budget` at a time.

    Pairs are numbered through, so that one crowded instant is split like everything else.
    """
    current, offset = occurrences.candidates, occurrences.offset
    width = offset[current + 1] - offset[current]
    total = np.cumsum((offset[current] - offset[current - 1]) * width)
    count = int(total[-1]) if len(total) else 0
    for start in range(0, count, budget):
        number = start + number_rows(min(budget, count - start))
        at = np.searchsorted(total, number, side="right")
        instant = current[at]
        # Counted back from the last pair of the instant, which needs no second running sum.
        left = total[at] - 1 - number
        yield NeighbourPairs(
            instant,
            offset[instant] - 1 - left // width[at],
            offset[instant + 1] - 1 - left % width[at],
        )


def reduce_pairs(occurrences: Occurrences, verdicts: Iterable[tuple[NeighbourPairs, Mask]]) -> Mask:
    """`connects` for `find_repeats`: neighbours connect when some pair of their rows satisfies."""
    connects = np.zeros(len(occurrences.instants), dtype=np.bool_)
    for pairs, verdict in verdicts:
        connects[pairs.instant[verdict]] = True
    return connects
