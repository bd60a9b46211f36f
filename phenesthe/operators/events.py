"""Φ•: conjunctions are joins at the same instant, narrowed by what depends on them."""

from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from phenesthe.graph.formulas import (
    And,
    Boundary,
    Comparison,
    Exists,
    Formula,
    In,
    Not,
    Or,
)  # fmt: skip
from phenesthe.kernels.arrays import Instants, Mask
from phenesthe.kernels.instants import list_ends, list_starts, mark_held, pair_held
from phenesthe.kernels.order import encode
from phenesthe.kernels.runs import mark_occurring
from phenesthe.kernels.search import expand_ranges
from phenesthe.operators.arrange import arrange
from phenesthe.operators.conditions import missing_rows
from phenesthe.operators.dense import evaluate_beside, evaluate_dense, unite_dense
from phenesthe.operators.rows import (
    Dense,
    Rows,
    as_instants,
    as_intervals,
    concatenate,
    from_instants,
)
from phenesthe.operators.table import Table, open_table, widen
from phenesthe.vocabulary import Names

if TYPE_CHECKING:
    from phenesthe.operators.work import Work


def evaluate_boundary(ev: "Work", node: Boundary) -> Rows:
    state = ev.rows(node.state)
    bindings, key = ev.keys.bind(state.variables, state)
    intervals = as_intervals(state, key)
    found = list_ends(intervals) if node.is_end else list_starts(intervals)
    if node.is_bounded:
        found = found.take(found.t >= ev.world.first)
    return from_instants(bindings, found)


def evaluate_or(ev: "Work", node: Or) -> Rows | Dense:
    parts = [ev.formula(part) for part in node.operands]
    listed = [part for part in parts if isinstance(part, Rows)]
    if len(listed) == len(parts):
        return ev.keys.sort(_arrange(concatenate(_aligned(listed)), node.scope.free))
    return unite_dense(ev, parts, node.scope.free)


def _aligned(parts: list[Rows]) -> list[Rows]:
    return [_arrange(part, parts[0].variables) for part in parts]


def _arrange(rows: Rows, names: Names) -> Rows:
    """The same rows with their columns in another order; sorting is left to the caller."""
    if rows.variables == names:
        return rows
    columns = tuple([rows.column(name) for name in names])
    return Rows(names, columns, rows.ts, rows.te, rows.extra)


def evaluate_in(ev: "Work", node: In) -> Rows | Dense:
    sides = (node, node.event)
    if node.event.scope.is_dense or not all(one.scope.is_self_sufficient for one in sides):
        return evaluate_dense(ev, node)
    event, state = ev.rows(node.event), ev.rows(node.state)
    if set(state.variables) <= set(event.variables):
        held = _mark_held(ev, open_table(event), state)
        return event.take(~held if node.negated else held)
    return ev.keys.sort(_join_held(ev, open_table(event), state).as_rows(node.scope.free))


def _mark_held(ev: "Work", table: Table, state: Rows) -> Mask:
    assert table.ts is not None
    names = state.variables
    left, right = ev.keys.pack(names, table.as_bindings(names), state)
    return mark_held(Instants(left, table.ts), as_intervals(state, right))


def evaluate_and(ev: "Work", node: And) -> Rows | Dense:
    """The events that stand by themselves are joined; the rest narrows what they give."""
    positive = [
        part for part in node.operands
        if not part.scope.is_condition
        and part.scope.is_self_sufficient and part.scope.is_guarded
    ]  # fmt: skip
    if not positive:
        return evaluate_dense(ev, node)
    chosen = {id(part) for part in positive}
    others = [part for part in node.operands if id(part) not in chosen]
    comparisons = _Comparisons(others)
    applied: set[int] = set()
    tables: list[Table] = []
    for part in positive:
        table = open_table(ev.rows(part))
        for comparison in comparisons.find({*table.codes, *table.extra}):
            table = table.take(ev.conditions.compare(table, comparison))
            applied.add(id(comparison))
        tables.append(table)
    joined = tables[0]
    for table in tables[1:]:
        joined = join_tables(ev, joined, table)
    rest = [part for part in others if id(part) not in applied]
    joined = solve_all(ev, joined, rest)
    names = tuple([name for name in node.scope.free if name in joined.codes])
    return ev.keys.sort(joined.as_rows(names), distinct=True)


class _Comparisons:
    """The comparisons of a conjunction by one of their variables, so that few are looked at."""

    def __init__(self, parts: list[Formula]) -> None:
        self._by_name: dict[str, list[tuple[int, Comparison]]] = {}
        for place, part in enumerate(parts):
            if isinstance(part, Comparison):
                name = min(part.scope.free, default="")
                self._by_name.setdefault(name, []).append((place, part))

    def find(self, names: set[str]) -> list[Comparison]:
        """Those that have no other variables, in the order in which they are written."""
        found = [
            (place, one)
            for name in ("", *names)
            for place, one in self._by_name.get(name, ())
            if names.issuperset(one.scope.free)
        ]
        return [one for _, one in sorted(found, key=itemgetter(0))]


