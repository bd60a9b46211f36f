"""Looking at the rows: which fit, how many there are, and the times they span.

One aggregate over all sources that Spark judges by itself; then, if anything is left, one run of
Python workers over what it does not: text, types it does not convert, and rows it is not sure of.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from phenesthe.check.program import Signature
from phenesthe.engines.spark.dispatch import give_workers
from phenesthe.engines.spark.layout import lay_out
from phenesthe.engines.spark.reading.columns import Whole
from phenesthe.engines.spark.reading.conversions import join_conditions
from phenesthe.engines.spark.reading.sources import Source, Typed
from phenesthe.engines.spark.reading.sure_rows import SureRows, find_sure_rows
from phenesthe.engines.spark.reading.tagged_rows import MARK, Mark, Placed, read_mark, write_schema
from phenesthe.engines.spark.reading.worker_tasks import Tags, Task, Way
from phenesthe.io.columns import list_times
from phenesthe.io.errors import DataError
from phenesthe.io.extent import Extent, join_extents

#: The size of a file that is read as a whole: Spark holds it in one value.
MOST = 2**30


@dataclass(frozen=True, slots=True)
class SparkRows:
    """Rows that Spark is sure of, their extent, and how many others the source has."""

    source: Source
    typed: Typed
    sure: SureRows
    extent: Extent
    unsure: int = 0

    @property
    def name(self) -> str:
        return self.typed.judge.signature.name

    @property
    def is_dated(self) -> bool:
        """Whether its times are dates."""
        judge = self.typed.judge
        times = [judge.names[name] for name in list_times(judge.signature)[:1]]
        forms = {part.held.form for part in self.typed.parts if part.column in times}
        return not forms <= {"whole", "real", "null"}

    def list_rows(self, *, placed: bool = False) -> DataFrame:
        """Filtered only where some row has to be left out."""
        rows = self.source.rows if placed else self.typed.frame
        return rows.filter(join_conditions(self.sure.conditions)) if self.unsure else rows


@dataclass(frozen=True, slots=True)
class WorkerRows:
    """What workers found, with a mark of each source. `kept` is what Spark holds of it."""

    frame: DataFrame
    marks: Mapping[int, Mark]
    kept: tuple[DataFrame, ...]

    def count_rejects(self) -> int:
        return sum(one.rejects for one in self.marks.values())

    def has(self, tag: int) -> bool:
        """Whether there was any row of a table, fitting or not."""
        return any(tag in one.rows for one in self.marks.values())

    def measure(self, tag: int) -> Extent:
        return join_extents(one.rows[tag] for one in self.marks.values() if tag in one.rows)


def assign_tags(sources: Iterable[Source], placed: Placed) -> Tags:
    """A place in one layout for every input and fact that is read."""
    tables: dict[str, tuple[Signature, tuple[str, ...]]] = {}
    for source in sources:
        for signature, arguments in source.feeds:
            tables.setdefault(signature.name, (signature, arguments))
    return Tags(lay_out(tables.values()), {name: at for at, name in enumerate(tables)}, placed)


def find_spark_rows(sources: Iterable[Source]) -> list[SparkRows]:
    """The sources of which Spark makes rows, with what footers tell of those."""
    found = []
    for source in sources:
        sure = None if source.typed is None else find_sure_rows(source.typed)
        if source.typed is not None and sure is not None:
            found.append(SparkRows(source, source.typed, sure, sure.extent or Extent()))
    return found


def measure(fast: Iterable[SparkRows]) -> list[SparkRows]:
    """The same, with what footers do not tell found out in one job."""
    known = list(fast)
    unknown = [one for one in known if one.sure.extent is None]
    measured = {one.source.number: one for one in _measure(unknown)} if unknown else {}
    return [measured.get(one.source.number, one) for one in known]


def _measure(unknown: Sequence[SparkRows]) -> list[SparkRows]:
    is_sure = sf.col("sure")
    rows = reduce(DataFrame.unionAll, [_list_times(one) for one in unknown])
    measured = rows.groupBy("source").agg(
        sf.count_if(is_sure),
        sf.min(sf.when(is_sure, sf.col("low"))),
        sf.max(sf.when(is_sure, sf.col("high"))),
        sf.max(is_sure & sf.col("retract")),
        sf.max(is_sure & sf.col("arrives")),
        sf.count_if(~is_sure),
    )
    found = {number: values for number, *values in measured.collect()}
    # A source without rows is not among them.
    return [
        replace(one, extent=Extent(count, low, high, *map(bool, flags)), unsure=unsure)
        for one in unknown
        for count, low, high, *flags, unsure in [
            found.get(one.source.number, (0, None, None, False, False, 0))
        ]
    ]


def _list_times(one: SparkRows) -> DataFrame:
    sure = one.sure
    times = [sure.values[name] for name in list_times(one.typed.judge.signature)]
    none = sf.lit(None).cast("bigint")
    return one.typed.frame.select(
        sf.lit(one.source.number).alias("source"),
        sf.coalesce(join_conditions(sure.conditions), sf.lit(False)).alias("sure"),
        (times[0] if times else none).alias("low"),
        # Where an interval still holds, its start is its last time.
        sf.greatest(none, none, *times).alias("high"),
        (sf.lit(False) if sure.retract is None else sure.retract).alias("retract"),
        (sf.lit(False) if sure.arrival is None else sure.arrival.isNotNull()).alias("arrives"),
    )


def send_to_workers(
    sources: dict[int, Source], fast: Sequence[SparkRows], tags: Tags
) -> WorkerRows | None:
    """What is left of the sources; None if nothing is.

    A source that turns out not to be readable by lines takes the place of itself in `sources`.
    """
    sure = {one.source.number: one for one in fast}
    left: dict[int, DataFrame] = {}
    for number, source in sources.items():
        if number not in sure:
            _check_size(source)
            left[number] = source.rows
        elif sure[number].unsure:
            is_sure = join_conditions(sure[number].sure.conditions)
            left[number] = source.rows.filter(~sf.coalesce(is_sure, sf.lit(False)))
    if not left:
        return None
    work = run_ways({one: (sources[one].way, rows) for one, rows in left.items()}, tags)
    odd = [number for number, mark in work.marks.items() if mark.is_odd]
    if not odd:
        return work
    for number in odd:
        source = sources[number]
        assert source.whole is not None
        way, rows = source.whole
        sources[number] = replace(source, way=way, rows=rows, blocks=None)
        _check_size(sources[number])
    again = run_ways({one: (sources[one].way, sources[one].rows) for one in odd}, tags)
    rest = work.frame.filter(~sf.col("source").isin(odd))
    return WorkerRows(
        rest.unionAll(again.frame), {**work.marks, **again.marks}, (*work.kept, *again.kept)
    )


def _check_size(source: Source) -> None:
    if isinstance(source.way, Whole) and source.largest > MOST:
        raise DataError(
            f"the table of `{source.feeds[0][0].name}` has a file of {source.largest:,} bytes that "
            "cannot be read in parts: it has line breaks inside quotes, or types unknown to Spark",
            "write it as Parquet of common types, or cut it into smaller files",
        )


def run_ways(ways: Mapping[int, tuple[Way, DataFrame]], tags: Tags) -> WorkerRows:
    """One job, which also computes all that is kept."""
    schema = write_schema(tags.layout)
    parts = [
        give_workers(rows, Task(number, way, tags).run, schema)
        for number, (way, rows) in ways.items()
    ]
    frame = reduce(DataFrame.unionAll, parts).persist()
    marks: dict[int, Mark] = {number: Mark(number) for number in ways}
    for (note,) in frame.filter(sf.col("tag") == MARK).select("note").collect():
        mark = read_mark(note)
        marks[mark.source].add(mark)
    return WorkerRows(frame, marks, (frame,))
