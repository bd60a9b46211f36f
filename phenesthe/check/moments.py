"""What asks when the row is true that is looked at, or for what happened meanwhile."""

from phenesthe.syntax.tree import Aggregate, Call
from phenesthe.syntax.tree.walk import Expression, walk
from phenesthe.vocabulary import MOMENTS


def asks_times(node: Expression) -> bool:
    return any(
        isinstance(part, Aggregate) or (isinstance(part, Call) and part.function in MOMENTS)
        for part in walk(node)
    )
