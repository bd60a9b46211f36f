"""Tables that the tasks of a stage write themselves, on a disk that this process sees too.

A task writes the tables it has evaluated as Parquet files with names of their own, and gives back
what it wrote. Files of tasks that failed, or ran twice, are in nobody's list and are deleted. This
is several times quicker than to give the rows back to Spark and to let it write a table after the
other, each in a job of its own.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pyarrow as pa

from phenesthe.arrow import pack
from phenesthe.check.program import Signature
from phenesthe.engines.spark.layout import Layout
from phenesthe.engines.spark.worker import Task
from phenesthe.engines.spark.worker_errors import pack_error
from phenesthe.io.errors import DataError, describe_failure
from phenesthe.io.lines import Times
from phenesthe.io.meta import Meta
from phenesthe.io.write import type_results, write_parquet
from phenesthe.vocabulary import Unit

#: Of what a task gives back: a file, relative to the folder, and its number of rows.
WRITTEN = "file string, rows bigint"


@dataclass(frozen=True, slots=True)
class Writer:
    """Where and how tables are written."""

    folder: str
    signatures: Mapping[str, Signature]
    unit: Unit
    times: Times
    meta: Meta | None = None

    def write(self, name: str, table: pa.Table) -> str:
        """The name of the new file, in the folder of its phenomenon."""
        file = f"{name}.parquet/part-{uuid4().hex}.parquet"
        path = Path(self.folder, file)
        path.parent.mkdir(exist_ok=True)
        typed = type_results(self.signatures[name], table, self.unit, self.times, self.meta)
        write_parquet(typed, path, Path(self.folder))
        return file

    def write_all(self, found: Iterable[tuple[str, pa.Table]]) -> Iterator[pa.RecordBatch]:
        try:
            for name, table in found:
                if name in self.signatures and table.num_rows:
                    file = pack([self.write(name, table)], pa.string())
                    rows = pack([table.num_rows], pa.int64())
                    yield pa.RecordBatch.from_arrays([file, rows], names=["file", "rows"])
        except DataError as problem:
            raise pack_error(problem) from problem
        except OSError as problem:
            refused = DataError(
                f"cannot write the results: {describe_failure(problem)}",
                "write to a place with room that every worker sees; on a cluster that is hdfs://, "
                "s3a:// or a shared folder",
            )
            raise pack_error(refused) from problem


@dataclass(frozen=True, slots=True)
class Direct:
    """Evaluates a stage and writes what it finds, in one go."""

    task: Task
    writer: Writer

    def run(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return self.writer.write_all(self.task.evaluate(batches))


@dataclass(frozen=True, slots=True)
class Afterwards:
    """Writes what a stage has found; for stages whose results a later one takes too."""

    names: tuple[str, ...]
    layout: Layout
    writer: Writer

    def run(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return self.writer.write_all(zip(self.names, self.layout.split(batches), strict=True))
