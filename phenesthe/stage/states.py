"""Φ⁻: operands are brought to common bindings, then a kernel does all bindings at once."""

from typing import TYPE_CHECKING

import numpy as np

from phenesthe.kernels.allen import relate_states
from phenesthe.kernels.arrays import Array, Event, Intervals
from phenesthe.kernels.exclusive import Branch as RangeBranch
from phenesthe.kernels.exclusive import find_exclusive
from phenesthe.kernels.order import order_rows
from phenesthe.kernels.ranges import find_ranges
from phenesthe.kernels.repeat import (
    NeighbourPairs,
    find_repeats,
    group_occurrences,
    list_neighbour_pairs,
    reduce_pairs,
)  # fmt: skip
from phenesthe.kernels.sequence import find_sequence
from phenesthe.kernels.states import (
    coalesce,
    intersect_states,
    mark_lasting,
    subtract_states,
)  # fmt: skip
from phenesthe.plan.canonical import variable_order
from phenesthe.stage.conditions import missing_rows, previous
from phenesthe.stage.dense import give
from phenesthe.stage.meeting import bring_together, list_candidates
from phenesthe.stage.rows import (
    Bindings,
    Dense,
    Names,
    Rows,
    as_instants,
    as_intervals,
    concatenate,
    from_intervals,
    spread,
)  # fmt: skip
from phenesthe.stage.table import Table, open_table
from phenesthe.syntax.tree import (
    Branch,
    Complement,
    Exists,
    Intersection,
    Lasting,
    MaximalRange,
    Relation,
    Repeat,
    Then,
    Union,
    Where,
)  # fmt: skip

if TYPE_CHECKING:
    from phenesthe.stage.evaluate import Evaluation

#: How many pairs of neighbouring occurrences are looked at together.
_PAIRS = 1_000_000


def evaluate_range(ev: "Evaluation", node: MaximalRange) -> Rows:
    bindings, start = as_event(ev, ev.formula(node.start))
    stop_bindings, stop = as_event(ev, ev.formula(node.stop))
    expires = None if node.expires is None else ev.duration(node.expires)
    join = look_up(ev, bindings, stop_bindings)
    return from_intervals(bindings, find_ranges(start, stop, ev.q, expires, join))


def as_event(ev: "Evaluation", result: Rows | Dense) -> tuple[Bindings, Event]:
    if isinstance(result, Dense):
        return result.bindings, result.event
    bindings, key = ev.keys.bind(result.variables, result)
    return bindings, as_instants(result, key)


def look_up(ev: "Evaluation", bindings: Bindings, others: Bindings) -> Array:
    """For every binding the number of the other that agrees with it, or -1."""
    found = np.full(bindings.count, -1, dtype=np.int64)
    one, other = ev.keys.match(others.variables, bindings, others)
    found[one] = other
    return found


def evaluate_exclusive(ev: "Evaluation", branches: tuple[Branch, ...], names: Names) -> list[Rows]:
    """The rows of each value, without the value itself."""
    starts = [as_event(ev, ev.formula(branch.body.start)) for branch in branches]
    sides = [side for side, _ in starts]
    columns = tuple([np.concatenate([side.column(n) for side in sides]) for n in names])
    count = sum(side.count for side in sides)
    bindings, _ = ev.keys.bind(names, Bindings(names, columns, count))
    ranges: list[RangeBranch] = []
    for branch in branches:
        stop_bindings, stop = as_event(ev, ev.formula(branch.body.stop))
        expires = branch.body.expires
        ranges.append(
            RangeBranch(
                start=give(ev, ev.formula(branch.body.start), bindings),
                stop=stop,
                expires=None if expires is None else ev.duration(expires),
                join=look_up(ev, bindings, stop_bindings),
            )
        )
    return [from_intervals(bindings, found) for found in find_exclusive(ranges, ev.q)]


def evaluate_union(ev: "Evaluation", node: Union) -> Rows:
    parts = [ev.rows(part) for part in node.operands]
    return merge(ev, concatenate(parts), ev.order(node))


