"""What is read, and how: a source is a file, some Parquet files of the same types, or a frame."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

import pyarrow as pa
from pyspark.sql import DataFrame

from phenesthe.check.program import Signature
from phenesthe.engines.spark.reading.conversions import Held
from phenesthe.engines.spark.reading.footers import Statistics
from phenesthe.engines.spark.reading.worker_tasks import Judge, Way

#: Parts of a file, in which lines are counted, or of a frame, in which rows are.
Blocks: TypeAlias = Literal["lines", "partitions"]


@dataclass(frozen=True, slots=True)
class Part:
    """A column that rows are judged by: its name in the source, and in the frame."""

    column: str
    slot: str
    held: Held
    #: The type in the file, where Spark has another.
    own: pa.DataType | None = None
    statistics: Statistics = field(default_factory=Statistics)


@dataclass(frozen=True, slots=True)
class Typed:
    """Columns that Spark reads by itself, and how many rows they have, where that is known."""

    judge: Judge
    parts: tuple[Part, ...]
    frame: DataFrame
    rows: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """`way` is what workers do with `rows`, if they have to."""

    number: int
    #: The inputs and facts it may have rows of, with the arguments of each.
    feeds: tuple[tuple[Signature, tuple[str, ...]], ...]
    way: Way
    rows: DataFrame
    #: The file or folder of this machine that it is from.
    here: Path | None = None
    #: In bytes, of all its files and of the largest.
    size: int = 0
    largest: int = 0
    typed: Typed | None = None
    #: The same as a whole, where reading by lines does not do.
    whole: tuple[Way, DataFrame] | None = None
    #: What a block is; None where rows have one number in all of the file.
    blocks: Blocks | None = None

    def list_names(self) -> tuple[str, ...]:
        return tuple(signature.name for signature, _ in self.feeds)


@dataclass(frozen=True, slots=True)
class Planned:
    """All there is to read."""

    sources: Sequence[Source]
    #: The names of which there is a table.
    tables: Collection[str] = ()
