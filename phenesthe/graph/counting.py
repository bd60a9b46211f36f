"""How many at once: a state for so many values of a variable, or their number."""

from collections.abc import Sequence
from dataclasses import dataclass

from phenesthe.graph.operator import Operator
from phenesthe.graph.remembering import Bounds, Need, keep
from phenesthe.vocabulary import Names

_COUNTED = Need(
    "the intervals that still hold, and the start of the piece that holds",
    "binding",
    "how many held before the window is final",
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Counting(Operator):
    """Of what is `counted` so many values: `least`, or as many as `number` says."""

    word = "count"
    counted: Names
    least: int | None
    number: str | None

    def bound(self, lates: Sequence[int]) -> Bounds:
        kept = keep(self.origin, _COUNTED, [self.operands[0].origin], lates)
        return Bounds(lates[0], kept)
