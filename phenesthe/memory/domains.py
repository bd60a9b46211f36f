"""Codes of values that come and go."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.arrow import to_ints, wrap
from phenesthe.kernels.arrays import Array
from phenesthe.operators.domains import Domains, build_domain
from phenesthe.vocabulary import ValueType

Codes = dict[str, Array]


def extend(domains: Domains, columns: Mapping[ValueType, Iterable[pa.ChunkedArray]]) -> Codes:
    """Add the values of the columns. Where codes moved, by type the new code of each old one."""
    moved: Codes = {}
    for type_name, found in columns.items():
        old = domains[type_name]
        if not old.is_sorted:
            for column in found:
                domains.by_type[type_name] = domains[type_name].add(_join(column))
            continue
        new = build_domain(type_name, [old.values, *found], [])
        if len(new.values) > len(old.values):
            domains.by_type[type_name] = new
            moved[type_name] = to_ints(pa.chunked_array([pc.index_in(old.values, new.values)]))
    return moved


def shrink(domains: Domains, used: Mapping[ValueType, Array]) -> Codes:
    """Keep the codes that are used (sorted); others are moved to -1."""
    moved: Codes = {}
    for type_name, codes in used.items():
        old = domains[type_name]
        mapping = np.full(old.size, -1, dtype=np.int64)
        mapping[codes] = np.arange(len(codes))
        domains.by_type[type_name] = replace(old, values=old.values.take(wrap(codes)))
        moved[type_name] = mapping
    return moved


def _join(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
