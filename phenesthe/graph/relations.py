"""Relations other than `before`: between what reaches beyond the cut, and what that relates to.

Of an interval that ended by the cut everything is known, and its relation to one that spans the
cut is decided, however that ends: a later end is later than all that lies before. To one that
begins after the cut it is `before` and nothing else. So an ended interval is needed only as long as
one it is related to holds on.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from phenesthe.graph.operator import Operator
from phenesthe.graph.remembering import (
    WAITING,
    Bounds,
    Kept,
    Late,
    Need,
    find_late_of_pair,
    find_worst,
    keep_pair,
)  # fmt: skip
from phenesthe.vocabulary import PlainRelation

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

    @property
    def need(self) -> Need:
        return _CONTAINS if self.name == "contains" else _RELATED

    def keep(self, lates: Sequence[Late]) -> tuple[Kept, ...]:
        origins = [one.origin for one in self.operands]
        return keep_pair(self.origin, self.need, self.name, origins, lates)


@dataclass(frozen=True, kw_only=True, eq=False)
class Related(Relating):
    """`σ REL τ` of Φ⁼."""

    word = "relation"

    def bound(self, lates: Sequence[Late]) -> Bounds:
        return Bounds(find_late_of_pair(self.need, lates), self.keep(lates))


@dataclass(frozen=True, kw_only=True, eq=False)
class Participants(Relating):
    """The intervals of one side that are in some pair: what `as MODE` is made of."""

    word = "participants"
    is_target: bool

    def bound(self, lates: Sequence[Late]) -> Bounds:
        # It is reported as it is, and ends as it ended.
        worst = find_worst(lates).worst
        return Bounds(Late(max(WAITING, worst), worst), self.keep(lates))
