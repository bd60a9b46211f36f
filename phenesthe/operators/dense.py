"""Events that are true nearly always: a negation with nothing but facts beside it.

Here an event is looked at per binding, as runs of instants. It costs what the runs cost, never an
instant of the timeline.

`since` is the first instant a `not` is asked about: that of the timeline, or none at all beside an
event, whose instants are then all that is asked about.
"""

from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from phenesthe.graph.formulas import (
    And,
    Comparison,
    Exists,
    Formula,
    In,
    Not,
    Or,
    list_moments,
)  # fmt: skip
from phenesthe.kernels.arrays import Event, Instants, Intervals, Runs, number_rows
from phenesthe.kernels.events import (
    intersect_events,
    keep_inside,
    keep_outside,
    unite_events,
)  # fmt: skip
from phenesthe.kernels.runs import list_instants, negate
from phenesthe.kernels.states import coalesce
from phenesthe.operators.arrange import arrange
from phenesthe.operators.conditions import missing_rows
from phenesthe.operators.rows import (
    Bindings,
    Dense,
    Rows,
    as_event,
    as_instants,
    as_intervals,
    from_instants,
    spread,
)
from phenesthe.operators.table import UNIT, Table, open_bindings, widen
from phenesthe.vocabulary import Names

if TYPE_CHECKING:
    from phenesthe.operators.work import Work


#: Before every instant there can be, and far enough from the least number to be counted from.
_EVER = -(2**62)


def evaluate_dense(ev: "Work", node: Formula) -> Dense:
    """A whole formula: its facts and events say which bindings there are to look at."""
    return _evaluate(ev, node, ev.first)


def evaluate_beside(ev: "Work", node: Formula) -> Dense:
    """The same for an operand beside an event."""
    return _evaluate(ev, node, _EVER)


def _evaluate(ev: "Work", node: Formula, since: int) -> Dense:
    bindings = _candidates(ev, node, _bound_names(node))
    return Dense(bindings, _event(ev, node, bindings, since))


def _bound_names(node: Formula) -> Names:
    return tuple([name for name in node.scope.free if name in node.scope.bound])


def _candidates(ev: "Work", node: Formula, names: Names) -> Bindings:
    table = _bind(ev, UNIT, node)
    return ev.keys.bind(names, table.as_bindings(names))[0]


def _bind(ev: "Work", table: Table, node: Formula) -> Table:
    """Join what gives variables a value: facts, and the bindings of events."""
    if node.scope.is_condition and not _asks_time(node):
        is_binding = node.scope.bound and not isinstance(node, Not)
        return ev.conditions.solve(table, node) if is_binding else table
    match node:
        case And():
            return _bind_all(ev, table, node.operands)
        case Not() | Comparison():
            return table
        case In():
            if not node.negated:
                # The event may ask for what only the state gives a value.
                table = _join(ev, table, ev.rows(node.state))
            return _bind(ev, table, node.event)
        case Or() | Exists():
            names = _bound_names(node)
            if not names:
                return table
            parts = node.operands if isinstance(node, Or) else (node.operand,)
            if not node.scope.is_self_sufficient:
                # Something in it is asked for what only the parts beside it give a value.
                known = table.renumbered()
                return widen(table, node, [_bind(ev, known, part) for part in parts])
            sides = [_candidates(ev, part, names) for part in parts]
            return _join_bindings(ev, table, _unite_bindings(ev, sides, names))
        case _:
            return _join(ev, table, ev.rows(node))


def _bind_all(ev: "Work", table: Table, parts: tuple[Formula, ...]) -> Table:
    for part in arrange(parts, table.codes, lambda part: not part.scope.is_condition):
        table = _bind(ev, table, part)
    return table


def _bindings_of(ev: "Work", result: Rows | Dense, names: Names) -> Bindings:
    if isinstance(result, Rows):
        return ev.keys.bind(names, result)[0]
    return ev.keys.bind(names, result.bindings)[0]


def _join(ev: "Work", table: Table, rows: Rows) -> Table:
    return _join_bindings(ev, table, ev.keys.bind(rows.variables, rows)[0])


def _join_bindings(ev: "Work", table: Table, bindings: Bindings) -> Table:
    shared = tuple([name for name in bindings.variables if name in table.codes])
    one, other = ev.keys.match(shared, table.as_bindings(shared), bindings)
    new = [name for name in bindings.variables if name not in table.codes]
    return table.take(one).with_codes({name: bindings.column(name)[other] for name in new})


