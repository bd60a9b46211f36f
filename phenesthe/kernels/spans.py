"""Lengths of time between instants.

Two times of ±2⁶² are up to 2⁶³ apart, one more than int64 holds. The wrapped difference read as
uint64 is exact whenever the later one comes first, so lengths are uint64 and nothing overflows.
"""

from typing import Literal, TypeAlias, assert_never

import numpy as np
import numpy.typing as npt

from phenesthe.kernels.arrays import NEVER, OPEN, Array, Mask

Operator: TypeAlias = Literal["<", "<=", ">", ">=", "==", "!="]
Spans: TypeAlias = npt.NDArray[np.uint64]


def measure(later: Array | int, earlier: Array) -> Spans:
    """`later - earlier`; meaningless where `later` is the smaller one."""
    return np.subtract(later, earlier, dtype=np.int64).view(np.uint64)


def compare(spans: Spans, operator: Operator, limit: int) -> Mask:
    match operator:
        case "<":
            return spans < limit
        case "<=":
            return spans <= limit
        case ">":
            return spans > limit
        case ">=":
            return spans >= limit
        case "==":
            return np.equal(spans, limit)
        case "!=":
            return np.not_equal(spans, limit)
        case _:
            assert_never(operator)


def compare_all_later(last: Array, q: int, operator: Operator, limit: int) -> Mask:
    """Does every t > q, and never, satisfy `t - last OP limit`? Asks last ≤ q."""
    known = measure(q, last)
    match operator:
        case ">" | "!=":
            return known >= limit
        case ">=":
            return known >= limit - 1
        case "<" | "<=" | "==":
            return np.zeros(len(last), dtype=np.bool_)
        case _:
            assert_never(operator)


def compare_some_later(last: Array, q: Array | int, operator: Operator, limit: int) -> Mask:
    """Does some t > q satisfy `t - last OP limit`? Asks last ≤ q."""
    known = measure(q, last)
    match operator:
        case "<":
            return known < limit - 1
        case "<=" | "==":
            return known < limit
        case ">" | ">=" | "!=":
            return np.ones(len(last), dtype=np.bool_)
        case _:
            assert_never(operator)


def add(times: Array, span: int) -> Array:
    """`times + span` for span ≥ 0, at most OPEN."""
    span = min(span, OPEN)
    return np.minimum(times, OPEN - span) + span


def subtract(times: Array, span: int) -> Array:
    """`times - span` for span ≥ 0, at least NEVER."""
    span = min(span, OPEN)
    return np.maximum(times, NEVER + span) - span
