"""Changes of how a program is cut into definitions, and of what its variables are called."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import cast

from phenesthe.syntax.tree import (
    Atom,
    Counting,
    Definition,
    Head,
    Kind,
    Term,
    Variable,
    Wildcard,
)
from phenesthe.syntax.tree.walk import Expression, walk
from tests.equivalence.rewriting import add_condition, choose
from tests.equivalence.surface import Surface, list_names, make_names, substitute
from tests.reference import build
from tests.reference.build import SPAN


def split(surface: Surface, random: Random) -> Surface | None:
    """A part of a formula as a definition of its own."""
    spots = [
        one
        for one in surface.list_spots()
        if one.path
        and not isinstance(one.node, Atom)
        and one.kind != "condition"
        and (one.kind != "event" or surface.is_positive(one.node))
    ]
    spot = choose(random, spots)
    if spot is None:
        return None
    names = random.sample(spot.outer, k=len(spot.outer))
    part = build.name(f"cut_{len(surface.definitions)}")
    head = Head(
        name=part, variables=tuple(Variable(name=name, span=SPAN) for name in names), span=SPAN
    )
    definition = Definition(kind=cast(Kind, spot.kind), head=head, body=spot.node, span=SPAN)
    atom = Atom(name=part, arguments=head.variables, span=SPAN)
    changed = surface.put(spot, atom)
    own = changed.definitions[spot.definition]
    order = [definition, own] if random.random() < 0.5 else [own, definition]
    return changed.swap(spot.definition, *order)


def inline(surface: Surface, random: Random) -> Surface | None:
    """A definition's formula in the place of its name."""
    known = {
        one.head.name.text: one
        for one in surface.definitions
        if isinstance(one, Definition)
        # What no event limits is cut by the timeline where it is defined, but not beside an event.
        and (one.kind != "event" or surface.is_positive(one.body))
    }
    spots = [
        one
        for one in surface.list_spots()
        if isinstance(one.node, Atom) and one.node.name.text in known
    ]
    spot = choose(random, spots)
    if spot is None:
        return None
    atom = cast(Atom, spot.node)
    definition = known[atom.name.text]
    variables = [variable.name for variable in definition.head.variables]
    terms: dict[str, Term] = {}
    #: What ends with the atom ends with the formula, not in a part of it.
    ending: dict[str, str] = {}
    local = [name for name in list_names(definition.body) if name not in variables]
    new = surface.name_new(spot.definition, len(local) + len(variables))
    terms |= make_names({name: new.pop() for name in local})
    types = surface.types[atom.name.text]
    for name, argument, found in zip(variables, atom.arguments, types, strict=True):
        term = argument
        if isinstance(argument, Wildcard):
            term = Variable(name=new.pop(), span=SPAN)
        terms[name] = term
        if isinstance(term, Variable) and term.name not in spot.outer:
            ending[term.name] = found
    if "float" in ending.values() or not all(_fits(one, terms) for one in walk(definition.body)):
        return None
    body = substitute(definition.body, terms)
    for name in ending:
        itself = build.comparison(name, "==", name)
        body = add_condition(replace(spot, node=body), itself)
    return surface.put(spot, body)


def _fits(node: Expression, terms: Mapping[str, Term]) -> bool:
    """A number cannot be a constant, nor one of the variables that are inside the counting."""
    if not isinstance(node, Counting) or node.number is None:
        return True
    number = terms.get(node.number.name, node.number)
    inside = [terms.get(name, name) for name in list_names(node.operand)]
    return isinstance(number, Variable) and number not in inside


def rename(surface: Surface, random: Random) -> Surface | None:
    """Variables of a definition by other names, in another order of the alphabet."""
    at = random.randrange(len(surface.definitions))
    definition = surface.definitions[at]
    spots = [one for one in surface.list_spots() if one.definition == at]
    heads = [variable.name for variable in definition.head.variables]
    used = list(dict.fromkeys([*heads, *(name for spot in spots for name in spot.names)]))
    new = surface.name_new(at, len(used), random.choice(("N", "_N", "Z", "A")))
    random.shuffle(new)
    terms = make_names(dict(zip(used, new, strict=True)))
    changed = surface
    for spot in spots:
        if spot.path == () or (spot.branch is not None and len(spot.path) == 1):
            changed = changed.put(spot, substitute(spot.node, terms))
    head = replace(definition.head, variables=tuple(
        cast(Variable, terms[name]) for name in heads
    ))  # fmt: skip
    return changed.swap(at, replace(changed.definitions[at], head=head))
