"""What a replay runs inside Spark's Python workers: a stage on one partition, through all queries.

No pyspark here. A partition has a working memory of its own, which it advances by itself.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Literal, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.arrow import pack
from phenesthe.check.program import NOWHERE, Signature
from phenesthe.engines.share import Share
from phenesthe.engines.spark.arrivals import Arrivals
from phenesthe.engines.spark.layout import Layout, Parcel
from phenesthe.engines.spark.owned_keys import OwnedKeys
from phenesthe.engines.spark.replay_columns import QUERY, WHAT, What, add_replay_columns
from phenesthe.engines.spark.worker import refuse_size
from phenesthe.engines.spark.worker_errors import pack_error
from phenesthe.io.columns import list_times, make_schema
from phenesthe.io.errors import DataError
from phenesthe.io.pile import Pile
from phenesthe.memory import Advance, Delta, Memory
from phenesthe.memory.deltas import make_pending_schema
from phenesthe.memory.replay import Schedule
from phenesthe.operators.too_many import TooManyRows
from phenesthe.plan.routes import Route

Emit: TypeAlias = Literal["final", "changes", "snapshots"]
#: As many rows wait before they leave.
_ROWS = 2**16

#: What is told of a query: the rows remembered of a definition or input, or, without a name, how
#: many intervals are incomplete and how long it took.
STATISTICS = Signature(
    name="*statistics",
    kind=None,
    arguments=(QUERY, "*name", "*rows", "*incomplete", "*seconds"),
    types=("int", "str", "int", "int", "float"),
    level=0,
    doc=None,
    span=NOWHERE,
)


@dataclass(frozen=True, slots=True)
class Replay:
    """What all stages of a replay have in common."""

    schedule: Schedule
    window: int
    #: As `phenesthe.memory.replay.begin_timeline` says.
    first: int
    emit: Emit
    is_counted: bool


@dataclass(frozen=True, slots=True)
class Role:
    """What a stage is asked for: `exported` definitions are inputs of later stages.

    `lags` are those of its own inputs that earlier stages find (`phenesthe.memory.Delta`).
    """

    reported: tuple[str, ...]
    exported: tuple[str, ...]
    lags: Mapping[str, int]

    @property
    def wanted(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*self.reported, *self.exported]))


@dataclass(frozen=True, slots=True)
class ReplayTask:
    """All that a partition needs to know; the tables that arrive are those of a batch run."""

    number: int
    share: Share
    replay: Replay
    role: Role
    routes: tuple[Route, ...]
    everywhere: tuple[str, ...]
    facts: Parcel
    arriving: Layout
    leaving: Layout

    def list_leaving(self) -> tuple[str, ...]:
        """The tables that leave, in their order."""
        return (*self.role.wanted, STATISTICS.name)

    def run(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """For Spark: from rows that arrive together to rows that leave together."""
        numbers = {name: at for at, name in enumerate(self.list_leaving())}
        piles = {name: Pile() for name in numbers}
        for name, table in self._evaluate(batches):
            piles[name].add(table)
            if piles[name].num_rows >= _ROWS:
                yield from self.leaving.join(numbers[name], piles[name].take())
        for name, pile in piles.items():
            if pile.num_rows:
                yield from self.leaving.join(numbers[name], pile.take())

    def _evaluate(self, batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[str, pa.Table]]:
        try:
            tables = self.arriving.split(batches)
            routed = dict(zip(self.routes, tables, strict=False))
            if self.share.keys and not any(table.num_rows for table in routed.values()):
                return
            facts = dict(zip(self.everywhere, tables[len(self.routes) :], strict=True))
            del tables
            yield from replay_share(
                self.share, self.replay, self.role, routed, facts | self.facts.open()
            )
        except TooManyRows as problem:
            raise pack_error(DataError(problem.message, problem.hint)) from problem
        except MemoryError as problem:
            refused = refuse_size(self.number, "in a replay", bool(self.share.keys))
            raise pack_error(refused) from problem


def replay_share(
    share: Share,
    replay: Replay,
    role: Role,
    routed: Mapping[Route, pa.Table],
    whole: Mapping[str, pa.Table],
) -> Iterator[tuple[str, pa.Table]]:
    """What the partition finds at each query for the keys it owns, with the replay columns.

    `routed` are the rows that came, by the way they came; `whole` are the facts all partitions
    have.
    """
    program = share.program
    by_name: dict[str, list[pa.Table]] = {}
    for route, table in routed.items():
        by_name.setdefault(route.name, []).append(table)
    facts = {
        one.name: pa.concat_tables(by_name[one.name])
        for one in program.facts
        if one.name in by_name
    } | dict(whole)
    arrivals = {
        one.name: Arrivals(one, by_name[one.name]) for one in program.inputs if one.name in by_name
    }
    teller = _Teller(replay, role, OwnedKeys(share, _choose_rows(routed), whole))
    del routed, by_name
    memory = Memory(
        program,
        facts,
        window=replay.window,
        only=role.wanted,
        first=replay.first,
        derived=share.derived,
    )
    for number, query in enumerate(replay.schedule):
        began = perf_counter()
        operations, deltas = {}, {}
        for name, one in arrivals.items():
            if name in share.derived:
                delta = one.take_delta(number, role.lags[name])
                if delta is not None:
                    deltas[name] = delta
            elif (given := one.take_operations(number)) is not None:
                operations[name] = given
        advance = memory.advance(query, operations, deltas)
        yield from teller.tell(number, advance, memory)
        if replay.is_counted:
            yield STATISTICS.name, _count(number, advance, perf_counter() - began)
    yield from teller.tell_last(len(replay.schedule) - 1, memory)


def _choose_rows(routed: Mapping[Route, pa.Table]) -> dict[Route, pa.Table]:
    """Without what is said of bindings that have no rows."""
    found = {}
    for route, table in routed.items():
        if WHAT in table.column_names:
            kinds = pack([What.ADDED, What.REMOVED], pa.int64())
            table = table.filter(pc.is_in(table[WHAT], value_set=kinds))
        found[route] = table
    return found


@dataclass(frozen=True, slots=True)
class _Teller:
    """Says what a query found, for later stages and for whoever asked."""

    replay: Replay
    role: Role
    owned: OwnedKeys

    def tell(self, number: int, advance: Advance, memory: Memory) -> Iterator[tuple[str, pa.Table]]:
        has_changes = self.replay.emit == "changes"
        for name in self.role.wanted:
            if name in self.role.exported or has_changes:
                yield from self._mark(name, advance.added[name], number, What.ADDED)
                yield from self._mark(name, advance.removed[name], number, What.REMOVED)
        for name in self.role.exported:
            delta = memory.delta(name)
            signature = memory.signatures[name]
            for table, what in (
                (delta.pending_added, What.PENDING),
                (delta.pending_removed, What.NOT_PENDING),
            ):
                yield from self._mark(name, _shape_pending(table, signature), number, what)
        if self.replay.emit == "final":
            for name in self.role.reported:
                yield from self._mark(name, advance.settled[name], number, What.FINAL)
        elif self.replay.emit == "snapshots" and self.role.reported:
            shown = memory.snapshot()
            for name in self.role.reported:
                yield from self._mark(name, shown[name], number, What.SHOWN)

    def tell_last(self, number: int, memory: Memory) -> Iterator[tuple[str, pa.Table]]:
        if self.replay.emit == "final" and self.role.reported:
            current = memory.current()
            for name in self.role.reported:
                yield from self._mark(name, current[name], number, What.FINAL)

    def _mark(
        self, name: str, table: pa.Table, number: int, what: What
    ) -> Iterator[tuple[str, pa.Table]]:
        kept = self.owned.keep(name, table)
        if kept.num_rows:
            yield name, add_replay_columns(kept, number, what)


def _shape_pending(table: pa.Table, signature: Signature) -> pa.Table:
    """In the columns of other rows: its time where they begin."""
    begin, *end = list_times(signature)
    shaped = table.rename_columns([*table.column_names[:-1], begin])
    for name in end:
        shaped = shaped.append_column(name, pa.nulls(table.num_rows, pa.int64()))
    return shaped


def _count(number: int, advance: Advance, seconds: float) -> pa.Table:
    names = [None, *advance.rows]
    zeros = [0] * len(advance.rows)
    return pa.table(
        {
            QUERY: pack([number] * len(names), pa.int64()),
            "*name": pack(names, pa.string()),
            "*rows": pack([0, *advance.rows.values()], pa.int64()),
            "*incomplete": pack([advance.incomplete, *zeros], pa.int64()),
            "*seconds": pack([seconds, *map(float, zeros)], pa.float64()),
        }
    )


def find_lags(share: Share, replay: Replay, role: Role) -> dict[str, int]:
    """How far before the window's frontier the exported definitions may change, whatever comes.

    That depends on the formulas alone, so a memory without rows tells it.
    """
    memory = Memory(
        share.program, {}, window=replay.window, only=role.wanted, derived=share.derived
    )
    deltas = {}
    for one in share.program.inputs:
        if one.name in share.derived:
            rows = make_schema(one).empty_table()
            pending = make_pending_schema(one).empty_table()
            deltas[one.name] = Delta(rows, rows, pending, pending, role.lags[one.name])
    memory.advance(replay.schedule.last, {}, deltas)
    return {name: memory.delta(name).lag for name in role.exported}
