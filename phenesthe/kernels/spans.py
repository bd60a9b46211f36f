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
#: The same for all rows, or one for each; not negative, and of a column positive.
Length: TypeAlias = int | Array


def measure(later: Array | int, earlier: Array) -> Spans:
    """`later - earlier`; meaningless where `later` is the smaller one."""
    return np.subtract(later, earlier, dtype=np.int64).view(np.uint64)


#: What any other length may as well be that is longer.
LONGEST = OPEN - 1


def as_spans(length: Length) -> int | Spans:
    """To be compared with what was measured: of signed and unsigned columns floats would come."""
    return length if isinstance(length, int) else length.view(np.uint64)


def take_lengths(length: Length, rows: Array | Mask | slice) -> Length:
    """Those of some of the rows."""
    return length if isinstance(length, int) else length[rows]


def compare(spans: Spans, operator: Operator, length: Length) -> Mask:
    limit = as_spans(length)
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


def compare_all_later(last: Array, q: int, operator: Operator, length: Length) -> Mask:
    """Does every t > q, and never, satisfy `t - last OP length`? Asks last ≤ q."""
    known, limit = measure(q, last), as_spans(length)
    match operator:
        case ">" | "!=":
            return known >= limit
        case ">=":
            return known >= limit - 1
        case "<" | "<=" | "==":
            return np.zeros(len(last), dtype=np.bool_)
        case _:
            assert_never(operator)


def compare_some_later(last: Array, q: Array | int, operator: Operator, length: Length) -> Mask:
    """Does some t > q satisfy `t - last OP length`? Asks last ≤ q."""
    known, limit = measure(q, last), as_spans(length)
    match operator:
        case "<":
            return known < limit - 1
        case "<=" | "==":
            return known < limit
        case ">" | ">=" | "!=":
            return np.ones(len(last), dtype=np.bool_)
        case _:
            assert_never(operator)


def add(times: Array, span: Length) -> Array:
    """`times + span` for span ≥ 0, at most OPEN."""
    if not isinstance(span, int):
        return np.add(np.minimum(times, OPEN - span), span, dtype=np.int64)
    span = min(span, OPEN)
    return np.minimum(times, OPEN - span) + span


def subtract(times: Array, span: Length) -> Array:
    """`times - span` for span ≥ 0, at least NEVER."""
    if not isinstance(span, int):
        return np.subtract(np.maximum(times, NEVER + span), span, dtype=np.int64)
    span = min(span, OPEN)
    return np.maximum(times, NEVER + span) - span
