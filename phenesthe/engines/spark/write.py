"""Results as a folder with one Parquet table, of one or many files, per phenomenon.

On a disk that this process sees, the tasks write their files themselves (`files`); to any other
address Spark writes. Either way everything goes into a folder beside the target, which takes its
place when every table is complete: a result appears whole or not at all.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark import inheritable_thread_target
from pyspark.sql import Column, DataFrame, Observation, SparkSession
from pyspark.sql import functions as sf

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.disk.beside import find_old, name_beside
from phenesthe.engines.spark.build import count_cores
from phenesthe.engines.spark.dispatch import give_workers
from phenesthe.engines.spark.exchange import pick
from phenesthe.engines.spark.failures import EngineError, explained
from phenesthe.engines.spark.files import WRITTEN, Afterwards, Direct, Writer
from phenesthe.engines.spark.jobs import settle_files
from phenesthe.engines.spark.progress import step, working
from phenesthe.engines.spark.reading.disks import HadoopFiles
from phenesthe.engines.spark.run import Computed, Found
from phenesthe.engines.spark.ship import is_connect
from phenesthe.io.address import is_address
from phenesthe.io.columns import list_times, make_schema
from phenesthe.io.errors import DataError
from phenesthe.io.kinds import KIND
from phenesthe.io.lines import Times
from phenesthe.io.meta import Meta
from phenesthe.io.putting import AT_ONCE, refuse_existing
from phenesthe.io.write import describe
from phenesthe.vocabulary import Unit

if TYPE_CHECKING:
    from py4j.java_gateway import JavaObject


def write_folder(
    spark: SparkSession,
    program: CheckedProgram,
    found: Found,
    target: str,
    *,
    overwrite: bool = False,
    times: Times = "int",
    meta: Meta | None = None,
    before: Callable[[], None] = lambda: None,
) -> dict[str, int]:
    """All results to a folder on this machine, or at any address that Spark writes to, and how many
    each definition has, counted as they are written.

    For a folder on this machine `found` need not have its stages kept. `before` is called when
    everything is written, before it takes its place.
    """
    signatures = {name: one for name, one in program.defined.items() if name in found.frames}
    if not is_address(target):
        with AT_ONCE.folder(Path(target), overwrite=overwrite) as folder:
            writer = Writer(str(folder.resolve()), signatures, program.unit, times, meta)
            counts = _write_here(found, writer, Path(target))
            before()
        return counts
    frames = {
        name: _type(frame, signatures[name], program.unit, times, meta)
        for name, frame in found.frames.items()
    }
    with (
        _replace_remote(spark, target, overwrite) as address,
        step(spark, "evaluating and writing"),
    ):
        counts = _write_all(spark, frames, address)
        before()
    return counts


def _write_here(found: Found, writer: Writer, target: Path) -> dict[str, int]:
    folder = Path(writer.folder)
    written: dict[str, int] = {}
    for number, stage in enumerate(found.stages, 1):
        if not any(name in writer.signatures for name in stage.names):
            continue
        doing = f"evaluating stage {number} of {len(found.stages)}"
        with working(stage.frame.sparkSession, doing):
            files = _write_stage(stage, writer).collect()
        written |= {row["file"]: row["rows"] for row in files}
    settle_files(folder, written, target)
    counts = dict.fromkeys(writer.signatures, 0)
    for file, rows in written.items():
        counts[file.partition(".parquet/")[0]] += rows
    for name, count in counts.items():
        if not count:
            writer.write(name, make_schema(writer.signatures[name]).empty_table())
    return counts


def _write_stage(stage: Computed, writer: Writer) -> DataFrame:
    """The files of a stage; computing this frame writes them."""
    if stage.is_kept:
        after = Afterwards(stage.names, stage.layout, writer)
        return give_workers(stage.frame, after.run, WRITTEN)
    return give_workers(stage.sent, Direct(stage.task, writer).run, WRITTEN)


def _write_all(spark: SparkSession, frames: dict[str, DataFrame], folder: str) -> dict[str, int]:
    """Small tables cost more in waiting than in work, so several are written at a time."""

    def write(name: str) -> int:
        seen = Observation()
        counted = frames[name].observe(seen, sf.count(sf.lit(1)).alias("rows"))
        with explained(f"writing `{name}`"):
            counted.write.parquet(f"{folder}/{name}.parquet")
            return int(seen.get["rows"])

    with ThreadPoolExecutor(max_workers=2 * count_cores(spark)) as pool:
        target = inheritable_thread_target(spark)(write)
        jobs = {name: pool.submit(target, name) for name in frames}
        try:
            return {name: job.result() for name, job in jobs.items()}
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _type(
    frame: DataFrame, signature: Signature, unit: Unit, times: Times, meta: Meta | None
) -> DataFrame:
    """With times as they are asked for, and what is to be told in the last column's description."""
    told = {KIND: str(signature.kind), **describe(meta)}
    names = list_times(signature)
    columns = [pick(name) for name in signature.arguments]
    for name in names:
        value = pick(name) if times == "int" else _stamp(pick(name), unit)
        columns.append(value.alias(name, metadata=told))
    return frame.select(*columns)


def _stamp(column: Column, unit: Unit) -> Column:
    match unit:
        case "second":
            return sf.timestamp_seconds(column)
        case "millisecond":
            return sf.timestamp_millis(column)
        case "microsecond":
            return sf.timestamp_micros(column)


@contextmanager
def _replace_remote(spark: SparkSession, target: str, overwrite: bool) -> Iterator[str]:
    """Through Hadoop's file systems, which have a rename; Spark Connect does not reach them."""
    if is_connect(spark):
        raise DataError(
            f"cannot write `{target}` through Spark Connect: a result must appear whole",
            "take the frames in Python (`program.run(...)`) and write them as you need",
        )
    hadoop = HadoopFiles(spark)
    with explained(f"writing to {target}"):
        path, files = hadoop.open(target.rstrip("/"))
        _put_back(hadoop, path, files)
        exists = files.exists(path)
        there = [one.getPath().getName() for one in files.listStatus(path)] if exists else []
    if exists and not overwrite:
        raise refuse_existing(target)
    strange = next((name for name in there if not name.endswith(".parquet")), None)
    if strange is not None:
        raise DataError(
            f"`{target}` is not overwritten: it holds `{strange}`, which is no table of results",
            "give a folder of its own to the results",
        )
    beside, old = (
        hadoop.find_beside(path, name_beside(path.getName(), sort)) for sort in ("new", "old")
    )
    try:
        yield beside.toString()
        with explained(f"writing to {target}"):
            # There is no exchange: what ends us between the two renames is undone, by us or later.
            is_put = (not exists or files.rename(path, old)) and files.rename(beside, path)
            if not is_put:
                raise EngineError(
                    f"the results could not be moved to `{target}`", "check its permissions"
                )
    finally:
        if files.exists(old) and not files.exists(path):
            files.rename(old, path)
        files.delete(old, True)
        files.delete(beside, True)


def _put_back(hadoop: HadoopFiles, path: "JavaObject", files: "JavaObject") -> None:
    """What was there, if a run was killed in the middle of replacing it."""
    folder = path.getParent()
    if folder is None or files.exists(path) or not files.exists(folder):
        return
    names = [one.getPath().getName() for one in files.listStatus(folder)]
    old = find_old(path.getName(), names)
    if old is not None:
        files.rename(hadoop.find_beside(path, old), path)
