"""Rows set aside by workers, brought to the driver in the order of their sources and files."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as sf

from phenesthe.engines.spark.reading.columns import Columns, Whole
from phenesthe.engines.spark.reading.measure_sources import WorkerRows
from phenesthe.engines.spark.reading.paths import name_file
from phenesthe.engines.spark.reading.sources import Source
from phenesthe.engines.spark.reading.tagged_rows import REJECT, Mark, read_reject
from phenesthe.io.rejects import Rejects

_ORDER = ("source", "file", "block", "number")
#: As many are sorted here, which saves a job; more are sorted by Spark, and come piece by piece.
_FEW = 50_000


@dataclass(frozen=True, slots=True)
class Places:
    """Where rows stand, as users are told.

    `marks` are those of the work that read the sources, which counted their lines.
    """

    sources: Mapping[int, Source] = field(default_factory=dict)
    marks: Mapping[int, Mark] = field(default_factory=dict)
    _starts: dict[int, Mapping[int, int]] = field(default_factory=dict)

    def find(
        self, source: int | None, file: str, block: int | None, number: int
    ) -> tuple[str, int]:
        """The file, and the number in all of it. Without a source they are these already."""
        if source is None or block is None:
            return file, number
        if source not in self._starts:
            self._starts[source] = _find_starts(self.sources[source], self.marks.get(source))
        way = self.sources[source].way
        shown = name_file(file, way.labels) if isinstance(way, Columns | Whole) else file
        return shown, number + self._starts[source].get(block, 0)


def collect_rejects(work: WorkerRows, places: Places, rejects: Rejects) -> None:
    count = work.count_rejects()
    if not count:
        return
    chosen = work.frame.filter(sf.col("tag") == REJECT).select(*_ORDER, "note")
    for source, file, block, number, note in _sort(chosen, count):
        rejects.add(read_reject(note, *places.find(source, file, block, number)))


def _sort(rejects: DataFrame, count: int) -> Iterable[Row]:
    if count <= _FEW:
        return sorted(rejects.collect(), key=lambda row: tuple(row[:4]))
    return rejects.orderBy(*_ORDER).toLocalIterator()


def _find_starts(source: Source, mark: Mark | None) -> Mapping[int, int]:
    """By block, how many lines or rows come before it."""
    if source.blocks == "partitions":
        counted = source.rows.groupBy("block").agg(sf.count(sf.lit(1))).collect()
        sizes = dict(map(tuple, counted))
    elif source.blocks == "lines" and mark is not None:
        sizes = dict(mark.lines)
    else:
        return {}
    blocks = sorted(sizes)
    return dict(zip(blocks, accumulate((sizes[one] for one in blocks), initial=0), strict=False))
