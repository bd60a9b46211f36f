"""In this process, without Java: everything is one partition."""

from collections.abc import Collection, Mapping

import pyarrow as pa

from phenesthe.check.program import CheckedProgram
from phenesthe.engines.timeline import find_timeline
from phenesthe.io.columns import list_times
from phenesthe.io.extent import join_extents, measure_table
from phenesthe.operators.evaluate import Watcher
from phenesthe.operators.load import Partition
from phenesthe.plan.calendar_years import check_years, find_calendar
from phenesthe.plan.lower import lower
from phenesthe.plan.needed import prune


def run_local(
    program: CheckedProgram,
    tables: Mapping[str, pa.Table],
    facts: Mapping[str, pa.Table],
    *,
    until: int | None = None,
    start: int | None = None,
    only: Collection[str] | None = None,
    on_definition: Watcher = lambda _name, _at, _of: None,
) -> dict[str, pa.Table]:
    """Evaluate a program on fitted tables; results by name, in the order asked for.

    `until` is the query time (default: the last instant of the input), `start` the first instant
    of the timeline (default: the first of the input).
    """
    names = tuple(program.reported if only is None else only)
    pruned = prune(program, names)
    extent = join_extents(
        measure_table(tables[one.name], list_times(one))
        for one in program.inputs
        if one.name in tables
    )
    first, q = find_timeline(extent.first, extent.last, until, start)
    if (calendar := find_calendar(pruned)) is not None:
        check_years(calendar, pruned.unit, first, q)
    partition = Partition(lower(pruned), tables, facts, first, q)
    partition.evaluate(on_definition)
    return {name: partition.unload(name) for name in names}
