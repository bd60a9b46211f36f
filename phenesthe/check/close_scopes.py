"""Pass 6: make explicit where each variable that is not in the head ends.

A variable that occurs neither in the head nor in a sibling operand is existential in the smallest
sub-formula that contains all its occurrences (language reference, section Variables).
"""

from collections import Counter
from dataclasses import replace
from itertools import chain

from phenesthe.check.scopes import Names, Scopes
from phenesthe.check.work import Draft, Work
from phenesthe.syntax.tree import Atom, Comparison, Exists, Formula, Or, Repeat, Union
from phenesthe.syntax.tree.walk import Expression, children, with_children

_NONE: Names = frozenset()


def close_scopes(work: Work, draft: Draft) -> None:
    if draft.broken:
        return
    scopes = Scopes(work.is_fact)
    head = frozenset(draft.head)
    draft.bodies = [close(body, head, scopes) for body in draft.bodies]


def close(node: Formula, outer: Names, scopes: Scopes) -> Formula:
    """`node` with its local variables closed; `outer` are the variables that occur around it."""
    local = scopes.free(node) - outer
    if isinstance(node, Atom | Comparison):
        return _exists(node, local)
    parts = children(node)
    free = [scopes.free(part) for part in parts]
    if isinstance(node, Or | Union):
        # Alternatives share no variable but the outer ones: closing each by itself means the same.
        shared = _NONE
    else:
        counts = Counter(chain.from_iterable(free))
        shared = frozenset(name for name in local if counts[name] > 1)
    around = outer | shared
    closed = tuple([_close_part(part, around, scopes) for part in parts])
    unchanged = all(new is part for new, part in zip(closed, parts, strict=True))
    result = node if unchanged else with_children(node, closed)
    if isinstance(result, Repeat):
        return replace(result, local=tuple(sorted(shared))) if shared else result
    return _exists(result, shared)  # type: ignore[arg-type]  # a formula stays one


def _close_part(part: Expression, outer: Names, scopes: Scopes) -> Expression:
    return close(part, outer, scopes)  # type: ignore[arg-type]  # parts of these are formulas


def _exists(node: Formula, names: Names) -> Formula:
    return Exists(span=node.span, variables=tuple(sorted(names)), operand=node) if names else node
