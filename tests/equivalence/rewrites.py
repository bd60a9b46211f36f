"""Changes of a program's text that must not change what it means, each at a random place.

None of them knows how anything is evaluated: they are laws of the language.
"""

from dataclasses import replace
from random import Random
from typing import TypeAlias, cast

from phenesthe.syntax.tree import (
    INVERSES,
    And,
    Intersection,
    Mode,
    Not,
    Or,
    Relation,
    RelationName,
    Repeat,
    Union,
    Where,
)
from tests.equivalence.distributing import distribute
from tests.equivalence.redefining import inline, rename, split
from tests.equivalence.rewriting import Rewrite, add_condition, choose
from tests.equivalence.surface import Spot, Surface
from tests.reference import build

Chain: TypeAlias = And | Or | Union | Intersection

_TRUTHS = (
    build.comparison(1, "==", 1),
    build.comparison("a", "<", "b"),
    build.comparison(2.5, ">=", -1),
    build.negation(build.comparison(1, ">", 2)),
)
_SWAPPED: dict[Mode | None, Mode | None] = {
    None: None, "source": "target", "target": "source", "union": "union",
    "intersection": "intersection", "complement": "inverse_complement",
    "inverse_complement": "complement",
}  # fmt: skip
_CONVERSES: dict[str, str] = {**INVERSES, **{name: inverse for inverse, name in INVERSES.items()}}


def add_truth(surface: Surface, random: Random) -> Surface | None:
    """`F` is `F and 1 == 1`."""
    spot = choose(random, list(surface.list_spots()))
    if spot is None:
        return None
    return surface.put(spot, add_condition(spot, random.choice(_TRUTHS)))


def compare_with_itself(surface: Surface, random: Random) -> Surface | None:
    """`F` is `F and L == L`, if L does not end inside F. A NaN is not even equal to itself."""
    found: list[tuple[Spot, str]] = []
    for spot in surface.list_spots():
        ending = {} if isinstance(spot.node, Repeat) else spot.ends
        found += [
            (spot, name)
            for name in spot.names
            if (name in spot.outer or ending.get(name) == spot.path)
            and surface.find_type(spot, name) in ("int", "str", "bool")
        ]
    # Scopes that end at the formula, or at an alternative's neighbour, are the rarer ones.
    local = [(spot, name) for spot, name in found if name in spot.ends]
    found = local if local and random.random() < 0.7 else found
    if not found:
        return None
    spot, name = random.choice(found)
    return surface.put(spot, add_condition(spot, build.comparison(name, "==", name)))


def last_at_least_nothing(surface: Surface, random: Random) -> Surface | None:
    """Every interval lasts at least 0."""
    spot = choose(random, [one for one in surface.list_spots() if one.kind in ("state", "dynamic")])
    return None if spot is None else surface.put(spot, build.lasting(spot.node, ">=", 0))


def negate_twice(surface: Surface, random: Random) -> Surface | None:
    """`G and C` is `G and not (G and not C)`, and `G and not not C` where C names nothing else."""
    found: list[tuple[Spot, Spot, Spot]] = []
    spots = {(one.definition, one.branch, one.path): one for one in surface.list_spots()}
    for spot in spots.values():
        if not isinstance(spot.node, And):
            continue
        parts = [
            spots[spot.definition, spot.branch, (*spot.path, at)]
            for at in range(len(spot.node.operands))
        ]
        found += [
            (spot, guard, part)
            for guard in parts
            for part in parts
            if part is not guard and part.kind == "event" and surface.is_positive(guard.node)
        ]
    if not found:
        return None
    _, guard, part = random.choice(found)
    if not part.outer and random.random() < 0.7:
        return surface.put(part, build.negation(build.negation(part.node)))
    inner = build.conjunction(surface.copy(guard), build.negation(part.node))
    return surface.put(part, build.negation(inner))


