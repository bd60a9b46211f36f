"""Formulas that are made of others, and how those were written."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar, cast

from phenesthe.check.aggregates import has_aggregates
from phenesthe.check.program import Signature
from phenesthe.check.scopes import Names, Scopes
from phenesthe.plan.alternatives.ties import find_ties
from phenesthe.syntax.tree import (
    Aggregate,
    And,
    Atom,
    Comparison,
    End,
    Exists,
    Formula,
    In,
    Lasting,
    Let,
    Name,
    Not,
    Or,
    Start,
    Union,
    Value,
    Variable,
    Where,
)  # fmt: skip
from phenesthe.syntax.tree.walk import Expression, children, walk, with_children
from phenesthe.syntax.values import is_formula

Made = TypeVar("Made", bound=Formula)

_NONE: Names = frozenset()


class Trees:
    """`contexts` are formulas by the name of what stands for their bindings: as if it were a fact.

    `written` has, by the identity of a formula that was made, the one that is written for it.
    """

    def __init__(self, signatures: Mapping[str, Signature]) -> None:
        self.signatures = signatures
        self.scopes = Scopes(self.is_fact)
        self.contexts: dict[str, Formula] = {}
        self.written: dict[int, Formula] = {}
        #: Those that hold for every value of a context.
        self.extended: set[int] = set()
        #: Those that have what varies a duration of something around them.
        self.provided: set[int] = set()
        self._made: list[Formula] = []  # so that no identity is given away again
        self._names: dict[tuple[int, tuple[str, ...]], str] = {}
        self._lacking: dict[int, bool] = {}

    def is_fact(self, name: str) -> bool:
        return name in self.contexts or self.signatures[name].kind is None

    def find_written(self, node: Formula) -> Formula:
        return self.written.get(id(node), node)

    def make(self, made: Made, like: Formula) -> Made:
        """A formula that stands for what is written as another one."""
        self.written[id(made)] = self.find_written(like)
        self._made.append(made)
        return made

    def replace_parts(self, node: Formula, parts: tuple[Formula, ...]) -> Formula:
        made = cast(Formula, with_children(node, parts))
        return self.make(made, node)

    def change_aggregated(
        self, node: Expression, change: Callable[[Formula], Formula]
    ) -> Expression:
        """A condition or a value, with what is aggregated in it changed."""
        if isinstance(node, Aggregate):
            return replace(node, operand=change(node.operand))
        parts = children(node)
        found = tuple([self.change_aggregated(part, change) for part in parts])
        if all(new is part for new, part in zip(found, parts, strict=True)):
            return node
        made = with_children(node, found)
        if is_formula(made) and is_formula(node):
            return self.make(made, node)
        return made

    def change_values(self, node: Let, change: Callable[[Formula], Formula]) -> Let:
        """What is computed, with what is aggregated in it changed."""
        values = [
            replace(one, value=cast(Value, self.change_aggregated(one.value, change)))
            for one in node.assignments
        ]
        return self.make(replace(node, assignments=tuple(values)), node)

    def speak_of(self, source: Formula, names: Names) -> Atom:
        """The bindings of a formula, whatever their time, as a fact of these variables."""
        chosen = tuple(sorted(names))
        key = (id(source), chosen)
        if key not in self._names:
            self._names[key] = name = f"context {len(self._names)}"
            self.contexts[name] = source
        text = Name(span=source.span, text=self._names[key])
        terms = tuple([Variable(span=source.span, name=name) for name in chosen])
        return self.make(Atom(span=source.span, name=text, arguments=terms), source)

    # What formulas are

    def is_event(self, node: Formula) -> bool:
        match node:
            case Atom():
                return self.signatures[node.name.text].kind == "event"
            case And() | Or() | Not() | In() | Start() | End():
                return True
            case Where() | Let() | Exists() | Lasting():
                return self.is_event(node.operand)
            case _:
                return False

    def lacks(self, node: Formula) -> bool:
        """Not all of its variables have a value in every alternative."""
        return not self.scopes.free(node) <= self.scopes.bound(node)

    def find_missing(self, node: Or | Union) -> list[Names]:
        """By operand the variables that it lacks."""
        return [lacked for _, lacked in self.scopes.list_alternatives(node)]

    def has_lacking(self, node: Formula) -> bool:
        """Whether something in it needs a context."""
        known = self._lacking.get(id(node))
        if known is None:
            known = self._lacking[id(node)] = any(self._needs_context(part) for part in walk(node))
            self._made.append(node)
        return known

    def stands_alone(self, node: Formula) -> bool:
        """Whether it needs no context; what is aggregated in it has none but its own."""
        return not any(self._needs_context(part) for part in _walk_outside_aggregates(node))

    def _needs_context(self, node: Expression) -> bool:
        match node:
            case Or() | Union():
                return any(self.find_missing(node)) and not self.scopes.is_condition(node)
            case And():
                # Of events that wait for each other some lack something themselves.
                able = [
                    one for one in node.operands if not isinstance(one, Atom | Comparison | Not)
                ]
                return len(able) > 1 and bool(find_ties(self.scopes, node.operands, _NONE))
            case Where() if not self.is_event(node):
                return bool(self.find_untold(node))
            case Where():
                return has_aggregates(node.condition) and bool(self.find_unasked(node))
            case _:
                return False

    def find_unasked(self, node: Where) -> Names:
        """The variables that what is filtered by aggregates has to have, but does not.

        It is looked at by itself, and not for the rows of what stands around it.
        """
        own = self.scopes.free(node.operand) - self.scopes.bound(node.operand)
        return own | self.find_untold(node)

    def find_untold(self, node: Where) -> Names:
        """The variables of the condition that neither it nor the operand gives a value."""
        condition = self.scopes.free(node.condition) - self.scopes.bound(node.condition)
        return condition - self.scopes.free(node.operand)


def _walk_outside_aggregates(node: Expression) -> Iterator[Expression]:
    if not isinstance(node, Aggregate):
        yield node
        for part in children(node):
            yield from _walk_outside_aggregates(part)
