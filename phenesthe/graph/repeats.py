"""`repeat`: runs of neighbours, so only the last two occurrences before the cut matter after it."""

from collections.abc import Sequence

from phenesthe.frozen import dataclass
from phenesthe.graph.formulas import Formula
from phenesthe.graph.lengths import Length, Varying, explain_unlimited
from phenesthe.graph.operator import Operator
from phenesthe.graph.remembering import (
    ENDLESS,
    PENDING,
    Bounds,
    Need,
    find_limit,
    keep,
)  # fmt: skip
from phenesthe.vocabulary import ComparisonOperator


@dataclass(frozen=True, kw_only=True, eq=False)
class Repeat(Operator):
    word = "repeat"
    operator: ComparisonOperator
    gap: Length
    condition: Formula | None

    def bound(self, lates: Sequence[int]) -> Bounds:
        need = self._find_need()
        kept = keep(self.origin, need, [self.operands[0].origin], lates)
        # Whether the last occurrence ends the run is seen when the gap has run out, if it does.
        own = ENDLESS if need.bound == "unbounded" or need.limit is None else PENDING
        return Bounds(max(own, lates[0]), kept)

    def _find_need(self) -> Need:
        keeps = "the start of the run and the last two occurrences, for each binding"
        limit = find_limit(self.origin, "gap", self.gap)
        if self.operator in ("<", "<=", "=="):
            if isinstance(self.gap, Varying) and not self.gap.is_settled:
                reason, remedy = explain_unlimited(self.gap, f"gap {self.operator}")
                return Need(keeps, "unbounded", reason, remedy, limit=limit)
            reason = "after that long without another occurrence the run is over"
            return Need(keeps, "duration", reason, limit=limit)
        if not self.variables:
            return Need(keeps, "binding", "there is only one binding")
        gap = f"gap {self.operator}"
        return Need(
            keeps,
            "unbounded",
            f"`{gap}` never runs out: a binding that never returns is never decided",
            f"bound the gap from above: `while gap <= D` in place of `{gap} {limit.duration}`",
        )
