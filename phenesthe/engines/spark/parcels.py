"""Tables on their way from task to task of a job, as parcels of many rows.

Spark would take every row apart and put it together again at each exchange, which costs more than
all that is done with it. A parcel is a row to Spark: the bucket that it goes to, what it is, and a
table as the bytes of Arrow's stream format. No pyspark here.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from phenesthe.arrow import to_ints, wrap
from phenesthe.engines.spark.worker_errors import pack_error
from phenesthe.io.errors import DataError, describe_failure
from phenesthe.kernels.arrays import Array

Batches: TypeAlias = Iterator[pa.RecordBatch]

#: Of a parcel, for Spark.
PARCEL = "bucket int, kind string, content binary"
_SCHEMA = pa.schema([("bucket", pa.int32()), ("kind", pa.string()), ("content", pa.binary())])

#: The golden ratio of 64 bits: multiplied by it, keys in a row go far apart.
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


def send(kind: str, table: Any, keys: Mapping[str, int], count: int) -> Batches:
    """The rows of a table, to the buckets of their keys; rows with equal keys go together.

    A key is a column, divided by its number. Without keys all goes to the first bucket.
    """
    if not table.num_rows:
        return
    buckets = np.zeros(table.num_rows, dtype=np.int64)
    if keys and count > 1:
        buckets = _find_buckets([to_ints(table[k]) // by for k, by in keys.items()], count)
        order = np.argsort(buckets, kind="stable")
        table, buckets = table.take(wrap(order)), buckets[order]
    edges = np.searchsorted(buckets, np.arange(count + 1)).tolist()
    for bucket in range(count):
        low, high = edges[bucket], edges[bucket + 1]
        if low < high:
            content = _write(table.slice(low, high - low))
            arrays = [
                pa.array([one], field.type)
                for one, field in zip((bucket, kind, content), _SCHEMA, strict=True)
            ]
            yield pa.RecordBatch.from_arrays(arrays, schema=_SCHEMA)


def receive(batches: Batches, schemas: Mapping[str, Any]) -> dict[str, Any]:
    """All that has arrived in a bucket, by kind; empty tables where nothing has."""
    parts: dict[str, list[Any]] = defaultdict(list)
    for batch in batches:
        contents = batch.column("content")
        for at, kind in enumerate(batch.column("kind").to_pylist()):
            parts[kind].append(pa.ipc.open_stream(contents[at].as_buffer()).read_all())
    return {
        kind: pa.concat_tables([schema.empty_table(), *parts[kind]])
        for kind, schema in schemas.items()
    }


@contextmanager
def telling() -> Iterator[None]:
    """In a task: what goes wrong with data or with writing tables is told to the user."""
    try:
        yield
    except DataError as problem:
        raise pack_error(problem) from problem
    except OSError as problem:
        refused = DataError(
            f"cannot write the tables: {describe_failure(problem)}",
            "write to a folder with room that every worker sees",
        )
        raise pack_error(refused) from problem


def _find_buckets(keys: list[Array], count: int) -> Array:
    mixed = np.zeros(len(keys[0]), dtype=np.uint64)
    for key in keys:
        mixed = (mixed ^ key.astype(np.uint64)) * _SPREAD
    buckets: Array = ((mixed >> np.uint64(33)) % np.uint64(count)).astype(np.int64)
    return buckets


def _write(table: Any) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return bytes(sink.getvalue())
