"""Pass 6: make explicit where each variable that is not in the head ends.

A variable that occurs neither in the head nor in a sibling operand is existential in the smallest
sub-formula that contains all its occurrences (language reference, section Variables).

Where that is an `or` or `union`, each alternative is closed as a whole: some value makes one of
them true just when one of them is true for some value. So an alternative without the variable needs
none, and all of them tell how far the variable reaches.
"""

from collections import Counter
from dataclasses import replace
from itertools import chain

from phenesthe.check.scopes import Names, Scopes
from phenesthe.check.work import Draft, Work
from phenesthe.syntax.clauses import name_varying
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import (
    Atom,
    Comparison,
    Counting,
    ExclusiveState,
    Exists,
    Formula,
    Let,
    Or,
    Repeat,
    Union,
)  # fmt: skip
from phenesthe.syntax.tree.walk import Expression, children, with_children


def close_scopes(work: Work, draft: Draft) -> None:
    if draft.broken:
        return
    scopes = work.scopes_of(draft)
    head = frozenset(draft.head)
    if isinstance(draft.declaration, ExclusiveState):
        # A branch stays a range: what varies its durations ends around all of it.
        draft.bodies = [close(body, head | name_varying(body), scopes) for body in draft.bodies]
    else:
        draft.bodies = [close(body, head, scopes) for body in draft.bodies]


def close(node: Formula, outer: Names, scopes: Scopes) -> Formula:
    """`node` with its local variables closed; `outer` are the variables that occur around it."""
    local = scopes.free(node) - outer
    if isinstance(node, Atom | Comparison):
        return _exists(node, local, node.span)
    if isinstance(node, Let):
        return _close_let(node, local, outer, scopes)
    parts = children(node)
    free = [scopes.free(part) for part in parts]
    counts = Counter(chain.from_iterable(free))
    shared = frozenset(name for name in local if counts[name] > 1)
    if isinstance(node, Counting):
        # No part has the number, but all of it.
        shared |= local - scopes.free(node.operand)
    around = outer | shared
    if isinstance(node, Counting):
        # What is counted ends with the counting itself, before anything around it.
        around |= node.local
    closed = tuple([_close_part(part, around, scopes) for part in parts])
    unchanged = all(new is part for new, part in zip(closed, parts, strict=True))
    result: Formula = node if unchanged else with_children(node, closed)  # type: ignore[assignment]  # a formula stays one
    if not shared:
        return result
    if isinstance(result, Or | Union):
        return _close_alternatives(result, shared, node.span, scopes)
    if isinstance(result, Repeat):
        # A gap is the same for all occurrences of a run.
        fixed = shared & name_varying(result)
        result = replace(result, local=tuple(sorted(shared - fixed)))
        return _exists(result, fixed, node.span)
    return _exists(result, shared, node.span)


def _close_let(node: Let, local: Names, outer: Names, scopes: Scopes) -> Formula:
    """What the clause does not name ends in the formula before it."""
    _, *clause = children(node)
    named = frozenset[str]().union(*[scopes.free(part) for part in clause])
    operand = close(node.operand, outer | named, scopes)
    result = node if operand is node.operand else replace(node, operand=operand)
    return _exists(result, local & named, node.span)


def _close_part(part: Expression, outer: Names, scopes: Scopes) -> Formula:
    return close(part, outer, scopes)  # type: ignore[arg-type]  # parts of these are formulas


def _close_alternatives(node: Or | Union, names: Names, reach: Span, scopes: Scopes) -> Formula:
    """Each alternative with what it has of the names; alternatives of alternatives are some too."""
    closed = [
        _close_alternatives(part, names, reach, scopes)
        if isinstance(part, type(node))
        else _exists(part, names & scopes.free(part), reach)
        for part in node.operands
    ]
    return replace(node, operands=tuple(closed))


def _exists(node: Formula, names: Names, reach: Span) -> Formula:
    if not names:
        return node
    return Exists(span=node.span, variables=tuple(sorted(names)), operand=node, reach=reach)
