"""Machines: what happened up to the cut is summed up by the stay that spans it."""

from collections.abc import Sequence

import numpy as np

from phenesthe.graph.machines import Machine
from phenesthe.kernels.arrays import OPEN, Array, join_columns, number_rows
from phenesthe.kernels.machines import Begin, Table, Transition, find_stays, make_table
from phenesthe.operators import tables
from phenesthe.operators.held import Edge
from phenesthe.operators.node import Node
from phenesthe.operators.rows import Bindings, Rows
from phenesthe.operators.unchanged import Part, UnchangedUntil, touch
from phenesthe.operators.work import Work, World
from phenesthe.vocabulary import Names


def compute_machine(op: Machine, work: Work, operands: Sequence[Rows]) -> Rows:
    return _compute(op, work, operands, tables.make_empty(op.variables, (), op.kind))


def _compute(op: Machine, work: Work, operands: Sequence[Rows], held: Rows) -> Rows:
    """`held` are the stays from which bindings go on; others begin unentered."""
    names, table = op.variables[:-1], _make_table(op)
    codes = np.array([work.world.domains["str"].code(one.value) for one in op.values])
    bindings, keys = _bind_all(work, names, (*operands, held))
    begin = Begin(
        np.full(bindings.count, table.unentered, dtype=np.int64),
        np.zeros(bindings.count, dtype=np.int64),
    )
    by_code = np.argsort(codes)
    begin.value[keys[-1]] = by_code[np.searchsorted(codes[by_code], held.columns[-1])]
    begin.since[keys[-1]] = held.ts
    stays = find_stays(
        table,
        join_columns(*keys[:-1]),
        join_columns(*[rows.ts for rows in operands]),
        np.repeat(number_rows(len(operands)), [len(rows) for rows in operands]),
        begin,
        work.q,
    )
    columns = (*[column[stays.key] for column in bindings.columns], codes[stays.value])
    return work.keys.sort(Rows(op.variables, columns, stays.ts, stays.te))


def _bind_all(work: Work, names: Names, parts: Sequence[Rows]) -> tuple[Bindings, list[Array]]:
    """The distinct bindings of all rows, and of each row the number of its own."""
    found = [work.keys.bind(names, rows) for rows in parts]
    columns = [join_columns(*[one.column(name) for one, _ in found]) for name in names]
    count = sum(one.count for one, _ in found)
    bindings, number = work.keys.bind(names, Bindings(names, tuple(columns), count))
    begins = np.cumsum([0, *[one.count for one, _ in found]])
    return bindings, [number[begin + own] for begin, (_, own) in zip(begins, found, strict=False)]


def _make_table(op: Machine) -> Table:
    transitions = [
        Transition(one.source, one.target, one.event, one.after) for one in op.transitions
    ]
    return make_table(len(op.values), transitions, len(op.operands))


class MachineNode(Node[Machine]):
    """A stay that spans the cut says which value is held there and since when: its clock.

    No stay spans it where the machine is not entered. So of the operands nothing from before the
    cut is needed.
    """

    evaluate = staticmethod(compute_machine)

    reason = "a value holds on; it and the instant at which it was entered are needed"

    def __init__(self, operator: Machine, edges: Sequence[Edge], world: World) -> None:
        super().__init__(operator, edges, world)
        #: What the values have in common: they end each other.
        self.group: Names = self.variables[:-1]
        self.due = _make_table(operator).due
        self.is_timed = bool((self.due < OPEN).any())

    def delay(self, cuts: UnchangedUntil) -> UnchangedUntil:
        return self.share(cuts).project(set(self.group))

    def find_span(self) -> int | None:
        return None if self.contexts else 0

    def compute(self, cuts: UnchangedUntil, views: list[Rows], selected: list[Rows]) -> Rows:
        held = self.rows.take(tables.mark_spanning(self.rows, cuts.of(self.keys, self.rows)))
        self.work.begin(selected)
        return _compute(self.operator, self.work, selected, held)

    def wake(self, last: int, q: int, views: list[Rows]) -> list[Part]:
        """Bindings whose clock runs out: time alone decides."""
        if not self.is_timed:
            return []
        held = self.rows.take(self.rows.te == OPEN)
        columns = tuple([held.column(name) for name in self.group])
        return touch(Rows(self.group, columns, held.ts, held.te), last)
