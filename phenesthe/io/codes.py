"""One integer per row: equal exactly for identical rows, in the order of the rows.

All NaN are one value, after every other; 0.0 and -0.0 are one; null comes last. Strings are in
the order of their code points, which is that of their UTF-8 bytes.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.arrow import mark_nulls, to_floats, to_ints
from phenesthe.io.columns import Numbers

_MOST = 2**62


def encode_column(column: Any) -> tuple[Numbers, Any]:
    """The place of each row's value among the different values, -1 for null, and those."""
    if isinstance(column, pa.Array):
        column = pa.chunked_array([column])
    if pa.types.is_dictionary(column.type):
        chunks = column.unify_dictionaries().chunks
    else:
        chunks = pc.dictionary_encode(column).chunks  # of one dictionary, the same in each
    if not chunks:
        return np.empty(0, dtype=np.int64), pa.nulls(0, pa.string())
    places = pa.chunked_array([chunk.indices for chunk in chunks])
    return to_ints(places, null=-1), chunks[-1].dictionary


def code_rows(columns: Iterable[Any], count: int) -> Numbers:
    """The columns' ranks as digits of one number; ranked again whenever it would grow too long."""
    codes, size = np.zeros(count, dtype=np.int64), 1
    for column in columns:
        ranks, many = _rank(column)
        if size * many > _MOST:
            codes, size = _rank_densely(codes)
            if size * many > _MOST:
                ranks, many = _rank_densely(ranks)
        codes, size = codes * many + ranks, size * many
    return codes


def _rank(column: Any) -> tuple[Numbers, int]:
    """Numbers ≥ 0 in the order of the values, and one more than the greatest of them may be."""
    if not len(column):
        return np.empty(0, dtype=np.int64), 1
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.int8())
    if pa.types.is_integer(column.type):
        return _rank_integers(column)
    if pa.types.is_floating(column.type):
        different, ranks = np.unique(to_floats(column), return_inverse=True)
        ranks = ranks.astype(np.int64, copy=False)
        if column.null_count:
            ranks = np.where(mark_nulls(column), len(different), ranks)
        return ranks, len(different) + 1
    places, distinct = encode_column(column)
    order = to_ints(pa.chunked_array([pc.sort_indices(distinct)]))
    ranks = np.empty(len(order) + 1, dtype=np.int64)
    ranks[order] = np.arange(len(order))
    ranks[-1] = len(order)  # where -1, the place of null, looks
    return ranks[places], len(ranks)


def _rank_integers(column: Any) -> tuple[Numbers, int]:
    ends = pc.min_max(column).as_py()
    if ends["min"] is None:
        return np.zeros(len(column), dtype=np.int64), 1
    low, size = ends["min"], ends["max"] - ends["min"] + 2
    if size > _MOST:
        return _rank_densely_with_nulls(column)
    return to_ints(column, null=ends["max"] + 1) - low, size


def _rank_densely_with_nulls(column: Any) -> tuple[Numbers, int]:
    ranks, size = _rank_densely(to_ints(column))
    if column.null_count:
        ranks = np.where(mark_nulls(column), size, ranks)
    return ranks, size + 1


def _rank_densely(codes: Numbers) -> tuple[Numbers, int]:
    different, ranks = np.unique(codes, return_inverse=True)
    return ranks.astype(np.int64, copy=False), max(len(different), 1)
