"""One program over one stream on Spark."""

from pyspark.sql import SparkSession

from phenesthe.engines.spark.results import SparkResults
from phenesthe.program import Program
from tests.equivalence.compare import Results, build_facts, build_table, read_table
from tests.equivalence.streams import Stream


def find_on_spark(
    spark: SparkSession, program: Program, stream: Stream, partitions: int
) -> Results:
    checked = program.checked
    tables = {
        one.name: build_table(one, stream.inputs[one.name])
        for one in checked.inputs
        if one.name in stream.inputs
    } | {
        one.name: build_facts(one, stream.facts[one.name])
        for one in checked.facts
        if one.name in stream.facts
    }
    # One frame, however empty, makes it Spark's.
    first = checked.inputs[0]
    frame = spark.createDataFrame(build_table(first, stream.inputs.get(first.name, [])))
    given = {**tables, first.name: frame}
    results = program.run(given, until=stream.until, start=stream.start, partitions=partitions)
    assert isinstance(results, SparkResults)
    found = results.to_arrow()
    results.release()
    return {name: read_table(table) for name, table in found.items()}
