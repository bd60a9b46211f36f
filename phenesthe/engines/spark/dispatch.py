"""Work that is sent to Spark's Python workers. No pyspark here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import pyarrow as pa

from phenesthe.allocator import keep_big_arrays
from phenesthe.options import are_flags, naming_flags

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_Batches: TypeAlias = Iterator[pa.RecordBatch]


@dataclass(frozen=True, slots=True)
class WorkerCall:
    """Work, and how the user who asked for it gives options."""

    work: Callable[[_Batches], _Batches]
    has_flags: bool

    def run(self, batches: _Batches) -> _Batches:
        keep_big_arrays()
        with naming_flags(self.has_flags):
            yield from self.work(batches)


def give_workers(
    frame: "DataFrame", work: Callable[[_Batches], _Batches], schema: str
) -> "DataFrame":
    """What workers make of the rows of a frame."""
    return frame.mapInArrow(WorkerCall(work, are_flags()).run, schema)
