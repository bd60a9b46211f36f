"""Codes of values that come and go."""

from collections.abc import Iterable, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.arrow import to_ints, wrap
from phenesthe.kernels.arrays import Array
from phenesthe.operators.domains import Domain, Domains, build_domain
from phenesthe.vocabulary import ValueType

Codes = dict[str, Array]


def extend(domains: Domains, columns: Mapping[ValueType, Iterable[pa.ChunkedArray]]) -> Codes:
    """Add the values of the columns. Where codes moved, by type the new code of each old one."""
    moved: Codes = {}
    for type_name, found in columns.items():
        old = domains[type_name]
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
        domains.by_type[type_name] = Domain(type_name, old.values.take(wrap(codes)))
        moved[type_name] = mapping
    return moved
