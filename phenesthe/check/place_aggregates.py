"""Pass 6: what an aggregate shares with what stands before it, and what only its rows have.

A conjunction of an event with conditions that have aggregates becomes the rest of the conjunction,
filtered: `a(V) and count(b(V) over 5m) > 2` is `a(V) where count(b(V) over 5m) > 2`, however its
parts are put in parentheses. So there is one form in which an aggregate stands.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from phenesthe.check.aggregates import (
    Anonymous,
    has_aggregates,
    list_row_variables,
)  # fmt: skip
from phenesthe.check.close_scopes import close
from phenesthe.check.scopes import Names, Scopes
from phenesthe.check.work import Draft, Work
from phenesthe.diagnostics.model import Edit, Label
from phenesthe.diagnostics.report import error
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import (
    Aggregate,
    And,
    Assignment,
    Counting,
    Formula,
    Let,
    Value,
    Variable,
    Where,
)  # fmt: skip
from phenesthe.syntax.tree.walk import Expression, children, walk, with_children
from phenesthe.syntax.values import is_formula

_NONE: Names = frozenset()


def place_aggregates(work: Work, draft: Draft) -> None:
    if draft.broken or not draft.list_nodes(Aggregate):
        return
    head = {variable.name: variable.span for variable in draft.declaration.head.variables}
    anonymous = Anonymous(Scopes(work.is_fact))
    bodies = []
    for body in draft.bodies:
        if any(isinstance(node, Aggregate) for node in walk(body)):
            body = _Placing(work, draft, _find_outside(body) | head, anonymous).place(body)
        bodies.append(body)
    draft.bodies = bodies


def list_outside(node: Expression) -> Iterator[Variable]:
    """The variables of what is in no aggregate."""
    if isinstance(node, Variable):
        yield node
    elif not isinstance(node, Aggregate):
        local = node.local if isinstance(node, Counting) else _NONE
        for part in children(node):
            yield from (one for one in list_outside(part) if one.name not in local)


def _find_outside(node: Formula) -> dict[str, Span]:
    found: dict[str, Span] = {}
    for one in list_outside(node):
        found.setdefault(one.name, one.span)
    return found


class _Placing:
    def __init__(
        self, work: Work, draft: Draft, outside: dict[str, Span], anonymous: Anonymous
    ) -> None:
        """`anonymous` gives no two of a definition the same name."""
        self.work, self.draft, self.outside = work, draft, outside
        self.scopes, self.anonymous = Scopes(work.is_fact), anonymous
        self._mentioned: Names | None = None

    def place(self, node: Formula) -> Formula:
        if self.scopes.is_condition(node):
            # It belongs to what it filters as a whole, and its aggregates are settled there.
            return node
        match node:
            case And() if any(self._asks(part) for part in _flatten(node)):
                return self._filter(node, [self.place(part) for part in _flatten(node)])
            case Where() if has_aggregates(node.condition):
                operand = self.place(node.operand)
                known = self.scopes.free(operand)
                settled = cast(Formula, self._settle(node.condition, known))
                return replace(node, operand=operand, condition=settled)
            case Let() if has_aggregates(node):
                return self._compute(node)
            case Counting():
                # What is counted is outside of the aggregates inside.
                outside = _find_outside(node.operand) | self.outside
                inner = _Placing(self.work, self.draft, outside, self.anonymous)
                return replace(node, operand=inner.place(node.operand))
            case _:
                parts = children(node)
                placed = tuple([self.place(one) if is_formula(one) else one for one in parts])
                if all(new is part for new, part in zip(placed, parts, strict=True)):
                    return node
                return cast(Formula, with_children(node, placed))

    def _filter(self, node: And, parts: list[Formula]) -> Formula:
        asking = [one for one in parts if self._asks(one)]
        rest = tuple([one for one in parts if not self._asks(one)])
        operand = rest[0] if len(rest) == 1 else And(span=node.span, operands=rest)
        condition = asking[0] if len(asking) == 1 else And(span=node.span, operands=tuple(asking))
        settled = self._settle(condition, self.scopes.free(operand))
        return Where(span=node.span, operand=operand, condition=cast(Formula, settled))

    def _asks(self, node: Formula) -> bool:
        return self.scopes.is_condition(node) and has_aggregates(node)

    def _compute(self, node: Let) -> Let:
        operand = self.place(node.operand)
        known = self.scopes.free(operand)
        assignments: list[Assignment] = []
        for one in node.assignments:
            value = cast(Value, self._settle(one.value, known))
            assignments.append(replace(one, value=value))
            known |= {one.variable.name}
        return replace(node, operand=operand, assignments=tuple(assignments))

    def _settle(self, node: Expression, known: Names) -> Expression:
        """A condition or value with its aggregates settled."""
        if isinstance(node, Aggregate):
            return self._settle_aggregate(node, known)
        parts = children(node)
        settled = tuple([self._settle(part, known) for part in parts])
        if all(new is part for new, part in zip(settled, parts, strict=True)):
            return node
        return with_children(node, settled)

    def _settle_aggregate(self, node: Aggregate, known: Names) -> Aggregate:
        """`known` are the variables of what the rows are joined with."""
        operand = node.operand
        if node.function != "total":
            operand = self.anonymous.name(operand)
        free = self.scopes.free(operand)
        self._check(node, operand, known)
        asked = frozenset([one.name for one in node.of])
        rows = asked & free
        if node.function != "total":
            rows |= list_row_variables(operand, self.scopes)
        kept = rows | (free & known)
        local = tuple(sorted((free | asked) - known))
        return replace(node, operand=close(operand, kept, self.scopes), local=local)

    def _check(self, node: Aggregate, operand: Formula, known: Names) -> None:
        asked = {one.name: one.span for one in node.of}
        free = self.scopes.free(operand)
        seen: set[str] = set()
        for one in node.of:
            if one.name in seen:
                self._report(f"`{one.name}` is asked for twice", one.span, "again",
                             "leave it out here", asked[one.name], "here already")  # fmt: skip
            elif one.name not in free:
                self._report(f"the rows of `{node.function}` do not have `{one.name}`", one.span,
                             "nothing of this name to compute with",
                             "name a variable of the event after `of`", operand.span,
                             f"no `{one.name}` here")  # fmt: skip
            elif one.name in self.outside:
                self._refuse_outside(node, one)
            seen.add(one.name)
        for name in sorted((free - known - asked.keys()) & self.outside.keys()):
            self._report(f"`{name}` is no variable of what this `{node.function}` belongs to",
                         _find(operand, name), "of which rows?",
                         f"use `{name}` in the formula that is filtered or computed with, or "
                         "another variable here", self.outside[name],
                         f"`{name}` outside")  # fmt: skip

    def _refuse_outside(self, node: Aggregate, asked: Variable) -> None:
        """A value of all rows that is used as one."""
        # What explains a mistake is loaded when there is one.
        from phenesthe.check.suggest_rows import find_mentioned, rename_inside

        name, place = asked.name, self.outside[asked.name]
        hint, fix = "use another variable here, or in the aggregate", None
        if self._mentioned is None:
            self._mentioned = find_mentioned(self.draft.bodies)
        if name in self._mentioned:
            # What has the value outside needs no other name.
            hint, fix = rename_inside(node, name, self.outside)
        self._report(f"`{name}` has many values in `{node.function}`, and so none outside",
                     place, "used outside", hint, asked.span, "of all rows", fix)  # fmt: skip

    def _report(
        self, message: str, place: Span, label: str, hint: str, other: Span, beside: str,
        fix: tuple[Edit, ...] | None = None,
    ) -> None:  # fmt: skip
        related = (Label(span=other, message=beside),)
        found = error("V010", message, place, label=label, related=related, hint=hint, fix=fix)
        self.work.report(found, self.draft)


def _flatten(node: And) -> Iterator[Formula]:
    """The conjuncts, however they are put in parentheses; a `where` is one, too."""
    for part in node.operands:
        if isinstance(part, And):
            yield from _flatten(part)
        elif isinstance(part, Where) and has_aggregates(part.condition):
            inner = And(span=part.span, operands=(part.operand, part.condition))
            yield from _flatten(inner)
        else:
            yield part


def _find(node: Formula, name: str) -> Span:
    places = (one.span for one in walk(node) if isinstance(one, Variable) and one.name == name)
    return next(places, node.span)
