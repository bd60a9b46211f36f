"""`always()` and calendar states: time alone makes them, so there is nothing to wait for."""

from collections.abc import Sequence
from dataclasses import field

from phenesthe.frozen import dataclass
from phenesthe.graph.operator import Operator
from phenesthe.graph.remembering import SETTLED, Bounds, Need, keep
from phenesthe.vocabulary import CalendarName

_HOLDING = Need("the interval that still holds", "binding", "there is only one binding")


@dataclass(frozen=True, kw_only=True, eq=False)
class Calendar(Operator):
    """From each first moment to the next second one, in a time zone (empty: UTC).

    `second_ticks` are the ticks of a second. `rules` are those of the zone, so that they are the
    same wherever the operator is evaluated.
    """

    word = "calendar"
    name: CalendarName
    first: tuple[int, ...]
    second: tuple[int, ...]
    zone: str
    second_ticks: int
    rules: bytes = field(default=b"", repr=False)

    def bound(self, lates: Sequence[int]) -> Bounds:
        return Bounds(max([SETTLED, *lates]), keep(self.origin, _HOLDING, [], []))
