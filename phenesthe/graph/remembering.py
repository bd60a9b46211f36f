"""What an operator must remember between two queries of a windowed run, known before it runs.

The frontier is the query time less the window: what lies at or before it can no longer change. So
an operator remembers of the past only what a row after the frontier can still meet. How much that
is follows from the operator and from how late its operands may change; each says so in its file.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias, assert_never

from phenesthe.frozen import dataclass
from phenesthe.graph.lengths import Length, Varying
from phenesthe.graph.origin import Origin

#: How much is remembered beside the rows inside the window:
#: nothing: every row is judged by itself;
#: window: no row from before the window;
#: binding: rows of bindings of which something still holds or is undecided, and of no others;
#: duration: the same, and only for as long as `within`, `expires`, `lasting` or a gap says;
#: values: of what still holds a row for each different value that it has had;
#: rows: of what still holds all rows since it began;
#: unbounded: neither the window nor the formula limits it.
Bound: TypeAlias = Literal[
    "nothing", "window", "binding", "duration", "values", "rows", "unbounded"
]


@dataclass(frozen=True, slots=True)
class Limit:
    """The duration that decides what is undecided: the word before it, as written, in ticks.

    Of a variable there are as many lengths as it has values; `is_settled` says whether facts tell
    them, and so the largest.
    """

    word: str
    duration: str
    ticks: int | None
    is_settled: bool = True


def find_limit(origin: Origin, word: str, length: Length) -> Limit:
    written = origin.durations[word].text
    match length:
        case int():
            return Limit(word, written, length)
        case Varying():
            return Limit(word, written, None, length.is_settled)
        case _:
            assert_never(length)


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
    #: What there is a row for each different value of.
    different: str = ""


#: What may still change at or before the frontier: nothing; a few rows for each binding, for a time
#: that the formula limits; the same, for as long as something holds; the same, for ever.
SETTLED, PENDING, WAITING, ENDLESS = range(4)


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept for one formula as written, and how late each of its operands may change.

    One operator may be several formulas, and one formula several operators, of which the one that
    needs most speaks for all.
    """

    origin: Origin
    need: Need
    operands: tuple[tuple[Origin, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Bounds:
    """How late an operator may change, and what it keeps for that; operands before users."""

    late: int
    kept: tuple[Kept, ...]


def keep(
    origin: Origin, need: Need, operands: Sequence[Origin], lates: Sequence[int]
) -> tuple[Kept, ...]:
    """Every operator looks again at what its operands are from where one of them may change on."""
    return (Kept(origin, need, tuple(zip(operands, lates, strict=True))),)


# What several operators keep

ROW_BY_ROW = Need("nothing", "nothing", "each row is judged by itself")
ONE_INSTANT = Need(
    "nothing from before the window",
    "window",
    "it compares what is true at one instant, and instants before the window are final",
)
