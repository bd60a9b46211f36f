"""What looks at rows one by one: `where`, `let`, `lasting`, and dynamics that lose a variable."""

from collections.abc import Sequence

from phenesthe.frozen import dataclass
from phenesthe.graph.formulas import Formula, Value, list_moments
from phenesthe.graph.lengths import Length, is_limited
from phenesthe.graph.operator import Operator
from phenesthe.graph.remembering import (
    PENDING,
    ROW_BY_ROW,
    WAITING,
    Bound,
    Bounds,
    Need,
    find_limit,
    keep,
)  # fmt: skip
from phenesthe.vocabulary import ComparisonOperator, Moment


@dataclass(frozen=True, kw_only=True, eq=False)
class Where(Operator):
    """States and dynamics: which bindings they hold for is all that changes."""

    word = "where"
    condition: Formula

    @property
    def awaits_end(self) -> bool:
        return not list_moments(self.condition).isdisjoint(_OF_ENDS)

    def bound(self, lates: Sequence[int]) -> Bounds:
        return _bound_row(self, lates, awaits_end=self.awaits_end)


@dataclass(frozen=True, kw_only=True, eq=False)
class Let(Operator):
    """Rows with new variables, each computed from the row and the variables before it."""

    word = "let"
    values: tuple[tuple[str, Value], ...]

    @property
    def awaits_end(self) -> bool:
        return any(not list_moments(value).isdisjoint(_OF_ENDS) for _, value in self.values)

    def bound(self, lates: Sequence[int]) -> Bounds:
        return _bound_row(self, lates, awaits_end=self.awaits_end)


#: Not known while an interval holds.
_OF_ENDS: frozenset[Moment] = frozenset(("end_time", "duration"))
_UNTIL_ITS_END = Need(
    "the intervals that still hold",
    "binding",
    "what is asked is known when the interval ends, and counts from where it began",
)


def _bound_row(operator: Operator, lates: Sequence[int], *, awaits_end: bool) -> Bounds:
    need = _UNTIL_ITS_END if awaits_end else ROW_BY_ROW
    late = max(WAITING, lates[0]) if awaits_end else lates[0]
    return Bounds(late, keep(operator.origin, need, [operator.operands[0].origin], lates))


@dataclass(frozen=True, kw_only=True, eq=False)
class Project(Operator):
    """A dynamic without some of its variables: a union of sets."""

    word = "project"

    def bound(self, lates: Sequence[int]) -> Bounds:
        return Bounds(lates[0], keep(self.origin, ROW_BY_ROW, [self.operands[0].origin], lates))


@dataclass(frozen=True, kw_only=True, eq=False)
class Lasting(Operator):
    word = "lasting"
    operator: ComparisonOperator
    ticks: Length

    def bound(self, lates: Sequence[int]) -> Bounds:
        limit = find_limit(self.origin, "lasting", self.ticks)
        keeps = "the intervals that still hold"
        if self.operator in ("<", "<=", "=="):
            reason = "an interval that has lasted longer is out for good"
            bound: Bound = "duration" if is_limited(self.ticks) else "binding"
            need = Need(keeps, bound, reason, limit=limit)
        else:
            reason = "undecided for that long, and then in the result for as long as it holds"
            need = Need(keeps, "binding", reason, limit=limit)
        kept = keep(self.origin, need, [self.operands[0].origin], lates)
        return Bounds(max(PENDING, lates[0]), kept)