def say_twice(surface: Surface, random: Random) -> Surface | None:
    """`F or F`, `F and F`, `F union F` and `F intersection F` are F."""
    spots = [one for one in surface.list_spots() if one.kind != "dynamic"]
    spot = choose(random, spots)
    if spot is None:
        return None
    words = (
        (build.union, build.intersection)
        if spot.kind == "state"
        else (build.disjunction, build.conjunction)
    )
    return surface.put(spot, random.choice(words)(spot.node, surface.copy(spot)))


def list_chains(surface: Surface, least: int) -> list[Spot]:
    chains = (And, Or, Union, Intersection)
    return [
        one
        for one in surface.list_spots()
        if isinstance(one.node, chains) and len(one.node.operands) >= least
    ]


def commute(surface: Surface, random: Random) -> Surface | None:
    """`and`, `or`, `union` and `intersection` have no order."""
    spot = choose(random, list_chains(surface, 2))
    if spot is None:
        return None
    chain = cast(Chain, spot.node)
    operands = list(chain.operands)
    while operands == list(chain.operands) and any(one != operands[0] for one in operands):
        random.shuffle(operands)
    return surface.put(spot, replace(chain, operands=tuple(operands)))


def group(surface: Surface, random: Random) -> Surface | None:
    """`a or b or c` is `(a or b) or c`."""
    spot = choose(random, list_chains(surface, 3))
    if spot is None:
        return None
    chain = cast(Chain, spot.node)
    first = random.randrange(len(chain.operands) - 1)
    last = random.randrange(first + 2, len(chain.operands) + 1)
    if last - first == len(chain.operands):
        last -= 1
    inner = replace(chain, operands=chain.operands[first:last])
    operands = (*chain.operands[:first], inner, *chain.operands[last:])
    return surface.put(spot, replace(chain, operands=operands))


def swap_sides(surface: Surface, random: Random) -> Surface | None:
    """ "An inverse is the relation with its sides swapped." """
    # What is nearly equal takes the times of its left.
    spots = [
        one
        for one in surface.list_spots()
        if isinstance(one.node, Relation) and (one.node.name != "equals" or one.node.within is None)
    ]
    spot = choose(random, spots)
    if spot is None:
        return None
    node = cast(Relation, spot.node)
    swapped = replace(
        node,
        name=cast(RelationName, _CONVERSES.get(node.name, node.name)),
        left=node.right,
        right=node.left,
        mode=_SWAPPED[node.mode],
    )
    return surface.put(spot, swapped)


def filter_or_join(surface: Surface, random: Random) -> Surface | None:
    """ "inside Φ•, `and COND` means the same" as `where`."""
    spots = [
        one for one in surface.list_spots() if one.kind == "event" and isinstance(one.node, Where)
    ]
    spot = choose(random, spots)
    if spot is None:
        return None
    node = cast(Where, spot.node)
    return surface.put(spot, build.conjunction(node.operand, node.condition))


def negate_outside(surface: Surface, random: Random) -> Surface | None:
    """`not (a or b)` is `not a and not b`, beside an event too."""
    spots = [
        one
        for one in surface.list_spots()
        if isinstance(one.node, Not)
        and isinstance(one.node.operand, Or)
        # One variable of two negations would have to be bound beside them.
        and (*one.path, 0) not in one.ends.values()
    ]
    spot = choose(random, spots)
    if spot is None:
        return None
    alternatives = cast(Or, cast(Not, spot.node).operand)
    return surface.put(spot, build.conjunction(*map(build.negation, alternatives.operands)))


REWRITES: dict[str, Rewrite] = {
    "a truth added": add_truth,
    "a variable compared with itself": compare_with_itself,
    "lasting at least nothing": last_at_least_nothing,
    "negated twice": negate_twice,
    "negated outside": negate_outside,
    "said twice": say_twice,
    "split into definitions": split,
    "put in the place of a name": inline,
    "in another order": commute,
    "grouped": group,
    "each alternative by itself": distribute,
    "sides swapped": swap_sides,
    "joined, not filtered": filter_or_join,
    "renamed": rename,
}