def _event(ev: "Work", node: Formula, bindings: Bindings, since: int) -> Event:
    """When the formula is true for each of the bindings, which have all its outer variables."""
    if node.scope.is_condition:
        return _condition(ev, node, bindings)
    match node:
        case Not():
            inner = _event(ev, node.operand, bindings, since)
            return negate(inner, number_rows(bindings.count), since, ev.q)
        case And():
            since = _EVER if node.scope.is_guarded else since
            timed = [one for one in node.operands if one.scope.is_condition and _asks_time(one)]
            others = [one for one in node.operands if one not in timed]
            parts = [_event(ev, part, bindings, since) for part in others]
            return _ask(ev, reduce(intersect_events, parts), timed, bindings)
        case Or():
            parts = [_event(ev, part, bindings, since) for part in node.operands]
            return reduce(unite_events, parts)
        case In():
            event = _event(ev, node.event, bindings, since)
            state = _give_state(ev, ev.rows(node.state), bindings)
            keep = keep_outside if node.negated else keep_inside
            return keep(event, state, ev.q)
        case Exists() if not (node.scope.is_self_sufficient and node.scope.is_guarded):
            return _exists(ev, node, bindings, since)
        case _:
            return give(ev, ev.formula(node), bindings)


def _asks_time(node: Formula) -> bool:
    return "time" in list_moments(node)


def _ask(ev: "Work", event: Event, conditions: list[Formula], bindings: Bindings) -> Event:
    """Of an event that is only true at single instants those that conditions of time let pass."""
    if not conditions:
        return event
    instants = event if isinstance(event, Instants) else list_instants(event)
    codes = {name: bindings.column(name)[instants.key] for name in bindings.variables}
    table = Table(codes, {}, number_rows(len(instants)), instants.t, instants.t)
    kept = np.ones(len(instants), dtype=np.bool_)
    for condition in conditions:
        kept &= ~missing_rows(len(instants), ev.conditions.solve(table, condition).origin)
    return instants.take(kept)


def _condition(ev: "Work", node: Formula, bindings: Bindings) -> Event:
    """True always or never, by binding."""
    found = ev.conditions.solve(open_bindings(bindings), node)
    keys = np.unique(found.origin)
    nothing = Instants(keys[:0], keys[:0])
    return negate(nothing, keys, _EVER, ev.q)


def _exists(ev: "Work", node: Exists, bindings: Bindings, since: int) -> Event:
    """Look at every value the local variables can have, then forget them."""
    table = _bind(ev, open_bindings(bindings), node.operand)
    names = tuple(table.codes)
    event = _event(ev, node.operand, table.as_bindings(names), since)
    return _merge(event, table.origin)


def _merge(event: Event, number: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Event:
    """The event with keys k renamed to number[k], which may bring several together."""
    runs = event if isinstance(event, Runs) else Runs(event.key, event.t, event.t)
    merged = coalesce(Intervals(number[runs.key], runs.first, runs.last + 1))
    return Runs(merged.key, merged.ts, merged.te - 1)


def give(ev: "Work", result: Rows | Dense, bindings: Bindings) -> Event:
    """An event's instants, given to all the bindings they fit."""
    if isinstance(result, Rows):
        own, key = ev.keys.bind(result.variables, result)
        event: Event = as_instants(result, key)
    else:
        own, event = result.bindings, result.event
    joined, row = _spread(ev, own, event.key, bindings)
    return as_event(event, joined, row)


def _give_state(ev: "Work", state: Rows, bindings: Bindings) -> Intervals:
    own, key = ev.keys.bind(state.variables, state)
    intervals = as_intervals(state, key)
    joined, row = _spread(ev, own, key, bindings)
    return Intervals(joined, intervals.ts[row], intervals.te[row])


def _spread(
    ev: "Work", own: Bindings, key: np.ndarray[tuple[int], np.dtype[np.int64]], to: Bindings
) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], np.ndarray[tuple[int], np.dtype[np.int64]]]:
    to_row, own_row = ev.keys.match(own.variables, to, own)
    pair, row = spread(own_row, own.count, key)
    return to_row[pair], row


def unite_dense(ev: "Work", parts: list[Rows | Dense], names: Names) -> Dense:
    """`or` where a side is dense: all bindings of either side."""
    bindings = _unite_bindings(ev, [_bindings_of(ev, part, names) for part in parts], names)
    return Dense(bindings, reduce(unite_events, [give(ev, part, bindings) for part in parts]))


def _unite_bindings(ev: "Work", sides: list[Bindings], names: Names) -> Bindings:
    columns = tuple([np.concatenate([side.column(name) for side in sides]) for name in names])
    count = sum(side.count for side in sides)
    return ev.keys.bind(names, Bindings(names, columns, count))[0]


def list_dense(dense: Dense) -> Rows:
    """An event that was looked at per binding, as facts bind it, and is not dense after all."""
    event = dense.event
    instants = event if isinstance(event, Instants) else list_instants(event)
    return from_instants(dense.bindings, instants)


def project_dense(ev: "Work", dense: Dense, names: Names) -> Dense:
    bindings, number = ev.keys.bind(names, dense.bindings)
    return Dense(bindings, _merge(dense.event, number))
