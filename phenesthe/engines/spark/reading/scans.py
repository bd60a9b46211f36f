"""Frames as Spark reads them. None of these looks at a row before somebody asks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, DataFrameReader, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from phenesthe.engines.spark.dispatch import give_workers
from phenesthe.engines.spark.exchange import pick
from phenesthe.engines.spark.reading.lines import list_lines
from phenesthe.engines.spark.reading.paths import make_absolute
from phenesthe.files.long_lines import has_long_line
from phenesthe.files.text import is_plain_text

#: Enough for any header, and to see how objects spell their columns.
_HEADER_LINES = 100
#: Spark numbers rows by partition: the lower bits count within one.
_IN_PARTITION = 33


@dataclass(frozen=True, slots=True)
class Scan:
    """Columns called `c0`, `c1`, …; and the same with the `file`, `block` and `number` of rows."""

    bare: DataFrame
    placed: DataFrame


def open_reader(spark: SparkSession) -> DataFrameReader:
    """Every file counts, whatever the session says, and folders called `day=1` make no columns."""
    return spark.read.options(
        ignoreCorruptFiles="false", ignoreMissingFiles="false", recursiveFileLookup="true"
    )


def read_lines(spark: SparkSession, address: str, here: Path | None = None) -> DataFrame:
    """Lines end where the local engine ends them; Spark would also end them at `\\r`.

    Spark holds a line as one value, however long. `here` is the file if it is on this machine,
    which is read by one worker if it is packed, in UTF-16, or has a line that is too long.
    """
    if here is not None and (not is_plain_text(here) or has_long_line(here)):
        return give_workers(point_at(spark, here), list_lines, "value binary, block bigint")
    found = open_reader(spark).option("lineSep", "\n").text(address)
    return found.select("value", sf.col("_metadata.file_block_start").alias("block"))


def read_first_lines(lines: DataFrame) -> list[bytes]:
    found = lines.filter(sf.col("block") == 0).select(sf.col("value").cast("binary"))
    return [bytes(one[0]) for one in found.head(_HEADER_LINES)]


def read_whole(spark: SparkSession, addresses: Sequence[str], pattern: str | None) -> DataFrame:
    """Each file as one value."""
    reader = open_reader(spark).format("binaryFile")
    if pattern is not None:
        reader = reader.option("pathGlobFilter", pattern)
    found = reader.load(list(addresses))
    return found.select(sf.col("_metadata.file_path").alias("file"), "content")


def point_at(spark: SparkSession, here: Path) -> DataFrame:
    """A file of this machine for a worker to open: the content is null."""
    place = (make_absolute(here).as_uri(), None)
    return spark.createDataFrame([place], "file string, content binary")


def read_parquet(spark: SparkSession, addresses: Sequence[str], columns: Mapping[str, str]) -> Scan:
    """Files of which the columns are known, by their SQL types."""
    schema = st.StructType()
    for name, sql in columns.items():
        schema = schema.add(name, st.DataType.fromDDL(sql))
    # The days of old files are as they are, not as an older calendar had them.
    reader = open_reader(spark).options(int96RebaseMode="CORRECTED", datetimeRebaseMode="CORRECTED")
    return take_columns(reader.schema(schema).parquet(*addresses), list(columns))


def read_remote_parquet(spark: SparkSession, address: str, *, is_folder: bool) -> DataFrame | None:
    """Files of which Spark finds the columns out; None if there are none in the folder."""
    reader = open_reader(spark).options(int96RebaseMode="CORRECTED", datetimeRebaseMode="CORRECTED")
    if is_folder:
        reader = reader.options(pathGlobFilter="*.parquet", mergeSchema="true")
    try:
        found = reader.parquet(address)
        found.schema  # noqa: B018 (a server looks at the files only now)
    except AnalysisException as problem:
        if problem.getCondition() == "UNABLE_TO_INFER_SCHEMA":
            return None
        raise
    return found


def take_columns(frame: DataFrame, columns: Sequence[str]) -> Scan:
    taken = [pick(name).alias(f"c{at}") for at, name in enumerate(columns)]
    place = [
        sf.col("_metadata.file_path").alias("file"),
        sf.lit(0).cast("bigint").alias("block"),
        (sf.col("_metadata.row_index") + 1).alias("number"),
    ]
    return Scan(frame.select(*taken), frame.select(*taken, *place))


def number_columns(frame: DataFrame) -> DataFrame:
    """By their places, since names may differ in case only, or hold dots."""
    return frame.toDF(*[f"c{at}" for at in range(len(frame.columns))])


def place_rows(frame: DataFrame, label: str) -> DataFrame:
    """The rows of a frame, counted within its partitions."""
    counted = frame.withColumn("id", sf.monotonically_increasing_id())
    return counted.select(
        *frame.columns,
        sf.lit(label).alias("file"),
        sf.shiftright("id", _IN_PARTITION).alias("block"),
        (sf.col("id").bitwiseAND(2**_IN_PARTITION - 1) + 1).alias("number"),
    )


def make_frame(spark: SparkSession, table: pa.Table) -> DataFrame:
    """A table of the driver, which may be without rows, or without columns."""
    if not table.num_columns:
        return spark.range(table.num_rows).select()
    if table.num_rows:
        return spark.createDataFrame(table)
    fields = [f"`{one.name}` {_SQL[one.type]}" for one in table.schema]
    return spark.createDataFrame([], ", ".join(fields))


_SQL = {
    pa.int32(): "int", pa.int64(): "bigint", pa.float64(): "double", pa.string(): "string",
    pa.bool_(): "boolean",
}  # fmt: skip
_TRAVEL = (
    st.BooleanType, st.NumericType, st.StringType, st.BinaryType, st.DateType, st.TimestampType,
    st.TimestampNTZType, st.DayTimeIntervalType, st.NullType,
)  # fmt: skip


def can_travel(given: st.DataType) -> bool:
    """Whether Spark can give a column of the type to a worker."""
    match given:
        case st.ArrayType():
            return can_travel(given.elementType)
        case st.MapType():
            return can_travel(given.keyType) and can_travel(given.valueType)
        case st.StructType():
            return all(can_travel(field.dataType) for field in given)
        case _:
            return isinstance(given, _TRAVEL)
