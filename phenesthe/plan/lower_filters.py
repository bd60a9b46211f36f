"""What keeps some rows of one operand, and what is computed of them."""

from typing import TYPE_CHECKING, Any

from phenesthe.check.aggregates import has_aggregates
from phenesthe.graph.extended import Extended
from phenesthe.graph.filters import Lasting, Let, Project, Where
from phenesthe.graph.operator import Operand
from phenesthe.graph.sets import Union
from phenesthe.plan.lower_events import Events
from phenesthe.syntax import tree
from phenesthe.vocabulary import Names

if TYPE_CHECKING:
    from phenesthe.plan.lower import Lowered


def lower_lasting(to: "Lowered", node: tree.Lasting) -> Operand:
    given = to.given(node, to.find_kind(node), [to.use(node.operand)])
    length = to.measure(node.duration, node.operand)
    return to.add(Lasting(operator=node.operator, ticks=length, **given))


def lower_filter(to: "Lowered", node: tree.Where | tree.Exists) -> Operand:
    if isinstance(node, tree.Where) and has_aggregates(node.condition):
        # Few programs have one.
        from phenesthe.plan.lower_aggregates import lower_aggregate

        return lower_aggregate(to, node)
    kind = to.find_kind(node)
    if kind == "event":
        return Events(to).use_event(node)
    if isinstance(node, tree.Where):
        events = Events(to)
        events.operands.append(to.use(node.operand))
        condition = events.lower(node.condition)
        given = to.given(node, kind, events.operands)
        if len(events.operands) == 1:
            return to.add(Where(condition=condition, **given))
        return to.add(Extended(values=condition, **given))
    given = to.given(node, kind, [to.use(node.operand)])
    return to.add(Union(**given) if kind == "state" else Project(**given))


def lower_let(to: "Lowered", node: tree.Let) -> Operand:
    if any(has_aggregates(one.value) for one in node.assignments):
        # As above.
        from phenesthe.plan.lower_aggregates import lower_aggregate

        return lower_aggregate(to, node)
    given, kept = given_row(to, node, [to.use(node.operand)])
    events = Events(to)
    values = [(one.variable.name, events.value(one.value)) for one in node.assignments]
    return to.add(Let(values=tuple(values), extras=kept, **given))


def given_row(
    to: "Lowered", node: tree.Where | tree.Let, operands: list[Operand]
) -> tuple[dict[str, Any], Names]:
    """What is made row by row of the first operand, and which values it keeps of it."""
    given = to.given(node, to.find_kind(node), operands)
    extras = {new for _, new in operands[0].extras}
    names = given["variables"]
    given["variables"] = tuple([name for name in names if name not in extras])
    return given, tuple([name for name in names if name in extras])
