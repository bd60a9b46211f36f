"""How many at once: a state for so many values of a variable, or their number."""

from collections.abc import Sequence

from phenesthe.frozen import dataclass
from phenesthe.graph.operator import Operator
from phenesthe.graph.remembering import Bounds, Need, keep

_COUNTED = Need(
    "the intervals that still hold, and the start of the piece that holds",
    "binding",
    "how many held before the window is final",
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Counting(Operator):
    """For so many values of what only the operand has: `least`, or as many as `number` says."""

    word = "count"
    least: int | None

    @property
    def number(self) -> str | None:
        """What the operand does not have."""
        known = self.operands[0].names
        return next((name for name in self.variables if name not in known), None)

    def bound(self, lates: Sequence[int]) -> Bounds:
        kept = keep(self.origin, _COUNTED, [self.operands[0].origin], lates)
        return Bounds(lates[0], kept)
