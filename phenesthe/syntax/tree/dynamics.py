"""Temporal relations: intervals that may overlap, or with a mode a state."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from phenesthe.syntax.tree.base import Node
from phenesthe.syntax.tree.values import Duration

if TYPE_CHECKING:
    from phenesthe.syntax.tree import Formula

RelationName: TypeAlias = Literal[
    "before", "meets", "overlaps", "finishes", "starts", "equals", "contains",
    "after", "met_by", "overlapped_by", "finished_by", "started_by", "during",
]  # fmt: skip
Mode: TypeAlias = Literal[
    "source", "target", "union", "intersection", "complement", "inverse_complement"
]

#: Each inverse and the relation it is with its sides swapped.
INVERSES: dict[str, str] = {
    "after": "before",
    "met_by": "meets",
    "overlapped_by": "overlaps",
    "finished_by": "finishes",
    "started_by": "starts",
    "during": "contains",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation(Node):
    """`left NAME right [within D] [as MODE]`."""

    name: RelationName
    left: "Formula"
    right: "Formula"
    within: Duration | None
    mode: Mode | None
