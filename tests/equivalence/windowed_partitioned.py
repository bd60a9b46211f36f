"""Replays stage by stage and partition by partition, as on Spark, without Spark."""

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.arrow import to_ints, wrap
from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.engines.share import make_share
from phenesthe.engines.spark.admission_worker import REASON, Gate
from phenesthe.engines.spark.replay_columns import (
    FOUND_COLUMNS,
    QUERY,
    RANK,
    WHAT,
    What,
    extend_signature,
)
from phenesthe.engines.spark.replay_worker import Emit, Replay, Role, find_lags, replay_share
from phenesthe.io.columns import Reason, make_schema
from phenesthe.memory import Memory
from phenesthe.memory.replay import Schedule, begin_timeline, make_schedule
from phenesthe.plan.needed import prune
from phenesthe.plan.routes import Route, find_routes
from phenesthe.plan.stages import Stage, find_stages
from tests.equivalence.compare import build_facts, build_table, read_table
from tests.equivalence.late import WindowedCase
from tests.equivalence.partitioned import list_keys, place
from tests.equivalence.windowed import build_operations, choose_operations
from tests.reference import Row
from tests.reference.known import find_query_time
from tests.reference.windowed import (
    Operation,
    find_timeline_start,
    list_remaining,
)
from tests.reference.windowed import replay as replay_reference

#: By query and definition, in the order of `What`: what is told of it there.
Told = dict[tuple[int, str, What], set[Row]]
#: Operations that are refused, by input, number and query, with the reason.
Refusals = dict[tuple[str, int, int], str]
_KNOWN, _ARRIVED, _RETRACT, _NUMBER = "*known", "*arrived", "*retract", "*number"
Tables = dict[str, pa.Table]


def plan_queries(case: WindowedCase, program: CheckedProgram) -> Schedule | None:
    given = choose_operations(case, program)
    begin = min((one.time for found in given.values() for one in found), default=None)
    last = find_query_time(list_remaining(given))
    return make_schedule(step=case.step, begin=begin, last=last, start=case.start, until=case.until)


def tell_in_one_place(
    case: WindowedCase, program: CheckedProgram, emit: Emit
) -> tuple[Told, Refusals]:
    """What a single memory tells, in the same words."""
    facts = {one.name: build_facts(one, case.facts.get(one.name, [])) for one in program.facts}
    operations = choose_operations(case, program)
    schedule = plan_queries(case, program)
    assert schedule is not None
    memory = Memory(
        program,
        facts,
        window=case.window,
        first=begin_timeline(find_timeline_start(operations, None), case.start),
        start=schedule.start,
    )
    told: Told = {}
    refusals: Refusals = {}
    numbers = {
        name: {id(one): at for at, one in enumerate(found)} for name, found in operations.items()
    }
    for number, query in enumerate(
        replay_reference(
            operations, window=case.window, step=case.step, start=case.start, until=case.until
        )
    ):
        advance = memory.advance(query.time, build_operations(program, query))
        for name, refused in advance.refused.items():
            for row, reason in zip(refused.rows, refused.reasons, strict=True):
                one = query.operations[name][int(row)]
                refusals[name, numbers[name][id(one)], number] = reason.text
        found: list[tuple[What, int, Mapping[str, pa.Table]]] = []
        match emit:
            case "changes":
                found = [
                    (What.ADDED, number, advance.added),
                    (What.REMOVED, number, advance.removed),
                ]
            case "snapshots":
                found = [(What.SHOWN, number, memory.snapshot())]
            case "final":
                found = [(What.FINAL, 0, advance.settled)]
                if query.time == schedule.last:
                    found.append((What.FINAL, 0, memory.current()))
        for what, at, tables in found:
            for name, table in tables.items():
                add_told(told, at, name, what, table)
    return told, refusals


def tell_in_partitions(
    case: WindowedCase, program: CheckedProgram, emit: Emit, partitions: int
) -> tuple[Told, Refusals]:
    """What is told when every stage has that many partitions."""
    pruned = prune(program, program.reported)
    schedule = plan_queries(case, program)
    assert schedule is not None
    known: Tables = {
        one.name: build_facts(one, case.facts.get(one.name, [])) for one in pruned.facts
    }
    refusals: Refusals = {}
    for one in pruned.inputs:
        table = _lay(one, case.operations.get(one.name, []))
        table = table.filter(wrap(to_ints(table.column(len(one.arguments))) <= schedule.last))
        known[one.name] = _admit(one, table, schedule, case.window, partitions, refusals)
    first = begin_timeline(find_timeline_start(choose_operations(case, program), None), case.start)
    replay = Replay(schedule, case.window, first, emit, is_counted=False)
    lags: dict[str, int] = {}
    told: Told = {}
    for stage in find_stages(pruned):
        _replay_stage(pruned, stage, replay, known, lags, partitions)
    for name in program.reported:
        _read(told, name, known[name], emit)
    return told, refusals


