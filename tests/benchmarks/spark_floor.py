"""What Spark itself needs for the rows of the maritime program, whoever evaluates them.

The columns that the program reads go as tagged rows through one shuffle by vessel and one Python
function, which looks at nothing and returns as many rows as the program finds, in the shape in
which a program's results travel; they are written to Parquet once.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

#: The events, and which column beside `vessel` and `t` the program needs of each.
TABLES = {
    "ais": "speed",
    "enters_port": "port",
    "leaves_port": "port",
    "enters_fishing_area": "area",
    "leaves_fishing_area": "area",
}
RESULTS = "tag int, v bigint, a string, b string, c string, ts bigint, te bigint"


def read_tagged(spark: SparkSession, folder: Path) -> DataFrame:
    """The rows of all tables as rows of one."""
    parts: list[DataFrame] = []
    for tag, (name, column) in enumerate(TABLES.items()):
        is_speed = column == "speed"
        speed = sf.col(column) if is_speed else sf.lit(None)
        place = sf.lit(None) if is_speed else sf.col(column)
        parts.append(
            spark.read.parquet(str(folder / f"{name}.parquet")).select(
                sf.lit(tag).alias("tag"),
                "vessel",
                speed.cast("double").alias("speed"),
                place.cast("string").alias("place"),
                "t",
            )
        )
    together = parts[0]
    for part in parts[1:]:
        together = together.union(part)
    return together


def shuffle(rows: DataFrame, partitions: int) -> DataFrame:
    bucket = sf.pmod(sf.hash("vessel"), sf.lit(partitions)).cast("int")
    return rows.repartitionById(partitions, bucket)


def forward(ratio: float) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A function that returns `ratio` rows for each it takes, without looking at them."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        taken = given = 0
        for batch in batches:
            taken += batch.num_rows
            while (due := min(int(ratio * taken) - given, batch.num_rows)) > 0:
                given += due
                yield _shape(batch.slice(0, due))

    return run


def _shape(batch: pa.RecordBatch) -> pa.RecordBatch:
    """As a result: the columns that arrive under other names, and nothing in the others."""
    tag, vessel, _, place, t = batch.columns
    no_text = pa.nulls(batch.num_rows, pa.string())
    no_time = pa.nulls(batch.num_rows, pa.int64())
    return pa.RecordBatch.from_arrays(
        [tag, vessel, place, no_text, no_text, t, no_time],
        names=["tag", "v", "a", "b", "c", "ts", "te"],
    )


def run_floor(
    spark: SparkSession, folder: Path, target: Path, *, ratio: float, partitions: int
) -> None:
    """Read, shuffle, pass through Python and write: `ratio` rows for each that is read."""
    rows = shuffle(read_tagged(spark, folder), partitions)
    rows.mapInArrow(forward(ratio), RESULTS).write.mode("overwrite").parquet(str(target))
