"""What runs inside Spark's Python workers to read a source. No pyspark here."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.check.program import Signature
from phenesthe.engines.spark.layout import Layout
from phenesthe.engines.spark.reading.tagged_rows import Mark, Packer, Placed
from phenesthe.engines.spark.worker_errors import pack_error
from phenesthe.io.errors import DataError
from phenesthe.io.names import Names
from phenesthe.io.read_tables import Chosen
from phenesthe.io.time_format import Clock


@dataclass(frozen=True, slots=True)
class Tags:
    """How the rows of all tables are laid out, and the numbers of the tables."""

    layout: Layout
    numbers: Mapping[str, int]
    placed: Placed = "retractions"


class Way(ABC):
    """A way to make rows, rejects and marks of what a worker is given."""

    __slots__ = ()

    @abstractmethod
    def read(
        self, batches: Iterator[pa.RecordBatch], packer: Packer, tags: Mapping[str, int]
    ) -> Iterator[pa.RecordBatch]: ...


@dataclass(frozen=True, slots=True)
class Task:
    """`run` is the function that Spark is given for a source."""

    source: int
    way: Way
    tags: Tags

    def run(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        packer = Packer(self.tags.layout, Mark(self.source), self.tags.placed)
        try:
            yield from self.way.read(batches, packer, self.tags.numbers)
        except DataError as problem:
            raise pack_error(problem) from problem
        yield packer.pack_mark()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """What fitting the rows of a table needs to know."""

    signature: Signature
    clock: Clock
    names: Names
    #: The arguments that rows are judged by; None: all.
    wanted: Collection[str] | None = None

    @property
    def chosen(self) -> Chosen:
        return Chosen(self.names, self.wanted)

    def list_arguments(self) -> tuple[str, ...]:
        arguments = self.signature.arguments
        return tuple(one for one in arguments if self.wanted is None or one in self.wanted)


def split(batch: pa.RecordBatch, column: str) -> Iterator[pa.Table]:
    """The parts of a batch that are from one place; they lie together."""
    if not batch.num_rows:
        return
    table, start = pa.Table.from_batches([batch]), 0
    for end in pc.run_end_encode(batch.column(column)).run_ends.to_pylist():
        yield table.slice(start, end - start)
        start = end
