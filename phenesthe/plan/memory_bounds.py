"""What a program must remember between two queries of a windowed run, told before it runs.

Each operator says what it keeps (`Operator.bound`); here that is told of every formula as it is
written, in every definition in which it is.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import get_args

from phenesthe.frozen import dataclass
from phenesthe.graph.operator import Operator, Source
from phenesthe.graph.origin import Origin
from phenesthe.graph.program import Graph
from phenesthe.graph.remembering import (
    ENDLESS,
    PENDING,
    SETTLED,
    WAITING,
    Bound,
    Kept,
    Need,
)  # fmt: skip
from phenesthe.syntax.source import Span

_BOUNDS: tuple[Bound, ...] = get_args(Bound)


@dataclass(frozen=True, slots=True)
class FormulaBound:
    """One formula of a definition and what it needs; `ids` are its operators.

    `because` are operands that are not bounded and whose rows may still change far back: what
    meets these rows has to be kept with them. `since` are operands that may be undecided from
    before the window on, in which case the other operands are kept from there on.
    """

    ids: tuple[str, ...]
    origin: Origin
    need: Need
    operands: tuple[Origin, ...] = ()
    because: tuple[Origin, ...] = ()
    since: tuple[Origin, ...] = ()
    #: Whether the formula limits how long these are undecided.
    is_limited: bool = True

    @property
    def definition(self) -> str:
        return self.origin.definition

    @property
    def operator(self) -> str:
        return self.origin.word

    @property
    def keeps(self) -> str:
        if not self.since:
            return self.need.keeps
        since = f"all of a binding since {_join(self.since)} is undecided"
        return since if self._keeps_nothing else f"{self.need.keeps}; {since}"

    @property
    def formula(self) -> str:
        return self.origin.text

    @property
    def span(self) -> Span:
        return get_span(self.origin)

    @property
    def bound(self) -> Bound:
        if self.because:
            return "unbounded"
        if self.since and self.need.bound not in ("values", "rows", "unbounded"):
            is_timed = self.need.bound == "duration" and self.is_limited
            return "duration" if is_timed else "binding"
        return self.need.bound

    @property
    def reason(self) -> str:
        if not self.because:
            if self.since and self._keeps_nothing:
                return "what is undecided may still come true, from before the window on"
            return self.need.reason
        inherited = f"{_join(self.because)} may still change far back"
        return f"{self.need.reason}; {inherited}" if self.is_culprit else inherited

    @property
    def _keeps_nothing(self) -> bool:
        return self.need.bound in ("nothing", "window")

    @property
    def is_culprit(self) -> bool:
        """It is not bounded by itself, not only because of an operand."""
        return self.need.bound == "unbounded"


@dataclass(frozen=True, slots=True)
class InputBound:
    name: str
    keeps: str
    bound: Bound


@dataclass(frozen=True, slots=True)
class MemoryBounds:
    """`operators` by definition in evaluation order, operands before what uses them."""

    inputs: tuple[InputBound, ...]
    operators: tuple[FormulaBound, ...]

    @property
    def unbounded(self) -> tuple[str, ...]:
        """The definitions that no window bounds, in evaluation order."""
        found = (one.definition for one in self.operators if one.bound == "unbounded")
        return tuple(dict.fromkeys(found))

    def by_definition(self) -> dict[str, list[FormulaBound]]:
        found: dict[str, list[FormulaBound]] = {}
        for one in self.operators:
            found.setdefault(one.definition, []).append(one)
        return found


def find_memory_bounds(graph: Graph) -> MemoryBounds:
    lates = {source.id: SETTLED for source in graph.sources.values()}
    found: list[FormulaBound] = []
    for _, definition in groupby(graph.written, lambda one: one.origin.definition):
        # As they are read: what ends first is an operand of what ends later.
        found += sorted(_tell_definition(tuple(definition), lates), key=lambda one: one.span.end)
    return MemoryBounds(tuple(map(_tell_input, graph.sources.values())), tuple(found))


def _tell_definition(operators: Sequence[Operator], lates: dict[str, int]) -> list[FormulaBound]:
    """Of each formula once what the operator needs that needs most."""
    ids: dict[int, dict[str, None]] = {}
    told: dict[int, Kept] = {}
    for operator in operators:
        bounds = operator.bound([lates[one.producer] for one in operator.operands])
        lates[operator.id] = bounds.late
        for kept in bounds.kept:
            formula = id(kept.origin)
            ids.setdefault(formula, {})[operator.id] = None
            known = told.get(formula)
            told[formula] = kept if known is None else max(known, kept, key=_rank)
    return [_tell(tuple(ids[formula]), kept) for formula, kept in told.items()]


def _rank(kept: Kept) -> int:
    return _BOUNDS.index(kept.need.bound)


def _tell(ids: tuple[str, ...], kept: Kept) -> FormulaBound:
    operands = sorted(kept.operands, key=lambda one: get_span(one[0]).start)
    return FormulaBound(
        ids,
        kept.origin,
        kept.need,
        operands=tuple([one for one, _ in operands]),
        because=tuple([one for one, level in operands if level == ENDLESS]),
        since=tuple([one for one, level in operands if PENDING <= level < ENDLESS]),
        is_limited=all(level != WAITING for _, level in operands),
    )


def _tell_input(source: Source) -> InputBound:
    match source.kind:
        case "event":
            return InputBound(source.signature.name, "the rows inside the window", "window")
        case "state":
            keeps = "the rows inside the window, and for each binding the interval that still holds"
        case "dynamic":
            keeps = "the rows inside the window, and the intervals that still hold"
    return InputBound(source.signature.name, keeps, "binding")


def get_span(origin: Origin) -> Span:
    assert isinstance(origin.place, Span)
    return origin.place


def _join(operands: Sequence[Origin]) -> str:
    return " and ".join(f"`{operand.text}`" for operand in operands)
