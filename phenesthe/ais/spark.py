"""`phenesthe ais prepare` on Spark: one job, three exchanges."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from phenesthe.ais.areas import Areas
from phenesthe.ais.local import list_facts
from phenesthe.ais.settings import Settings
from phenesthe.ais.sources import (
    LINES,
    Source,
    list_parquet,
    look_at_columns,
    look_at_text,
)
from phenesthe.ais.spark_tasks import (
    JoinTask,
    OpenTask,
    PairTask,
    ReadTask,
    VesselTask,
    write_part,
)
from phenesthe.ais.tables import TABLES, fit_table
from phenesthe.ais.tally import Tally
from phenesthe.engines.spark.jobs import (
    Reading,
    choose_buckets,
    read_first_lines,
    read_types,
    run_job,
    settle_files,
)
from phenesthe.files.long_lines import has_long_line
from phenesthe.files.opening import opening_parquet
from phenesthe.files.text import is_plain_text, is_wide
from phenesthe.io.address import is_address
from phenesthe.io.errors import DataError
from phenesthe.io.read_tables import refusing

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_COUNTS = "what string, name string, count bigint"
#: Bytes of a line, and of a line in a .gz file, for a guess at how many there are.
_LINE, _PACKED_LINE = 80, 20


def look_on_spark(spark: "SparkSession", place: str, mapping: Mapping[str, str]) -> Source:
    """What a file is at an address that Spark reads."""
    if place.rstrip("/").endswith(".parquet"):
        return look_at_columns(read_types(spark, place), mapping, place)
    lines = read_first_lines(spark, place, LINES)
    if lines and is_wide(lines[0]):
        raise DataError(
            f"cannot read `{place}`: it is in UTF-16, which is read on this machine only",
            f"copy it here, or write it in UTF-8: iconv -f UTF-16 -t UTF-8 {Path(place).name}",
        )
    return look_at_text(lines, mapping, place)


def prepare_on_spark(
    spark: "SparkSession",
    sources: Sequence[tuple[str, Source]],
    areas: Areas,
    settings: Settings,
    folder: Path,
    *,
    target: Path,
    partitions: int | None = None,
) -> Tally:
    """Write all tables into a folder, of one file or more each, and count.

    `target` is what the folder is going to be.
    """
    count = choose_buckets(spark, _guess_all_rows(sources), partitions)
    where = str(folder.resolve())
    tally = Tally()
    counts = run_job(
        spark,
        list(_list_readings(sources, settings, count)),
        [
            VesselTask(areas, settings, where, count),
            PairTask(settings, count),
            JoinTask(settings, where),
        ],
        buckets=count,
        schema=_COUNTS,
        doing="reading and preparing",
    )
    tally.add_table(counts)
    lost = fit_table("gap_start", tally.list_lost(settings))
    for name, table in (*list_facts(areas).items(), ("gap_start", lost)):
        write_part(name, table, where, tally)
    settle_files(folder, tally.files, target)
    for name, schema in TABLES.items():
        if not tally.rows[name]:
            write_part(name, schema.empty_table(), where, tally, always=True)
    return tally


def _list_readings(
    sources: Sequence[tuple[str, Source]], settings: Settings, count: int
) -> Iterator[Reading]:
    """Files of one kind are read together."""
    groups: dict[tuple[str, bool], list[str]] = defaultdict(list)
    kinds: dict[str, Source] = {}
    for place, source in sources:
        groups[repr(source), _is_opened(place, source)].append(place)
        kinds[repr(source)] = source
    for (key, is_opened), found in groups.items():
        source, places = kinds[key], tuple(found)
        task = ReadTask(source, settings, count)
        if is_opened:
            yield Reading("files", places, OpenTask(source, settings, count))
        elif source.kind == "parquet":
            yield Reading("rows", places, task, tuple(source.form.wanted))
        else:
            yield Reading("lines", places, task)


def _is_opened(place: str, source: Source) -> bool:
    """Whether one worker opens the file: Spark holds a line as one value, however long it is.

    Nobody knows the lines of a packed file before it is unpacked, which one worker does in any
    case, and Spark does not know those of UTF-16. Of what lies at an address, only Spark can see
    anything.
    """
    if is_address(place) or source.kind == "parquet":
        return False
    return not is_plain_text(Path(place)) or has_long_line(Path(place))


def _guess_all_rows(sources: Sequence[tuple[str, Source]]) -> int | None:
    """None: something is at an address, and nobody here knows how large it is."""
    if any(is_address(place) for place, _ in sources):
        return None
    return sum(_guess_rows(Path(place), source) for place, source in sources)


def _count_rows(file: Path) -> int:
    with refusing(file), opening_parquet(file) as opened:
        return int(opened.metadata.num_rows)


def _guess_rows(path: Path, source: Source) -> int:
    if source.kind == "parquet":
        return sum(map(_count_rows, list_parquet(path) if path.is_dir() else [path]))
    return ceil(path.stat().st_size / (_PACKED_LINE if path.suffix == ".gz" else _LINE))
