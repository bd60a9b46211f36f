"""Names that differ in case only: `T`, a variable, beside `t`, the time of an event.

Most sessions of other people take them for one name. Spark looks names up while frames are made of
frames, so that is when they must be told apart; what is made then is right ever after.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

from phenesthe.check.program import CheckedProgram
from phenesthe.engines.spark.ship import is_connect
from phenesthe.io.columns import list_times
from phenesthe.io.errors import DataError

_SETTING = "spark.sql.caseSensitive"


@contextmanager
def telling_case(spark: SparkSession, program: CheckedProgram) -> Iterator[None]:
    """A context in which frames of the program's tables can be made of one another.

    A Spark Connect server looks names up much later: there the session must tell them apart itself.
    """
    before = spark.conf.get(_SETTING)
    if before == "true":
        yield
    elif is_connect(spark):
        refuse_folded(program)
        yield
    else:
        spark.conf.set(_SETTING, "true")
        try:
            yield
        finally:
            spark.conf.set(_SETTING, before or "false")


def refuse_folded(program: CheckedProgram) -> None:
    for one in (*program.inputs, *program.facts, *[d.signature for d in program.definitions]):
        seen: dict[str, str] = {}
        for name in (*one.arguments, *list_times(one)):
            other = seen.setdefault(name.lower(), name)
            if other != name:
                raise DataError(
                    f"the columns `{other}` and `{name}` of `{one.name}` differ in case only, "
                    "which this Spark session does not see",
                    f'spark.conf.set("{_SETTING}", "true"), or use another name',
                )
