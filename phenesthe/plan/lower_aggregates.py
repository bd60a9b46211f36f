"""Aggregates: an operator of rows, and of what is aggregated for each of them."""

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from phenesthe.graph.aggregates import Aggregated, Measure
from phenesthe.graph.formulas import Formula, Measured, Value
from phenesthe.graph.operator import Operand
from phenesthe.graph.origin import Written
from phenesthe.plan.lower_events import Events
from phenesthe.plan.lower_filters import given_row
from phenesthe.plan.value_types import find_value_type
from phenesthe.syntax import tree
from phenesthe.syntax.clauses import list_durations
from phenesthe.syntax.printer import print_value
from phenesthe.vocabulary import Span

if TYPE_CHECKING:
    from phenesthe.plan.lower import Lowered


def lower_aggregate(to: "Lowered", node: tree.Where | tree.Let) -> Operand:
    """Of the operands the first has the rows, the others what is aggregated."""
    events = Events(to)
    events.operands.append(to.use(node.operand))
    condition: Formula | None = None
    values: list[tuple[str, Value]] = []
    if isinstance(node, tree.Where):
        condition = events.lower(node.condition)
    else:
        values = [(one.variable.name, events.value(one.value)) for one in node.assignments]
    given, kept = given_row(to, node, events.operands)
    return to.add(
        Aggregated(
            measures=tuple(events.measures),
            condition=condition,
            values=tuple(values),
            extras=kept,
            **given,
        )
    )


def measure(events: Events, node: tree.Aggregate) -> Value:
    """An aggregate of the operator at hand, whose first operand has the rows it is for."""
    to = events.to
    operand = to.use(node.operand)
    rows = events.whole(node.operand, operand)
    free = to.scopes.free(node)
    shared = tuple([name for name in to.order(node.operand) if name in free])
    of = tuple([one.name for one in node.of])
    span: Span | None = None
    ticks, durations = 0, {}
    for clause, duration in list_durations(node):
        span, ticks = cast(Span, clause.word), to.count(duration)
        durations[clause.word] = Written(print_value(duration), duration.span)
    origin = replace(to.find_origin(node.operand), durations=durations)
    events.measures.append(Measure(node.function, of, shared, rows, origin, span, ticks))
    kind = find_value_type(node, to.types, to.program.parameter_types)
    return Measured(len(events.measures) - 1, kind)
