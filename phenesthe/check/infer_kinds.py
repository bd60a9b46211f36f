"""Pass 4: what each sub-formula is, and whether its operator can take it."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, assert_never

from phenesthe.check.aggregates import explain_aggregate
from phenesthe.check.kind_words import (
    CONDITION,
    CONVERSIONS,
    inside,
    plural,
    remedy_for,
    with_article,
)
from phenesthe.check.library import find_forgotten
from phenesthe.check.work import Draft, FormulaKind, Symbol, Work
from phenesthe.diagnostics.model import Label
from phenesthe.diagnostics.report import error
from phenesthe.syntax.clauses import list_durations
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import (
    INVERSES,
    Aggregate,
    And,
    Atom,
    Calendar,
    Call,
    Comparison,
    Complement,
    Counting,
    Definition,
    End,
    Exists,
    Formula,
    In,
    Intersection,
    Lasting,
    Let,
    Machine,
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
from phenesthe.syntax.tree.walk import Expression, children, walk
from phenesthe.vocabulary import MOMENTS

if TYPE_CHECKING:
    # What explains mistakes is loaded when there is one.
    from phenesthe.check.mixed_kinds import Remedy

_EVENT: tuple[FormulaKind, ...] = ("event",)
_STATE: tuple[FormulaKind, ...] = ("state",)
_CONNECTED: tuple[FormulaKind, ...] = ("event", "condition")
_INTERVALS: tuple[FormulaKind, ...] = ("state", "dynamic")
_STEP: tuple[FormulaKind, ...] = ("state", "event")
_ANY: tuple[FormulaKind, ...] = ("event", "state", "dynamic")
#: What the seven relations take on their left and on their right.
_RELATIONS: dict[str, tuple[tuple[FormulaKind, ...], tuple[FormulaKind, ...]]] = {
    "before": (_ANY, _ANY),
    "meets": (_INTERVALS, _INTERVALS),
    "overlaps": (_INTERVALS, _INTERVALS),
    "equals": (_INTERVALS, _INTERVALS),
    "starts": (_ANY, _INTERVALS),
    "finishes": (_ANY, _INTERVALS),
    "contains": (_INTERVALS, _ANY),
}

_ENDS = "ask it for `start_time()`, `end_time()` or `duration()`"
#: What a condition or a computation is about, and what can be asked there.
_MOMENTS: dict[FormulaKind, tuple[str, str]] = {
    "event": ("an event", "an event happens at an instant: ask it for `time()`"),
    "state": ("a state", f"a state holds on intervals: {_ENDS}"),
    "dynamic": ("a dynamic phenomenon", f"it is true on intervals: {_ENDS}"),
    "condition": (
        "the condition of a `repeat`",
        "it compares two occurrences: limit the time between them with `gap`, or give the event "
        "its `time()` before: `(a(V) let T = time())`",
    ),
}


def infer_kinds(work: Work, draft: Draft) -> None:
    inference = _Inference(work, draft)
    for body in draft.bodies:
        kind = inference.find_kind(body)
        match draft.declaration:
            case Definition():
                inference.check_definition(draft.declaration, kind)
            case Machine():
                inference.check_transition(body, kind)


class _Inference:
    def __init__(self, work: Work, draft: Draft) -> None:
        self.work = work
        self.draft = draft
        self.reported = False

    def check_transition(self, body: Formula, kind: FormulaKind | None) -> None:
        if kind is not None and kind != "event":
            self._report_operand(body, kind, _EVENT, "a transition of a machine takes")

    def check_definition(self, definition: Definition, kind: FormulaKind | None) -> None:
        if kind is None or kind == definition.kind or self.reported:
            return
        name = definition.head.name
        if kind == "condition":
            self._report_condition(definition)
            return
        remedy = self._convert(definition, kind)
        defined = with_article(definition.kind)
        self.work.report(
            error(
                "K001",
                f"`{name.text}` is defined as {defined}, but its formula is {with_article(kind)}",
                definition.body.span,
                label=with_article(kind),
                related=(Label(span=name.span, message=f"defined as {defined}"),),
                hint=remedy.hint,
                fix=remedy.fix,
            ),
            self.draft,
        )

    def _convert(self, definition: Definition, kind: FormulaKind) -> "Remedy":
        # What explains a mistake is loaded when there is one.
        from phenesthe.check.mixed_kinds import Remedy, relation_as_state, use_in

        body = definition.body
        conversion = CONVERSIONS[definition.kind]
        if isinstance(body, Relation) and definition.kind == "event":
            remedy = use_in(body, self.find_kind(body.left), self.find_kind(body.right))
            if remedy is not None:
                return remedy
        if isinstance(body, Relation) and definition.kind == "state":
            conversion = relation_as_state(body, self._sides(body))
        return Remedy(f"write `{kind} {definition.head.name.text}(…)`, or {conversion}")

    def _report_condition(self, definition: Definition) -> None:
        # What explains a mistake is loaded when there is one.
        from phenesthe.check.suggest_rows import suggest_event

        self.work.report(
            error(
                "K004",
                f"`{definition.head.name.text}` is only a condition, and nothing says when it is "
                "looked at",
                definition.body.span,
                label="no time in it",
                hint=suggest_event(definition),
            ),
            self.draft,
        )

    def find_kind(self, node: Formula) -> FormulaKind | None:
        """The kind of a formula; None when something in it is wrong and was reported."""
        match node:
            case Atom():
                return self._atom(node)
            case Comparison():
                return "condition"
            case Calendar():
                return "state"
            case And():
                return self._conjunction(node)
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
                if node.stop is not None:
                    self._operand(node.start, _EVENT, "`~>` joins")
                    self._operand(node.stop, _EVENT, "`~>` joins")
                else:
                    word = next(clause.word for clause, _ in list_durations(node))
                    self._operand(node.start, _EVENT, f"the left of `{word}` takes")
                return "state"
            case Repeat():
                self._operand(node.event, _EVENT, "`repeat` takes")
                if node.condition is not None:
                    self._operand(node.condition, CONDITION, "after its gap `repeat` takes")
                    self._check_moments((node.condition,), "condition")
                return "state"
            case Union() | Intersection():
                word = "union" if isinstance(node, Union) else "intersection"
                for part in node.operands:
                    self._operand(part, _STATE, f"`{word}` joins")
                return "state"
            case Complement():
                self._operand(node.left, _STATE, f"`{node.name}` joins")
                self._operand(node.right, _STATE, f"`{node.name}` joins")
                return "state"
            case Lasting():
                return self._operand(node.operand, _INTERVALS, "`lasting` takes")
            case Counting():
                self._operand(node.operand, _STATE, f"`{node.word}` counts over")
                return "state"
            case Then():
                self._operand(node.left, _STEP, "`then` joins")
                self._operand(node.right, _STEP, "`then` joins")
                return "state"
            case Relation():
                return self._relation(node)
            case Where():
                kind = self._operand(node.operand, _ANY, "`where` filters")
                self._operand(node.condition, CONDITION, "`where` takes")
                self._check_moments((node.condition,), kind)
                return kind
            case Let():
                kind = self._operand(node.operand, _ANY, "`let` computes with")
                self._check_moments([one.value for one in node.assignments], kind)
                return kind
            case Exists():
                return self.find_kind(node.operand)
            case _:
                assert_never(node)

    def _atom(self, atom: Atom) -> FormulaKind | None:
        symbol = self.work.symbols.get(atom.name.text)
        if symbol is None:
            # That an import is missing was said; what it would bring may be mixed up all the same.
            view = self.work.look_from(self.draft.symbol.file)
            found = find_forgotten(atom.name.text, len(atom.arguments))
            if found is None or view.may_declare(atom.name.text):
                return None
            return found.kind or "condition"
        if symbol.is_parameter or symbol.name in self.work.contested:
            return None
        return symbol.kind or "condition"

    def _conjunction(self, node: And) -> FormulaKind | None:
        kinds = [self.find_kind(inside(part)) for part in node.operands]
        told = False
        for at, (part, kind) in enumerate(zip(node.operands, kinds, strict=True)):
            if kind is None or kind in _CONNECTED or (told and "event" not in kinds):
                continue
            told = True
            operator = "`not` negates" if isinstance(part, Not) else "`and` joins"
            remedy = None
            if kind == "state":
                whole = self.draft.symbol.kind if node is self.draft.bodies[0] else None
                # As above.
                from phenesthe.check.mixed_kinds import explain_conjunction

                remedy = explain_conjunction(node, kinds, at, whole)
            self._report_operand(inside(part), kind, _CONNECTED, operator, remedy)
        if "event" in kinds:
            conditions = zip(node.operands, kinds, strict=True)
            self._check_moments([part for part, kind in conditions if kind == "condition"], "event")
        kept = [kind if kind in _CONNECTED else None for kind in kinds]
        return _first_event(kept)

    def _sides(self, node: Formula) -> tuple[FormulaKind | None, ...]:
        """What the sides of a relation are, where they are single phenomena."""
        if not isinstance(node, Relation):
            return ()
        return tuple(
            self._atom(side) if isinstance(side, Atom) else None for side in (node.left, node.right)
        )

    def _check_moments(self, parts: Iterable[Expression], kind: FormulaKind | None) -> None:
        """Of an event its instant can be asked, of an interval its ends."""
        for part in parts:
            for node in _walk_row(part):
                if isinstance(node, Aggregate):
                    self._aggregate(node, kind)
                if kind is None or not isinstance(node, Call) or node.function not in MOMENTS:
                    continue
                if kind == "condition" or (kind == "event") != (node.function == "time"):
                    self._report_moment(node, kind)

    def _aggregate(self, node: Aggregate, kind: FormulaKind | None) -> None:
        wanted, what = (_STATE, "measures") if node.function == "total" else (_EVENT, "looks at")
        operand = self.find_kind(node.operand)
        if operand == "condition":
            self._report_operand(
                node.operand, operand, wanted, f"`{node.function}` {what}", self._rewrite(node)
            )
            return
        if operand is not None and operand not in wanted:
            self._report_operand(node.operand, operand, wanted, f"`{node.function}` {what}")
        for inner in walk(node.operand):
            if isinstance(inner, Aggregate):
                self.reported = True
                self._refuse_aggregate(
                    f"`{inner.function}` stands inside `{node.function}`", inner.span,
                    "an aggregate inside an aggregate",
                    "compute it first, in a definition of its own or with `let`",
                )  # fmt: skip
        found = explain_aggregate(node, kind, lambda: self._rewrite(node).hint)
        if found is not None:
            self.reported = True
            self._refuse_aggregate(*found)

    def _rewrite(self, node: Aggregate) -> "Remedy":
        # What explains a mistake is loaded when there is one.
        from phenesthe.check.mixed_kinds import Remedy
        from phenesthe.check.suggest_rows import suggest_rows

        return Remedy(
            suggest_rows(self.work, self.draft, node.span) or f"write `{node.function}(… over 1h)`"
        )

    def _refuse_aggregate(self, message: str, place: Span, label: str, hint: str) -> None:
        self.work.report(error("K010", message, place, label=label, hint=hint), self.draft)

    def _report_moment(self, call: Call, kind: FormulaKind) -> None:
        what, hint = _MOMENTS[kind]
        self.reported = True
        self.work.report(
            error(
                "K009",
                f"{what} has no `{call.function}()`",
                call.span,
                label="cannot be asked here",
                hint=hint,
            ),
            self.draft,
        )

    def _disjunction(self, node: Or) -> FormulaKind | None:
        kinds = [self._operand(part, _CONNECTED, "`or` joins") for part in node.operands]
        known = [kind for kind in kinds if kind is not None]
        if len(set(known)) <= 1:
            return known[0] if len(known) == len(kinds) else None
        event = node.operands[kinds.index("event")]
        condition = node.operands[kinds.index("condition")]
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

    def _relation(self, node: Relation) -> FormulaKind | None:
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
        for clause, duration in list_durations(node):
            if node.name not in clause.follows:
                self._no_gap(clause.word, node.name, duration.span)
        if node.mode is not None:
            self._check_mode(node, node.mode)
        return "state" if node.mode is not None else "dynamic"

    def _no_gap(self, word: str, name: str, place: Span) -> None:
        self.work.report(
            error(
                "K008",
                f"`{name}` does not take `{word}`",
                place,
                label="nothing to limit here",
                hint="leave it out, or use `lasting` to limit a duration",
            ),
            self.draft,
        )

    def _check_mode(self, node: Relation, mode: str) -> None:
        if node.apart is not None:
            place, word = node.apart.span, "from"
            message = f"`from` chooses the nearest pairs, but `as {mode}` looks at all of them"
        elif node.within is not None and node.name not in ("before", "after"):
            place, word = node.within.span, "within"
            message = f"`{node.name} … within` does not stand with `as {mode}`"
        else:
            return
        self.work.report(
            error(
                "K008",
                message,
                place,
                label="does not stand with `as`",
                hint=f"leave `{word}` out, or leave out `as {mode}` to get the pairs",
            ),
            self.draft,
        )

    def _operand(
        self, node: Formula, wanted: tuple[FormulaKind, ...], operator: str
    ) -> FormulaKind | None:
        kind = self.find_kind(node)
        if kind is None or kind in wanted:
            return kind
        self._report_operand(node, kind, wanted, operator)
        return None

    def _report_operand(
        self, node: Formula, kind: FormulaKind, wanted: tuple[FormulaKind, ...], operator: str,
        remedy: "Remedy | None" = None,
    ) -> None:  # fmt: skip
        symbol = self.work.symbols.get(node.name.text) if isinstance(node, Atom) else None
        subject = f"`{node.name.text}`" if isinstance(node, Atom) else "this"
        subject = f"`{node.name}`" if isinstance(node, Calendar) else subject
        is_fact = isinstance(node, Atom) and kind == "condition"
        what = "a fact" if is_fact else with_article(kind)
        self.reported = True
        self.work.report(
            error(
                "K005" if kind == "condition" or wanted == CONDITION else "K002",
                f"{operator} {plural(wanted)}, but {subject} is {what}",
                node.span,
                label=what,
                related=_declared(symbol),
                hint=remedy_for(node, kind, wanted, operator, self._sides(node))
                if remedy is None
                else remedy.hint,
                fix=None if remedy is None else remedy.fix,
            ),
            self.draft,
        )


def _walk_row(node: Expression) -> Iterator[Expression]:
    """What is asked of one row: nothing inside an aggregate, which has rows of its own."""
    yield node
    if not isinstance(node, Aggregate):
        for part in children(node):
            yield from _walk_row(part)


def _first_event(kinds: list[FormulaKind | None]) -> FormulaKind | None:
    if "event" in kinds:
        return "event"
    return None if None in kinds else "condition"


def _declared(symbol: Symbol | None) -> tuple[Label, ...]:
    return (Label(span=symbol.span, message="defined here"),) if symbol is not None else ()
