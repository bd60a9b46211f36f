"""Numbered cases on all cores, until they are done or one fails."""

import multiprocessing
import os
import time
from collections.abc import Callable
from typing import Protocol, Self, TypeVar

_SECONDS_BETWEEN_LINES = 10.0


class Outcome(Protocol):
    """What some cases came to."""

    done: int
    failing: list[int]

    def merge(self, other: Self) -> None: ...


Found = TypeVar("Found", bound=Outcome)


def examine_in_pool(
    examine: Callable[[range], Found], total: Found, *, cases: int, seed: int, chunk: int
) -> float:
    """Add to the total what the cases come to; the seconds that took."""
    began = spoken = time.perf_counter()
    first = seed * 1_000_003
    chunks = [
        range(start, min(start + chunk, first + cases))
        for start in range(first, first + cases, chunk)
    ]
    with multiprocessing.Pool(os.cpu_count()) as pool:
        for outcome in pool.imap_unordered(examine, chunks):
            total.merge(outcome)
            if total.failing:
                pool.terminate()
                break
            if time.perf_counter() - spoken > _SECONDS_BETWEEN_LINES:
                spoken = time.perf_counter()
                print(f"{total.done:,} of {cases:,} agree, {spoken - began:.0f} s", flush=True)
    return time.perf_counter() - began
