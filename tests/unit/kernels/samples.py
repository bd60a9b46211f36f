"""Relations as plain dictionaries, random ones, and the way to columns and back."""

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import TypeAlias, get_args

import numpy as np

from phenesthe.kernels.arrays import OPEN, Array, Event, Instants, Intervals, Runs
from phenesthe.kernels.spans import Operator

Interval: TypeAlias = tuple[int, int]
#: What each key is true on.
Times: TypeAlias = dict[int, set[int]]
Spans: TypeAlias = dict[int, set[Interval]]

KEYS = (0, 1, 2, 5)
LAST = 24
OPERATORS: tuple[Operator, ...] = get_args(Operator)


def draw_cases(count: int) -> Iterator[Random]:
    for seed in range(count):
        yield Random(seed)


def draw_query_time(random: Random) -> int:
    """A query time that may be later than everything known."""
    return LAST + random.choice((0, 0, 1, 5))


def draw_times(random: Random, share: float | None = None) -> Times:
    result = {}
    for key in KEYS:
        if random.random() < 0.9:
            chance = random.choice((0.1, 0.3, 0.6)) if share is None else share
            result[key] = {t for t in range(LAST + 1) if random.random() < chance}
    return result


def draw_state(random: Random) -> Spans:
    """Disjoint intervals, some one tick apart, the last perhaps open."""
    result: Spans = {}
    for key in KEYS:
        intervals = result.setdefault(key, set())
        t = random.randint(0, 5)
        while t < LAST:
            end = t + random.randint(1, 6)
            if end > LAST or random.random() < 0.05:
                if random.random() < 0.6:
                    intervals.add((t, OPEN))
                break
            intervals.add((t, end))
            t = end + random.randint(1, 5)
    return result


def draw_dynamic(random: Random) -> Spans:
    """Intervals that may overlap and share starts and ends, some open."""
    return {key: {draw_interval(random) for _ in range(random.randint(0, 8))} for key in KEYS}


def draw_states(random: Random) -> tuple[Spans, Spans]:
    """Two states of which one follows the other in places, with starts and ends in common."""
    one, other = draw_state(random), draw_state(random)
    for key in KEYS:
        if random.random() < 0.4:
            other[key] = set()
            for a, b in one[key]:
                start, end = a + random.randint(0, 1), b if b == OPEN else b - random.randint(0, 1)
                if start < end:
                    other[key].add((start, end))
    return (one, other) if random.random() < 0.5 else (other, one)


def draw_dynamic_like(random: Random, other: Spans) -> Spans:
    """A dynamic that shares some intervals with another relation."""
    result = draw_dynamic(random)
    for key, intervals in other.items():
        result[key] |= {(a, b) for a, b in intervals if a < b and random.random() < 0.3}
    return result


def draw_interval(random: Random) -> Interval:
    start = random.randint(0, LAST - 1)
    if random.random() < 0.15:
        return start, OPEN
    return start, min(LAST, start + random.randint(1, 8))


def holds(operator: Operator, span: float, limit: int) -> bool:
    outcome = {
        "<": span < limit,
        "<=": span <= limit,
        ">": span > limit,
        ">=": span >= limit,
        "==": span == limit,
        "!=": span != limit,
    }
    return outcome[operator]


def list_rows(spans: Spans) -> list[tuple[int, int, int]]:
    return sorted((key, a, b) for key, intervals in spans.items() for a, b in intervals)


def to_column(values: Iterable[int]) -> Array:
    return np.array(list(values), dtype=np.int64)


def to_instants(times: Times) -> Instants:
    rows = sorted((key, t) for key, ts in times.items() for t in ts)
    return Instants(to_column(row[0] for row in rows), to_column(row[1] for row in rows))


def to_intervals(spans: Spans) -> Intervals:
    return rows_to_intervals(list_rows(spans))


def rows_to_intervals(rows: list[tuple[int, int, int]]) -> Intervals:
    key, ts, te = (to_column(row[column] for row in rows) for column in range(3))
    return Intervals(key, ts, te)


def to_entities(times: Times) -> Spans:
    return {key: {(t, t) for t in ts} for key, ts in times.items()}


def find_bounds(times: set[int]) -> list[Interval]:
    """The maximal runs of consecutive instants."""
    firsts = sorted(t for t in times if t - 1 not in times)
    lasts = sorted(t for t in times if t + 1 not in times)
    return list(zip(firsts, lasts, strict=True))


def to_runs(times: Times) -> Runs:
    rows = [(key, first, last) for key in sorted(times) for first, last in find_bounds(times[key])]
    found = rows_to_intervals(rows)
    return Runs(found.key, found.ts, found.te)


def read_intervals(found: Intervals) -> list[tuple[int, int, int]]:
    return list(zip(found.key.tolist(), found.ts.tolist(), found.te.tolist(), strict=True))


def read_runs(found: Runs) -> list[tuple[int, int, int]]:
    return list(zip(found.key.tolist(), found.first.tolist(), found.last.tolist(), strict=True))


def read_times(event: Event) -> list[tuple[int, int]]:
    """All (key, t) in the order of the rows, duplicates and all."""
    if isinstance(event, Instants):
        return list(zip(event.key.tolist(), event.t.tolist(), strict=True))
    return [(key, t) for key, first, last in read_runs(event) for t in range(first, last + 1)]


def list_times(times: Times) -> list[tuple[int, int]]:
    return sorted((key, t) for key, ts in times.items() for t in ts)


def by_key(
    operator: Callable[[set[Interval], set[Interval]], set[Interval]], left: Spans, right: Spans
) -> list[tuple[int, int, int]]:
    """An operator on the intervals of one binding, for all of them."""
    keys = left.keys() | right.keys()
    return list_rows({k: operator(left.get(k, set()), right.get(k, set())) for k in keys})
