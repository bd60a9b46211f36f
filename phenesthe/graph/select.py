"""A phenomenon of which not all is asked for: constants, `_`, or a variable twice."""

from collections.abc import Sequence

from phenesthe.frozen import dataclass
from phenesthe.graph.formulas import Leaf
from phenesthe.graph.operator import Operator
from phenesthe.graph.remembering import ROW_BY_ROW, Bounds, keep


@dataclass(frozen=True, kw_only=True, eq=False)
class Select(Operator):
    """Intervals of a state that lose a variable here may overlap, and become a state by `Union`."""

    word = "select"
    leaf: Leaf

    def bound(self, lates: Sequence[int]) -> Bounds:
        is_told = self.origin.word == "exists"
        own = keep(self.origin, ROW_BY_ROW, [self.origin], lates)
        return Bounds(lates[0], own if is_told else ())
