"""What a program must remember between two queries of a windowed run, known before it runs.

The frontier is the query time less the window: what lies at or before it can no longer change. So
an operator remembers of the past only what a row after the frontier can still meet. How much that
is follows from the formula alone (`memory_rules`, `memory_formulas`); this file says what is found.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from phenesthe.syntax.printer import print_formula
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import Formula

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
    cause: Formula | None = None


@dataclass(frozen=True, slots=True)
class Remembered:
    """One operator of a definition and what it needs.

    `because` are operands that are not bounded and whose rows may still change far back: what
    meets these rows has to be kept with them. `since` are operands that may be undecided from
    before the window on, in which case the other operands are kept from there on.
    """

    definition: str
    operator: str
    node: Formula
    need: Need
    because: tuple[Formula, ...] = ()
    since: tuple[Formula, ...] = ()
    #: Whether the formula limits how long these are undecided.
    is_limited: bool = True

    @property
    def keeps(self) -> str:
        if not self.since:
            return self.need.keeps
        since = f"all of a binding since {_join(self.since)} is undecided"
        return since if self._keeps_nothing else f"{self.need.keeps}; {since}"

    @property
    def formula(self) -> str:
        return print_formula(self.node)

    @property
    def span(self) -> Span:
        return self.node.span

    @property
    def bound(self) -> Bound:
        if self.because:
            return "unbounded"
        if self.since and self.need.bound != "unbounded":
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
class RememberedInput:
    name: str
    keeps: str
    bound: Bound


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """`operators` by definition in evaluation order, operands before what uses them."""

    inputs: tuple[RememberedInput, ...]
    operators: tuple[Remembered, ...]

    @property
    def unbounded(self) -> tuple[str, ...]:
        """The definitions that no window bounds, in evaluation order."""
        found = (one.definition for one in self.operators if one.bound == "unbounded")
        return tuple(dict.fromkeys(found))

    def by_definition(self) -> dict[str, list[Remembered]]:
        found: dict[str, list[Remembered]] = {}
        for one in self.operators:
            found.setdefault(one.definition, []).append(one)
        return found


def _join(operands: tuple[Formula, ...]) -> str:
    return " and ".join(f"`{print_formula(operand)}`" for operand in operands)
