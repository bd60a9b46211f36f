"""Pass 7: every variable gets its value from somewhere (language reference, section Variables)."""

import re
from functools import cached_property
from typing import TYPE_CHECKING, assert_never

from phenesthe.check.aggregates import list_aggregates
from phenesthe.check.contexts import Context, find_given, list_parts
from phenesthe.check.scopes import Names
from phenesthe.check.work import Draft, Work
from phenesthe.diagnostics.model import Edit, Label
from phenesthe.diagnostics.report import error
from phenesthe.syntax.clauses import list_varying, name_varying
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import (
    And,
    Atom,
    Calendar,
    Comparison,
    Complement,
    Counting,
    Definition,
    End,
    ExclusiveState,
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
    Previous,
    Relation,
    Repeat,
    Start,
    Then,
    Union,
    Variable,
    Where,
)  # fmt: skip
from phenesthe.syntax.tree.walk import Expression, walk

if TYPE_CHECKING:
    # What explains mistakes is loaded when there is one.
    from phenesthe.check.suggest_context import Use

#: Of what has several bodies: what one of them is, and all of them are.
_MANY = {
    ExclusiveState: ("the range of this value", "the ranges of all values"),
    Machine: ("the event of this transition", "the events of all transitions"),
}
_NONE: Names = frozenset()
_BESIDE = "this gives it no value there"
_NAMED = re.compile(r"`(\w+)`")


def check_safety(work: Work, draft: Draft) -> None:
    if draft.broken:
        return
    safety = _Safety(work, draft)
    for body in draft.bodies:
        safety.check(body, _NONE)
        safety.check_head(body)
    match draft.declaration:
        case Definition():
            safety.check_joined_sides(draft.bodies[0])
        case ExclusiveState():
            for body in draft.bodies:
                safety.check_joined_sides(body)
            safety.check_value("exclusive state")
        case Machine():
            safety.check_value("machine")
        case _:
            assert_never(draft.declaration)


