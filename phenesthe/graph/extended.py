"""An alternative for every value its context has: what it may yet hold for is kept for ever."""

from collections.abc import Mapping, Sequence

from phenesthe.frozen import dataclass
from phenesthe.graph.formulas import Formula, find_contexts
from phenesthe.graph.operator import Operator
from phenesthe.graph.origin import Origin
from phenesthe.graph.remembering import ENDLESS, Bounds, Need, keep
from phenesthe.vocabulary import Names

#: What people read who look for its operator.
EVERY_VALUE = "for every value"


@dataclass(frozen=True, kw_only=True, eq=False)
class Extended(Operator):
    """The intervals of the first operand, for the bindings of the others that agree with it."""

    word = EVERY_VALUE
    #: A condition that says for which values.
    values: Formula

    @property
    def contexts(self) -> Mapping[int, Names]:
        return find_contexts([self.values])

    def bound(self, lates: Sequence[int]) -> Bounds:
        alternative = self.operands[0].origin
        own = keep(self.origin, need_of_extended(alternative), [alternative], lates[:1])
        return Bounds(ENDLESS, own)


def need_of_extended(alternative: Origin) -> Need:
    if alternative.word == "~>":
        return Need(
            "everything since the beginning of the timeline, and one row of each value",
            "unbounded",
            "how long a value holds varies, so of each value all is looked at that may end it",
            "let all values hold equally long, or list them: `exclusive state s(V, W) { … }`",
            cause=alternative,
        )
    return Need(
        "everything since the beginning of the timeline, and one row of each value that it is for",
        "unbounded",
        "it lacks a variable, so it holds for every value of what stands beside, also for one that "
        "comes later",
        "give it the variable, or let a fact right beside the alternatives say for which values: "
        "`(…) where vessel(V)`",
        cause=alternative,
    )
