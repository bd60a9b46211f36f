"""Rows set aside by workers, brought to the driver in the order of their sources and files."""

from collections.abc import Iterable, Mapping
from itertools import accumulate

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as sf

from phenesthe.engines.spark.reading.columns import Columns, Whole
from phenesthe.engines.spark.reading.look import Work
from phenesthe.engines.spark.reading.paths import name_file
from phenesthe.engines.spark.reading.sources import Source
from phenesthe.engines.spark.reading.tagged import REJECT, Mark, read_reject
from phenesthe.io.rejects import Rejects

_ORDER = ("source", "file", "block", "number")
#: As many are sorted here, which saves a job; more are sorted by Spark, and come piece by piece.
_FEW = 50_000


def collect_rejects(
    work: Work, sources: Mapping[int, Source], marks: Mapping[int, Mark], rejects: Rejects
) -> None:
    """`marks` are those of the work that read the sources, which counted their lines."""
    count = work.count_rejects()
    if not count:
        return
    chosen = work.frame.filter(sf.col("tag") == REJECT).select(*_ORDER, "note")
    starts: dict[int, Mapping[int, int]] = {}
    for source, file, block, number, note in _sort(chosen, count):
        if source not in starts:
            starts[source] = _find_starts(sources[source], marks.get(source))
        way = sources[source].way
        shown = name_file(file, way.labels) if isinstance(way, Columns | Whole) else file
        rejects.add(read_reject(note, shown, number + starts[source].get(block, 0)))


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