class _Safety:
    def __init__(self, work: Work, draft: Draft) -> None:
        self.work = work
        self.draft = draft
        self.scopes = work.scopes_of(draft)
        #: Whether an alternative lacks a variable of the others: without one no context matters.
        either: list[Or | Union] = [*draft.list_nodes(Or), *draft.list_nodes(Union)]
        self.has_lacking = any(
            lacked for node in either for _, lacked in self.scopes.list_alternatives(node)
        )
        #: What was reported, by code and place, and the variables that were named.
        self.reported: set[tuple[str, Span]] = set()
        self.told: set[str] = set()
        self._first: dict[int, dict[str, Span]] = {}

    @cached_property
    def uses(self) -> "dict[str, list[Use]]":
        # What explains a mistake is loaded when there is one.
        from phenesthe.check.suggest_context import list_uses

        return list_uses(self.work, self.draft)

    def check_head(self, body: Formula) -> None:
        variables = self.draft.declaration.head.variables
        many = _MANY.get(type(self.draft.declaration))
        if many is not None:
            variables = variables[:-1]
        bound = self.scopes.bound(body)
        occurring = self.scopes.free(body)
        for variable in variables:
            if variable.name in bound or variable.name in self.told:
                continue  # one error about a variable of a definition is enough
            related: tuple[Label, ...] = ()
            if variable.name in occurring:
                place = self._occurrence(body, variable.name)
                related = (Label(span=place, message="this does not give it a value"),)
                hint = f"use `{variable.name}` in a phenomenon that always holds with this one"
            else:
                hint = f"use `{variable.name}` in the formula, or remove it from the head"
                if many is not None:
                    related = (Label(span=body.span, message=f"not in {many[0]}"),)
                    hint = f"use `{variable.name}` in {many[1]}"
            self._report("V001", f"nothing gives `{variable.name}` a value", variable.span,
                         label="in the head", related=related, hint=hint)  # fmt: skip

    def check_joined_sides(self, body: Formula) -> None:
        """What is not in the head of an exclusive state has one side of its range."""
        inner = body.operand if isinstance(body, Exists) else body
        if not isinstance(inner, MaximalRange):
            return
        is_labelled = isinstance(self.draft.declaration, ExclusiveState)
        if inner.stop is None or (inner.value is None and not is_labelled):
            return
        both = self.scopes.free(inner.start) & self.scopes.free(inner.stop)
        for name in sorted(both - frozenset(self.draft.head)):
            right = self._occurrence(inner.stop, name)
            self._report(
                "V007",
                f"`{name}` joins both sides of a value of an exclusive state",
                self._occurrence(inner.start, name),
                label="on both sides of `~>`, but not in the head",
                related=(Label(span=right, message="the other side"),),
                hint=f"add `{name}` to the head, or use two different variables",
            )

    def check_value(self, what: str) -> None:
        """The last head variable takes what holds, and nothing may ask for it."""
        value = self.draft.declaration.head.variables[-1].name
        for body in self.draft.bodies:
            inner = body.operand if isinstance(body, Exists) else body
            if value in self.scopes.free(inner):
                self._report(
                    "V007",
                    f"`{value}` takes the value of the {what} and cannot be used in it",
                    self._occurrence(inner, value),
                    label="used here",
                    hint="use another variable",
                )

    def check(self, node: Formula, available: Names, around: Context = ()) -> None:
        """`available` has a value from the conjunction that `node` is part of."""
        contexts = [one for _, one in list_parts(node, around)]
        self._check_durations(node, around)
        match node:
            case Atom() | Calendar():
                pass
            case Comparison():
                self._check_comparison(node, available)
            case And():
                here = available | self._find_bound(node, around)
                for part, context in zip(node.operands, contexts, strict=True):
                    self.check(part, here, context)
            case Or():
                self._check_alternatives(node, "or", around)
                for part in node.operands:
                    self.check(part, available, around)
            case Not():
                self._check_negation(node, available, around)
            case In():
                event = self._find_bound(node.event, contexts[0])
                self.check(node.event, available, contexts[0])
                self.check(node.state, _NONE, contexts[1])
                if node.negated:
                    unknown = self.scopes.free(node.state) - event - available
                    self._check_within(node.state, unknown, "V002", "`not in`")
            case MaximalRange():
                self.check(node.start, _NONE, contexts[0])
                if node.stop is not None:
                    self.check(node.stop, _NONE, contexts[1])
                    unknown = self.scopes.free(node.stop) - self.scopes.free(node.start)
                    self._check_within(node.stop, unknown, "V003", "`~>`")
            case Complement():
                self.check(node.left, _NONE, contexts[0])
                self.check(node.right, _NONE, contexts[1])
                unknown = self.scopes.free(node.right) - self.scopes.free(node.left)
                self._check_within(node.right, unknown, "V003", f"`{node.name}`")
            case Union():
                self._check_alternatives(node, "union", around)
                for part in node.operands:
                    self.check(part, _NONE, around)
            case Intersection():
                for part, context in zip(node.operands, contexts, strict=True):
                    self.check(part, _NONE, context)
            case Start() | End() | Lasting() | Counting():
                self.check(node.operand, _NONE, around)
            case Then() | Relation():
                self.check(node.left, _NONE, contexts[0])
                self.check(node.right, _NONE, contexts[1])
            case Repeat():
                self._check_repeat(node, around)
            case Where():
                here = available | self._find_bound(node, around)
                self.check(node.operand, here, contexts[0])
                self.check(node.condition, here, contexts[1])
            case Let():
                self._check_let(node, contexts[0])
            case Exists():
                self.check(node.operand, available, around)
            case _:
                assert_never(node)

    def _find_bound(self, node: Formula, around: Context) -> Names:
        """Also what alternatives lack and the context binds."""
        given = find_given(around, self.scopes) if self.has_lacking else _NONE
        return self.scopes.bound(node, given)

    def _check_durations(self, node: Formula, around: Context) -> None:
        varying = list(list_varying(node))
        if not varying:
            return
        from phenesthe.check.varying import explain_varying, find_values

        known = find_values(node, around, self.scopes)
        for clause, variable in varying:
            if variable.name not in known:
                remedy = explain_varying(self.work, self.draft, clause, variable)
                self._report(
                    "V002",
                    f"nothing gives `{variable.name}` a value for this `{clause.word}`",
                    variable.span,
                    label="no value",
                    hint=remedy.hint,
                    fix=remedy.fix,
                )

    def _check_comparison(self, node: Comparison, available: Names) -> None:
        if self._check_previous(node):
            self._check_values(node, available)
        self._check_aggregates(node)

    def _check_let(self, node: Let, around: Context) -> None:
        """Each value comes of the row that is there and of the values before it."""
        self.check(node.operand, _NONE, around)
        known = self._find_bound(node.operand, around)
        taken = self.scopes.free(node.operand)
        for one in node.assignments:
            name = one.variable.name
            self._check_previous(one.value)
            self._check_aggregates(one.value)
            for missing in sorted(self.scopes.free(one.value) - known):
                self._report(
                    "V002",
                    f"nothing gives `{missing}` a value in this `let`",
                    self._occurrence(one.value, missing),
                    label="no value",
                    hint=f"use `{missing}` in the formula before `let`, or compute it first",
                )
            if name in taken:
                self._report(
                    "V009",
                    f"`{name}` has a value already",
                    one.variable.span,
                    label="`let` gives a value to a new variable",
                    related=(
                        Label(
                            span=self._occurrence(node, name),
                            message="it has its value from here",
                        ),
                    ),
                    hint=f"choose another name, or compare with it: `where {name} == …`",
                )
            taken |= {name}
            known |= {name}

    def _check_aggregates(self, node: Expression) -> None:
        """The rows of each have their values of its own formula, whatever is around it."""
        for one in list_aggregates(node):
            self.check(one.operand, _NONE)
            missing = self.scopes.free(one.operand) - self.scopes.bound(one.operand) - self.told
            for name in sorted(missing):
                self._report(
                    "V002",
                    f"nothing gives `{name}` a value in the rows of this `{one.function}`",
                    self._occurrence(one.operand, name),
                    label="no value",
                    hint=f"use `{name}` in a phenomenon of these rows, in every alternative",
                )

    def _check_previous(self, value: Expression) -> bool:
        for part in walk(value):
            if isinstance(part, Previous):
                self._report(
                    "V005",
                    f"`prev({part.variable.name})` stands outside the condition of a `repeat`",
                    part.span,
                    label="no previous occurrence here",
                    hint=self._suggest_last(part),
                )
                return False
        return True

    def _suggest_last(self, previous: Previous) -> str:
        # As above.
        from phenesthe.check.suggest_rows import suggest_rows

        name = previous.variable.name
        inside = f"inside of one: `repeat … while gap < 10m and {name} > prev({name})`"
        last = suggest_rows(self.work, self.draft, previous.span)
        return inside if last is None else f"{last}; or {inside}"

    def _check_values(self, node: Comparison, available: Names) -> None:
        for name in sorted(self.scopes.free(node) - available):
            if name in self.told:
                continue
            place = self._occurrence(node, name)
            # As above.
            from phenesthe.check.unbound import explain_unbound

            what, remedy = explain_unbound(self.work, self.draft, node, name, place)
            self._report(
                "V002",
                what,
                place,
                label="no value",
                hint=remedy.hint,
                fix=remedy.fix,
            )

    def _check_negation(self, node: Not, available: Names, around: Context) -> None:
        if self.scopes.is_condition(node.operand):
            # Its own facts may give its local variables a value.
            self.check(node.operand, available, around)
            inner = self.scopes.free(node.operand) - available
            for name in sorted(inner):
                self._report_unbound(node.operand, name, "`not`")
            return
        self.check(node.operand, _NONE, around)
        self._check_within(
            node.operand, self.scopes.free(node.operand) - available, "V002", "`not`"
        )

    def _check_within(self, node: Formula, unknown: Names, code: str, operator: str) -> None:
        for name in sorted(unknown):
            if code == "V002":
                self._report_unbound(node, name, operator)
            else:
                self._report(
                    code,
                    f"`{name}` occurs on the right of {operator}, but not on its left",
                    self._occurrence(node, name),
                    label="no value from the left",
                    hint=f"use `{name}` on the left too, or `_` here if any value will do",
                )

    def _report_unbound(self, node: Formula, name: str, operator: str) -> None:
        self._report(
            "V002",
            f"nothing gives `{name}` a value for this {operator}",
            self._occurrence(node, name),
            label="no value",
            hint=f"join it with `and` to a phenomenon or fact that has `{name}`; if any value "
            "will do, write `_`",
        )

    def _check_alternatives(self, node: Or | Union, word: str, around: Context) -> None:
        if self.scopes.is_condition(node):
            return
        outer = self.scopes.free(node)
        bound = [self.scopes.bound(part) for part in node.operands]
        everywhere = _NONE.union(*bound[:1]).intersection(*bound)
        having: dict[str, int] = {}
        for at, names in enumerate(bound):
            for name in names:
                having.setdefault(name, at)
        unknown = outer & having.keys() - everywhere
        if unknown:
            unknown -= find_given(around, self.scopes)
        for name in sorted(unknown):
            # As above.
            from phenesthe.check.suggest_context import find_use_beside, suggest_context

            lacking = next(at for at, names in enumerate(bound) if name not in names)
            place = self._occurrence(node.operands[having[name]], name)
            uses = self.uses.get(name, [])
            beside = find_use_beside(node, uses)
            self._report(
                "V004",
                f"this side of `{word}` gives `{name}` no value, and nothing beside the "
                f"`{word}` does",
                node.operands[lacking].span,
                label=f"no `{name}` here",
                related=(
                    Label(span=place, message="it has a value on this side"),
                    *([] if beside is None else [Label(span=beside, message=_BESIDE)]),
                ),
                hint=suggest_context(self.work, self.draft, node, name, uses),
            )

    def _check_repeat(self, node: Repeat, around: Context) -> None:
        self.check(node.event, _NONE, around)
        if node.condition is None:
            return
        event = self._find_bound(node.event, around)
        here = event | self.scopes.bound(node.condition)
        for part in walk(node.condition):
            if not isinstance(part, Previous):
                continue
            name = part.variable.name
            if name not in node.local:
                why = (
                    "it is the gap, which is the same for all occurrences"
                    if name in name_varying(node)
                    else "it is the same at every occurrence, because it is used outside the "
                    "`repeat`"
                    if name in event
                    else "the event of the `repeat` does not have it"
                )
                self._report(
                    "V006",
                    f"`{name}` has no previous value: {why}",
                    part.span,
                    label="not local to the `repeat`",
                    hint="use a variable that only this `repeat` has",
                )
                here |= {name}
        self._check_condition(node.condition, here)
        for name in sorted(self.scopes.free(node.condition) - event):
            # A fact gives it a value, but another one for every pair of occurrences.
            if name in self.scopes.bound(node.condition):
                self._report(
                    "V006",
                    f"`{name}` is used outside the `repeat`, but only its condition has it",
                    self._occurrence(node.condition, name),
                    label="not in the event of the `repeat`",
                    hint=f"use `{name}` in the event of the `repeat` too",
                )

    def _check_condition(self, node: Formula, available: Names) -> None:
        """As `check`, for a condition in which `prev` is allowed."""
        match node:
            case Comparison():
                self._check_values(node, available)
            case And() | Or():
                here = available | self.scopes.bound(node)
                for part in node.operands:
                    self._check_condition(part, here)
            case Not():
                self._check_condition(node.operand, available)
                for name in sorted(self.scopes.free(node.operand) - available):
                    self._report_unbound(node.operand, name, "`not`")
            case Exists():
                self._check_condition(node.operand, available)
            case _:
                self.check(node, available)

    def _report(
        self, code: str, message: str, span: Span, *, label: str, hint: str,
        related: tuple[Label, ...] = (), fix: tuple[Edit, ...] | None = None,
    ) -> None:  # fmt: skip
        if (code, span) in self.reported:
            return
        self.reported.add((code, span))
        if code in ("V002", "V003", "V004", "V006"):
            self.told.update(_NAMED.findall(message))
        self.work.report(
            error(code, message, span, label=label, related=related, hint=hint, fix=fix),
            self.draft,
        )

    def _occurrence(self, node: Expression, name: str) -> Span:
        """Where a variable first stands in a formula."""
        first = self._first.get(id(node))
        if first is None:
            # The formulas of a definition stay, so that no other node has the id.
            first = self._first[id(node)] = {}
            for part in walk(node):
                if isinstance(part, Variable):
                    first.setdefault(part.name, part.span)
        return first.get(name, node.span)