def merge(ev: "Evaluation", rows: Rows, names: Names) -> Rows:
    """Keep the named columns; intervals of one binding that share an instant become one."""
    bindings, key = ev.keys.bind(names, rows)
    return from_intervals(bindings, coalesce(Intervals(key, rows.ts, rows.te)))


def evaluate_intersection(ev: "Evaluation", node: Intersection) -> Rows:
    result = ev.rows(node.operands[0])
    order = variable_order(node)
    for part in node.operands[1:]:
        right = ev.rows(part)
        known = {*result.variables, *right.variables}
        names = tuple([name for name in order if name in known])
        bindings, one, other = bring_together(ev, result, right, names)
        result = from_intervals(bindings, intersect_states(one, other))
    return result


def evaluate_complement(ev: "Evaluation", node: Complement) -> Rows:
    return subtract(ev, ev.rows(node.left), ev.rows(node.right))


def subtract(ev: "Evaluation", left: Rows, right: Rows) -> Rows:
    """Every binding of the left, also those the right knows nothing of."""
    bindings, key = ev.keys.bind(left.variables, left)
    own, own_key = ev.keys.bind(right.variables, right)
    to_row, own_row = ev.keys.match(own.variables, bindings, own)
    pair, row = spread(own_row, own.count, own_key)
    given = Intervals(to_row[pair], right.ts[row], right.te[row])
    return from_intervals(bindings, subtract_states(as_intervals(left, key), given, ev.q))


def evaluate_lasting(ev: "Evaluation", node: Lasting) -> Rows:
    rows = ev.rows(node.operand)
    intervals = Intervals(rows.ts, rows.ts, rows.te)
    return rows.take(mark_lasting(intervals, node.operator, ev.duration(node.duration), ev.q))


def evaluate_where(ev: "Evaluation", node: Where) -> Rows:
    """Of states and dynamics: which bindings they hold for is all that changes."""
    table = ev.conditions.solve(open_table(ev.rows(node.operand)), node.condition)
    return ev.keys.sort(table.as_rows(ev.order(node)))


def evaluate_exists(ev: "Evaluation", node: Exists) -> Rows:
    return merge(ev, ev.rows(node.operand), ev.order(node))


def evaluate_then(ev: "Evaluation", node: Then) -> Rows:
    left, right = ev.formula(node.left), ev.formula(node.right)
    bindings, one, other = list_candidates(ev, "before", left, right, ev.order(node))
    return from_intervals(bindings, find_sequence(one, other))


def evaluate_mode(ev: "Evaluation", node: Relation) -> Rows:
    assert node.mode is not None
    left, right = ev.rows(node.left), ev.rows(node.right)
    bindings, one, other = bring_together(ev, left, right, ev.order(node))
    within = None if node.within is None else ev.duration(node.within)
    found = relate_states(node.name, one, other, node.mode, ev.q, within)
    return from_intervals(bindings, found)


def evaluate_repeat(ev: "Evaluation", node: Repeat) -> Rows:
    rows = ev.rows(node.event)
    names = ev.order(node)
    bindings, key = ev.keys.bind(names, rows)
    order = order_rows(key, rows.ts)
    rows, key = rows.take(order), key[order]
    gap = ev.duration(node.gap)
    occurrences = group_occurrences(key, rows.ts, node.operator, gap)
    connects = None
    if node.condition is not None:
        table = open_table(rows)
        connects = reduce_pairs(
            occurrences,
            (
                (pairs, _connects(ev, node, table, pairs))
                for pairs in list_neighbour_pairs(occurrences, _PAIRS)
            ),
        )
    found = find_repeats(occurrences.instants, node.operator, gap, ev.q, connects)
    return from_intervals(bindings, found)


def _connects(
    ev: "Evaluation", node: Repeat, table: Table, pairs: NeighbourPairs
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    assert node.condition is not None
    current, earlier = table.take(pairs.current).renumbered(), table.take(pairs.previous)
    both = Table(
        {**current.codes, **{previous(n): earlier.codes[n] for n in earlier.codes}},
        {**current.extra, **{previous(n): earlier.extra[n] for n in earlier.extra}},
        current.origin,
    )
    found = ev.conditions.solve(both, node.condition)
    return ~missing_rows(len(both), found.origin)
