"""Φ• and what looks at rows one by one: nothing before the cut plays a part after it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from phenesthe.kernels.arrays import OPEN, Intervals, Mask
from phenesthe.kernels.spans import measure
from phenesthe.kernels.states import mark_lasting
from phenesthe.memory import tables
from phenesthe.memory.cuts import Cuts, Part, touch_all
from phenesthe.memory.node import Edge, Node, list_starts
from phenesthe.memory.recall import Recall
from phenesthe.stage.evaluate import Base
from phenesthe.stage.events import project
from phenesthe.stage.rows import Rows
from phenesthe.stage.states import evaluate_lasting, evaluate_where
from phenesthe.syntax.tree import (
    And,
    Atom,
    Exists,
    Formula,
    Lasting,
    Or,
    Variable,
    Where,
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where an atom stands: its phenomenon, and for each argument the column that has it."""

    atom: Atom
    edge: Edge
    arguments: tuple[str, ...]

    def make_base(self, rows: Rows) -> Base:
        """The phenomenon as the evaluation of atoms wants it."""
        codes = dict(zip(rows.variables, rows.columns, strict=True))
        return Base(
            self.edge.node.kind,
            tuple([codes.get(name) for name in self.arguments]),
            tuple([rows.extra.get(name) for name in self.arguments]),
            rows.ts,
            rows.te,
        )


class Leaves:
    """The operands of a formula over instants: phenomena by name, states by formula."""

    def __init__(self, places: Sequence[Place], formulas: Sequence[tuple[Formula, Edge]]) -> None:
        self.places, self.formulas = tuple(places), tuple(formulas)
        self.edges = (*[place.edge for place in places], *[edge for _, edge in formulas])

    def prepare(self, node: Node, cuts: Cuts) -> None:
        """Give the evaluation what reaches beyond the cuts.

        An instant after the cut is decided by what is true at it: events there, and states that
        reach it. A phenomenon that occurs twice may bring rows that one of its places does not
        ask for: they add nothing after the cut.
        """
        bases: dict[str, Base] = {}
        masks: dict[str, Mask] = {}
        for place in self.places:
            edge, name = place.edge, place.atom.name.text
            if node.sees_added and edge.node.kind == "event":
                bases[name] = place.make_base(edge.node.added)
                continue
            mask = edge.spread(node.reach(edge.name(edge.rows()), cuts))
            masks[name] = mask | masks[name] if name in masks else mask
            bases[name] = place.make_base(edge.node.rows.take(masks[name]))
        given = {id(formula): edge.name(edge.beyond(node, cuts)) for formula, edge in self.formulas}
        node.ev.prepare(given, bases)


class Instant(Node):
    """`and`, `or`, `not`, `in`, `start`, `end`, `where` over events."""

    def __init__(self, formula: Formula, leaves: Leaves, **given: Any) -> None:
        super().__init__(edges=leaves.edges, **given)
        self.formula, self.leaves = formula, leaves
        self.is_guarded = self.ev.is_guarded(formula)
        self.follows_timeline = not self.is_guarded
        self.is_linear = is_linear(self.ev, formula)

    def wake(self, last: int, q: int, views: list[Rows]) -> list[Part]:
        """What no event limits may be true at every instant that has passed."""
        return [] if self.is_guarded else [touch_all(last)]

    def compute(self, cuts: Cuts, views: list[Rows], given: list[Rows]) -> Rows:
        self.leaves.prepare(self, cuts)
        self.ev.first = max(self.ev.first, cuts.find_least() + 1)
        found = self.ev.rows(self.formula)
        extra = {name: found.extra[name] for name in self.extras}
        rows = Rows(found.variables, found.columns, found.ts, found.ts, extra)
        return rows.take(tables.mark_distinct(self.keys, rows)) if extra else rows


