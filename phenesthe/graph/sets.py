"""Set operations on states: what lies up to the cut is summed up by the piece that spans it."""

from collections.abc import Sequence

from phenesthe.frozen import dataclass
from phenesthe.graph.operator import Operator
from phenesthe.graph.remembering import PENDING, Bounds, Need, keep
from phenesthe.vocabulary import Difference

_HOLDING = Need(
    "the start of the interval that still holds, for each binding",
    "binding",
    "everything before that start is final",
)


_INTERSECTION = Need(
    "the intervals of each side that still hold",
    "binding",
    "the pieces of intervals that ended before the window are final",
)


_COMPLEMENT = Need(
    "the intervals of both sides that still hold, and the start of the piece that holds",
    "binding",
    "pieces that ended before the window are final",
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Union(Operator):
    """Intervals of one binding that share an instant become one.

    With one operand: a state without some of its variables.
    """

    word = "union"

    def bound(self, lates: Sequence[int]) -> Bounds:
        kept = keep(self.origin, _HOLDING, [one.origin for one in self.operands], lates)
        return Bounds(max(lates), kept)


@dataclass(frozen=True, kw_only=True, eq=False)
class Intersection(Operator):
    word = "intersection"

    def bound(self, lates: Sequence[int]) -> Bounds:
        kept = keep(self.origin, _INTERSECTION, [one.origin for one in self.operands], lates)
        return Bounds(max(lates), kept)


@dataclass(frozen=True, kw_only=True, eq=False)
class Complement(Operator):
    """`without` keeps the instants at which the right begins and ends."""

    word = "complement"
    name: Difference

    def bound(self, lates: Sequence[int]) -> Bounds:
        kept = keep(self.origin, _COMPLEMENT, [one.origin for one in self.operands], lates)
        # Also whether a last one is the last: the right side begins after it.
        return Bounds(max(PENDING, *lates), kept)
