"""The operators of Φ⁻ on the instants and intervals of one binding.

`(a, b)` is `[a, b]` and `(a, OPEN)` is `[a, ∞)`. An end is never after q: "an interval that ends
after q is seen as `[a, ∞)`". An instant t counts as (t, t) where a text says so.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import reduce
from itertools import combinations, pairwise
from typing import TypeAlias

from phenesthe.syntax.tree import ComparisonOperator
from tests.reference.values import compare

Interval: TypeAlias = tuple[int, float]

OPEN = math.inf


def coalesce(intervals: Iterable[Interval]) -> set[Interval]:
    """ "overlapping or touching (sharing an instant) intervals coalesce"."""
    result: list[Interval] = []
    for start, end in sorted(intervals):
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(result[-1][1], end))
        else:
            result.append((start, end))
    return set(result)


def intersect(left: Iterable[Interval], right: Collection[Interval]) -> set[Interval]:
    """ "maximal common intervals; a single common instant is not an interval"."""
    common = {(max(a, b), min(a_end, b_end)) for a, a_end in left for b, b_end in right}
    return {(start, end) for start, end in common if start < end}


def subtract(left: Iterable[Interval], right: Collection[Interval], q: int) -> set[Interval]:
    """ "maximal runs of instants of the left that are in no interval of the right, of at least
    two instants"; "A run that would start after q is not there yet."

    q + 1 stands for all the time after q: in `[a, ∞)` and in no closed interval. Only an instant
    beside a border can be the first or the last of a run.
    """
    result: set[Interval] = set()
    for a, a_end in left:
        last = q + 1 if a_end == OPEN else int(a_end)
        near = {t for border in list_borders(right) for t in (border - 1, border, border + 1)}
        inside = sorted(t for t in {a, last, *near} if a <= t <= last)
        free = {t for t in inside if not any(b <= t <= b_end for b, b_end in right)}
        firsts = [t for t in inside if t in free and (t == a or is_held(t - 1, right))]
        for t in firsts:
            end = min(e for e in free if e >= t and (e == last or is_held(e + 1, right)))
            if end > t:
                result.add((t, OPEN if end > q else end))
    return result


def is_held(t: int, intervals: Collection[Interval]) -> bool:
    return any(a <= t <= b for a, b in intervals)


def list_borders(intervals: Collection[Interval]) -> set[int]:
    return {int(border) for interval in intervals for border in interval if border != OPEN}


def cut_out(left: Iterable[Interval], right: Collection[Interval], q: int) -> set[Interval]:
    """ "maximal parts of the left, of at least two instants, that share no more than a border with
    any interval of the right, in continuous time".

    From one instant to the next is a step; a part is made of the steps that are in no interval of
    the right. The step from q to q + 1 stands for all the time after q. Between two neighbouring
    borders all steps are alike.
    """
    result: set[Interval] = set()
    for a, a_end in left:
        last = q + 1 if a_end == OPEN else int(a_end)
        borders = sorted({a, last, *(t for t in list_borders(right) if a < t < last)})
        parts = {
            (b, c)
            for b, c in pairwise(borders)
            if not any(begin <= b and c <= end for begin, end in right)
        }
        result |= {(b, OPEN if c > q else c) for b, c in coalesce(parts)}
    return result


def hold_together(members: Collection[set[Interval]], least: int) -> set[Interval]:
    """ "the union of the intersections of σ for every N different values of X"."""
    result: set[Interval] = set()
    for chosen in combinations(members, least) if least <= len(members) else ():
        result |= reduce(intersect, chosen)
    return coalesce(result)


def count_holding(members: Collection[set[Interval]]) -> dict[int, set[Interval]]:
    """ "between two neighbouring starts or ends of σ's intervals K is the number of different X
    whose interval covers the time between; neighbours with the same K are one interval …; after the
    last border K counts those still open"."""
    borders = sorted({t for held in members for interval in held for t in interval})
    pieces: dict[int, set[Interval]] = defaultdict(set)
    for start, end in pairwise(borders):
        number = sum(any(a <= start and end <= b for a, b in held) for held in members)
        if number >= 1:
            pieces[number].add((int(start), end))
    return {number: coalesce(found) for number, found in pieces.items()}


