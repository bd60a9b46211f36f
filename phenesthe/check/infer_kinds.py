"""Pass 4: what each sub-formula is, and whether its operator can take it."""

from typing import assert_never

from phenesthe.check.work import Draft, Sort, Symbol, Work
from phenesthe.diagnostics.model import Label
from phenesthe.diagnostics.report import error
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import (
    INVERSES,
    And,
    Atom,
    Comparison,
    Complement,
    Definition,
    End,
    Exists,
    Formula,
    In,
    Intersection,
    Lasting,
    MaximalRange,
    Not,
    Or,
    Relation,
    Repeat,
    Start,
    Then,
    Union,
    Where,
)  # fmt: skip

_EVENT: tuple[Sort, ...] = ("event",)
_STATE: tuple[Sort, ...] = ("state",)
_CONNECTED: tuple[Sort, ...] = ("event", "condition")
_CONDITION: tuple[Sort, ...] = ("condition",)
_INTERVALS: tuple[Sort, ...] = ("state", "dynamic")
_STEP: tuple[Sort, ...] = ("state", "event")
_ANY: tuple[Sort, ...] = ("event", "state", "dynamic")
#: What the seven relations take on their left and on their right.
_RELATIONS: dict[str, tuple[tuple[Sort, ...], tuple[Sort, ...]]] = {
    "before": (_ANY, _ANY),
    "meets": (_INTERVALS, _INTERVALS),
    "overlaps": (_INTERVALS, _INTERVALS),
    "equals": (_INTERVALS, _INTERVALS),
    "starts": (_ANY, _INTERVALS),
    "finishes": (_ANY, _INTERVALS),
    "contains": (_INTERVALS, _ANY),
}


def infer_kinds(work: Work) -> None:
    for draft in work.drafts.values():
        inference = _Inference(work, draft)
        for body in draft.bodies:
            sort = inference.sort(body)
            if isinstance(draft.declaration, Definition):
                inference.check_definition(draft.declaration, sort)


