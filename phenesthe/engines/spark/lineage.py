"""How large the plans of frames grow, and how they are kept from growing without end.

A frame that is used twice stands twice in the plan of what uses it, with all that it comes from,
whether its rows are kept or not. So a plan can double with every stage, and Spark looks at all of
it again and again.
"""

from collections.abc import Iterable, Mapping

from pyspark.sql import DataFrame

from phenesthe.engines.spark.progress import working
from phenesthe.plan.routes import Route

#: A plan that reads from more places than this is cut: to plan it would take longer than to run it.
MOST_LEAVES = 64


def count_leaves(
    known: Mapping[str, int], routes: Iterable[Route], everywhere: Iterable[str]
) -> int:
    """From how many places what travels into a stage is read; `known` are those of each table."""
    ways = [name for route in routes for name in _list_read(route)]
    return sum(known.get(name, 1) for name in (*ways, *everywhere))


def _list_read(route: Route) -> tuple[str, ...]:
    return (route.name,) if route.through is None else (route.name, route.through.name)


def is_too_large(leaves: int) -> bool:
    return leaves > MOST_LEAVES


def cut(frame: DataFrame, number: int) -> DataFrame:
    """The same rows, computed now, as a plan of their own."""
    doing = f"evaluating stage {number}"
    with working(frame.sparkSession, doing):
        return frame.localCheckpoint()
