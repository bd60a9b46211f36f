"""The nodes of relations: inverses are their opposites, modes are made of participants."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from phenesthe.kernels.relations import Relation as RelationName
from phenesthe.memory.node import Edge, Node
from phenesthe.memory.relations import Participants, Related
from phenesthe.memory.sequences import Before, Followed, Preceded
from phenesthe.memory.sets import Coalesce, Intersect, Subtract
from phenesthe.syntax.tree import INVERSES, Formula, Relation

if TYPE_CHECKING:
    from phenesthe.memory.build import Builder


def relate(builder: "Builder", formula: Relation, given: dict[str, Any]) -> Node:
    is_inverse = formula.name in INVERSES
    name: Any = INVERSES.get(formula.name, formula.name)
    left, right = formula.left, formula.right
    if is_inverse:
        left, right = right, left
    within = None if formula.within is None else builder.ev.duration(formula.within)
    if formula.mode is not None:
        return _mode(builder, formula, name, (left, right), is_inverse, within, given)
    if builder.ev.is_dense(left) or builder.ev.is_dense(right):
        return builder.whole(formula, formula.left, formula.right, given)
    if name == "before":
        return builder.add(Before(builder.edge(left), builder.edge(right), within, **given))
    return builder.add(Related(name, builder.edge(left), builder.edge(right), **given))


def _mode(
    builder: "Builder",
    formula: Relation,
    name: RelationName,
    sides: Sequence[Formula],
    is_inverse: bool,
    within: int | None,
    given: dict[str, Any],
) -> Node:
    """The participants of either side, as written, then what the mode makes of them."""

    def find(is_target: bool) -> Node:
        left, right = builder.edge(sides[0]), builder.edge(sides[1])
        # Of an inverse the sides are swapped, and so are the roles.
        is_right = is_target != is_inverse
        if name == "before":
            kind = Preceded if is_right else Followed
            return builder.add(kind(left, right, within, **given))
        return builder.add(Participants(name, left, right, is_target=is_right, **given))

    def combine(kind: type[Node], *parts: Node) -> Node:
        return builder.add(kind(edges=[Edge(part, part.variables) for part in parts], **given))

    match formula.mode:
        case "source":
            return find(False)
        case "target":
            return find(True)
        case "union":
            return combine(Coalesce, find(False), find(True))
        case "intersection":
            return combine(Intersect, find(False), find(True))
        case "complement":
            return combine(Subtract, find(False), find(True))
        case _:
            return combine(Subtract, find(True), find(False))
