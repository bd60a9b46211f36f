"""Exclusive states whose clocks vary, in terms of ranges that know nothing of each other.

Of one value there may then be several clocks at a time, one for each length, and they do not end
each other. So `v : φ ~> ψ expires D` is written out: φ where no value listed before is begun, up to
ψ or to another value that counts, for each D by itself; then any D will do. What begins a value
begins it whatever D is, also one that holds nothing.
"""

from collections.abc import Sequence
from dataclasses import replace

from phenesthe.check.program import Checked, CheckedDefinition, CheckedExclusive
from phenesthe.check.scopes import Names
from phenesthe.plan.alternatives.trees import Trees
from phenesthe.plan.varying import provide_durations
from phenesthe.syntax.clauses import name_varying
from phenesthe.syntax.tree import (
    And,
    Assignment,
    Branch,
    Comparison,
    Exists,
    Formula,
    Let,
    MaximalRange,
    Not,
    Or,
    Union,
    Variable,
)  # fmt: skip
from phenesthe.syntax.tree.walk import Expression, children, with_children


def spell_out(trees: Trees, definition: Checked) -> Checked:
    """An exclusive state of which a range has a variable duration, as an ordinary one."""
    match definition:
        case CheckedExclusive(branches=branches):
            if not any(name_varying(branch.body) for branch in branches):
                return definition
            head = definition.signature.arguments
            body = _Labelled(trees, head, branches).spell_out()
            return CheckedDefinition(
                signature=definition.signature, body=body, uses=definition.uses
            )
        case CheckedDefinition(body=body):
            inner = body.operand if isinstance(body, Exists) else body
            if not isinstance(inner, MaximalRange) or inner.value is None:
                return definition
            if not name_varying(inner):
                return definition
            made: Formula = _spell_out_values(trees, definition.signature.arguments, inner)
            if isinstance(body, Exists):
                made = trees.make(replace(body, operand=made), body)
            return replace(definition, body=made)
        case _:
            return definition


class _Spelling:
    def __init__(self, trees: Trees, like: Formula) -> None:
        self.trees, self.like = trees, like

    def close(self, node: Formula, names: Names) -> Formula:
        local = tuple(sorted(names & self.trees.scopes.free(node)))
        if not local:
            return node
        span = self.like.span
        closed = Exists(span=span, variables=local, operand=node, reach=span)
        return self.trees.make(closed, self.like)

    def any_of(self, parts: Sequence[Formula]) -> Formula:
        if len(parts) == 1:
            return parts[0]
        return self.trees.make(Or(span=self.like.span, operands=tuple(parts)), self.like)

    def all_of(self, *parts: Formula) -> Formula:
        flat = [
            one for part in parts for one in (part.operands if isinstance(part, And) else (part,))
        ]
        return self.trees.make(And(span=self.like.span, operands=tuple(flat)), self.like)

    def none_of(self, parts: Sequence[Formula]) -> Formula:
        denied = Not(span=self.like.span, operand=self.any_of(parts))
        return self.trees.make(denied, self.like)


class _Labelled:
    def __init__(self, trees: Trees, head: Sequence[str], branches: Sequence[Branch]) -> None:
        self.trees, self.branches = trees, branches
        *others, self.value = head
        self.local = [trees.scopes.free(branch.body) - set(others) for branch in branches]

    def spell_out(self) -> Formula:
        made = [self._spell_out(number) for number in range(len(self.branches))]
        if len(made) == 1:
            return made[0]
        first = self.branches[0].body
        return self.trees.make(Union(span=first.span, operands=tuple(made)), first)

    def _spell_out(self, number: int) -> Formula:
        branch, local = self.branches[number], self.local[number]
        body = branch.body
        to = _Spelling(self.trees, body)
        begun = [
            to.close(one.body.start, names)
            for one, names in zip(self.branches, self.local, strict=True)
        ]
        before, after = begun[:number], begun[number + 1 :]
        start = to.all_of(body.start, to.none_of(before)) if before else body.start
        ends = [] if body.stop is None else [body.stop]
        ends += before
        ends += [to.all_of(one, to.none_of([begun[number]])) for one in after]
        stop = to.any_of(ends) if ends else None
        made = to.close(self.trees.make(replace(body, start=start, stop=stop), body), local)
        variable = Variable(span=branch.label.span, name=self.value)
        given = Assignment(span=branch.label.span, variable=variable, value=branch.label)
        return self.trees.make(Let(span=body.span, operand=made, assignments=(given,)), body)


def _spell_out_values(trees: Trees, head: Sequence[str], body: MaximalRange) -> Formula:
    *others, value = head
    to, scopes = _Spelling(trees, body), trees.scopes
    local = scopes.free(body.start) - set(head)

    def begin_other(number: int) -> tuple[Formula, str]:
        """The event with another value, and whatever else is not in the head."""
        names = {name: f"{name} {number}" for name in (*local, value)}
        renamed = _rename(body.start, names)
        return trees.make(renamed, body.start), names[value]

    def count(node: Formula, name: str, number: int) -> Formula:
        """Where no lesser value is begun."""
        other, lesser = begin_other(number)
        inside = to.all_of(other, _is_less(to, lesser, name))
        inside = to.close(inside, scopes.free(inside) - {*others, name})
        return to.all_of(node, to.none_of([inside]))

    start = count(body.start, value, 1)
    other, name = begin_other(2)
    counted = count(other, name, 3)
    differs = to.any_of([_is_less(to, name, value), _is_less(to, value, name)])
    begun = provide_durations(trees, body.start)
    known = trees.speak_of(begun, frozenset((*others, value)))
    ending = to.all_of(counted, known, differs)
    ending = to.close(ending, scopes.free(ending) - set(head))
    stop = ending if body.stop is None else to.any_of([body.stop, ending])
    return trees.make(replace(body, start=start, stop=stop, value=None), body)


def _rename(node: Formula, names: dict[str, str]) -> Formula:
    return _rename_all(node, names)  # type: ignore[return-value]  # a formula stays one


def _rename_all(node: Expression, names: dict[str, str]) -> Expression:
    if isinstance(node, Variable):
        return replace(node, name=names.get(node.name, node.name))
    parts = children(node)
    return with_children(node, tuple([_rename_all(part, names) for part in parts]))


def _is_less(to: _Spelling, one: str, other: str) -> Formula:
    """In the order of values, in which what is not a number comes last."""
    span = to.like.span
    left, right = Variable(span=span, name=one), Variable(span=span, name=other)

    def is_number(variable: Variable) -> Formula:
        return Comparison(span=span, operator="==", left=variable, right=variable)

    less = Comparison(span=span, operator="<", left=left, right=right)
    return to.any_of([less, to.all_of(is_number(left), to.none_of([is_number(right)]))])
