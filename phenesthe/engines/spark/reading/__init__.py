"""Inputs and facts read by Spark, with the same rows set aside as the local engine sets aside."""

from phenesthe.engines.spark.reading.assembly import Inputs
from phenesthe.engines.spark.reading.inputs import (
    read_given,
    read_input,
    read_stream,
    stream_given,
)
from phenesthe.engines.spark.reading.streaming import StreamInputs

__all__ = [
    "Inputs",
    "StreamInputs",
    "read_given",
    "read_input",
    "read_stream",
    "stream_given",
]
