"""What keeps some rows of one operand, and what is computed of them."""

from typing import TYPE_CHECKING

from phenesthe.graph.extended import Extended
from phenesthe.graph.filters import Lasting, Let, Project, Where
from phenesthe.graph.operator import Operand
from phenesthe.graph.sets import Union
from phenesthe.plan.lower_events import Events
from phenesthe.syntax import tree

if TYPE_CHECKING:
    from phenesthe.plan.lower import Lowered


def lower_lasting(to: "Lowered", node: tree.Lasting) -> Operand:
    given = to.given(node, to.find_kind(node), [to.use(node.operand)])
    length = to.measure(node.duration, node.operand)
    return to.add(Lasting(operator=node.operator, ticks=length, **given))


def lower_filter(to: "Lowered", node: tree.Where | tree.Exists) -> Operand:
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
    operand = to.use(node.operand)
    given = to.given(node, to.find_kind(node), [operand])
    extras = {new for _, new in operand.extras}
    names = given["variables"]
    given["variables"] = tuple([name for name in names if name not in extras])
    kept = tuple([name for name in names if name in extras])
    events = Events(to)
    values = [(one.variable.name, events.value(one.value)) for one in node.assignments]
    return to.add(Let(values=tuple(values), extras=kept, **given))
