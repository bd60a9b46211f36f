"""From Arrow tables to the columns a partition is evaluated on, and back."""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.arrow import pack, to_floats, to_ints, wrap
from phenesthe.check.program import Signature
from phenesthe.graph.operator import Phenomenon, Source
from phenesthe.graph.program import Graph
from phenesthe.graph.scan import Scan
from phenesthe.kernels.arrays import OPEN, Array, Intervals, Mask
from phenesthe.kernels.order import encode
from phenesthe.kernels.states import coalesce
from phenesthe.operators.domains import Domains, build_domain, take_apart
from phenesthe.operators.evaluate import Watcher, evaluate
from phenesthe.operators.rows import Keys, Numbers, Rows, from_intervals
from phenesthe.operators.table import Fact
from phenesthe.operators.tables import make_empty
from phenesthe.operators.work import World
from phenesthe.vocabulary import VALUE_TYPES, ValueType


class Partition:
    """The rows of a program's inputs on one partition, and what its definitions are true on.

    `tables` have the declared columns that are used, then `t` or `ts` and `te`. What is derived is
    known as at q already. Rows that no use of an input can match are left out, unless `is_scanned`
    says that they were left out before.
    """

    def __init__(
        self,
        graph: Graph,
        tables: Mapping[str, pa.Table],
        facts: Mapping[str, pa.Table],
        first: int,
        q: int,
        *,
        is_scanned: bool = False,
    ) -> None:
        self.graph = graph
        known = {
            name: _cut(tables[name], one, q)
            for name, one in graph.sources.items()
            if name in tables
        }
        if not is_scanned:
            known |= {
                name: filter_rows(table, scan)
                for name, table in known.items()
                if (scan := graph.sources[name].scan).alternatives
            }
        known = {name: _take_apart(graph.sources[name], table) for name, table in known.items()}
        domains = build_domains(graph, known, facts)
        loaded = {one.name: load_fact(one, facts.get(one.name), domains) for one in graph.facts}
        self.world = World(domains, loaded, first, q)
        self._inputs = {
            name: _load_input(one, known.get(name), domains, q)
            for name, one in graph.sources.items()
        }
        self._found: dict[str, Rows] = {}

    def evaluate(self, on_definition: Watcher) -> None:
        self._found = evaluate(self.graph, self.world, self._inputs, on_definition)

    def get_columns(self, name: str) -> tuple[list[Array], Array, Array]:
        """Of a definition the codes of its arguments, its starts and its ends."""
        rows = self._found[name]
        arguments = self.graph.phenomena[name].arguments
        columns = [rows.column(column) for column in arguments if column is not None]
        return columns, rows.ts, rows.te

    def unload(self, name: str, keep: Mask | None = None) -> pa.Table:
        """A finished definition, or the rows of it to keep."""
        rows = self._found[name] if keep is None else self._found[name].take(keep)
        phenomenon = self.graph.phenomena[name]
        return show(self.world.domains, self.graph.definitions[name], phenomenon, rows)


def show(domains: Domains, signature: Signature, phenomenon: Phenomenon, rows: Rows) -> pa.Table:
    """Rows of a definition: its arguments, then its times."""
    columns = {
        name: domains[type_name].decode(rows.column(own or ""))
        for name, type_name, own in zip(
            signature.arguments, signature.types, phenomenon.arguments, strict=True
        )
    }
    if signature.kind == "event":
        columns["t"] = wrap(rows.ts)
    else:
        columns["ts"] = wrap(rows.ts)
        columns["te"] = wrap(rows.te, rows.te == OPEN)
    return pa.table(columns)


def _cut(table: pa.Table, source: Source, q: int) -> pa.Table:
    """What is known at q."""
    time = "t" if source.kind == "event" else "ts"
    latest = pc.max(table[time]).as_py()
    if latest is None or latest <= q:
        return table
    return table.filter(pc.less_equal(table[time], pack([q], pa.int64())[0]))


