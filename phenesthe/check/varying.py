"""Durations that are variables: what gives them a value, and what to say where nothing does."""

from phenesthe.check.contexts import Context, find_given
from phenesthe.check.mixed_kinds import Remedy
from phenesthe.check.scopes import Names, Scopes
from phenesthe.check.unbound import SHORTEST_PARAMETER
from phenesthe.check.work import Draft, Work
from phenesthe.diagnostics.model import Edit
from phenesthe.syntax.clauses import Clause
from phenesthe.syntax.spelling import lower_name
from phenesthe.syntax.tree import (
    Atom,
    Formula,
    Lasting,
    MaximalRange,
    Relation,
    Repeat,
    Variable,
)  # fmt: skip
from phenesthe.syntax.tree.walk import Expression, walk


def list_binding(node: Expression) -> tuple[Formula, ...]:
    """The operands that may give a duration its value: those that give values to what is around."""
    match node:
        case Lasting():
            return (node.operand,)
        case MaximalRange():
            return (node.start,)
        case Repeat():
            return (node.event,)
        case Relation():
            return (node.left, node.right)
        case _:
            return ()


def list_facts(around: Context, scopes: Scopes) -> list[Formula]:
    """The conditions of a context, the nearest first: of every `where` and `and` around."""
    return [part for beside in reversed(around) for part in beside if scopes.is_condition(part)]


def find_values(node: Expression, around: Context, scopes: Scopes) -> Names:
    """The variables that have a value where the durations of an operator are asked for."""
    given = find_given(around, scopes)
    found = frozenset[str]().union(
        *[scopes.bound(part, given) for part in list_binding(node)],
        *[scopes.bound(part) for part in list_facts(around, scopes)],
    )
    return found - frozenset(node.local) if isinstance(node, Repeat) else found


def explain_varying(work: Work, draft: Draft, clause: Clause, variable: Variable) -> Remedy:
    """How a duration gets the value that it lacks: as a parameter, or from a fact."""
    name, lower = variable.name, lower_name(variable.name)
    symbol = work.look_from(draft.symbol.file).find(lower)
    if symbol is not None and symbol.is_parameter:
        fix = (Edit(span=variable.span, text=lower),)
        return Remedy(f"the parameter is written `{lower}`, in lower case", fix)
    one = f"one for all is a parameter, `param {lower}: duration = 10m;`, written `{lower}`"
    own = f"one for each comes from a fact: `(…) where longest(V, {name})`"
    here = [
        part.name.text
        for body in draft.bodies
        for part in walk(body)
        if isinstance(part, Atom)
        and any(isinstance(term, Variable) and term.name == name for term in part.arguments)
    ]
    if here:
        return Remedy(
            f"`{here[0]}` gives it no value there: its value comes of what `{clause.word}` is "
            "about, or of a fact in a `where` around that"
        )
    # A single letter is no name for a parameter.
    return Remedy(f"{one}; {own}" if len(name) >= SHORTEST_PARAMETER else own)
