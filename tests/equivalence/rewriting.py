"""What all rewritings of formulas need."""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from phenesthe.syntax.tree import Formula
from tests.equivalence.surface import Spot, Surface
from tests.reference import build

#: The changed program, or None where there is no place for the change.
Rewrite: TypeAlias = Callable[[Surface, Random], Surface | None]


def choose(random: Random, spots: Sequence[Spot]) -> Spot | None:
    return random.choice(spots) if spots else None


def add_condition(spot: Spot, condition: Formula) -> Formula:
    """ "inside Φ•, `and COND` means the same" as `where`."""
    if spot.kind in ("event", "condition"):
        return build.conjunction(spot.node, condition)
    return build.where(spot.node, condition)
