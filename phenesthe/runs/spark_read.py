"""What Spark reads for a run."""

from functools import partial
from typing import TYPE_CHECKING

from phenesthe.engines.spark.reading import (
    Inputs,
    StreamInputs,
    read_given,
    read_input,
    read_stream,
    stream_given,
)
from phenesthe.runs.read import read
from phenesthe.runs.request import Request

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def read_frames(spark: "SparkSession", request: Request) -> "Inputs":

    return read(request, partial(read_input, spark), partial(read_given, spark))


def read_streams(spark: "SparkSession", request: Request) -> "StreamInputs":

    # Only a given start can refuse rows that come as time reaches them, and a state has one.
    placed = request.start is not None or request.state is not None
    ways = (partial(one, spark, placed=placed) for one in (read_stream, stream_given))
    return read(request, *ways)
