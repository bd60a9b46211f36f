"""The working memory: what is known is advanced from query to query."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.kernels.arrays import OPEN, Array, join_columns
from phenesthe.memory import domains as codes
from phenesthe.memory.deltas import Delta, DerivedInput, find_difference, list_pending
from phenesthe.memory.late_rows import count_late
from phenesthe.memory.nodes import make_nodes
from phenesthe.memory.operations import Operations, Refused
from phenesthe.operators.held import NOTHING, Holder
from phenesthe.operators.load import build_domains, load_fact, show
from phenesthe.operators.rows import Rows
from phenesthe.operators.table import Fact
from phenesthe.operators.unchanged import BEGINNING
from phenesthe.operators.work import World
from phenesthe.plan.calendar_years import check_years, find_calendar
from phenesthe.plan.lower import lower
from phenesthe.plan.needed import prune
from phenesthe.vocabulary import ValueType

#: The number of a formula, then a row of it: codes, start, end.
RowId: TypeAlias = tuple[int, tuple[int, ...], int, int]
#: The part of the window by which the frontier moves before what it has passed is forgotten.
_SLACK = 64
#: With fewer values of a type than this none is forgotten.
_MANY_VALUES = 4096


@dataclass(frozen=True, slots=True)
class Advance:
    """What a query changed: rows by definition are arguments, then `t`, or `ts` and `te`.

    `added` hold now and did not at the last query, `removed` the other way round. `settled` can
    not change any more; every row is settled once. `late` counts the rows that were used although
    their time had passed, `rows` what is remembered, by definition or input.
    """

    query: int
    added: dict[str, pa.Table]
    removed: dict[str, pa.Table]
    settled: dict[str, pa.Table]
    refused: dict[str, Refused]
    late: int
    rows: dict[str, int] = field(default_factory=dict)
    incomplete: int = 0


def choose_slack(window: int) -> int:
    """For a memory that is not written down."""
    return window // _SLACK


class Memory:
    """`advance` takes what became known by a query time and gives what that changes.

    Nothing at or before `query time − window` may change any more, and what no later query can
    need is forgotten. `first` is the first instant of the timeline, OPEN if there is none (default:
    the least time accepted so far); at or before `start` nothing is accepted. Without `remove`
    everything is kept, without `incremental` the whole window is computed again at every query,
    both with the same results. What falls out of the window is forgotten, and settled, when it has
    moved by `slack`: now and then more costs less than at every query a little. Who writes the
    memory down needs it exact.
    """

    def __init__(
        self,
        program: CheckedProgram,
        facts: Mapping[str, pa.Table],
        *,
        window: int,
        only: Collection[str] | None = None,
        first: int | None = None,
        start: int | None = None,
        remove: bool = True,
        incremental: bool = True,
        derived: Collection[str] = (),
        watch: bool = False,
        slack: int = 0,
    ) -> None:
        self.names = tuple(program.reported if only is None else only)
        self.program = prune(program, self.names)
        used = {one.name for one in self.program.inputs}
        #: Inputs that nobody looks at.
        self._idle = {one.name: one for one in program.inputs if one.name not in used}
        self._calendar = find_calendar(self.program)
        self.window, self.start, self.remove = window, start, remove
        self.incremental = incremental
        self.slack = slack
        #: The frontier that was last forgotten up to.
        self._forgotten: int | None = None
        #: Whether an advance shows what came and what went; who does not ask saves the trouble.
        self.shows_changes = True
        self.first = OPEN if first is None else first
        #: Whether rows from before the first instant move it.
        self.finds_first = first is None
        self.last: int | None = None
        self.plan = lower(self.program, derived, remembers=True)
        domains = build_domains(self.plan, {}, facts)
        #: Values of the program and its facts, which stay.
        self._fixed = {name: domain.values for name, domain in domains.by_type.items()}
        self._limits: dict[ValueType, int] = {
            name: max(_MANY_VALUES, 2 * domain.size) for name, domain in domains.by_type.items()
        }
        known = {one.name: load_fact(one, facts.get(one.name), domains) for one in self.plan.facts}
        self.world = World(domains, known, 0, 0)
        self.graph = make_nodes(self.plan, self.world)
        self.signatures = self.plan.definitions
        self.holders = self.graph.list_all()
        for node in self.holders:
            node.is_watched = watch
        #: Tables without rows, which are most of those that are shown.
        self._empty: dict[str, pa.Table] = {}
        #: Inputs and operators, by id, that began anew while others went on, with the instant
        #: after which they are whole; they have not seen what lies before it.
        self.since: dict[str, int] = {}
        #: What was told before under names that do not go on, or not as they were: until the next
        #: query, which tells the difference. Those of them that are no more have a signature.
        self.before: dict[str, pa.Table] = {}
        self.ended: dict[str, Signature] = {}
        #: Operators that were not there at the last query: what they compute first.
        self._fresh: dict[str, int] = {}
        #: What was said of how far back definitions may change, by those that were asked about.
        self.told: dict[str, pa.Table] = {}

    def advance(
        self,
        query_time: int,
        operations: Mapping[str, Operations],
        derived: Mapping[str, Delta] | None = None,
    ) -> Advance:
        if self.last is not None and query_time < self.last:
            raise ValueError(f"query {query_time} is before the last one, {self.last}")
        q, last = query_time, self.last
        known = {
            name: found
            for name, found in operations.items()
            if name in self.graph.inputs and found.table.num_rows
        }
        if self.remove:
            # Before what is new is coded: what was said of the last query has the old codes.
            self._shrink_domains()
        deltas = derived or {}
        self._extend_domains(known, deltas)
        frontier = q - self.window
        horizon = frontier if self.start is None else max(frontier, self.start)
        refused: dict[str, Refused] = {}
        before = BEGINNING if last is None else last
        for name, source in self.graph.inputs.items():
            if isinstance(source, DerivedInput):
                source.take_delta(deltas.get(name))
                continue
            unused = source.take_in(known.get(name), before, q, horizon)
            if unused is not None:
                refused[name] = unused
        # They too say where the timeline begins.
        idle = [
            found.find_least_after(self._idle[name], horizon)
            for name, found in operations.items()
            if name in self._idle
        ]
        moved = self._begin(known, refused, q, min(idle, default=OPEN))
        for id_, node in self.graph.operators.items():
            if id_ in self._fresh:
                node.update(last, q, self._fresh[id_])
            elif self.incremental:
                node.update(last, q, moved if node.follows_timeline else None)
            else:
                node.update(last, q, frontier)
        self._fresh = {}
        shown = self.names if self.shows_changes else ()
        added = {name: self._show(name, self._node(name).added) for name in shown}
        removed = {name: self._show(name, self._node(name).removed) for name in shown}
        if self.shows_changes:
            for name, told in self.before.items():
                now = told.slice(0, 0) if name in self.ended else self._show_held(name)
                added[name], removed[name] = find_difference(told, now)
        self.before = {}
        self._forget(frontier)
        settled = {name: self._show(name, self._node(name).settled) for name in self.names}
        self.last = q
        late = sum(
            count_late(self.graph.inputs[name].signature, found, refused.get(name), last)
            for name, found in known.items()
        )
        sizes, incomplete = self._measure()
        return Advance(q, added, removed, settled, refused, late, sizes, incomplete)

    def current(self) -> dict[str, pa.Table]:
        """What holds at the last query and is not settled yet."""
        return {
            name: self._show(name, node.rows.take(node.live))
            for name in self.names
            for node in (self._node(name),)
        }

    def snapshot(self) -> dict[str, pa.Table]:
        """What holds at the last query and touches its window."""
        assert self.last is not None
        after = self.last - self.window
        return {
            name: self._show(name, node.rows.take(node.rows.te > after))
            for name in self.names
            for node in (self._node(name),)
        }

    @property
    def whole(self) -> dict[str, int]:
        """What is reported and began anew, with the instant after which it is whole."""
        found = {name: self.plan.phenomena[name].id for name in self.names}
        return {name: self.since[id_] for name, id_ in found.items() if id_ in self.since}

    def dump(self) -> tuple[dict[str, Any], dict[str, pa.Table]]:
        """Everything a later run needs besides the program: plain values, and tables by name."""
        from phenesthe.memory.dump import dump

        return dump(self)

    def __deepcopy__(self, _: dict[int, Any]) -> "Memory":
        return Memory.load(self.program, *self.dump())

    def list_rows(self) -> list[RowId]:
        """Every row that is remembered, by what it is."""
        return [
            (number, tuple([int(column[at]) for column in rows.columns]), int(rows.ts[at]), int(te))
            for number, node in enumerate(self.graph.list_all())
            for rows in (node.rows,)
            for at, te in enumerate(rows.te)
        ]

    def forget(self, row: RowId) -> None:
        """Forget a row, needed or not: that is how it is found out whether it was."""
        number, codes, ts, te = row
        node = self.graph.list_all()[number]
        same = (node.rows.ts == ts) & (node.rows.te == te)
        for column, code in zip(node.rows.columns, codes, strict=True):
            same &= column == code
        node.drop(int(np.flatnonzero(same)[0]))

    @staticmethod
    def load(
        program: CheckedProgram, manifest: Mapping[str, Any], tables: Mapping[str, pa.Table]
    ) -> "Memory":
        """The memory of the same program, as it was written."""
        from phenesthe.memory.undump import load

        return load(program, manifest, tables)

    def begin_anew(self, after: Mapping[str, int]) -> None:
        """Operators that know nothing yet look at what is there after these times."""
        self._fresh = {id_: at for id_, at in after.items() if id_ in self.graph.operators}
        for id_, at in self._fresh.items():
            for edge in self.graph.operators[id_].edges:
                edge.kept = edge.node.rows.te > at

    def add_values(self, columns: Mapping[ValueType, list[pa.ChunkedArray]]) -> None:
        """Give codes to values that the program speaks of, and to these."""
        spoken = {
            name: [*columns.get(name, ()), pa.chunked_array([self._fixed[name]])]
            for name in self._fixed
        }
        self.move_codes(codes.extend(self.world.domains, spoken))

    def set_facts(self, facts: Mapping[str, pa.Table]) -> None:
        """Facts whose values have codes already."""
        for one in self.plan.facts:
            if one.name in facts:
                found = load_fact(one, facts[one.name], self.world.domains)
                self.set_fact(one.name, found.columns, found.count)
        self.fix_values()

    def delta(self, name: str) -> Delta:
        """What another memory, of which the definition is an input, must know after an advance."""
        assert self.last is not None
        signature, node = self.signatures[name], self._node(name)
        arguments = tuple(column or "" for column in self.plan.phenomena[name].arguments)
        frontier = node.frontier
        pending = list_pending(signature, arguments, frontier, self.world.domains, node.keys)
        before = self.told.get(name)
        come, gone = find_difference(pending.slice(0, 0) if before is None else before, pending)
        self.told[name] = pending
        lag = self.last - self.window - frontier.default
        return Delta(self._show(name, node.added), self._show(name, node.removed), come, gone, lag)

    # Taking in

    def _extend_domains(self, known: Mapping[str, Operations], deltas: Mapping[str, Delta]) -> None:
        columns: dict[ValueType, list[pa.ChunkedArray]] = {}
        for one in self.program.inputs:
            if one.name not in known:
                continue
            table = known[one.name].table
            for name, type_name, use in zip(
                one.arguments, one.types, self.plan.sources[one.name].uses, strict=True
            ):
                if use == "joined":
                    columns.setdefault(type_name, []).append(table[name])
        for one in self.program.inputs:
            if one.name in deltas:
                delta = deltas[one.name]
                for name, type_name in zip(one.arguments, one.types, strict=True):
                    pending = delta.pending_added[name].drop_null()
                    found = [delta.added[name], delta.removed[name], pending]
                    columns.setdefault(type_name, []).extend(found)
        self.move_codes(codes.extend(self.world.domains, columns))

    def move_codes(self, moved: codes.Codes) -> None:
        if not moved:
            return
        for node in self.graph.list_all():
            node.remap(moved)
        for one in self.program.facts:
            fact = self.world.facts[one.name]
            columns = [
                moved[type_name][column] if type_name in moved else column
                for type_name, column in zip(one.types, fact.columns, strict=True)
            ]
            self.set_fact(one.name, columns, fact.count)

    def _begin(
        self, known: Mapping[str, Operations], refused: Mapping[str, Refused], q: int, idle: int
    ) -> int | None:
        """The timeline of the query; after which time it is another than that of the last one."""
        before = self.first if self.last is None else min(self.first, self.last + 1)
        if self.finds_first:
            self.first = min(self.first, idle)
            for name, given in known.items():
                signature = self.graph.inputs[name].signature
                self.first = min(self.first, given.find_least(signature, refused.get(name)))
        self._look_ahead(q)
        # Without a first instant the timeline is empty.
        self.world.first = min(self.first, q + 1)
        if self._calendar is not None:
            check_years(self._calendar, self.program.unit, self.world.first, q)
        # What is accepted lies in the window, and so does all that came before.
        return self.first - 1 if self.last is not None and self.first < before else None

    def _look_ahead(self, q: int) -> None:
        """What may still be: the timeline begins where it does, or where a row comes late."""
        world, frontier = self.world, q - self.window
        horizon = frontier if self.start is None else max(frontier, self.start)
        world.q, world.frontier = q, frontier
        world.earliest = min(self.first, horizon + 1) if self.finds_first else self.first

    # Forgetting

    def _forget(self, frontier: int) -> None:
        holders = self.holders
        if self._forgotten is None or frontier - self._forgotten >= self.slack:
            self._forgotten = frontier
            self._move_frontier(frontier)
        else:
            for holder in holders:
                holder.settle_nothing()
        if self.incremental:
            # The next query may be at the same time: rows of that one may be on their way.
            for holder in holders:
                holder.rest(frontier, frontier + self.window)

    def _move_frontier(self, frontier: int) -> None:
        for holder in self.holders:
            holder.bring_passed(frontier)
        for source in self.graph.inputs.values():
            source.move(frontier)
        for node in self.graph.operators.values():
            node.move_frontier(remove=self.remove)
        if self.remove:
            for holder in self.holders:
                holder.sweep(frontier)

    def _shrink_domains(self) -> None:
        """Forget the codes of values that nobody has any more, once there may be many."""
        domains = self.world.domains
        grown = [name for name, limit in self._limits.items() if domains[name].size > limit]
        if not grown:
            return
        used: dict[ValueType, list[Array]] = {
            name: [domains[name].look_up(pa.chunked_array([self._fixed[name]]))] for name in grown
        }
        for node in self.graph.list_all():
            for type_name, column in node.list_codes():
                if type_name in used:
                    used[type_name].append(column)
        moved = codes.shrink(domains, {n: np.unique(join_columns(*c)) for n, c in used.items()})
        self.move_codes(moved)
        self._limits |= {name: max(_MANY_VALUES, 2 * domains[name].size) for name in grown}

    def _measure(self) -> tuple[dict[str, int], int]:
        sizes: dict[str, int] = {}
        incomplete = 0
        for node in self.holders:
            count, pending = node.measure()
            sizes[node.owner] = sizes.get(node.owner, 0) + count
            incomplete += pending
        return sizes, incomplete

    def set_fact(self, name: str, columns: Sequence[Array], count: int) -> None:
        self.world.facts[name] = Fact(tuple(columns), count)

    def fix_values(self) -> None:
        """The values of the facts stay, whoever else has them."""
        for one in self.plan.facts:
            for type_name, column in zip(
                one.types, self.world.facts[one.name].columns, strict=True
            ):
                found = self.world.domains[type_name].decode(np.unique(column))
                together = pa.concat_arrays([self._fixed[type_name], found])
                self._fixed[type_name] = together.unique()

    def restore_frontier(self) -> None:
        """After it was read again: where what is remembered ends was not written."""
        assert self.last is not None
        frontier = self.last - self.window
        self._look_ahead(self.last)
        self.world.first = min(self.first, self.last + 1)
        # What is not settled yet will be at the next query.
        live = {holder: holder.near_live.copy() for holder in self.holders}
        for source in self.graph.inputs.values():
            source.move(frontier)
        for node in self.graph.operators.values():
            node.move_frontier(remove=False)
        for holder in self.holders:
            holder.near_live = live[holder]

    # Showing

    def _node(self, name: str) -> Holder:
        return self.graph.holders[self.plan.phenomena[name].id]

    def _show_held(self, name: str) -> pa.Table:
        """What holds, and could change or touched the window at the last query."""
        assert self.last is not None
        node = self._node(name)
        return self._show(
            name, node.rows.take(node.live | (node.rows.te > self.last - self.window))
        )

    def make_empty(self, name: str) -> pa.Table:
        return self._show(name, self._node(name).rows.take(NOTHING))

    def _show(self, name: str, rows: Rows) -> pa.Table:
        if not len(rows):
            if name not in self._empty:
                self._empty[name] = self._decode(name, rows)
            return self._empty[name]
        return self._decode(name, rows)

    def _decode(self, name: str, rows: Rows) -> pa.Table:
        return show(self.world.domains, self.signatures[name], self.plan.phenomena[name], rows)
