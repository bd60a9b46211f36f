"""Where an operator can as well look at each alternative by itself, with what it joins.

`(gap(V1) union gap(V2)) intersection proximity(V1, V2)` is `(gap(V1) intersection proximity(V1,
V2)) union (gap(V2) intersection proximity(V1, V2))`. So nothing has to be known of a binding
before it is there, and each join is one of its own.
"""

from collections.abc import Iterator
from dataclasses import replace

from phenesthe.check.aggregates import has_aggregates
from phenesthe.check.moments import asks_times
from phenesthe.check.scopes import Names
from phenesthe.plan.alternatives.trees import Trees
from phenesthe.syntax.tree import (
    And,
    Complement,
    Exists,
    Formula,
    In,
    Intersection,
    MaximalRange,
    Or,
    Union,
    Where,
)  # fmt: skip

#: How often a formula may be written in place of one. More come of nothing but nesting.
_MOST_COPIES = 100


class Distribution:
    def __init__(self, trees: Trees) -> None:
        self.trees = trees
        self.left = _MOST_COPIES
        #: Ends of ranges whose alternatives are looked at one by one, each with what it has.
        self._apart: set[int] = set()

    def distribute(self, node: Formula, known: Names) -> Formula:
        """`known` are variables that have a value before the formula is looked at."""
        match node:
            case In():
                return self._include(node, known)
            case Intersection():
                return self._intersect(node)
            case Complement(right=Union() as right) if self._may_split(right, frozenset()):
                made: Formula = node.left
                for part in right.operands:
                    made = self.trees.make(replace(node, left=made, right=part), node)
                return made
            case MaximalRange(stop=stop) if stop is not None and self.trees.lacks(stop):
                return self._end(node, stop)
            case _:
                return node

    def is_apart(self, node: Formula) -> bool:
        return id(node) in self._apart

    def _may_split(self, node: Or | Union, known: Names) -> bool:
        """Whether an operand lacks something, and there may be that many more copies."""
        if not any(missing - known for missing in self.trees.find_missing(node)):
            return False
        if self.left < len(node.operands):
            return False
        self.left -= len(node.operands)
        return True

    # `in`

    def _include(self, node: In, known: Names) -> Formula:
        make = self.trees.make
        match node:
            case In(event=Or() as event) if self._may_take_apart(node, event, known):
                parts = [make(replace(node, event=part), node) for part in event.operands]
                return make(Or(span=node.span, operands=tuple(parts)), node)
            case In(state=Union() as state) if self._may_split(state, frozenset()):
                if node.negated:
                    made = node
                    for at, part in enumerate(state.operands):
                        inner = node.event if at == 0 else made
                        made = make(replace(node, event=inner, state=part), node)
                    return made
                parts = [make(replace(node, state=part), node) for part in state.operands]
                return make(Or(span=node.span, operands=tuple(parts)), node)
            case _:
                return node

    def _may_take_apart(self, node: In, event: Or, known: Names) -> bool:
        """What a state does not hold for has to be known of each alternative by itself."""
        if node.negated:
            asked = self.trees.scopes.free(node.state) - known
            if any(missing & asked for missing in self.trees.find_missing(event)):
                return False
        return self._may_split(event, known)

    # `intersection`

    def _intersect(self, node: Intersection) -> Formula:
        operands = list(self._flatten(node))
        lacking = [one for one in operands if self._can_push(one)]
        base = [one for one in operands if not self._can_push(one)]
        if not lacking or not base:
            return node
        copies = sum(map(self._count, lacking))
        if copies > self.left:
            return node
        self.left -= copies
        made = base[0] if len(base) == 1 else self._join(node, *base)
        while lacking:
            known = self.trees.scopes.free(made)
            first = next((one for one in lacking if self._needs(one) <= known), lacking[0])
            lacking = [one for one in lacking if one is not first]
            made = self._push(first, made, node)
        return made

    def _flatten(self, node: Intersection) -> list[Formula]:
        found: list[Formula] = []
        for one in node.operands:
            is_chain = isinstance(one, Intersection) and self.trees.lacks(one)
            found += self._flatten(one) if is_chain else [one]  # type: ignore[arg-type]
        return found

    def _needs(self, node: Formula) -> Names:
        return self.trees.scopes.free(node) - self.trees.scopes.bound(node)

    def _can_push(self, node: Formula) -> bool:
        """Whether what lacks something is reached by operators that keep to one instant."""
        if not self.trees.lacks(node):
            return False
        match node:
            case Union():
                return True
            case Intersection():
                return any(map(self._can_push, node.operands))
            case Where() if asks_times(node.condition):
                return False
            case Where() | Exists():
                return self._can_push(node.operand)
            case Complement():
                return self._can_push(node.left)
            case _:
                return False

    def _count(self, node: Formula) -> int:
        """How many copies come of pushing something into it."""
        match node:
            case _ if not self._can_push(node):
                return 1
            case Union():
                return sum(map(self._count, node.operands))
            case Intersection():
                found = 1
                for one in node.operands:
                    found *= self._count(one)
                return found
            case Where() | Exists():
                return self._count(node.operand)
            case Complement():
                return self._count(node.left)
            case _:
                raise AssertionError("not pushed into")

    def _join(self, like: Formula, *operands: Formula) -> Intersection:
        return self.trees.make(Intersection(span=like.span, operands=operands), like)

    def _push(self, node: Formula, base: Formula, like: Formula) -> Formula:
        """`node intersection base`, with the intersection where the alternatives are."""
        make = self.trees.make
        if not self._can_push(node):
            return self._join(like, node, base)
        match node:
            case Union():
                parts = tuple([self._push(part, base, like) for part in node.operands])
                return make(Union(span=like.span, operands=parts), like)
            case Intersection():
                for one in sorted(node.operands, key=self._can_push):
                    base = self._push(one, base, like)
                return base
            case Where():
                return make(replace(node, operand=self._push(node.operand, base, like)), node)
            case Exists():
                return make(replace(node, operand=self._push(node.operand, base, like)), node)
            case Complement():
                return make(replace(node, left=self._push(node.left, base, like)), node)
            case _:
                raise AssertionError("not pushed into")

    # `~>`

    def _end(self, node: MaximalRange, stop: Formula) -> MaximalRange:
        """What ends a range need not know all of its variables, if it is one event of several."""
        parts = self._split(stop)
        if len(parts) == 1:
            return node
        either = self.trees.make(Or(span=stop.span, operands=tuple(parts)), stop)
        self._apart.add(id(either))
        return self.trees.make(replace(node, stop=either), node)

    def _split(self, node: Formula) -> list[Formula]:
        """What is true where one of these is; each by itself, or it stays in one piece."""
        if not self.trees.lacks(node):
            return [node]
        if isinstance(node, Or):
            if not self._may_split(node, frozenset()):
                return [node]
            return [one for part in node.operands for one in self._split(part)]
        found = list(self._take_apart(node))
        return [node] if any(map(self.trees.lacks, found)) else found

    def _take_apart(self, node: Formula) -> Iterator[Formula]:
        make = self.trees.make
        match node:
            case In():
                made = self.distribute(node, frozenset())
                if made is not node:
                    yield from self._split(made)
                    return
                for one in self._split(node.event):
                    yield make(replace(node, event=one), node)
            case Where() if has_aggregates(node.condition):
                yield node
            case Where() | Exists():
                for one in self._split(node.operand):
                    yield self._wrap(node, one)
            case And():
                bound = self.trees.scopes.bound(node)
                for at, part in enumerate(node.operands):
                    if isinstance(part, Or) and self._may_split(part, bound):
                        before, after = node.operands[:at], node.operands[at + 1 :]
                        for one in part.operands:
                            operands = (*before, one, *after)
                            yield from self._split(make(replace(node, operands=operands), node))
                        return
                yield node
            case _:
                yield node

    def _wrap(self, node: Where | Exists, inner: Formula) -> Formula:
        if isinstance(node, Where):
            return self.trees.make(replace(node, operand=inner), node)
        local = tuple(n for n in node.variables if n in self.trees.scopes.free(inner))
        if not local:
            return inner
        return self.trees.make(replace(node, operand=inner, variables=local), node)
