"""In which order the parts of a conjunction can be looked at."""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from phenesthe.graph.formulas import Formula


def arrange(
    parts: Iterable[Formula], known: Collection[str], rank: Callable[[Formula], Any]
) -> list[Formula]:
    """Each part after those that give its variables a value, otherwise by rank."""
    pending = sorted(parts, key=rank)
    available = set(known)
    ordered: list[Formula] = []
    while pending:
        ready = (
            at for at, part in enumerate(pending)
            if available.issuperset(set(part.scope.free) - part.scope.bound)
        )  # fmt: skip
        part = pending.pop(next(ready))
        ordered.append(part)
        available.update(part.scope.free)
    return ordered
