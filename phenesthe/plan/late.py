"""How late a formula may change: which of its results from before the window are not final."""

from collections.abc import Sequence
from typing import NamedTuple

from phenesthe.syntax.tree import INVERSES

#: What may still change at or before the frontier: nothing; a few rows for each binding, for a time
#: that the formula limits; the same, for as long as something holds or waits; as many rows as ever
#: were seen.
SETTLED, PENDING, WAITING, ENDLESS = range(4)


class Late(NamedTuple):
    """Which ends of a formula's intervals may still appear or vanish there; instants are both.

    To begin late is one thing and to end late another: a `lasting` that is not yet reached may make
    an interval appear that began long ago, but then it ends after the frontier.
    """

    starts: int
    ends: int

    @property
    def worst(self) -> int:
        return max(self)


NEVER = Late(SETTLED, SETTLED)


def both(late: int) -> Late:
    return Late(late, late)


def find_worst(lates: Sequence[Late]) -> Late:
    return Late(max(late.starts for late in lates), max(late.ends for late in lates))


#: The operands of a pair, 0 for the left, that make it look back when they begin late. Such an
#: interval ends after the frontier, so what must end with it or after it is not old; but what
#: `starts` it, or came `before` it, is.
_REACHING = {
    "before": 1,
    "then": 1,
    "meets": 1,
    "overlaps": 1,
    "starts": 1,
    "contains": 0,
    "finishes": None,
    "equals": None,
}


def find_reaching_sides(operator: str) -> tuple[int, ...]:
    side = _REACHING[INVERSES.get(operator, operator)]
    if side is None:
        return ()
    return (1 - side if operator in INVERSES else side,)
