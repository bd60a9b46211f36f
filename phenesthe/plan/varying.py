"""Operators whose durations are variables get operands that have these, each value a positive one.

`(in_port(V, P) lasting > D) where allowed(P, D)`: an operator acts per binding, D being part of it,
so it is the operator of `in_port(V, P) where allowed(P, D)`. What a fact says of variables that the
operand does not have is left to the `where` that is written.
"""

from dataclasses import replace
from typing import assert_never, cast

from phenesthe.check.contexts import Beside, Context, list_parts
from phenesthe.check.scopes import Names, Scopes
from phenesthe.check.varying import list_facts
from phenesthe.plan.alternatives.binders import choose_conditions
from phenesthe.plan.alternatives.trees import Trees
from phenesthe.syntax.clauses import name_varying
from phenesthe.syntax.tree import (
    And,
    Atom,
    Calendar,
    Comparison,
    Complement,
    Counting,
    End,
    Exists,
    Formula,
    In,
    Intersection,
    IntLiteral,
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
    Variable,
    Where,
)  # fmt: skip
from phenesthe.syntax.tree.walk import walk


def has_varying(node: Formula) -> bool:
    return any(name_varying(part) for part in walk(node))


def provide_durations(trees: Trees, node: Formula, around: Context = ()) -> Formula:
    if not has_varying(node):
        return node

    def provide(aggregated: Formula) -> Formula:
        return provide_durations(trees, aggregated)

    if trees.scopes.is_condition(node):
        return cast(Formula, trees.change_aggregated(node, provide))
    parts = list_parts(node, around)
    found = tuple([provide_durations(trees, part, context) for part, context in parts])
    if isinstance(node, Let):
        node = trees.change_values(node, provide)
    if isinstance(node, Counting | Let):
        node = trees.make(replace(node, operand=found[0]), node)
    else:
        node = trees.replace_parts(node, found)
    return _provide(trees, node, around) if name_varying(node) else node


def _provide(trees: Trees, node: Formula, around: Context) -> Formula:
    names = name_varying(node)
    facts = list_facts(around, trees.scopes)
    match node:
        case Lasting():
            operand = _give(trees, node.operand, names, facts)
            return trees.make(replace(node, operand=operand), node)
        case MaximalRange():
            return trees.make(replace(node, start=_give(trees, node.start, names, facts)), node)
        case Repeat():
            return trees.make(replace(node, event=_give(trees, node.event, names, facts)), node)
        case Relation():
            return _provide_sides(trees, node, names, facts)
        case _:
            raise AssertionError(f"takes no duration: {type(node).__name__}")


def _provide_sides(trees: Trees, node: Relation, names: Names, facts: list[Formula]) -> Relation:
    """To what comes first in time, which is what waits; to both sides where either may."""
    free = trees.scopes.free
    told = _list_told(trees, facts)
    sides = {"left": node.left, "right": node.right}
    first, second = ("right", "left") if node.name == "after" else ("left", "right")
    sides[first] = _give(trees, sides[first], names & (free(sides[first]) | told), facts)
    if node.name in ("before", "after"):
        # What neither it nor a fact says, the other side does.
        sides[second] = _give(trees, sides[second], names - free(sides[first]), facts)
    else:
        sides[second] = _give(trees, sides[second], names & (free(sides[second]) | told), facts)
    return trees.make(replace(node, left=sides["left"], right=sides["right"]), node)


def _list_told(trees: Trees, facts: list[Formula]) -> Names:
    return frozenset[str]().union(*map(trees.scopes.bound, facts))


def _give(trees: Trees, node: Formula, names: Names, facts: list[Formula]) -> Formula:
    """The formula for every positive value that it, or a fact, has of the names."""
    if not names:
        return node
    # An alternative that lacks one gets it of its context, as it would any other variable.
    missing = (names - trees.scopes.bound(node)) & _list_told(trees, facts)
    conditions: list[Formula] = []
    if missing:
        context: Context = (Beside((*reversed(facts), node), len(facts)),)
        known = trees.scopes.free(node)
        conditions += choose_conditions(trees, missing, known, context)
    conditions += [_is_positive(name, node) for name in sorted(names)]
    if trees.is_event(node):
        parts = node.operands if isinstance(node, And) else (node,)
        return _mark_provided(trees, And(span=node.span, operands=(*parts, *conditions)), node)
    condition = conditions[0]
    if len(conditions) > 1:
        condition = trees.make(And(span=node.span, operands=tuple(conditions)), node)
    return _mark_provided(trees, Where(span=node.span, operand=node, condition=condition), node)


def _mark_provided(trees: Trees, made: And | Where, like: Formula) -> Formula:
    trees.provided.add(id(made))
    return trees.make(made, like)


def _is_positive(name: str, like: Formula) -> Comparison:
    variable = Variable(span=like.span, name=name)
    zero = IntLiteral(span=like.span, value=0)
    return Comparison(span=like.span, operator=">", left=variable, right=zero)


def rests_on_fact(node: Formula, name: str, scopes: Scopes) -> bool:
    """Whether a fact says which values the formula has of a variable, and so the largest."""

    def rest(part: Formula) -> bool:
        return rests_on_fact(part, name, scopes)

    match node:
        case Atom():
            return scopes.is_fact(node.name.text) and name in scopes.free(node)
        case And() | Intersection():
            return any(map(rest, node.operands))
        case Or() | Union():
            return all(map(rest, node.operands))
        case Where():
            return rest(node.operand) or rest(node.condition)
        case In():
            return rest(node.event) or (not node.negated and rest(node.state))
        case Then() | Relation():
            return rest(node.left) or rest(node.right)
        case Start() | End() | Lasting() | Let() | Exists() | Counting():
            return name in scopes.free(node) and rest(node.operand)
        case MaximalRange():
            return rest(node.start)
        case Repeat():
            return rest(node.event)
        case Complement():
            return rest(node.left)
        case Comparison() | Not() | Calendar():
            return False
        case _:
            assert_never(node)