def solve_all(ev: "Work", table: Table, parts: list[Formula]) -> Table:
    """Facts first, since they give variables a value; then what only filters."""
    known = {*table.codes, *table.extra}
    for part in arrange(parts, known, _waits):
        table = solve(ev, table, part)
    return table


def _waits(part: Formula) -> int:
    if part.scope.is_condition:
        return 3 if isinstance(part, Comparison | Not) else 1
    if not part.scope.is_guarded:
        return 4
    return 0 if part.scope.is_self_sufficient else 2


def join_tables(ev: "Work", left: Table, right: Table) -> Table:
    """Pairs of rows at one instant that agree on what they share."""
    assert left.ts is not None
    assert right.ts is not None
    shared = tuple(sorted(set(left.codes) & set(right.codes)))
    one_key, other_key = ev.keys.pack(shared, left.as_bindings(shared), right.as_bindings(shared))
    wanted, there = encode((one_key, left.ts), (other_key, right.ts))
    order = np.argsort(there, kind="stable")
    there = there[order]
    one, at = expand_ranges(
        np.searchsorted(there, wanted), np.searchsorted(there, wanted, side="right")
    )
    other = order[at]
    codes = {n: column[other] for n, column in right.codes.items() if n not in left.codes}
    extra = {n: column[other] for n, column in right.extra.items()}
    taken = left.take(one)
    return Table(
        {**taken.codes, **codes}, {**taken.extra, **extra}, taken.origin, taken.ts, taken.te
    )


def solve(ev: "Work", table: Table, node: Formula) -> Table:
    """The rows of `table` at whose instant `node` is true too, extended by what it binds.

    The rows are the guard of every `not` in it: it looks at their instants, not at the timeline.
    """
    if node.scope.is_condition:
        return ev.conditions.solve(table, node)
    if isinstance(node, Not):
        return table.take(~holds(ev, table, node.operand))
    if node.scope.is_self_sufficient:
        guarded = node.scope.is_guarded
        return _join_event(ev, table, ev.formula(node) if guarded else evaluate_beside(ev, node))
    match node:
        case And():
            return solve_all(ev, table, list(node.operands))
        case Or():
            numbered = table.renumbered()
            return widen(table, node, [solve(ev, numbered, part) for part in node.operands])
        case In():
            state = ev.rows(node.state)
            known = {*table.codes, *node.event.scope.bound}
            if not node.negated and not known.issuperset(state.variables):
                # The event may ask for what only the state gives a value.
                return solve(ev, _join_held(ev, table, state), node.event)
            found = solve(ev, table, node.event)
            held = _mark_held(ev, found, state)
            return found.take(~held if node.negated else held)
        case Exists():
            return widen(table, node, [solve(ev, table.renumbered(), node.operand)])
        case _:
            raise AssertionError(f"always self-sufficient: {type(node).__name__}")


def _join_held(ev: "Work", table: Table, state: Rows) -> Table:
    """The rows at whose instant the state holds, for all its bindings that agree with them."""
    assert table.ts is not None
    shared = tuple([name for name in state.variables if name in table.codes])
    left, right = ev.keys.pack(shared, table.as_bindings(shared), state)
    order = np.lexsort((table.ts, left))
    one, other = pair_held(Instants(left[order], table.ts[order]), as_intervals(state, right))
    new = {name: state.column(name)[other] for name in state.variables if name not in shared}
    return table.take(order[one]).with_codes(new)


def holds(ev: "Work", table: Table, node: Formula) -> Mask:
    found = solve(ev, table.renumbered(), node)
    return ~missing_rows(len(table), found.origin)


def _join_event(ev: "Work", table: Table, event: Rows | Dense) -> Table:
    if isinstance(event, Rows):
        other = open_table(event)
        if set(other.codes) <= set(table.codes):
            assert table.ts is not None
            names = event.variables
            left, right = ev.keys.pack(names, table.as_bindings(names), event)
            return table.take(mark_occurring(as_instants(event, right), left, table.ts))
        return join_tables(ev, table, other)
    assert table.ts is not None
    names = tuple([name for name in event.bindings.variables if name in table.codes])
    one, key = ev.keys.match(names, table.as_bindings(names), event.bindings)
    found = mark_occurring(event.event, key, table.ts[one])
    new = [name for name in event.bindings.variables if name not in table.codes]
    columns = {name: event.bindings.column(name)[key[found]] for name in new}
    return table.take(one[found]).with_codes(columns)


def project(ev: "Work", rows: Rows, names: Names) -> Rows:
    """Keep the named columns; rows of events that become equal become one."""
    kept = tuple([name for name in names if name in rows.variables])
    columns = tuple([rows.column(name) for name in kept])
    extra = {name: values for name, values in rows.extra.items() if name in names}
    return ev.keys.sort(Rows(kept, columns, rows.ts, rows.te, extra))
