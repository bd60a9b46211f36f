"""Alternatives that lack a variable get it of their context, so that all have the same ones.

`((a(X) union b()) lasting > 5) intersection p(X)`: b holds for every X that p has, now or ever. As
all operators act per binding, and a value that the context does not have meets nothing in it, it
is enough that each alternative holds for the values that the context has at any time. What an
event formula is asked row by row needs no more than the rows; see also `distribute`.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never, cast

from phenesthe.check.aggregates import has_aggregates
from phenesthe.check.contexts import Beside, Context, list_parts
from phenesthe.check.program import (
    Checked,
    CheckedDefinition,
    CheckedExclusive,
    CheckedMachine,
)
from phenesthe.check.scopes import Names
from phenesthe.plan.alternatives.binders import choose_conditions
from phenesthe.plan.alternatives.distribute import Distribution
from phenesthe.plan.alternatives.ties import find_ties
from phenesthe.plan.alternatives.trees import Trees
from phenesthe.plan.varying import provide_durations
from phenesthe.plan.varying_exclusives import spell_out
from phenesthe.syntax.tree import (
    After,
    And,
    Complement,
    Counting,
    End,
    Exists,
    Formula,
    In,
    Intersection,
    Lasting,
    Let,
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

_NONE: Names = frozenset()


def provide_definition(trees: Trees, definition: Checked) -> Checked:
    """The definition with operands that have the variables of their durations."""
    definition = spell_out(trees, definition)
    return _change_bodies(definition, lambda body: provide_durations(trees, body))


def complete_definition(trees: Trees, definition: Checked) -> Checked:
    """The definition with what each alternative that lacks a variable holds for."""
    completion = _Completion(trees)
    return _change_bodies(definition, lambda body: completion.complete(body, (), _NONE))


def _change_bodies(definition: Checked, change: Callable[[Formula], Formula]) -> Checked:
    match definition:
        case CheckedDefinition(body=body):
            return replace(definition, body=change(body))
        case CheckedExclusive(branches=branches):
            found = []
            for branch in branches:
                made = change(branch.body)
                assert isinstance(made, MaximalRange)
                found.append(replace(branch, body=made))
            return replace(definition, branches=tuple(found))
        case CheckedMachine(transitions=transitions):
            moves = [
                one if isinstance(one.when, After) else replace(one, when=change(one.when))
                for one in transitions
            ]
            return replace(definition, transitions=tuple(moves))
        case _:
            assert_never(definition)


def complete_contexts(trees: Trees) -> None:
    """Alternatives in a context have contexts of their own, which are smaller."""
    done: set[str] = set()
    while pending := trees.contexts.keys() - done:
        for name in sorted(pending):
            trees.contexts[name] = _Completion(trees).complete(trees.contexts[name], (), _NONE)
        done |= pending


class _Completion:
    """Of one definition."""

    def __init__(self, trees: Trees) -> None:
        self.trees, self.scopes = trees, trees.scopes
        self.distribution = Distribution(trees)

    def complete(self, node: Formula, around: Context, known: Names) -> Formula:
        """`known` are variables that have a value where the formula is asked for one row."""
        if not self.trees.has_lacking(node):
            return node
        if self.scopes.is_condition(node):
            return self._complete_condition(node, known)
        if not self.trees.lacks(node):
            known = _NONE  # it is looked at by itself, whatever stands around it
        node = self.distribution.distribute(node, known)
        parts = list_parts(node, around)
        inside = self._find_inside(node, known)
        found = [
            self.complete(part, context, names)
            for (part, context), names in zip(parts, inside, strict=True)
        ]
        match node:
            case Or() | Union() if not self.distribution.is_apart(node):
                for at, missing in enumerate(self.trees.find_missing(node)):
                    found[at] = self._extend(found[at], missing - known, around)
            case And():
                found += self._untie(node.operands, known)
            case Where() if not self.trees.is_event(node):
                found[0] = self._extend(found[0], self.trees.find_untold(node), around)
            case Where() if has_aggregates(node.condition):
                unasked = self.trees.find_unasked(replace(node, operand=found[0]))
                found[0] = self._extend(found[0], unasked, parts[0][1])
            case Where():
                tied = self._untie((node.operand, node.condition), known)
                found[1] = self._conjoin(found[1], tied)
        if isinstance(node, Let):
            node = self.trees.change_values(node, self._complete_aggregated)
            return self.trees.make(replace(node, operand=found[0]), node)
        if isinstance(node, Counting):
            return self.trees.make(replace(node, operand=found[0]), node)
        if isinstance(node, And):
            return self.trees.make(replace(node, operands=tuple(found)), node)
        return self.trees.replace_parts(node, tuple(found))

    def _complete_condition(self, node: Formula, known: Names) -> Formula:
        made = cast(Formula, self.trees.change_aggregated(node, self._complete_aggregated))
        return self._untie_condition(made, known)

    def _untie_condition(self, node: Formula, known: Names) -> Formula:
        match node:
            case And():
                inside = self._find_before(node.operands, known)
                found = map(self._untie_condition, node.operands, inside)
                operands = (*found, *self._untie(node.operands, known))
                return self.trees.make(replace(node, operands=operands), node)
            case Or():
                parts = tuple([self._untie_condition(part, known) for part in node.operands])
                return self.trees.replace_parts(node, parts)
            case Not() | Exists():
                return self.trees.replace_parts(node, (self._untie_condition(node.operand, known),))
            case _:
                return node

    def _untie(self, parts: tuple[Formula, ...], known: Names) -> list[Formula]:
        """Conditions that let the parts be looked at one after the other.

        Two may wait for each other: `(a(X) or b(X, Y)) and (c(Y) or d(X, Y))`. One of them then
        begins with all values that the other one can have.
        """
        return [
            condition
            for name in find_ties(self.scopes, parts, known)
            for condition in choose_conditions(
                self.trees, frozenset((name,)), _NONE, (Beside(parts, len(parts)),)
            )
        ]

    def _conjoin(self, condition: Formula, others: list[Formula]) -> Formula:
        if not others:
            return condition
        made = And(span=condition.span, operands=(condition, *others))
        return self.trees.make(made, condition)

    def _complete_aggregated(self, node: Formula) -> Formula:
        """What is aggregated has no context but its own."""
        return self.complete(node, (), _NONE)

    def _find_inside(self, node: Formula, known: Names) -> list[Names]:
        """By part, what it can be asked for."""
        match node:
            case And():
                return self._find_before(node.operands, known)
            case Or():
                return [known] * len(node.operands)
            case Where() if self.trees.is_event(node) and not has_aggregates(node.condition):
                return self._find_before((node.operand, node.condition), known)
            case Where():
                return [_NONE, self.scopes.free(node.operand)]
            case Not():
                return [known]
            case Exists():
                return [known]
            case In():
                inside = _NONE if node.negated else self.scopes.free(node.state)
                return [known | inside, _NONE]
            case Start() | End() | Lasting() | Counting() | Let():
                return [_NONE]
            case Union() | Intersection():
                return [_NONE] * len(node.operands)
            case Then() | Relation() | Complement():
                return [_NONE] * 2
            case MaximalRange():
                return [_NONE] * (1 if node.stop is None else 2)
            case Repeat():
                return [_NONE] * (1 if node.condition is None else 2)
            case _:
                raise AssertionError(f"lacks nothing: {type(node).__name__}")

    def _find_before(self, parts: tuple[Formula, ...], known: Names) -> list[Names]:
        """By part of a conjunction, what surely has a value when it is looked at: what it waits
        for, as far as another part has it."""
        bound = [self.scopes.bound(part) for part in parts]
        given = _NONE.union(*bound)
        return [
            known | ((self.scopes.free(part) - own) & given)
            for part, own in zip(parts, bound, strict=True)
        ]

    def _extend(self, node: Formula, missing: Names, around: Context) -> Formula:
        """The formula for every value that the context has of what is missing."""
        if not missing:
            return node
        conditions = choose_conditions(self.trees, missing, self.scopes.free(node), around)
        if self.trees.is_event(node):
            parts = node.operands if isinstance(node, And) else (node,)
            made: Formula = And(span=node.span, operands=(*parts, *conditions))
            return self._mark_extended(made, node)
        condition = conditions[0]
        if len(conditions) > 1:
            condition = self.trees.make(
                And(span=node.span, operands=tuple(conditions)), conditions[0]
            )
        made = Where(span=node.span, operand=node, condition=condition)
        return self._mark_extended(made, node)

    def _mark_extended(self, made: Formula, like: Formula) -> Formula:
        self.trees.extended.add(id(made))
        return self.trees.make(made, like)
