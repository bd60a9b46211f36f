"""Rows that are judged, or computed with, by what is aggregated of other rows."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from phenesthe.frozen import dataclass
from phenesthe.graph.formulas import (
    And,
    Arithmetic,
    Boundary,
    Call,
    Column,
    Comparison,
    Constant,
    Exists,
    Formula,
    In,
    Known,
    Leaf,
    Measured,
    Moment,
    Negative,
    Not,
    Occurring,
    Or,
    Value,
)  # fmt: skip
from phenesthe.graph.operator import Operator
from phenesthe.graph.origin import Origin
from phenesthe.graph.remembering import WAITING, Bound, Bounds, Need, find_limit, keep
from phenesthe.vocabulary import AggregateName, Names, Span


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """An aggregate of the rows of an operand that agree on what is `shared`.

    Without `span` they are those within the interval of the row that is judged, with it those of
    so many `ticks` before its instant. `of` are the variables it is about.
    """

    function: AggregateName
    of: Names
    shared: Names
    rows: Leaf
    origin: Origin
    span: Span | None = None
    ticks: int = 0


@dataclass(frozen=True, kw_only=True, eq=False)
class Aggregated(Operator):
    """The rows of the first operand that satisfy a condition, or with new variables.

    It has one of `condition` and `values`, which may speak of `measures` by their numbers.
    """

    word = "aggregate"
    measures: tuple[Measure, ...]
    condition: Formula | None = None
    values: tuple[tuple[str, Value], ...] = ()

    def bound(self, lates: Sequence[int]) -> Bounds:
        late = max(lates)
        operands = [operand.origin for operand in self.operands]
        if self.kind != "event":
            need = self._need_of_intervals()
            return Bounds(max(WAITING, late), keep(self.origin, need, operands, lates))
        longest = max(self.measures, key=lambda one: one.ticks)
        need = Need(
            "the rows that are looked at", "duration",
            "an event inside the window looks back that far",
            limit=find_limit(longest.origin, longest.span or "over", longest.ticks),
        )  # fmt: skip
        return Bounds(late, keep(self.origin, need, operands, lates))

    def _need_of_intervals(self) -> Need:
        """Of an interval that still holds, what was is kept as numbers or as rows that say all."""
        known = {*self.operands[0].names}
        kept: dict[str, None] = {}
        bound: Bound = "binding"
        different: dict[str, None] = {}
        for one in self.measures:
            if not {*one.shared} <= known:
                # Which rows belong to an interval may change while it holds.
                kept["all rows that join with what is computed"] = None
                bound = "rows"
            elif one.function == "count" and one.of:
                names = f"`{one.of[0]}`" if len(one.of) == 1 else f"`({', '.join(one.of)})`"
                kept[f"a row for each different {names}"] = None
                different[names] = None
                bound = bound if bound == "rows" else "values"
            else:
                kept[_KEPT.get(one.function, "a number")] = None
        keeps = f"the intervals that still hold, and of each {', '.join(kept)}"
        return Need(keeps, bound, _REASON, different=" and ".join(different))


_REASON = "what is asked of an interval counts from where it began"
#: Where a number does not say all. A NaN is the greatest: where there is one there is no least.
_KEPT = {
    "min": "the least and the greatest row",
    "max": "the greatest row",
    "first": "the first row",
    "last": "the last row",
}


def list_measured(node: Formula | Value) -> Iterator[int]:
    """The aggregates that a condition or a value asks for."""
    match node:
        case Measured():
            yield node.number
        case Column() | Constant() | Moment() | Leaf() | Known() | Occurring() | In() | Boundary():
            return
        case Negative() | Not() | Exists():
            yield from list_measured(node.operand)
        case Arithmetic() | Comparison():
            yield from list_measured(node.left)
            yield from list_measured(node.right)
        case Call():
            for argument in node.arguments:
                yield from list_measured(argument)
        case And() | Or():
            for part in node.operands:
                yield from list_measured(part)
        case _:
            assert_never(node)
