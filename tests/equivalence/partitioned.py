"""Stages and partitions as the Spark engine has them, without Spark: quick enough for thousands."""

import zlib
from collections.abc import Mapping

import pyarrow as pa

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.engines.share import evaluate_share, make_share
from phenesthe.engines.timeline import find_timeline
from phenesthe.plan.needed import prune
from phenesthe.plan.routes import Route, Routes, find_routes
from phenesthe.plan.stages import Positions, Stage, find_stages
from tests.equivalence.compare import Results, build_facts, build_table, read_table
from tests.equivalence.streams import Stream

Tables = dict[str, pa.Table]


def find_partitioned(program: CheckedProgram, stream: Stream, partitions: int) -> Results:
    """What is found when every stage has that many partitions."""
    pruned = prune(program, program.reported)
    known: Tables = {
        one.name: build_table(one, stream.inputs.get(one.name, [])) for one in program.inputs
    } | {one.name: build_facts(one, stream.facts.get(one.name, [])) for one in program.facts}
    times = [
        time for one in program.inputs for row in stream.inputs.get(one.name, [])
        for time in row[1:]
        if isinstance(time, int)
    ]  # fmt: skip
    ends = (min(times, default=None), max(times, default=None))
    first, q = find_timeline(*ends, stream.until, stream.start)
    for stage in find_stages(pruned):
        known |= _run_stage(pruned, stage, known, first, q, partitions)
    return {name: read_table(known[name]) for name in program.reported}


def _run_stage(
    program: CheckedProgram, stage: Stage, known: Tables, first: int, q: int, partitions: int
) -> Tables:
    share = make_share(program, stage, first, q)
    cut = share.program
    routes = find_routes(cut, stage)
    whole = {name: known[name] for name in routes.whole}
    found: dict[str, list[pa.Table]] = {name: [] for name in stage.definitions}
    count = 1 if stage.is_global else partitions
    for number in range(count):
        routed = _send(cut, routes, known, number, count)
        if share.keys and not any(table.num_rows for table in routed.values()):
            continue  # nobody's partition
        for name, table in evaluate_share(share, routed, whole, stage.definitions):
            found[name].append(table)
    signatures = {one.signature.name: one.signature for one in cut.definitions}
    return {
        name: pa.concat_tables(parts) if parts else build_table(signatures[name], [])
        for name, parts in found.items()
    }


def _send(
    program: CheckedProgram, routes: Routes, known: Tables, number: int, count: int
) -> dict[Route, pa.Table]:
    signatures = {one.name: one for one in (*program.inputs, *program.facts)}
    return {
        route: _choose(route, signatures, known, number, count)
        for route in (*routes.rows, *routes.owners)
    }


def _choose(
    route: Route,
    signatures: Mapping[str, Signature],
    known: Tables,
    number: int,
    count: int,
) -> pa.Table:
    table = known[route.name]
    own = list_keys(signatures[route.name], table, route.positions)
    if route.through is None:
        keep = [place(key, count) == number for key in own]
    else:
        through = route.through
        whole = list_keys(signatures[through.name], known[through.name], through.positions)
        here = [key for key in whole if place(key, count) == number]
        parts = {tuple(key[part] for part in through.parts) for key in here}
        keep = [key in parts for key in own]
    return table.filter(pa.array(keep, pa.bool_()))


def list_keys(signature: Signature, table: pa.Table, positions: Positions) -> list[tuple[str, ...]]:
    columns = [table[signature.arguments[at]].to_pylist() for at in positions]
    if not columns:
        return [()] * table.num_rows
    return [tuple(_spell(value) for value in row) for row in zip(*columns, strict=True)]


def _spell(value: object) -> str:
    return repr(value + 0.0) if isinstance(value, float) else repr(value)


def place(key: tuple[str, ...], count: int) -> int:
    return zlib.crc32("\0".join(key).encode()) % count
