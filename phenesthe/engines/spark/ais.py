"""`phenesthe ais prepare` on Spark: one job, three exchanges."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import reduce
from math import ceil
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

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
from phenesthe.ais.tables import TABLES, fit_table
from phenesthe.ais.tally import Tally
from phenesthe.engines.spark.ais_parcels import PARCEL
from phenesthe.engines.spark.ais_worker import (
    JoinTask,
    OpenTask,
    PairTask,
    ReadTask,
    VesselTask,
    write_part,
)
from phenesthe.engines.spark.build import choose_partitions, count_cores
from phenesthe.engines.spark.dispatch import give_workers
from phenesthe.engines.spark.exchange import pick
from phenesthe.engines.spark.failures import explained
from phenesthe.engines.spark.progress import step
from phenesthe.engines.spark.reading.disks import open_disk
from phenesthe.engines.spark.reading.paths import check_name
from phenesthe.engines.spark.write import settle_files
from phenesthe.files.long_lines import has_long_line
from phenesthe.files.opening import opening_parquet
from phenesthe.files.text import is_plain_text, is_wide
from phenesthe.io.address import is_address
from phenesthe.io.errors import DataError
from phenesthe.io.lakes import check_lake
from phenesthe.io.read_tables import refusing

_COUNTS = "what string, name string, count bigint"
#: Bytes of a line, and of a line in a .gz file, for a guess at how many there are.
_LINE, _PACKED_LINE = 80, 20


def look_on_spark(spark: SparkSession, place: str, mapping: Mapping[str, str]) -> Source:
    """What a file is at an address that Spark reads."""
    with explained(f"looking at `{place}`"):
        if place.rstrip("/").endswith(".parquet"):
            disk = open_disk(spark, place)
            entry = disk.look(place)
            if entry.is_folder:
                check_lake(entry.path, disk.list_folder)
            types = dict(spark.read.parquet(place).dtypes)
            return look_at_columns(types, mapping, place)
        found = spark.read.text(place).select(sf.col("value").cast("binary")).take(LINES)
    lines = [bytes(row["value"]) for row in found]
    if lines and is_wide(lines[0]):
        raise DataError(
            f"cannot read `{place}`: it is in UTF-16, which is read on this machine only",
            f"copy it here, or write it in UTF-8: iconv -f UTF-16 -t UTF-8 {Path(place).name}",
        )
    return look_at_text(lines, mapping, place)


def prepare_on_spark(
    spark: SparkSession,
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
    count = _choose_count(spark, sources, partitions)
    where = str(folder.resolve())
    frame = _read(spark, sources, settings, count)
    for task, schema in (
        (VesselTask(areas, settings, where, count), PARCEL),
        (PairTask(settings, count), PARCEL),
        (JoinTask(settings, where), _COUNTS),
    ):
        placed = frame.repartitionById(count, sf.col("bucket"))
        frame = give_workers(placed, task.run, schema)
    tally = Tally()
    doing = "reading and preparing"
    with step(spark, doing), explained(doing):
        tally.add_table(frame.toArrow())
    lost = fit_table("gap_start", tally.list_lost(settings))
    for name, table in (*list_facts(areas).items(), ("gap_start", lost)):
        write_part(name, table, where, tally)
    settle_files(folder, tally.files, target)
    for name, schema in TABLES.items():
        if not tally.rows[name]:
            write_part(name, schema.empty_table(), where, tally, always=True)
    return tally


def _read(
    spark: SparkSession, sources: Sequence[tuple[str, Source]], settings: Settings, count: int
) -> DataFrame:
    """All reports, files of one kind read together."""
    groups: dict[tuple[str, bool], list[str]] = defaultdict(list)
    kinds: dict[str, Source] = {}
    for place, source in sources:
        groups[repr(source), _is_opened(place, source)].append(check_name(place))
        kinds[repr(source)] = source
    frames = []
    for (key, is_opened), places in groups.items():
        source = kinds[key]
        if is_opened:
            paths = [(str(Path(place).resolve()),) for place in places]
            frame = spark.createDataFrame(paths, "path string")
            frames.append(give_workers(frame, OpenTask(source, settings, count).run, PARCEL))
            continue
        with explained(f"reading `{places[0]}`"):
            if source.kind == "parquet":
                frame = spark.read.parquet(*places).select(*map(pick, source.form.wanted))
            else:
                frame = spark.read.text(places)
        frames.append(give_workers(frame, ReadTask(source, settings, count).run, PARCEL))
    return reduce(DataFrame.unionAll, frames)


def _is_opened(place: str, source: Source) -> bool:
    """Whether one worker opens the file: Spark holds a line as one value, however long it is.

    Nobody knows the lines of a packed file before it is unpacked, which one worker does in any
    case, and Spark does not know those of UTF-16. Of what lies at an address, only Spark can see
    anything.
    """
    if is_address(place) or source.kind == "parquet":
        return False
    return not is_plain_text(Path(place)) or has_long_line(Path(place))


def _choose_count(
    spark: SparkSession, sources: Sequence[tuple[str, Source]], asked: int | None
) -> int:
    """How many parts to cut the vessels into."""
    if any(is_address(place) for place, _ in sources):
        # Nobody here knows how large it is.
        return asked or max(2 * count_cores(spark), 8)
    rows = sum(_guess_rows(Path(place), source) for place, source in sources)
    return choose_partitions(spark, rows, asked)


def _count_rows(file: Path) -> int:
    with refusing(file), opening_parquet(file) as opened:
        return int(opened.metadata.num_rows)


def _guess_rows(path: Path, source: Source) -> int:
    if source.kind == "parquet":
        return sum(map(_count_rows, list_parquet(path) if path.is_dir() else [path]))
    return ceil(path.stat().st_size / (_PACKED_LINE if path.suffix == ".gz" else _LINE))
