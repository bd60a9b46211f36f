"""Which formulas of a context say for what values an alternative holds.

Any of them will do, as long as it has all values that the context has: what is too much meets
nothing in the context. Better is what is nearest, because that can be chosen; what joins, because
it has fewer values; and facts, because they are known at any time.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from phenesthe.check.bound_negation import is_guarded
from phenesthe.check.contexts import Context
from phenesthe.check.moments import asks_times
from phenesthe.check.scopes import Names
from phenesthe.plan.alternatives.trees import Trees
from phenesthe.syntax.tree import (
    And,
    Complement,
    Counting,
    End,
    Exists,
    Formula,
    In,
    Intersection,
    Lasting,
    Let,
    MaximalRange,
    Or,
    Relation,
    Repeat,
    Start,
    Then,
    Union,
    Where,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Binder:
    """The values of `names` are those that one of the sources has."""

    names: Names
    sources: tuple[Formula, ...]


def choose_conditions(trees: Trees, missing: Names, known: Names, around: Context) -> list[Formula]:
    """Conditions that bind what is missing, for a formula that has the known variables.

    What is nearest says it: whoever wants other values says so right beside the alternatives.
    """
    found: list[Formula] = []
    for beside in reversed(around):
        if not missing:
            break
        binders = [binder for part in beside for binder in list_binders(trees, part)]
        while any(one.names & missing for one in binders):
            best = max(binders, key=partial(_rank, trees, missing, known))
            found.append(_as_condition(trees, best, best.names & (missing | known)))
            known |= best.names & missing
            missing -= best.names
    assert not missing, f"nothing binds {sorted(missing)}"
    return found


def _rank(trees: Trees, missing: Names, known: Names, binder: Binder) -> tuple[int, int, bool]:
    is_fact = all(trees.scopes.is_condition(source) for source in binder.sources)
    return len(binder.names & missing), len(binder.names & known), is_fact


def _as_condition(trees: Trees, binder: Binder, names: Names) -> Formula:
    parts = [_speak_of(trees, source, names) for source in binder.sources]
    if len(parts) == 1:
        return parts[0]
    return trees.make(Or(span=parts[0].span, operands=tuple(parts)), binder.sources[0])


def _speak_of(trees: Trees, source: Formula, names: Names) -> Formula:
    if not trees.scopes.is_condition(source):
        return trees.speak_of(source, names)
    others = tuple(sorted(trees.scopes.free(source) - names))
    if not others:
        return source
    closed = Exists(span=source.span, variables=others, operand=source, reach=source.span)
    return trees.make(closed, source)


def list_binders(trees: Trees, node: Formula) -> Iterator[Binder]:
    """The formula itself where it stands for itself, else what it is made of."""
    scopes = trees.scopes
    bound = scopes.bound(node)
    if not bound:
        return
    # What asks for the times of a row has values for that row only.
    stands = not asks_times(node) if scopes.is_condition(node) else is_guarded(node, scopes)
    if stands and not trees.lacks(node) and trees.stands_alone(node):
        yield Binder(bound, (node,))
        return
    if stands and not trees.lacks(node) and isinstance(node, Counting | Let):
        # What is counted or computed is of it alone, whatever alternatives have inside of it.
        yield Binder(bound, (node,))
    match node:
        case And() | Intersection():
            for part in node.operands:
                yield from list_binders(trees, part)
        case Or() | Union():
            yield from _unite(trees, node, bound)
        case Where():
            yield from list_binders(trees, node.operand)
            yield from list_binders(trees, node.condition)
        case In():
            yield from list_binders(trees, node.event)
            if not node.negated:
                yield from list_binders(trees, node.state)
        case Then() | Relation():
            yield from list_binders(trees, node.left)
            yield from list_binders(trees, node.right)
        case Complement():
            yield from list_binders(trees, node.left)
        case MaximalRange():
            yield from list_binders(trees, node.start)
        case Counting():
            yield from _close(list_binders(trees, node.operand), node.local)
        case Repeat():
            yield from _close(list_binders(trees, node.event), node.local)
        case Exists():
            yield from _close(list_binders(trees, node.operand), node.variables)
        case Start() | End() | Lasting() | Let():
            yield from list_binders(trees, node.operand)
        case _:
            raise AssertionError(f"binds all its variables or none: {type(node).__name__}")


def _close(binders: Iterator[Binder], local: Iterable[str]) -> Iterator[Binder]:
    for binder in binders:
        yield Binder(binder.names - set(local), binder.sources)


def _unite(trees: Trees, node: Or | Union, bound: Names) -> Iterator[Binder]:
    """What every alternative binds: all of it at once, where each has it of one formula."""
    sides = [list(list_binders(trees, part)) for part in node.operands]
    for names in (bound, *(frozenset((name,)) for name in sorted(bound))):
        chosen = [next((one for one in side if names <= one.names), None) for side in sides]
        sources = [one.sources for one in chosen if one is not None]
        if len(sources) == len(sides):
            yield Binder(names, tuple([source for some in sources for source in some]))
            if names == bound:
                return
