"""Inputs and facts read by Spark, with the same rows set aside as the local engine sets aside."""

from phenesthe.engines.spark.reading.assembly import Inputs
from phenesthe.engines.spark.reading.inputs import read_given, read_input

__all__ = ["Inputs", "read_given", "read_input"]