def is_linear(ev: Recall, formula: Formula) -> bool:
    """True on more events as on each of them alone: one event, and conditions on it."""
    match formula:
        case Atom():
            return (
                not ev.conditions.is_condition(formula) and ev.kind_of(formula.name.text) == "event"
            )
        case And():
            events = [part for part in formula.operands if not ev.conditions.is_condition(part)]
            return len(events) == 1 and is_linear(ev, events[0])
        case Or():
            return all(is_linear(ev, part) for part in formula.operands)
        case Exists() | Where():
            return is_linear(ev, formula.operand)
        case _:
            return False


class Select(Node):
    """An atom with constants, wildcards or a repeated variable."""

    def __init__(self, place: Place, **given: Any) -> None:
        super().__init__(edges=(place.edge,), **given)
        self.place = place
        self.is_linear = self.kind == "event"

    def compute(self, cuts: Cuts, views: list[Rows], given: list[Rows]) -> Rows:
        atom = self.place.atom
        base = self.place.make_base(self.place.edge.beyond(self, cuts))
        keep, columns = self.ev.conditions.fit(atom, base.codes, len(base.ts))
        extra = {
            argument.name: values[keep]
            for argument, values in zip(atom.arguments, base.extra, strict=True)
            if isinstance(argument, Variable) and values is not None
        }
        ts = base.ts[keep]
        te = ts if self.kind == "event" else base.te[keep]
        chosen = tuple([columns[name][keep] for name in self.variables])
        rows = self.keys.sort(Rows(self.variables, chosen, ts, te, extra))
        return rows.take(tables.mark_distinct(self.keys, rows)) if extra else rows


class Filter(Node):
    """`where` over states and dynamics."""

    def __init__(self, formula: Where, edge: Edge, **given: Any) -> None:
        super().__init__(edges=(edge,), **given)
        self.formula = formula

    def compute(self, cuts: Cuts, views: list[Rows], given: list[Rows]) -> Rows:
        self.ev.prepare({id(self.formula.operand): given[0]}, {})
        return evaluate_where(self.ev, self.formula)


class Projection(Node):
    """A dynamic without some of its variables: a union of sets."""

    def compute(self, cuts: Cuts, views: list[Rows], given: list[Rows]) -> Rows:
        return project(self.ev, given[0], self.variables)


class LastingNode(Node):
    """`lasting OP D`: an interval that holds on is decided once it is older than D."""

    reason = "it holds on, or how long it lasts is not decided yet"

    def __init__(self, formula: Lasting, edge: Edge, **given: Any) -> None:
        super().__init__(edges=(edge,), **given)
        self.formula = formula
        self.duration = self.ev.duration(formula.duration)

    def compute(self, cuts: Cuts, views: list[Rows], given: list[Rows]) -> Rows:
        self.ev.prepare({id(self.formula.operand): given[0]}, {})
        return evaluate_lasting(self.ev, self.formula)

    def wake(self, last: int, q: int, views: list[Rows]) -> list[Part]:
        held = views[0].take((views[0].te == OPEN) & (views[0].ts <= last))
        if not len(held):
            return []
        intervals = Intervals(held.ts, held.ts, held.te)
        operator = self.formula.operator
        before = mark_lasting(intervals, operator, self.duration, last)
        turned = held.take(before != mark_lasting(intervals, operator, self.duration, q))
        return touch(turned, last)

    def find_pending(self, cuts: Cuts, views: list[Rows]) -> list[Part]:
        """Undecided are those of which a later end could still make either."""
        view = views[0]
        at = cuts.of(self.keys, view)
        least = self.duration - (1 if self.formula.operator in (">=", "<") else 0)
        undecided = tables.mark_spanning(view, at)
        undecided[undecided] = measure(at[undecided], view.ts[undecided]) < max(least, 0)
        return [list_starts(view, undecided)]


def touch(rows: Rows, at: int) -> list[Part]:
    """The bindings of the rows, all from one time on."""
    if not len(rows):
        return []
    return [Part(tables.as_bindings(rows), np.full(len(rows), at, dtype=np.int64))]
