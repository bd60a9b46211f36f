"""How long an operator waits, looks back or lets pass, row by row where that varies."""

from typing import assert_never

import numpy as np

from phenesthe.graph.lengths import Length, Varying
from phenesthe.kernels import spans
from phenesthe.operators.rows import Bindings, Keys, Rows


def read_lengths(keys: Keys, rows: Rows | Bindings, length: Length) -> spans.Length:
    """Of rows or bindings that know it: rows whose length is not positive are not among them."""
    match length:
        case int():
            return length
        case Varying():
            return keys.domains["int"].numbers(rows.column(length.variable)).astype(np.int64)
        case _:
            assert_never(length)


def read_given(keys: Keys, rows: Rows | Bindings, length: Length | None) -> spans.Length | None:
    return None if length is None else read_lengths(keys, rows, length)


def find_reach(apart: spans.Length, within: spans.Length | None) -> spans.Length | None:
    """How long after the later end something can follow that is at least so far apart."""
    if within is None:
        return None
    if isinstance(within, int) and isinstance(apart, int):
        return max(within - apart + 1, 0)
    limit = min(within, spans.LONGEST) if isinstance(within, int) else within
    return np.maximum(np.asarray(limit - apart, dtype=np.int64) + 1, 0)
