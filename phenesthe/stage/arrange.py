"""In which order the parts of a conjunction can be looked at."""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from phenesthe.check.scopes import Scopes
from phenesthe.syntax.tree import Formula


def arrange(
    parts: Iterable[Formula],
    known: Collection[str],
    scopes: Scopes,
    rank: Callable[[Formula], Any],
) -> list[Formula]:
    """Each part after those that give its variables a value, otherwise by rank."""
    pending = sorted(parts, key=rank)
    available = set(known)
    ordered: list[Formula] = []
    while pending:
        ready = (
            at for at, part in enumerate(pending)
            if scopes.free(part) - scopes.bound(part) <= available
        )  # fmt: skip
        part = pending.pop(next(ready))
        ordered.append(part)
        available |= scopes.free(part)
    return ordered
