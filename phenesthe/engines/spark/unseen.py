"""Which constants of a program occur in what Spark has read: a job over their columns alone."""

from collections.abc import Collection, Mapping, Sequence
from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from phenesthe.engines.spark.exchange import pick
from phenesthe.engines.spark.progress import working
from phenesthe.io.unseen import MOST_VALUES, Constant
from phenesthe.plan.constants import Column

_DOING = "looking for constants"


class FrameValues:
    """Of frames. What is asked for is filtered where it is stored: most files are not read."""

    def __init__(self, frames: Mapping[str, DataFrame]) -> None:
        self._frames = frames

    def find_present(
        self, asked: Mapping[Column, Collection[Constant]]
    ) -> dict[Column, set[Constant]]:
        columns = list(asked)
        parts = [
            self._frames[name].filter(pick(argument).isin(list(asked[name, argument])))
            for name, argument in columns
        ]
        return {
            column: {one for one in asked[column] if str(one) in there}
            for column, there in zip(columns, _collect(parts, columns), strict=True)
        }

    def list_values(self, columns: Sequence[Column]) -> dict[Column, Collection[Constant] | None]:
        parts = [self._frames[name] for name, _ in columns]
        found = _collect(parts, columns)
        return {
            column: None if len(there) > MOST_VALUES else there
            for column, there in zip(columns, found, strict=True)
        }


def _collect(parts: Sequence[DataFrame], columns: Sequence[Column]) -> list[set[str]]:
    """The different values of a column of each part, as text, and no more than are looked at."""
    chosen = [
        part.select(sf.lit(number).alias("number"), pick(argument).cast("string").alias("value"))
        .distinct()
        .limit(MOST_VALUES + 1)
        for number, (part, (_, argument)) in enumerate(zip(parts, columns, strict=True))
    ]
    together = reduce(DataFrame.unionAll, chosen)
    found: list[set[str]] = [set() for _ in columns]
    with working(together.sparkSession, _DOING):
        for number, value in together.collect():
            found[number].add(value)
    return found
