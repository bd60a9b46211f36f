"""Jobs on Spark for other rooms, which need no pyspark for them.

```
 files ──Reading──▶ parcels ──by bucket──▶ task ──▶ parcels ──by bucket──▶ … last task ──▶ a table
```

`open_spark` starts a session, `read_types` and `read_first_lines` look at what is at a place,
`run_job` does all the work in one job, says how far it is, and tells failures in our words. What
runs in the workers is written with `phenesthe.engines.spark.parcels`. When tasks have written
files, `settle_files` sees that they are all here.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Literal, Protocol

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from phenesthe.engines.spark.build import choose_partitions, count_cores
from phenesthe.engines.spark.dispatch import give_workers
from phenesthe.engines.spark.exchange import pick
from phenesthe.engines.spark.failures import EngineError, explained
from phenesthe.engines.spark.parcels import PARCEL, Batches
from phenesthe.engines.spark.progress import watch, working
from phenesthe.engines.spark.reading.disks import open_disk
from phenesthe.engines.spark.reading.paths import check_name
from phenesthe.engines.spark.session import Session, open_session
from phenesthe.io.lakes import check_lake


class Task(Protocol):
    """What a worker does with all that arrives in a partition. Tasks travel by pickle."""

    def run(self, batches: Batches) -> Batches: ...


@dataclass(frozen=True, slots=True)
class Reading:
    """What files are read together, and the task that makes parcels of what is in them.

    The task gets `lines` as one column of text, `rows` of Parquet with the columns named, or the
    absolute paths of `files`, which it opens itself.
    """

    what: Literal["lines", "rows", "files"]
    places: tuple[str, ...]
    task: Task
    columns: tuple[str, ...] = ()


@contextmanager
def open_spark(
    master: str | None, say: Callable[[str], None], *, is_small: bool = False
) -> Iterator[Session]:
    """Spark here or at `master`; `say` is told what is chosen and how far its jobs are.

    `is_small` is said of work that takes a few seconds.
    """
    say("starting Spark")
    with open_session(master, say=say, is_small=is_small) as session, watch(session, say):
        yield session


def read_types(spark: SparkSession, place: str) -> dict[str, str]:
    """The columns of a Parquet table and their types, as Spark names them."""
    with explained(f"looking at `{place}`"):
        disk = open_disk(spark, place)
        entry = disk.look(place)
        if entry.is_folder:
            check_lake(entry.path, disk.list_folder)
        return dict(spark.read.parquet(place).dtypes)


def read_first_lines(spark: SparkSession, place: str, count: int) -> list[bytes]:
    """Some lines of a text file, the first ones if it is one file."""
    with explained(f"looking at `{place}`"):
        found = spark.read.text(place).select(sf.col("value").cast("binary")).take(count)
    return [bytes(row["value"]) for row in found]


def choose_buckets(spark: SparkSession, rows: int | None, asked: int | None) -> int:
    """Into how many parts to cut the work; None rows if nobody here knows."""
    if rows is None:
        return asked or max(2 * count_cores(spark), 8)
    return choose_partitions(spark, rows, asked)


def run_job(
    spark: SparkSession,
    readings: Sequence[Reading],
    tasks: Sequence[Task],
    *,
    buckets: int,
    schema: str,
    doing: str,
) -> pa.Table:
    """What the last of the tasks gives, as rows of a schema in Spark's words.

    The others give parcels, which travel to the buckets that are written on them.
    """
    frame = reduce(DataFrame.unionAll, [_read(spark, one) for one in readings])
    for task in tasks:
        placed = frame.repartitionById(buckets, sf.col("bucket"))
        frame = give_workers(placed, task.run, schema if task is tasks[-1] else PARCEL)
    with working(spark, doing):
        return frame.toArrow()


def _read(spark: SparkSession, reading: Reading) -> DataFrame:
    places = [check_name(one) for one in reading.places]
    with explained(f"reading `{places[0]}`"):
        match reading.what:
            case "lines":
                frame = spark.read.text(places)
            case "rows":
                frame = spark.read.parquet(*places).select(*map(pick, reading.columns))
            case "files":
                paths = [(str(Path(one).resolve()),) for one in places]
                frame = spark.createDataFrame(paths, "path string")
    return give_workers(frame, reading.task.run, PARCEL)


def settle_files(folder: Path, written: Collection[str], target: Path) -> None:
    """See that all files of the tasks are here, and delete those that are in nobody's list."""
    if missing := [file for file in written if not (folder / file).is_file()]:
        raise EngineError(
            f"{len(missing)} of {len(written)} files of `{target}` were written elsewhere: Spark's "
            "workers do not share this machine's files",
            "write to a place that all of them see, such as hdfs:// or s3a://",
        )
    for stray in folder.glob("*/*"):
        if str(stray.relative_to(folder)) not in written:
            stray.unlink()
