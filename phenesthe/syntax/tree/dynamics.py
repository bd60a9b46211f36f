"""Temporal relations: intervals that may overlap, or with a mode a state."""

from typing import TYPE_CHECKING

from phenesthe.frozen import dataclass
from phenesthe.syntax.tree.base import Node
from phenesthe.syntax.tree.values import Duration
from phenesthe.vocabulary import Mode, RelationName

if TYPE_CHECKING:
    from phenesthe.syntax.tree import Formula


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation(Node):
    """`left NAME right [from D] [within D] [as MODE]`."""

    name: RelationName
    left: "Formula"
    right: "Formula"
    mode: Mode | None
    apart: Duration | None = None
    within: Duration | None = None
