"""Alternatives looked at together are the same as each looked at by itself."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from phenesthe.syntax.tree import And, Complement, Formula, In, Intersection, Or, Union
from tests.equivalence.surface import Spot, Surface
from tests.reference import build


def distribute(surface: Surface, random: Random) -> Surface | None:
    """`(a or b) and c` is `(a and c) or (b and c)`, and so on; also where a or b lacks something.

    Variables that end in c have other names in each copy.
    """
    spots = {(one.definition, one.branch, one.path): one for one in surface.list_spots()}

    def get(spot: Spot, at: int) -> Spot:
        return spots[spot.definition, spot.branch, (*spot.path, at)]

    found: list[tuple[Spot, Formula]] = []
    for spot in spots.values():
        match spot.node:
            case And() | Intersection() as chain:
                parts = [get(spot, at) for at in range(len(chain.operands))]
                found += [(spot, made) for made in _chain(surface, chain, parts)]
            case Complement(right=Union() as right):
                made: Formula = spot.node.left
                for part in right.operands:
                    made = replace(spot.node, left=made, right=part)
                # What ends in the whole right side would end in each part of it otherwise.
                if not get(spot, 1).local:
                    found.append((spot, made))
            case In(state=Union() as state, negated=True):
                made = spot.node.event
                for part in state.operands:
                    made = build.inclusion(made, part, negated=True)
                if not get(spot, 1).local:
                    found.append((spot, made))
            case In(state=Union() as state):
                events = (spot.node.event, *_copies(surface, get(spot, 0), len(state.operands)))
                pairs = zip(events, state.operands, strict=False)
                found.append((spot, build.disjunction(*(build.inclusion(*one) for one in pairs))))
            case In(event=Or() as event, negated=False):
                states = (spot.node.state, *_copies(surface, get(spot, 1), len(event.operands)))
                pairs = zip(event.operands, states, strict=False)
                found.append((spot, build.disjunction(*(build.inclusion(*one) for one in pairs))))
    if not found:
        return None
    spot, made = random.choice(found)
    return surface.put(spot, made)


def _chain(surface: Surface, chain: And | Intersection, parts: list[Spot]) -> Iterator[Formula]:
    word = Or if isinstance(chain, And) else Union
    for at, part in enumerate(parts):
        if not isinstance(part.node, word) or part.kind == "condition":
            continue
        alternatives = part.node.operands
        others = [one for one in parts if one is not part]
        made: list[Formula] = []
        for number, alternative in enumerate(alternatives):
            rest = [
                surface.copy(one, f"N{number}_{place}_") if number else one.node
                for place, one in enumerate(others)
            ]
            made.append(replace(chain, operands=(*rest[:at], alternative, *rest[at:])))
        yield word(operands=tuple(made), span=build.SPAN)


def _copies(surface: Surface, spot: Spot, count: int) -> list[Formula]:
    return [surface.copy(spot, f"N{number}_") for number in range(1, count)]
