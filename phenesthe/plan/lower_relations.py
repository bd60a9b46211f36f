"""Relations: inverses are their opposites, modes are made of participants, `then` of pairs."""

from typing import TYPE_CHECKING, Any

from phenesthe.graph.lengths import Length
from phenesthe.graph.operator import Operand
from phenesthe.graph.relations import NearlyRelated, Participants, Related
from phenesthe.graph.sequences import Before, Followed, Preceded
from phenesthe.graph.sets import Complement, Intersection, Union
from phenesthe.graph.whole import DenseRelated
from phenesthe.plan.lower_events import Events
from phenesthe.syntax import tree
from phenesthe.vocabulary import INVERSES, PlainRelation

if TYPE_CHECKING:
    from phenesthe.plan.lower import Lowered


def lower_then(to: "Lowered", node: tree.Then) -> Operand:
    pairs = _pair(to, "before", node, node.left, node.right, 1, None)
    return to.add(Union(**to.given(node, "state", [pairs])))


def lower_relation(to: "Lowered", node: tree.Relation) -> Operand:
    is_inverse = node.name in INVERSES
    name: Any = INVERSES.get(node.name, node.name)
    left, right = (node.right, node.left) if is_inverse else (node.left, node.right)
    within = to.measure_given(node.within, left, right)
    if node.mode is None:
        apart = 1 if node.apart is None else to.measure(node.apart, left, right)
        return _pair(to, name, node, left, right, apart, within)

    given = to.given(node, "state", [to.use(left), to.use(right)])

    def find(is_target: bool) -> Operand:
        # Of an inverse the sides are swapped, and so are the roles.
        is_right = is_target != is_inverse
        if name == "before":
            return to.add((Preceded if is_right else Followed)(within=within, **given))
        return to.add(Participants(name=name, is_target=is_right, **given))

    match node.mode:
        case "source":
            return find(False)
        case "target":
            return find(True)
    # First the side that comes first, of which the most is remembered.
    made = {is_target: find(is_target) for is_target in (is_inverse, not is_inverse)}
    source, target = made[False], made[True]
    match node.mode:
        case "union":
            return to.add(Union(**to.given(node, "state", [source, target])))
        case "intersection":
            return to.add(Intersection(**to.given(node, "state", [source, target])))
        case "complement":
            return to.add(
                Complement(name="complement", **to.given(node, "state", [source, target]))
            )
        case "inverse_complement":
            return to.add(
                Complement(name="complement", **to.given(node, "state", [target, source]))
            )


def _pair(
    to: "Lowered",
    name: PlainRelation,
    node: tree.Then | tree.Relation,
    left: tree.Formula,
    right: tree.Formula,
    apart: Length,
    within: Length | None,
) -> Operand:
    events = Events(to)
    sides = events.side(left), events.side(right)
    given = to.given(node, "dynamic", events.operands)
    if any(side.scope.is_dense for side in sides):
        return to.add(
            DenseRelated(
                name=name, left=sides[0], right=sides[1], apart=apart, within=within, **given
            )
        )
    if name == "before":
        return to.add(Before(apart=apart, within=within, **given))
    if within is not None:
        exact: Any = name
        return to.add(NearlyRelated(name=exact, within=within, **given))
    return to.add(Related(name=name, **given))
