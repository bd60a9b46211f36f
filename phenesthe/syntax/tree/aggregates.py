"""Values that are computed of many rows."""

from dataclasses import field
from typing import TYPE_CHECKING

from phenesthe.frozen import dataclass
from phenesthe.syntax.tree.base import Name, Node
from phenesthe.vocabulary import AggregateName

if TYPE_CHECKING:
    from phenesthe.syntax.tree import Duration, Formula, Variable


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate(Node):
    """`function(X of operand over D)`: without D of an interval, with it of an instant.

    Only `count` and `total` may stand without an X. The checker fills in `local`: the variables
    that the rows have and their surroundings do not.
    """

    function: AggregateName
    name: Name = field(compare=False, repr=False)
    of: "tuple[Variable, ...]"
    operand: "Formula"
    over: "Duration | None" = None
    past: "Duration | None" = None
    local: tuple[str, ...] = ()
