"""From Arrow tables to the columns a partition is evaluated on, and back."""

from collections.abc import Collection, Iterable, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.arrow import list_floats, list_numbers, pack, wrap
from phenesthe.check.program import CheckedExclusive, CheckedProgram, Signature, ValueType
from phenesthe.kernels.arrays import OPEN, Array, Intervals, Mask
from phenesthe.kernels.order import encode
from phenesthe.kernels.states import coalesce
from phenesthe.plan.columns import ColumnUses, bodies_of
from phenesthe.plan.scans import Scan
from phenesthe.stage.conditions import Fact
from phenesthe.stage.domains import Domains, Scalar, build_domain
from phenesthe.stage.evaluate import Base, Partition
from phenesthe.stage.rows import Keys, Numbers, Rows, from_intervals
from phenesthe.syntax.tree import BoolLiteral, FloatLiteral, IntLiteral, StrLiteral
from phenesthe.syntax.tree.walk import walk

_TYPES: tuple[ValueType, ...] = ("int", "float", "str", "bool")


def load_partition(
    program: CheckedProgram,
    uses: ColumnUses,
    scans: Iterable[Scan],
    tables: Mapping[str, pa.Table],
    facts: Mapping[str, pa.Table],
    first: int,
    q: int,
    *,
    derived: Collection[str] = (),
) -> Partition:
    """`tables` have the declared columns that are used, then `t` or `ts` and `te`.

    What is `derived` is known as at q already.
    """
    known = {s.name: _cut(tables[s.name], s, q) for s in program.inputs if s.name in tables}
    for scan in scans:
        if scan.alternatives and scan.name in known:
            known[scan.name] = filter_rows(known[scan.name], scan)
    domains = build_domains(program, uses, known, facts)
    bases = {
        one.name: _load_input(
            one, uses, known.get(one.name), domains, None if one.name in derived else q
        )
        for one in program.inputs
    }
    loaded = {s.name: load_fact(s, facts.get(s.name), domains) for s in program.facts}
    return Partition(program, domains, loaded, first, q, bases)


def _cut(table: pa.Table, signature: Signature, q: int) -> pa.Table:
    """What is known at q."""
    time = "t" if signature.kind == "event" else "ts"
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


_COMPARE = {
    "<": pc.less, "<=": pc.less_equal, ">": pc.greater, ">=": pc.greater_equal,
    "==": pc.equal, "!=": pc.not_equal,
}  # fmt: skip


def build_domains(
    program: CheckedProgram,
    uses: ColumnUses,
    tables: Mapping[str, pa.Table],
    facts: Mapping[str, pa.Table],
) -> Domains:
    columns: dict[ValueType, list[pa.ChunkedArray]] = {name: [] for name in _TYPES}
    for signature in (*program.inputs, *program.facts):
        table = tables.get(signature.name, facts.get(signature.name))
        if table is None:
            continue
        for name, type_name, use in zip(
            signature.arguments, signature.types, uses.by_name[signature.name], strict=True
        ):
            if use == "joined":
                columns[type_name].append(table[name])
    constants = _constants(program)
    found = {name: build_domain(name, columns[name], constants[name]) for name in _TYPES}
    return Domains(found)


def _constants(program: CheckedProgram) -> dict[ValueType, list[Scalar]]:
    """Texts are compared by their codes, and labels are reported: both need one."""
    texts: list[Scalar] = [p.value for p in program.parameters if isinstance(p.value, str)]
    found: dict[ValueType, list[Scalar]] = {
        "int": [], "float": [], "str": texts, "bool": [False, True],
    }  # fmt: skip
    for definition in program.definitions:
        for body in bodies_of(definition):
            texts.extend(node.value for node in walk(body) if isinstance(node, StrLiteral))
        if isinstance(definition, CheckedExclusive):
            for branch in definition.branches:
                match branch.label:
                    case IntLiteral() | FloatLiteral() | StrLiteral() | BoolLiteral():
                        found[definition.signature.types[-1]].append(branch.label.value)
    return found


def _load_input(
    signature: Signature,
    uses: ColumnUses,
    table: pa.Table | None,
    domains: Domains,
    q: int | None,
) -> Base:
    """With a `q`, as known there; what an earlier stage found is that already."""
    kind = signature.kind or ""
    if table is None:
        empty = np.empty(0, dtype=np.int64)
        used = uses.by_name[signature.name]
        codes = tuple([empty if use == "joined" else None for use in used])
        extra = tuple([empty if use == "compared" else None for use in used])
        return Base(kind, codes, extra, empty, empty)
    joined: dict[str, Array] = {}
    compared: dict[str, Numbers] = {}
    for name, type_name, use in zip(
        signature.arguments, signature.types, uses.by_name[signature.name], strict=True
    ):
        if use == "joined":
            joined[name] = domains[type_name].encode(table[name])
        elif use == "compared":
            compared[name] = read_raw(table[name], type_name)
    types = dict(zip(signature.arguments, signature.types, strict=True))
    keys = Keys(domains, types)
    if kind == "event":
        ts = list_numbers(table["t"])
        rows = keys.sort(Rows(tuple(joined), tuple(joined.values()), ts, ts, compared))
    else:
        ts, te = list_numbers(table["ts"]), list_numbers(table["te"], null=OPEN)
        rows = Rows(tuple(joined), tuple(joined.values()), ts, te)
        bindings, key = keys.bind(rows.variables, rows)
        known = Intervals(key, ts, te)
        if q is not None:
            known = see_at(known, q)
        if kind == "state":
            rows = from_intervals(bindings, coalesce(known))
        else:
            rows = keys.sort(from_intervals(bindings, known))
    arranged = dict(zip(rows.variables, rows.columns, strict=True))
    return Base(
        kind,
        tuple([arranged.get(name) for name in signature.arguments]),
        tuple([rows.extra.get(name) for name in signature.arguments]),
        rows.ts,
        rows.te,
    )


def read_raw(column: pa.ChunkedArray, type_name: ValueType) -> Numbers:
    return list_floats(column) if type_name == "float" else list_numbers(column)


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


def unload(partition: Partition, signature: Signature, keep: Mask | None = None) -> pa.Table:
    """A finished definition, or the rows of it to keep: its arguments, then its times."""
    base = partition.bases[signature.name]
    columns: dict[str, pa.Array] = {}
    for name, type_name, codes in zip(
        signature.arguments, signature.types, base.codes, strict=True
    ):
        assert codes is not None
        columns[name] = partition.domains[type_name].decode(codes if keep is None else codes[keep])
    ts, te = (base.ts, base.te) if keep is None else (base.ts[keep], base.te[keep])
    if base.kind == "event":
        columns["t"] = wrap(ts)
    else:
        columns["ts"] = wrap(ts)
        columns["te"] = wrap(te, te == OPEN)
    return pa.table(columns)
