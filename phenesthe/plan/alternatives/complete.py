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
from phenesthe.check.contexts import Context, list_parts
from phenesthe.check.program import (
    Checked,
    CheckedDefinition,
    CheckedExclusive,
    CheckedMachine,
)
from phenesthe.check.scopes import Names
from phenesthe.plan.alternatives.binders import choose_conditions
from phenesthe.plan.alternatives.distribute import Distribution
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
    for name, source in [*trees.contexts.items()]:
        trees.contexts[name] = _Completion(trees).complete(source, (), _NONE)


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
            return cast(Formula, self.trees.change_aggregated(node, self._complete_aggregated))
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
            case Where() if not self.trees.is_event(node):
                found[0] = self._extend(found[0], self.trees.find_untold(node), around)
        if isinstance(node, Let):
            node = self.trees.change_values(node, self._complete_aggregated)
            return self.trees.make(replace(node, operand=found[0]), node)
        if isinstance(node, Counting):
            return self.trees.make(replace(node, operand=found[0]), node)
        return self.trees.replace_parts(node, tuple(found))

    def _complete_aggregated(self, node: Formula) -> Formula:
        """What is aggregated has no context but its own."""
        return self.complete(node, (), _NONE)

    def _find_inside(self, node: Formula, known: Names) -> list[Names]:
        """By part, what it can be asked for."""
        match node:
            case And():
                return [known | self.scopes.bound(node)] * len(node.operands)
            case Or():
                return [known] * len(node.operands)
            case Where() if self.trees.is_event(node) and not has_aggregates(node.condition):
                return [known | self.scopes.bound(node)] * 2
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
            case Then() | Relation() | Complement() | Where():
                return [_NONE] * 2
            case MaximalRange():
                return [_NONE] * (1 if node.stop is None else 2)
            case Repeat():
                return [_NONE] * (1 if node.condition is None else 2)
            case _:
                raise AssertionError(f"lacks nothing: {type(node).__name__}")

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