def _lay(signature: Signature, operations: list[Operation]) -> pa.Table:
    table = build_table(signature, [one.row for one in operations])
    columns = {
        _KNOWN: [one.known for one in operations],
        _ARRIVED: [one.arrived for one in operations],
        _RETRACT: [one.retract for one in operations],
        _NUMBER: list(range(len(operations))),
    }
    for name, values in columns.items():
        kind = pa.bool_() if name == _RETRACT else pa.int64()
        table = table.append_column(name, pa.array(values, kind))
    return table


def _admit(
    signature: Signature,
    table: pa.Table,
    schedule: Schedule,
    window: int,
    partitions: int,
    refusals: Refusals,
) -> pa.Table:
    """The rows that are used, with their marks."""
    order = (_KNOWN, _ARRIVED, _RETRACT, _NUMBER)
    gate = Gate(signature, schedule, window, _KNOWN, _RETRACT, order)
    same = tuple(range(len(signature.arguments)))
    keys = list_keys(signature, table, same)
    starts = table.column(len(same)).to_pylist()
    places = [
        place((*key, str(start)), partitions) for key, start in zip(keys, starts, strict=True)
    ]
    judged = [
        gate.judge(table.filter(pa.array([one == number for one in places], pa.bool_())))
        for number in range(partitions)
    ]
    together = pa.concat_tables(judged)
    for row in together.filter(pc.field(REASON) > 0).to_pylist():
        reason = Reason(row[REASON])
        refusals[signature.name, row[_NUMBER], row[QUERY]] = reason.text
    used = together.filter(pc.field(REASON) == 0)
    return used.select([*make_schema(signature).names, QUERY, RANK, WHAT])


def _replay_stage(
    program: CheckedProgram,
    stage: Stage,
    replay: Replay,
    known: Tables,
    lags: dict[str, int],
    partitions: int,
) -> None:
    """Add what a stage finds to what is known, as far as it is needed."""
    share = make_share(program, stage, 0, 0)
    cut = share.program
    routes = find_routes(cut, stage)
    later = {
        exchange.name
        for other in find_stages(program)
        for exchange in other.exchanges
        if exchange.source == stage.number
    }
    role = Role(
        tuple(name for name in stage.definitions if name in program.reported),
        tuple(sorted(later)),
        {name: lags[name] for name in share.derived},
    )
    whole = {name: known[name] for name in routes.whole}
    found: dict[str, list[pa.Table]] = {name: [] for name in role.wanted}
    count = 1 if stage.is_global else partitions
    arriving = {one.name: one for one in (*cut.inputs, *cut.facts)}
    for number in range(count):
        routed = {
            route: _choose(route, arriving, known, number, count)
            for route in (*routes.rows, *routes.owners)
        }
        if share.keys and not any(table.num_rows for table in routed.values()):
            continue  # nobody's partition
        for name, table in replay_share(share, replay, role, routed, whole):
            found[name].append(table)
    signatures = {one.signature.name: one.signature for one in cut.definitions}
    for name, parts in found.items():
        schema = _make_schema(signatures[name])
        known[name] = pa.concat_tables([schema.empty_table(), *parts])
    lags |= find_lags(share, replay, role)


def _make_schema(signature: Signature) -> pa.Schema:
    schema = make_schema(signature)
    for name in extend_signature(signature, FOUND_COLUMNS).arguments[len(signature.arguments) :]:
        schema = schema.append(pa.field(name, pa.int64()))
    return schema


def _choose(
    route: Route, signatures: Mapping[str, Signature], known: Tables, number: int, count: int
) -> pa.Table:
    table = known[route.name]
    if WHAT in table.column_names:
        table = table.filter(pc.field(WHAT) <= What.NOT_PENDING)
    own = list_keys(signatures[route.name], table, route.positions)
    if route.through is None:
        keep = ["None" in key or place(key, count) == number for key in own]
    else:
        through = route.through
        rows = known[through.name]
        if WHAT in rows.column_names:
            rows = rows.filter(pc.field(WHAT) <= What.REMOVED)
        whole = list_keys(signatures[through.name], rows, through.positions)
        here = [key for key in whole if place(key, count) == number]
        parts = {tuple(key[part] for part in through.parts) for key in here}
        keep = ["None" in key or key in parts for key in own]
    return table.filter(pa.array(keep, pa.bool_()))


def _read(told: Told, name: str, table: pa.Table, emit: Emit) -> None:
    kinds = {
        "changes": (What.ADDED, What.REMOVED), "snapshots": (What.SHOWN,), "final": (What.FINAL,),
    }[emit]  # fmt: skip
    for number in sorted(set(table[QUERY].to_pylist())):
        for what in kinds:
            mask = (pc.field(QUERY) == number) & (pc.field(WHAT) == what)
            part = table.filter(mask).drop_columns([QUERY, WHAT])
            add_told(told, 0 if what == What.FINAL else number, name, what, part)


def add_told(told: Told, number: int, name: str, what: What, table: pa.Table) -> None:
    rows = read_table(table)
    if rows:
        held = told.setdefault((number, name, what), set())
        assert not held & rows, f"{name} is told twice"
        held |= rows