class _Inference:
    def __init__(self, work: Work, draft: Draft) -> None:
        self.work = work
        self.draft = draft

    def check_definition(self, definition: Definition, sort: Sort | None) -> None:
        if sort is None or sort == definition.kind:
            return
        name = definition.head.name
        if sort == "condition":
            self._report_condition(definition.body)
            return
        self.work.report(
            error(
                "K001",
                f"`{name.text}` is defined as {_a(definition.kind)}, but its formula is {_a(sort)}",
                definition.body.span,
                label=_a(sort),
                related=(Label(span=name.span, message=f"defined as {_a(definition.kind)}"),),
                hint=f"write `{sort} {name.text}(…)`, or {_CONVERSIONS[definition.kind]}",
            ),
            self.draft,
        )

    def _report_condition(self, formula: Formula) -> None:
        self.work.report(
            error(
                "K004",
                "a condition alone says when nothing happens: it is always true or never",
                formula.span,
                label="a timeless condition",
                hint="join it with an event: `ais(V, S) and S > 3`",
            ),
            self.draft,
        )

    def sort(self, node: Formula) -> Sort | None:
        """The sort of a formula; None when something in it is wrong and was reported."""
        match node:
            case Atom():
                return self._atom(node)
            case Comparison():
                return "condition"
            case And():
                sorts = [self._operand(part, _CONNECTED, "`and` joins") for part in node.operands]
                return _first_event(sorts)
            case Or():
                return self._disjunction(node)
            case Not():
                return self._operand(node.operand, _CONNECTED, "`not` negates")
            case In():
                word = "not in" if node.negated else "in"
                self._operand(node.event, _EVENT, f"the left of `{word}` takes")
                self._operand(node.state, _STATE, f"the right of `{word}` takes")
                return "event"
            case Start() | End():
                word = "start" if isinstance(node, Start) else "end"
                self._operand(node.operand, _STATE, f"`{word}` takes")
                return "event"
            case MaximalRange():
                self._operand(node.start, _EVENT, "`~>` joins")
                self._operand(node.stop, _EVENT, "`~>` joins")
                return "state"
            case Repeat():
                self._operand(node.event, _EVENT, "`repeat` takes")
                if node.condition is not None:
                    self._operand(node.condition, _CONDITION, "after its gap `repeat` takes")
                return "state"
            case Union() | Intersection():
                word = "union" if isinstance(node, Union) else "intersection"
                for part in node.operands:
                    self._operand(part, _STATE, f"`{word}` joins")
                return "state"
            case Complement():
                self._operand(node.left, _STATE, "`complement` joins")
                self._operand(node.right, _STATE, "`complement` joins")
                return "state"
            case Lasting():
                return self._operand(node.operand, _INTERVALS, "`lasting` takes")
            case Then():
                self._operand(node.left, _STEP, "`then` joins")
                self._operand(node.right, _STEP, "`then` joins")
                return "state"
            case Relation():
                return self._relation(node)
            case Where():
                sort = self._operand(node.operand, _ANY, "`where` filters")
                self._operand(node.condition, _CONDITION, "`where` takes")
                return sort
            case Exists():
                return self.sort(node.operand)
            case _:
                assert_never(node)

    def _atom(self, atom: Atom) -> Sort | None:
        symbol = self.work.symbols.get(atom.name.text)
        if symbol is None or symbol.is_parameter:
            return None
        return symbol.kind or "condition"

    def _disjunction(self, node: Or) -> Sort | None:
        sorts = [self._operand(part, _CONNECTED, "`or` joins") for part in node.operands]
        known = [sort for sort in sorts if sort is not None]
        if len(set(known)) <= 1:
            return known[0] if len(known) == len(sorts) else None
        event = node.operands[sorts.index("event")]
        condition = node.operands[sorts.index("condition")]
        self.work.report(
            error(
                "K003",
                "`or` joins two events or two conditions, not one of each",
                condition.span,
                label="a condition",
                related=(Label(span=event.span, message="an event"),),
                hint="say which event the condition is about: `a(X) or (b(X) and X > 3)`",
            ),
            self.draft,
        )
        return None

    def _relation(self, node: Relation) -> Sort | None:
        if node.mode is not None:
            takes = f"`{node.name} … as {node.mode}` relates"
            self._operand(node.left, _STATE, takes)
            self._operand(node.right, _STATE, takes)
        else:
            left, right = _RELATIONS[INVERSES.get(node.name, node.name)]
            if node.name in INVERSES:
                left, right = right, left
            self._operand(node.left, left, f"the left of `{node.name}` takes")
            self._operand(node.right, right, f"the right of `{node.name}` takes")
        if node.within is not None and node.name not in ("before", "after"):
            self.work.report(
                error(
                    "K008",
                    f"`within` limits the gap of `before` and `after`; `{node.name}` has none",
                    node.within.span,
                    label="no gap to limit",
                    hint="leave it out, or use `lasting` to limit a duration",
                ),
                self.draft,
            )
        return "state" if node.mode is not None else "dynamic"

    def _operand(self, node: Formula, wanted: tuple[Sort, ...], operator: str) -> Sort | None:
        sort = self.sort(node)
        if sort is None or sort in wanted:
            return sort
        symbol = self.work.symbols.get(node.name.text) if isinstance(node, Atom) else None
        subject = f"`{symbol.name}`" if symbol is not None else "this"
        what = "a fact" if symbol is not None and symbol.is_fact else _a(sort)
        self.work.report(
            error(
                "K005" if sort == "condition" or wanted == _CONDITION else "K002",
                f"{operator} {_plural(wanted)}, but {subject} is {what}",
                node.span,
                label=what,
                related=_declared(symbol),
                hint=_remedy(node.span, sort, wanted),
            ),
            self.draft,
        )
        return None


def _first_event(sorts: list[Sort | None]) -> Sort | None:
    if "event" in sorts:
        return "event"
    return None if None in sorts else "condition"


def _declared(symbol: Symbol | None) -> tuple[Label, ...]:
    return (Label(span=symbol.span, message="defined here"),) if symbol is not None else ()


def _a(sort: str) -> str:
    return {"event": "an event", "dynamic": "a dynamic phenomenon"}.get(sort, f"a {sort}")


_PLURALS = {
    "event": "events", "state": "states", "dynamic": "dynamic phenomena", "condition": "conditions",
}  # fmt: skip
_CONVERSIONS = {
    "event": "take its `start(…)` or `end(…)`",
    "state": "make a state of it, with `~>` say",
    "dynamic": "relate it with another phenomenon",
}


def _plural(wanted: tuple[Sort, ...]) -> str:
    return " or ".join(_PLURALS[sort] for sort in wanted)


def _remedy(span: Span, sort: Sort, wanted: tuple[Sort, ...]) -> str:
    text = " ".join(span.text.split())
    shown = text if len(text) <= 40 else "…"
    if sort == "state" and "event" in wanted:
        return f"write `start({shown})` or `end({shown})`"
    if sort == "event" and "state" in wanted:
        return "make a state of it: from this event to another, `… ~> …`"
    if sort == "dynamic" and "state" in wanted:
        return "give the relation a mode: `… as union` is a state"
    if sort == "dynamic":
        return "dynamic phenomena stand in relations only: `… before …`"
    if sort == "condition" and "condition" not in wanted:
        return "join it with an event (`and`), or filter with `where`"
    if wanted == _CONDITION:
        return "a condition compares values or asks a fact; join phenomena with `and`"
    return f"use {_plural(wanted)} here"