def keep_lasting(
    intervals: Iterable[Interval], comparison: ComparisonOperator, duration: int, q: int
) -> set[Interval]:
    """ "keeps intervals with `b − a OP D`; an open one is kept when every end after q satisfies
    it"."""
    return {
        (a, b)
        for a, b in intervals
        if all(compare(comparison, end - a, duration) for end in list_ends(b, q, a + duration))
    }


def list_ends(end: float, q: int, turning_point: int) -> set[float]:
    """The end, or if it is open enough of the instants after q to stand for all of them.

    A comparison of an instant with a turning point cannot tell the others from these.
    """
    if end != OPEN:
        return {end}
    near = (q + 1, q + 2, turning_point - 1, turning_point, turning_point + 1)
    return {t for t in near if t > q} | {OPEN}


def find_ranges(
    starts: Collection[int],
    stops: Collection[int],
    expires: int | None,
    q: int,
    limit: int | None = None,
) -> set[Interval]:
    """ "starts at the earliest φ when it does not hold, ends at the earliest later instant where ψ
    is true and φ is not; with no such instant it is `[a, ∞)`"; with a limit it "ends D after its
    start at the latest; a φ inside does not extend it, a φ at the very end belongs to it, a φ after
    it begins a new one; open at q if its limit is after q"."""
    result: set[Interval] = set()
    holding_until = -OPEN
    for start in sorted(starts):
        if start <= holding_until:
            continue
        end = min((t for t in stops if t > start and t not in starts), default=OPEN)
        if expires is not None:
            end = min(end, find_deadline(start, starts, expires, q))
        if limit is not None and start + limit <= q:
            end = min(end, start + limit)
        result.add((start, end))
        holding_until = end
    return result


def find_deadline(start: int, starts: Collection[int], expires: int, q: int) -> float:
    """ "ends D after the last φ inside it; each φ restarts the clock (a φ exactly at the deadline
    restarts it). Still open at q if the deadline is after q."

    That a φ after a stop is counted too does no harm: the deadline is then after that stop.
    """
    last = start
    while later := [t for t in starts if last < t <= last + expires]:
        last = max(later)
    return last + expires if last + expires <= q else OPEN


def find_runs(
    instants: list[int],
    linked: list[bool],
    comparison: ComparisonOperator,
    gap: int,
    q: int,
) -> set[Interval]:
    """ "maximal runs of two or more consecutive instants of φ"; `linked[i]` tells whether the
    neighbours i and i + 1 "satisfy the gap and the pair condition".

    "The interval is [first, last], or `[first, ∞)` when an instant after q could still continue
    the run (some t > q with t − last OP D)": so only the run of the very last instant can be open.
    """
    result: set[Interval] = set()
    first = 0
    for i in range(len(instants)):
        if i + 1 < len(instants) and linked[i]:
            continue
        if i > first:
            last = instants[i]
            goes_on = i + 1 == len(instants) and any(
                compare(comparison, t - last, gap) for t in list_ends(OPEN, q, last + gap) - {OPEN}
            )
            result.add((instants[first], OPEN if goes_on else last))
        first = i + 1
    return result


def sequence(left: Collection[Interval], right: Collection[Interval]) -> set[Interval]:
    """ "pairs i₁ of σ with the earliest later i₂ of τ (end of i₁ < start of i₂) when no other
    σ-interval lies between them; the result is [start i₁, end i₂], coalesced"."""

    def precedes(one: Interval, other: Interval) -> bool:
        return one[1] < other[0]

    return coalesce(
        (first[0], second[1])
        for first in left
        for second in right
        if precedes(first, second)
        and not any(precedes(first, other) and precedes(other, second) for other in left)
        and not any(precedes(first, other) and precedes(other, second) for other in right)
    )
