"""The input "as known at a query time q"."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from tests.reference.bindings import Arguments
from tests.reference.intervals import OPEN, Interval, coalesce

#: An event at an instant, or an interval with its end (None: still holding); also a result.
Row: TypeAlias = tuple[Arguments, int] | tuple[Arguments, int, int | None]
Rows: TypeAlias = Mapping[str, Iterable[Row]]


def find_query_time(rows: Iterable[Row]) -> int | None:
    """ "the last instant in the input (the greatest `t`, `ts` or `te` of the accepted rows)"."""
    return max((t for _, *times in rows for t in times if t is not None), default=None)


def find_first_instant(rows: Iterable[Row]) -> int | None:
    return min((row[1] for row in rows), default=None)


def know_event(rows: Iterable[Row], q: int) -> dict[Arguments, set[int]]:
    """ "events at t ≤ q"."""
    known: dict[Arguments, set[int]] = defaultdict(set)
    for row in rows:
        if row[1] <= q:
            known[make_canonical(row[0])].add(row[1])
    return dict(known)


def know_dynamic(rows: Iterable[Row], q: int) -> dict[Arguments, set[Interval]]:
    """ "intervals that started by q; an interval that ends after q is seen as `[a, ∞)`".

    "a row with a `te` closes the still-holding row with the same arguments and `ts`".
    """
    ends: dict[tuple[Arguments, int], set[int | None]] = defaultdict(set)
    for row in rows:
        if len(row) != 3:
            raise ValueError(f"not an interval: {row}")
        arguments, start, end = row
        if start <= q:
            ends[make_canonical(arguments), start].add(end)
    known: dict[Arguments, set[Interval]] = defaultdict(set)
    for (arguments, start), found in ends.items():
        for end in found - {None} or {None}:
            known[arguments].add((start, OPEN if end is None or end > q else end))
    return dict(known)


def know_state(rows: Iterable[Row], q: int) -> dict[Arguments, set[Interval]]:
    """ "The intervals of an input state are coalesced per binding"."""
    return {args: coalesce(intervals) for args, intervals in know_dynamic(rows, q).items()}


def make_canonical(arguments: Arguments) -> Arguments:
    """One NaN for all, so that "duplicate inputs change nothing" also for a row with a NaN."""
    return tuple(
        math.nan if isinstance(one, float) and math.isnan(one) else one for one in arguments
    )
