"""What plain values and tables of a state must look like.

The check of a file finds what disks do to it, not what people write into it by hand. So whatever
is read is looked at before it is used, and all that is wrong with it is `Damage`.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from phenesthe.memory.pack import Damage

Check: TypeAlias = Callable[[Any], bool]
_MOST = 2**63 - 1


def is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _MOST


def is_count(value: Any) -> bool:
    return is_int(value) and value >= 0


def is_positive(value: Any) -> bool:
    return is_int(value) and value > 0


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_words(value: Any) -> bool:
    return isinstance(value, str) and bool(value.split())


def is_bool(value: Any) -> bool:
    return isinstance(value, bool)


def or_none(check: Check) -> Check:
    return lambda value: value is None or check(value)


def list_of(check: Check) -> Check:
    return lambda value: isinstance(value, list | tuple) and all(map(check, value))


def by_name(check: Check) -> Check:
    return lambda value: (
        isinstance(value, Mapping)
        and all(isinstance(key, str) for key in value)
        and all(map(check, value.values()))
    )


def record(**fields: Check) -> Check:
    """An object with these fields and no others."""
    return lambda value: (
        isinstance(value, Mapping)
        and set(value) == set(fields)
        and all(check(value[name]) for name, check in fields.items())
    )


def require(is_right: bool) -> None:
    if not is_right:
        raise Damage


def take_column(table: pa.Table, name: str, kind: pa.DataType, *, nulls: bool = False) -> Any:
    """A column of just this type."""
    require(table.column_names.count(name) == 1)
    column = table[name]
    require(column.type == kind and (nulls or not column.null_count))
    return column


def check_codes(columns: Collection[np.ndarray[Any, Any]], sizes: Collection[int]) -> None:
    """Codes of values, of which there are so many."""
    for column, size in zip(columns, sizes, strict=True):
        require(not len(column) or (int(column.min()) >= 0 and int(column.max()) < size))
