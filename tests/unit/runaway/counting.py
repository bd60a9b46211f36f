"""How much work something is, by the number of calls: the same on every machine."""

import sys
from collections.abc import Callable
from types import FrameType


def count_calls(work: Callable[[], object]) -> int:
    """Calls of functions, written in Python or in C, until the work is done."""
    calls = 0

    def notice(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        if event in ("call", "c_call"):
            calls += 1

    earlier = sys.getprofile()
    sys.setprofile(notice)
    try:
        work()
    finally:
        sys.setprofile(earlier)
    return calls


def measure_growth(work: Callable[[int], Callable[[], object]], size: int) -> float:
    """How many times as much work twice the size is; `work` prepares it for a size."""
    work(10)()  # what is loaded once, and kept
    once, twice = (count_calls(work(one)) for one in (size, 2 * size))
    return twice / once
