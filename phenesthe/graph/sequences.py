"""`before`: what ended long ago may be waiting for what is still to come.

The left that ended last is before whatever begins next, unless something has begun since. So at a
cut there matter, besides what reaches beyond it: of each binding the lefts that ended last, the
right starts that stand between them and the future, and for a right that spans the cut the lefts
it follows.
"""

from collections.abc import Sequence
from dataclasses import replace

from phenesthe.frozen import dataclass
from phenesthe.graph.bound_sequences import need_of_followed, need_of_pairs, need_of_preceded
from phenesthe.graph.lengths import Length, Varying, explain_unlimited, is_limited
from phenesthe.graph.operator import Operator, knows
from phenesthe.graph.remembering import ENDLESS, WAITING, Bounds, Kept, Need, find_limit, keep


@dataclass(frozen=True, kw_only=True, eq=False)
class Sequential(Operator):
    """The three readings of `before`."""

    within: Length | None

    @property
    def lengths(self) -> tuple[Length | None, ...]:
        return (self.within,)

    @property
    def is_whole(self) -> bool:
        """What comes first does not know how long it waits: nothing of it is ever done with."""
        return not knows(self.operands[0], *self.lengths)

    @property
    def sides(self) -> tuple[set[str], set[str]]:
        """The variables of what comes first and of what follows."""
        earlier, later = [{name for name in one.names if name} for one in self.operands]
        return earlier, later

    @property
    def own_late(self) -> int:
        """What waits for ever, if only in one binding, keeps what is built on it waiting too."""
        return WAITING if is_limited(self.within) else ENDLESS

    def keep(self, need: Need, lates: Sequence[int]) -> tuple[Kept, ...]:
        return keep(self.origin, need, [one.origin for one in self.operands], lates)


@dataclass(frozen=True, kw_only=True, eq=False)
class Before(Sequential):
    """`σ before τ` of Φ⁼, and the pairs of `σ then τ`.

    What is `apart` by D ticks or more is what follows an end that comes D − 1 ticks later.
    """

    word = "before"
    apart: Length

    @property
    def lengths(self) -> tuple[Length | None, ...]:
        return (self.apart, self.within)

    def bound(self, lates: Sequence[int]) -> Bounds:
        need = need_of_pairs(self.origin, self.within, *self.sides)
        if isinstance(self.apart, Varying) and not self.apart.is_settled:
            keeps = f"every side that waits for what follows it, and {need.keeps}"
            reason, remedy = explain_unlimited(self.apart, "from")
            limit = find_limit(self.origin, "from", self.apart)
            need = Need(keeps, "unbounded", reason, remedy, limit)
            return Bounds(ENDLESS, self.keep(need, lates))
        if self.apart != 1:
            first = "right" if self.origin.word == "after" else "left"
            keeps = f"every {first} side until what follows it can count, and {need.keeps}"
            limit = need.limit or find_limit(self.origin, "from", self.apart)
            if need.bound == "binding":
                reason = "after that long only the last one counts"
                need = replace(need, bound="duration", reason=reason, limit=limit)
            need = replace(need, keeps=keeps)
        return Bounds(max(self.own_late, *lates), self.keep(need, lates))


@dataclass(frozen=True, kw_only=True, eq=False)
class Followed(Sequential):
    """The lefts of `σ before τ as MODE`: one counts as soon as anything begins after it."""

    word = "followed"

    def bound(self, lates: Sequence[int]) -> Bounds:
        need = need_of_followed(self.origin, self.within)
        return Bounds(max(self.own_late, *lates), self.keep(need, lates))


@dataclass(frozen=True, kw_only=True, eq=False)
class Preceded(Sequential):
    """The rights of `σ before τ as MODE`: the left that ended last is enough for all to come."""

    word = "preceded"

    def bound(self, lates: Sequence[int]) -> Bounds:
        earlier, later = self.sides
        need = need_of_preceded(self.origin, self.within, earlier | later)
        # It happens after the frontier, and what came before it is final.
        return Bounds(max(lates), self.keep(need, lates))