def filter_rows(table: pa.Table, scan: Scan) -> pa.Table:
    """Without the rows that no use of the input can match."""
    passing = None
    for alternative in scan.alternatives:
        together = None
        for test in alternative:
            constant = pack([test.value], table.schema.field(test.column).type)[0]
            mask = _COMPARE[test.operator](table[test.column], constant)
            together = mask if together is None else pc.and_(together, mask)
        passing = together if passing is None else pc.or_(passing, together)
    return table if pc.all(passing).as_py() else table.filter(passing)


def _take_apart(source: Source, table: pa.Table) -> pa.Table:
    """What is joined on as words and places: it is asked for twice."""
    for name, use in zip(source.signature.arguments, source.uses, strict=True):
        if use == "joined":
            at = table.schema.get_field_index(name)
            table = table.set_column(at, name, take_apart(table[name]))
    return table


_COMPARE = {
    "<": pc.less, "<=": pc.less_equal, ">": pc.greater, ">=": pc.greater_equal,
    "==": pc.equal, "!=": pc.not_equal,
}  # fmt: skip


def build_domains(
    graph: Graph, tables: Mapping[str, pa.Table], facts: Mapping[str, pa.Table]
) -> Domains:
    columns: dict[ValueType, list[pa.ChunkedArray]] = {name: [] for name in VALUE_TYPES}
    for name, source in graph.sources.items():
        if name in tables:
            signature = source.signature
            for argument, type_name, use in zip(
                signature.arguments, signature.types, source.uses, strict=True
            ):
                if use == "joined":
                    columns[type_name].append(tables[name][argument])
    for fact in graph.facts:
        if fact.name in facts:
            for argument, type_name in zip(fact.arguments, fact.types, strict=True):
                columns[type_name].append(facts[fact.name][argument])
    found = {name: build_domain(name, columns[name], graph.constants[name]) for name in VALUE_TYPES}
    return Domains(found)


def _load_input(source: Source, table: pa.Table | None, domains: Domains, q: int) -> Rows:
    """As known at q; what an earlier stage found is that already."""
    if table is None:
        return make_empty(source.variables, source.extras, source.kind)
    types = source.types
    columns = tuple([domains[types[name]].encode(table[name]) for name in source.variables])
    extra = {name: read_raw(table[name], types[name]) for name in source.extras}
    keys = Keys(domains, types)
    if source.kind == "event":
        ts = to_ints(table["t"])
        return keys.sort(Rows(source.variables, columns, ts, ts, extra))
    ts, te = to_ints(table["ts"]), to_ints(table["te"], null=OPEN)
    bindings, key = keys.bind(source.variables, Rows(source.variables, columns, ts, te))
    known = Intervals(key, ts, te)
    if not source.is_derived:
        known = see_at(known, q)
    if source.kind == "state":
        return from_intervals(bindings, coalesce(known))
    return keys.sort(from_intervals(bindings, known))


def read_raw(column: pa.ChunkedArray, type_name: ValueType) -> Numbers:
    return to_floats(column) if type_name == "float" else to_ints(column)


def see_at(intervals: Intervals, q: int) -> Intervals:
    """Intervals in any order, as known at q.

    An end after q is not known yet; an end that came closes the row that was still holding.
    """
    is_open = intervals.te == OPEN
    if is_open.any() and not is_open.all():
        started, ended = intervals.take(is_open), intervals.take(~is_open)
        wanted, there = encode((started.key, started.ts), (ended.key, ended.ts))
        is_open[is_open] = np.isin(wanted, there)
        intervals = intervals.take(~is_open)
    return Intervals(intervals.key, intervals.ts, np.where(intervals.te > q, OPEN, intervals.te))


def load_fact(signature: Signature, table: pa.Table | None, domains: Domains) -> Fact:
    if table is None:
        empty = np.empty(0, dtype=np.int64)
        return Fact(tuple([empty for _ in signature.arguments]), 0)
    columns = [
        domains[type_name].encode(table[name])
        for name, type_name in zip(signature.arguments, signature.types, strict=True)
    ]
    return Fact(tuple(columns), table.num_rows)
