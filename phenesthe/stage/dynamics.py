"""Φ⁼: temporal relations."""

from typing import TYPE_CHECKING, cast

from phenesthe.kernels.relations import Relation as RelationName
from phenesthe.kernels.relations import find_related
from phenesthe.stage.meeting import list_candidates
from phenesthe.stage.rows import Rows, from_intervals
from phenesthe.syntax.tree import INVERSES, Relation

if TYPE_CHECKING:
    from phenesthe.stage.evaluate import Evaluation


def evaluate_relation(ev: "Evaluation", node: Relation) -> Rows:
    left, right = ev.formula(node.left), ev.formula(node.right)
    if node.name in INVERSES:
        left, right = right, left
    name = cast(RelationName, INVERSES.get(node.name, node.name))
    within = None if node.within is None else ev.duration(node.within)
    bindings, one, other = list_candidates(ev, name, left, right, ev.order(node))
    return from_intervals(bindings, find_related(name, one, other, within))
