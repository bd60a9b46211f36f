"""States: sets, ranges between events, repetitions, calendars, counted values."""

from dataclasses import replace
from typing import TYPE_CHECKING

from phenesthe.check.check_parameters import MICROSECONDS
from phenesthe.check.program import CheckedExclusive
from phenesthe.graph.calendars import Calendar
from phenesthe.graph.counting import Counting
from phenesthe.graph.formulas import Constant
from phenesthe.graph.operator import Operand
from phenesthe.graph.origin import Origin
from phenesthe.graph.ranges import Branch, Ranges
from phenesthe.graph.repeats import Repeat
from phenesthe.graph.sets import Complement, Intersection, Union
from phenesthe.plan.lower_events import Events
from phenesthe.syntax import tree

if TYPE_CHECKING:
    from phenesthe.plan.lower import Lowered


def lower_sets(to: "Lowered", node: tree.Union | tree.Intersection | tree.Complement) -> Operand:
    match node:
        case tree.Union():
            return to.add(Union(**to.given(node, "state", map(to.use, node.operands))))
        case tree.Intersection():
            operands = map(to.use, node.operands)
            return to.add(Intersection(**to.given(node, "state", operands)))
        case tree.Complement():
            operands = map(to.use, (node.left, node.right))
            return to.add(Complement(name=node.name, **to.given(node, "state", operands)))


def lower_calendar(to: "Lowered", node: tree.Calendar) -> Operand:
    # It loads what knows time zones, which takes longer than all other operators.
    from phenesthe.check.calendars import load_zone, read_period

    period = read_period(node.name, node.arguments)
    return to.add(
        Calendar(
            name=node.name,
            first=period.first,
            second=period.second,
            zone=period.zone,
            second_ticks=1_000_000 // MICROSECONDS[to.program.unit],
            rules=load_zone(period.zone) if period.zone else b"",
            **to.given(node, "state", ()),
        )
    )


def lower_repeat(to: "Lowered", node: tree.Repeat) -> Operand:
    condition = None if node.condition is None else Events(to).lower(node.condition)
    given = to.given(node, "state", [to.use(node.event)])
    gap = to.measure(node.gap, node.event)
    return to.add(Repeat(operator=node.operator, gap=gap, condition=condition, **given))


def lower_counting(to: "Lowered", node: tree.Counting) -> Operand:
    least = None if node.least is None else to.count(node.least)
    return to.add(Counting(least=least, **to.given(node, "state", [to.use(node.operand)])))


def lower_range(to: "Lowered", node: tree.MaximalRange) -> Operand:
    events = Events(to)
    branches = (_branch(to, events, node, None),)
    return to.add(
        Ranges(branches=branches, value=node.value, **to.given(node, "state", events.operands))
    )


def lower_exclusive(to: "Lowered", definition: CheckedExclusive) -> Operand:
    events, types = Events(to), definition.signature.types
    branches = []
    for branch in definition.branches:
        label = replace(events.constant(branch.label), type=types[-1])
        branches.append(_branch(to, events, branch.body, label))
    arguments = definition.signature.arguments
    bodies = [branch.body for branch in definition.branches]
    return to.add(
        Ranges(
            id="",
            kind="state",
            variables=arguments,
            types={**to.pick_types(*bodies), arguments[-1]: types[-1]},
            origin=Origin(to.name, "exclusive state", definition.signature.span),
            operands=tuple(events.operands),
            branches=tuple(branches),
            value=arguments[-1],
        )
    )


def _branch(
    to: "Lowered", events: Events, node: tree.MaximalRange, label: Constant | None
) -> Branch:
    expires = to.measure_given(node.expires, node.start)
    limit = to.measure_given(node.limit, node.start)
    start = events.side(node.start)
    stop = None if node.stop is None else events.stop(node.stop)
    return Branch(start, stop, expires, limit, to.find_origin(node), label)
