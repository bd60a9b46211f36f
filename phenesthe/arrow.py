"""Arrow arrays from NumPy arrays and lists, and back.

`pa.array`, `pa.scalar` and `to_numpy` import pandas when it is installed, which takes longer than
most runs. Buffers do not; a column of numbers in one chunk without nulls is not copied.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa


def wrap(values: npt.NDArray[Any], empty: npt.NDArray[np.bool_] | None = None) -> Any:
    """An int64, float64 or bool array, null where `empty`."""
    validity = None if empty is None or not empty.any() else _pack_bits(~empty)
    if values.dtype == np.bool_:
        return pa.Array.from_buffers(pa.bool_(), len(values), [validity, _pack_bits(values)])
    real = values.dtype == np.float64
    plain = np.ascontiguousarray(values, dtype=np.float64 if real else np.int64)
    target = pa.float64() if real else pa.int64()
    return pa.Array.from_buffers(target, len(values), [validity, pa.py_buffer(plain)])


def pack(values: Sequence[Any], target: Any) -> Any:
    """A list of values of the type, or None. Raises OverflowError, UnicodeEncodeError."""
    empty = None
    if None in values:
        empty = np.fromiter((one is None for one in values), dtype=bool, count=len(values))
        other: Any = "" if pa.types.is_string(target) else 0
        values = [other if one is None else one for one in values]
    if pa.types.is_string(target):
        return _pack_texts([one.encode() for one in values], empty)
    kind = np.float64 if pa.types.is_floating(target) else np.int64
    return wrap(np.array(values, dtype=np.bool_ if pa.types.is_boolean(target) else kind), empty)


def make_text(text: str, target: Any | None = None) -> Any:
    """A text to use with columns, which are of long strings if not said otherwise."""
    return _pack_texts([text.encode()], None).cast(target or pa.large_string())[0]


def to_ints(column: Any, null: int = 0) -> npt.NDArray[np.int64]:
    """A column of integers, with another number for null."""
    numbers = _view(column.cast(pa.int64()), np.int64)
    return np.where(mark_nulls(column), null, numbers) if column.null_count else numbers


def to_floats(column: Any) -> npt.NDArray[np.float64]:
    """A column of floats without nulls."""
    return _view(column.cast(pa.float64()), np.float64)


def to_bools(column: Any) -> npt.NDArray[np.bool_]:
    """A column of bools without nulls."""
    parts = [
        np.unpackbits(
            np.frombuffer(chunk.buffers()[1], dtype=np.uint8),
            bitorder="little",
            count=chunk.offset + len(chunk),
        )[chunk.offset :]
        for chunk in column.chunks
        if len(chunk)
    ]
    return np.concatenate(parts).astype(bool) if parts else np.empty(0, dtype=bool)


def mark_nulls(column: Any) -> npt.NDArray[np.bool_]:
    return to_bools(column.is_null())


def _view(column: Any, kind: type[Any]) -> npt.NDArray[Any]:
    parts = [
        np.frombuffer(chunk.buffers()[1], dtype=kind)[chunk.offset : chunk.offset + len(chunk)]
        for chunk in column.chunks
        if len(chunk)
    ]
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.empty(0, dtype=kind)


def _pack_bits(truths: npt.NDArray[np.bool_]) -> Any:
    return pa.py_buffer(np.packbits(truths, bitorder="little"))


def _pack_texts(texts: list[bytes], empty: npt.NDArray[np.bool_] | None) -> Any:
    offsets = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)), out=offsets[1:])
    validity = None if empty is None else _pack_bits(~empty)
    buffers = [validity, pa.py_buffer(offsets), pa.py_buffer(b"".join(texts))]
    return pa.Array.from_buffers(pa.large_string(), len(texts), buffers).cast(pa.string())
