"""What an operator must remember between two queries of a windowed run, known before it runs.

The frontier is the query time less the window: what lies at or before it can no longer change. So
an operator remembers of the past only what a row after the frontier can still meet. How much that
is follows from the operator and from how late its operands may change; each says so in its file.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from phenesthe.graph.origin import Origin
from phenesthe.vocabulary import PlainRelation

#: How much is remembered beside the rows inside the window:
#: nothing: every row is judged by itself;
#: window: no row from before the window;
#: binding: rows of bindings of which something still holds or is undecided, and of no others;
#: duration: the same, and only for as long as `within`, `expires`, `lasting` or a gap says;
#: unbounded: neither the window nor the formula limits it.
Bound: TypeAlias = Literal["nothing", "window", "binding", "duration", "unbounded"]


@dataclass(frozen=True, slots=True)
class Limit:
    """The duration that decides what is undecided: the word before it, as written, in ticks."""

    word: str
    duration: str
    ticks: int


def find_limit(origin: Origin, word: str, ticks: int) -> Limit:
    return Limit(word, origin.durations[word].text, ticks)


@dataclass(frozen=True, slots=True)
class Need:
    """What an operator keeps, how much that is, and why; the remedy if it is too much.

    `cause` is the operand that is to blame, where it is not the operator itself.
    """

    keeps: str
    bound: Bound
    reason: str
    remedy: str = ""
    limit: Limit | None = None
    cause: Origin | None = None

    @property
    def endless(self) -> int:
        """How late an operator may change for its own needs."""
        return ENDLESS if self.bound == "unbounded" else SETTLED


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


def find_worst(lates: Iterable[Late]) -> Late:
    starts, ends = zip(*lates, strict=True)
    return Late(max(starts), max(ends))


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept for one formula as written, and how late each operand that it meets may change.

    One operator may be several formulas, and one formula several operators, of which the one that
    needs most speaks for all.
    """

    origin: Origin
    need: Need
    meets: tuple[tuple[Origin, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Bounds:
    """How late an operator may change, and what it keeps for that; operands before users."""

    late: Late
    kept: tuple[Kept, ...]


def keep(
    origin: Origin, need: Need, operands: Sequence[Origin], lates: Sequence[Late]
) -> tuple[Kept, ...]:
    """For an operator that meets all of its operands as far back as they change."""
    met = [(one, late.worst) for one, late in zip(operands, lates, strict=True)]
    return (Kept(origin, need, tuple(met)),)


#: The operand of a pair, 0 for the left, that makes it look back when it begins late. Such an
#: interval ends after the frontier, so what must end with it or after it is not old; but what
#: `starts` it, or came `before` it, is.
_REACHING: dict[PlainRelation, int | None] = {
    "before": 1,
    "meets": 1,
    "overlaps": 1,
    "starts": 1,
    "contains": 0,
    "finishes": None,
    "equals": None,
}


def keep_pair(
    origin: Origin,
    need: Need,
    name: PlainRelation,
    operands: Sequence[Origin],
    lates: Sequence[Late],
) -> tuple[Kept, ...]:
    """For a relation; two sides that are combined like states are met like states."""
    if origin.mode not in (None, "source", "target"):
        return keep(origin, need, operands, lates)
    levels = [late.worst if at == _REACHING[name] else late.ends for at, late in enumerate(lates)]
    return (Kept(origin, need, tuple(zip(operands, levels, strict=True))),)


def find_late_of_pair(need: Need, lates: Sequence[Late]) -> Late:
    """What is found ends no earlier than any of its parts, but may begin long before."""
    worst = find_worst(lates)
    return Late(max(WAITING, worst.worst, need.endless), worst.ends)


# What several operators keep

ROW_BY_ROW = Need("nothing", "nothing", "each row is judged by itself")
ONE_INSTANT = Need(
    "nothing from before the window",
    "window",
    "it compares what is true at one instant, and instants before the window are final",
)
