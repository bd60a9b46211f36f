"""Relations other than `before`: between what reaches beyond the cut, and what that relates to.

Of an interval that ended by the cut everything is known, and its relation to one that spans the
cut is decided, however that ends: a later end is later than all that lies before. To one that
begins after the cut it is `before` and nothing else. So an ended interval is needed only as long as
one it is related to holds on.
"""

from collections.abc import Sequence
from dataclasses import replace

from phenesthe.frozen import dataclass
from phenesthe.graph.lengths import Length, Varying, explain_unlimited
from phenesthe.graph.operator import Operator, knows
from phenesthe.graph.remembering import ENDLESS, WAITING, Bounds, Need, find_limit, keep
from phenesthe.vocabulary import ExactRelation, PlainRelation

_RELATED = Need(
    "the intervals of either side that still hold, and what is already related to one of them",
    "binding",
    "two intervals that both ended before the window are related or not for good",
)


_CONTAINS = Need(
    "the intervals of either side that still hold, and for each one that it contains",
    "binding",
    "one contained interval is enough, and what ended before the window is in it or not for good",
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Relating(Operator):
    """`name` is no inverse and not `before`."""

    name: PlainRelation

    def bound(self, lates: Sequence[int]) -> Bounds:
        need = _CONTAINS if self.name == "contains" else _RELATED
        kept = keep(self.origin, need, [one.origin for one in self.operands], lates)
        return Bounds(max(WAITING, *lates), kept)


@dataclass(frozen=True, kw_only=True, eq=False)
class Related(Relating):
    """`σ REL τ` of Φ⁼."""

    word = "relation"


@dataclass(frozen=True, kw_only=True, eq=False)
class NearlyRelated(Relating):
    """`σ REL τ within D`: known ends that are the same up to D."""

    word = "relation within"
    name: ExactRelation
    within: Length

    @property
    def is_whole(self) -> bool:
        """A side does not know how far away the other may be: nothing of it is ever done with."""
        return any(not knows(one, self.within) for one in self.operands)

    def bound(self, lates: Sequence[int]) -> Bounds:
        need = Need(
            "the intervals of either side that still hold or ended less than D ago, and what is "
            "already related to one of them",
            "binding",
            "after that long two intervals are related or not for good",
            limit=find_limit(self.origin, "within", self.within),
        )
        own = WAITING
        if isinstance(self.within, Varying) and not self.within.is_settled:
            reason, remedy = explain_unlimited(self.within, "within")
            need = replace(need, bound="unbounded", reason=reason, remedy=remedy)
            own = ENDLESS
        kept = keep(self.origin, need, [one.origin for one in self.operands], lates)
        return Bounds(max(own, *lates), kept)


@dataclass(frozen=True, kw_only=True, eq=False)
class Participants(Relating):
    """The intervals of one side that are in some pair: what `as MODE` is made of."""

    word = "participants"
    is_target: bool
