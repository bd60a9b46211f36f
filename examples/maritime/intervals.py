"""Sets of disjoint intervals in seconds, as sorted lists of starts and ends."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Span = tuple[int, int]


def list_runs(holds: NDArray[np.bool_], begins: int) -> list[Span]:
    """From the first second of each run to the first one after it; the last run of a motion ends
    with the motion."""
    edges = np.diff(np.concatenate([[0], holds.astype(np.int8), [0]]))
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    ends = np.minimum(ends, len(holds) - 1)
    return [
        (begins + int(start), begins + int(end))
        for start, end in zip(starts, ends, strict=True)
        if end > start
    ]


def close_pauses(spans: Iterable[Span], pause: int) -> list[Span]:
    """Spans that are at most `pause` apart are one."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start - joined[-1][1] <= pause:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def intersect(left: Iterable[Span], right: Iterable[Span]) -> list[Span]:
    others = list(right)
    return sorted(
        (max(a, c), min(b, d)) for a, b in left for c, d in others if max(a, c) < min(b, d)
    )


def subtract(spans: Iterable[Span], holes: Iterable[Span]) -> list[Span]:
    left = sorted(spans)
    for start, end in holes:
        left = [
            piece
            for a, b in left
            for piece in ((a, min(b, start)), (max(a, end), b))
            if piece[0] < piece[1]
        ]
    return left


def keep_long(spans: Iterable[Span], least: int) -> list[Span]:
    return [(start, end) for start, end in spans if end - start >= least]


def measure_total(spans: Iterable[Span]) -> int:
    return sum(end - start for start, end in close_pauses(spans, 0))
