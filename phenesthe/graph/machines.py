"""Machines: what happened before the cut is summed up by the value held, and since when."""

from collections.abc import Sequence

from phenesthe.frozen import dataclass
from phenesthe.graph.formulas import Constant
from phenesthe.graph.operator import Operator
from phenesthe.graph.remembering import Bounds, Need, keep


@dataclass(frozen=True, slots=True)
class Transition:
    """Values and operands by their numbers. Without a source it leaves every value, without a
    target it ends the machine. It fires on an event, or so many ticks after a value was entered."""

    source: int | None
    target: int | None
    event: int | None
    after: int | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Machine(Operator):
    """Of the values the first is held before the first transition; the last column takes them.

    With timers an interval ends where its value is entered again, so that each begins with a
    clock; a union puts together what touches.
    """

    word = "machine"
    values: tuple[Constant, ...]
    transitions: tuple[Transition, ...]

    @property
    def is_timed(self) -> bool:
        return any(one.after is not None for one in self.transitions)

    def bound(self, lates: Sequence[int]) -> Bounds:
        keeps = "the value that holds, for each binding"
        if self.is_timed:
            keeps += ", and the instant at which it was entered"
        reason = "one row for as long as a value holds; the rest is final"
        need = Need(keeps, "binding", reason)
        kept = keep(self.origin, need, [one.origin for one in self.operands], lates)
        return Bounds(max(lates), kept)
