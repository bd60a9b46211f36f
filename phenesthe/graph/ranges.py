"""`~>` and `exclusive state`: the interval that spans the cut needs its start, and no more."""

from collections.abc import Mapping, Sequence

from phenesthe.frozen import dataclass
from phenesthe.graph.bound_formulas import bound_formula, get_origin
from phenesthe.graph.formulas import Constant, Formula, find_contexts
from phenesthe.graph.lengths import Length, Varying, explain_unlimited, is_limited
from phenesthe.graph.operator import Operator
from phenesthe.graph.origin import Origin
from phenesthe.graph.remembering import (
    Bounds,
    Kept,
    Need,
    find_limit,
    keep,
)  # fmt: skip
from phenesthe.vocabulary import Names


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """From a start to a stop, or for as long as it takes to expire or to reach its limit.

    Each side is a leaf, or a formula that is true nearly always. The label is that of a value of
    an exclusive state.
    """

    start: Formula
    stop: Formula | None
    expires: Length | None
    limit: Length | None
    origin: Origin
    label: Constant | None = None

    @property
    def sides(self) -> tuple[Formula, ...]:
        return (self.start,) if self.stop is None else (self.start, self.stop)


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranges(Operator):
    """One `~>`, or an exclusive state: the branches of its values, or one for any value.

    `value` is the variable of which one value holds at a time.
    """

    word = "~>"
    branches: tuple[Branch, ...]
    value: str | None

    @property
    def is_labelled(self) -> bool:
        return self.branches[0].label is not None

    @property
    def contexts(self) -> Mapping[int, Names]:
        return find_contexts([side for branch in self.branches for side in branch.sides])

    def bound(self, lates: Sequence[int]) -> Bounds:
        found: list[int] = []
        kept: list[Kept] = []
        for branch in self.branches:
            bounds = [bound_formula(side, lates) for side in branch.sides]
            for one in bounds:
                kept += one.kept
            parts = [one.late for one in bounds]
            origins = [get_origin(side) for side in branch.sides]
            kept += keep(branch.origin, self._find_need(branch), origins, parts)
            found += parts
        return Bounds(max(found), tuple(kept))

    def _find_need(self, branch: Branch) -> Need:
        holding = "the start of the interval that still holds, for each binding"
        if self.value is not None:
            holding = "the start of the interval on which this value still holds, for each binding"
        if branch.start.scope.is_dense and isinstance(branch.expires, Varying):
            return Need(
                f"{holding}, and all that may have restarted its clock",
                "unbounded",
                "a negation that no event limits is true at nearly every instant, and how long "
                "ago it matters varies",
                "join the negation with the event at which to look: `ais(V, _) and not …`",
                cause=get_origin(branch.start),
            )
        if isinstance(branch.limit, Varying) and not branch.limit.is_settled:
            return self._find_unlimited_need(branch, branch.limit, holding)
        if branch.limit is not None:
            events = "" if branch.expires is None else ", and the events that began or extended it"
            return Need(
                f"{holding}{events}",
                "duration",
                "it ends after that long at the latest",
                limit=find_limit(branch.origin, "limit", branch.limit),
            )
        if branch.expires is None:
            return Need(holding, "binding", "one row for as long as it holds; the rest is final")
        return Need(
            f"{holding}, and the last instant that restarted its clock",
            "duration" if is_limited(branch.expires) else "binding",
            "a binding that goes quiet is forgotten when its clock has run out",
            limit=find_limit(branch.origin, "expires", branch.expires),
        )

    def _find_unlimited_need(self, branch: Branch, limit: Varying, holding: str) -> Need:
        """One row for as long as it holds; all that happened since may be any number."""
        told = find_limit(branch.origin, "limit", limit)
        if branch.expires is None:
            reason = "one row for as long as it holds; the rest is final"
            return Need(holding, "binding", reason, limit=told)
        reason, remedy = explain_unlimited(limit, "limit")
        keeps = f"{holding}, and the events that began or extended it"
        return Need(keeps, "unbounded", reason, remedy, limit=told)
