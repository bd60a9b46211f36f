"""Parts of a conjunction that wait for each other, so that none can be looked at first."""

from phenesthe.check.contexts import Beside, find_given
from phenesthe.check.scopes import Names, Scopes
from phenesthe.syntax.tree import Formula


def find_ties(scopes: Scopes, parts: tuple[Formula, ...], known: Names) -> list[str]:
    """Variables that have to have a value before the parts can be looked at one after the other.

    Each is one that some part gives a value, but only after it has another one itself.
    """
    bound = [scopes.bound(part) for part in parts]
    lacked = [scopes.free(part) - own for part, own in zip(parts, bound, strict=True)]
    # What no part gives a value comes of the context.
    known = known.union(*lacked) - (frozenset().union(*bound) - known)
    found: list[str] = []
    waiting = list(range(len(parts)))
    while waiting:
        ready = [at for at in waiting if lacked[at] <= known]
        if not ready:
            waited = frozenset[str]().union(*[lacked[at] - known for at in waiting])
            found.append(min(waited & find_given((Beside(parts, len(parts)),), scopes)))
            known |= {found[-1]}
        known = known.union(*[scopes.free(parts[at]) for at in ready])
        waiting = [at for at in waiting if at not in ready]
    return found
