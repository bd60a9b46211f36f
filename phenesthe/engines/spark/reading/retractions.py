"""Tables with retractions: their rows go to workers by what they are, and are settled there."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from phenesthe.check.program import Signature
from phenesthe.engines.spark.layout import SQL_TYPES
from phenesthe.engines.spark.reading.measure_sources import SparkRows, WorkerRows, run_ways
from phenesthe.engines.spark.reading.settle_worker import Settle
from phenesthe.engines.spark.reading.tagged_rows import EXTRAS
from phenesthe.engines.spark.reading.worker_tasks import Tags


def settle_tables(
    signatures: Iterable[Signature], fast: Sequence[SparkRows], work: WorkerRows | None, tags: Tags
) -> WorkerRows:
    """What remains of the rows of some tables. Marks are by tag."""
    ways = {}
    for signature in signatures:
        tag = tags.numbers[signature.name]
        parts = [_pack(one, tag, tags) for one in fast if one.name == signature.name]
        if work is not None:
            parts.append(work.frame.filter(sf.col("tag") == tag))
        table = tags.layout.tables[tag]
        # What is equal to the local engine must be equal to Spark's hash: NaN and 0.0 are.
        key = [sf.col(slot) for _, slot in table.list_fields()]
        rows = reduce(DataFrame.unionAll, parts)
        rows = rows.repartition(*key) if key else rows.coalesce(1)
        ways[tag] = Settle(signature=signature), rows
    # What remains is not set aside any more.
    return run_ways(ways, replace(tags, placed="retractions"))


def _pack(one: SparkRows, tag: int, tags: Tags) -> DataFrame:
    """Rows that Spark has made, laid out as workers would."""
    sure, table = one.sure, tags.layout.tables[tag]
    names = {slot: name for name, slot in table.list_fields()}
    retract = sf.lit(False) if sure.retract is None else sure.retract
    note = json.dumps(["position", sure.arrival is not None])
    extras: dict[str, Column] = {
        "known": sf.lit(None).cast("bigint") if sure.arrival is None else sure.arrival,
        "retract": retract,
        "source": sf.lit(one.source.number),
        # Only a retraction can be set aside.
        "file": sf.when(retract, sf.col("file")),
        "block": sf.col("block"),
        "number": sf.col("number"),
        "note": sf.when(retract, sf.lit(note)),
    }
    return one.list_rows(placed=True).select(
        sf.lit(tag).cast("int").alias("tag"),
        *[
            (sure.values[names[slot]] if slot in names else sf.lit(None))
            .cast(SQL_TYPES[type_name])
            .alias(slot)
            for slot, type_name in tags.layout.slots.items()
        ],
        *[extras[name].alias(name) for name in EXTRAS],
    )
