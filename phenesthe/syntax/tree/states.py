"""Formulas that hold on disjoint maximal intervals."""

from typing import TYPE_CHECKING

from phenesthe.frozen import dataclass
from phenesthe.syntax.tree.base import Node
from phenesthe.syntax.tree.values import Duration
from phenesthe.vocabulary import CalendarName, ComparisonOperator, Difference

if TYPE_CHECKING:
    from phenesthe.syntax.tree import Formula


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar(Node):
    """`always()`, `daily("22:00", "06:00")`: time alone makes it. Put in by the checker, which
    finds that nothing else has the name."""

    name: CalendarName
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MaximalRange(Node):
    """`start [~> stop] [expires D] [limit D]`.

    `value` is the variable of which one value holds at a time, in an exclusive state of any values.
    """

    start: "Formula"
    stop: "Formula | None"
    expires: Duration | None = None
    limit: Duration | None = None
    value: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat(Node):
    """`repeat event while gap OP D [and condition]`.

    `local` are the variables whose value may differ between the occurrences of one run;
    the checker fills it in.
    """

    event: "Formula"
    operator: ComparisonOperator
    gap: Duration
    condition: "Formula | None"
    local: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Union(Node):
    operands: "tuple[Formula, ...]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Intersection(Node):
    operands: "tuple[Formula, ...]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Complement(Node):
    """`left complement right` or `left without right`."""

    left: "Formula"
    right: "Formula"
    name: Difference = "complement"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lasting(Node):
    operand: "Formula"
    operator: ComparisonOperator
    duration: Duration


@dataclass(frozen=True, slots=True, kw_only=True)
class Then(Node):
    left: "Formula"
    right: "Formula"
