"""What the rows of a replay have beside their own columns: a query, and what happened there."""

from collections.abc import Iterator
from dataclasses import replace
from enum import IntEnum

import numpy as np
import pyarrow as pa

from phenesthe.arrow import wrap
from phenesthe.check.program import Signature
from phenesthe.kernels.arrays import Array
from phenesthe.vocabulary import ValueType

#: Names that no argument can have. The number of the query that takes a row in, or found it;
#: its rank among the rows that become known there; what it is, a `What`.
QUERY, RANK, WHAT = "*query", "*rank", "*what"
#: Of inputs, and of what stages find.
INPUT_COLUMNS, FOUND_COLUMNS = (QUERY, RANK, WHAT), (QUERY, WHAT)


class What(IntEnum):
    """What a row is. Of an input it is added when it is inserted, removed when it is retracted.

    Pending is how far back bindings can still change (`phenesthe.memory.Delta`); `FINAL` rows can
    not change any more, `SHOWN` ones are part of a snapshot.
    """

    ADDED = 0
    REMOVED = 1
    PENDING = 2
    NOT_PENDING = 3
    FINAL = 4
    SHOWN = 5


def extend_signature(signature: Signature, columns: tuple[str, ...]) -> Signature:
    """The same with these columns as arguments, which is how they travel."""
    types: list[ValueType] = ["int" for _ in columns]
    return replace(
        signature,
        arguments=(*signature.arguments, *columns),
        types=(*signature.types, *types),
    )


def add_replay_columns(table: pa.Table, query: int, what: What) -> pa.Table:
    count = table.num_rows
    table = table.append_column(QUERY, wrap(np.full(count, query)))
    return table.append_column(WHAT, wrap(np.full(count, int(what))))


def cut_by_query(queries: Array) -> Iterator[tuple[int, int, int]]:
    """Of ascending numbers of queries, each with where its rows begin and end."""
    numbers, starts = np.unique(queries, return_index=True)
    ends = np.append(starts[1:], len(queries))[: len(numbers)]
    yield from zip(numbers.tolist(), starts.tolist(), ends.tolist(), strict=True)
