"""Pass 4: what each sub-formula is, and whether its operator can take it."""

from typing import assert_never

from phenesthe.check.work import Draft, Sort, Symbol, Work
from phenesthe.diagnostics.model import Label
from phenesthe.diagnostics.report import error
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


def infer_kinds(work: Work, draft: Draft) -> None:
    inference = _Inference(work, draft)
    for body in draft.bodies:
        sort = inference.sort(body)
        if isinstance(draft.declaration, Definition):
            inference.check_definition(draft.declaration, sort)


class _Inference:
    def __init__(self, work: Work, draft: Draft) -> None:
        self.work = work
        self.draft = draft
        self.reported = False

    def check_definition(self, definition: Definition, sort: Sort | None) -> None:
        if sort is None or sort == definition.kind or self.reported:
            return
        name = definition.head.name
        if sort == "condition":
            self._report_condition(definition)
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

    def _report_condition(self, definition: Definition) -> None:
        self.work.report(
            error(
                "K004",
                f"`{definition.head.name.text}` is only a condition, and nothing says when it is "
                "looked at",
                definition.body.span,
                label="no time in it",
                hint=(
                    "join it with an event: `ais(V, S) and S > 3`"
                    if definition.kind == "event"
                    else f"filter a {definition.kind} with it: `… where {_text(definition.body)}`"
                ),
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
        self.reported = True
        self.work.report(
            error(
                "K005" if sort == "condition" or wanted == _CONDITION else "K002",
                f"{operator} {_plural(wanted)}, but {subject} is {what}",
                node.span,
                label=what,
                related=_declared(symbol),
                hint=_remedy(node, sort, wanted, operator),
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
    "state": "make a state of it",
    "dynamic": "relate it with another phenomenon",
}


#: What is used for states where the operator for events was written, and the other way round.
_FOR_STATES = {
    "`and` joins": "join states with `intersection`",
    "`or` joins": "join states with `union`",
    "`not` negates": "take a state away from another with `complement`",
    "the left of `in` takes": "relate two states with `during`",
    "the left of `not in` takes": "take a state away from another with `complement`",
}
_FOR_EVENTS = {
    "`start` takes": "an event is an instant and needs no `start`; or make a state of it, `… ~> …`",
    "`end` takes": "an event is an instant and needs no `end`; or make a state of it, `… ~> …`",
    "the right of `in` takes": "join events at the same instant with `and`",
    "the right of `not in` takes": "join it with `and not`",
    "`union` joins": "join events with `or`; or make a state of it, `… ~> …`",
    "`intersection` joins": "join events with `and`; or make a state of it, `… ~> …`",
    "`lasting` takes": "an event has no duration; a relation is filtered in parentheses: "
    "`(A before B) lasting …`",
}


def _plural(wanted: tuple[Sort, ...]) -> str:
    *others, last = [_PLURALS[sort] for sort in wanted]
    return f"{', '.join(others)} or {last}" if others else last


def _text(node: Formula) -> str:
    text = " ".join(node.span.text.split())
    return text if len(text) <= 40 else "…"


def _remedy(node: Formula, sort: Sort, wanted: tuple[Sort, ...], operator: str) -> str:
    shown = _text(node)
    if wanted == _CONDITION:
        joined = "`and`" if sort == "event" else "`intersection`"
        return f"a condition compares values or asks a fact; join {_PLURALS[sort]} with {joined}"
    if sort == "state" and "event" in wanted:
        instead = f"; or {_FOR_STATES[operator]}" if operator in _FOR_STATES else ""
        return f"write `start({shown})` or `end({shown})`{instead}"
    if sort == "event" and "state" in wanted:
        if "dynamic" in wanted and operator not in _FOR_EVENTS:
            return (
                "events can be before or after anything, start or finish an interval, or be "
                "contained in one; or make a state of it, `… ~> …`"
            )
        return _FOR_EVENTS.get(operator, "make a state of it: from this event to another, `… ~> …`")
    if sort == "dynamic" and "state" in wanted:
        if isinstance(node, Relation):
            return f"give the relation a mode, and it is a state: `{shown} as union`"
        return "use a state; a relation with a mode, `A overlaps B as union`, is one"
    if sort == "dynamic":
        return "dynamic phenomena stand in relations only: `… before …`"
    return "join it with an event (`and`), or filter with `where`"
