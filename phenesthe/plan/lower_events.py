"""Formulas over instants and conditions: what becomes the inside of one operator."""

from dataclasses import replace
from typing import TYPE_CHECKING, TypeGuard, assert_never

from phenesthe.check.aggregates import has_aggregates
from phenesthe.check.bound_negation import is_dense, is_guarded
from phenesthe.graph.aggregates import Measure
from phenesthe.graph.formulas import (
    And,
    Arithmetic,
    Boundary,
    Call,
    Column,
    Comparison,
    Constant,
    Exists,
    Formula,
    In,
    Known,
    Leaf,
    Meaning,
    Moment,
    Negative,
    Not,
    Occurring,
    Or,
    Scope,
    Value,
)  # fmt: skip
from phenesthe.graph.identity import find_id
from phenesthe.graph.instant import Instant
from phenesthe.graph.operator import Operand, Operator, Phenomenon, Source
from phenesthe.graph.select import Select
from phenesthe.graph.sets import Union
from phenesthe.syntax import tree
from phenesthe.syntax.tree.walk import Expression
from phenesthe.vocabulary import Scalar, ValueType

if TYPE_CHECKING:
    from phenesthe.plan.lower import Lowered


def is_event(
    node: Expression,
) -> TypeGuard[tree.And | tree.Or | tree.Not | tree.In | tree.Start | tree.End]:
    """Only events can be said like that."""
    kinds = tree.And | tree.Or | tree.Not | tree.In | tree.Start | tree.End
    return isinstance(node, kinds)


class Events:
    """The operands of one operator, and its formulas over them."""

    def __init__(self, to: "Lowered") -> None:
        self.to = to
        self.operands: list[Operand] = []
        self.measures: list[Measure] = []

    # Operators

    def use_event(self, node: tree.Formula) -> Operand:
        """A formula over instants as an operator."""
        formula = self.lower(node)
        given = self.to.given(node, "event", self.operands)
        extras = {new for operand in self.operands for _, new in operand.extras}
        names = given["variables"]
        given["variables"] = tuple([name for name in names if name not in extras])
        kept = tuple([name for name in names if name in extras])
        return self.to.add(Instant(formula=formula, extras=kept, **given))

    def use_atom(self, node: tree.Atom) -> Operand:
        """A phenomenon as an operand: as it is, or a selection of it."""
        leaf, operand = self._atom(node)
        if leaf.is_whole:
            return operand
        kind = self.to.program.phenomena[node.name.text].kind
        is_union = kind == "state" and None in operand.names
        # Before they are put together the intervals of a binding may overlap.
        given = self.to.given(node, "dynamic" if is_union else kind, [operand])
        given["variables"] = leaf.names
        extras = tuple([new for _, new in operand.extras])
        found = self.to.add(Select(leaf=leaf, extras=extras, **given))
        if is_union:
            found = self.to.add(Union(**self.to.given(node, "state", [found])))
        return replace(found, meaning=operand.meaning)

    def side(self, node: tree.Formula) -> Formula:
        """An operand of its own, or, if it is true nearly always, a formula."""
        if is_dense(node, self.to.scopes):
            return self.lower(node)
        return self.whole(node, self.to.use(node))

    def stop(self, node: tree.Formula) -> Formula:
        """As a side; of alternatives that know different variables each is one."""
        if isinstance(node, tree.Or) and self.to.program.trees.lacks(node):
            return Or(self._scope(node), tuple([self.side(part) for part in node.operands]))
        return self.side(node)

    # Formulas

    def lower(self, node: tree.Formula) -> Formula:
        scope = self._scope(node)
        match node:
            case tree.Comparison():
                return Comparison(
                    scope, node.operator, self.value(node.left), self.value(node.right)
                )
            case tree.Atom() if node.name.text in self.to.program.trees.contexts:
                source = self.to.program.trees.contexts[node.name.text]
                return Occurring(scope, self.whole(source, self.to.use(source)))
            case tree.Atom():
                return self._known(node, scope) if scope.is_condition else self._leaf(node)
            case tree.And():
                return And(scope, tuple([self.lower(part) for part in node.operands]))
            case tree.Where() if has_aggregates(node.condition):
                return self.whole(node, self.to.use(node))
            case tree.Where():
                return And(scope, (self.lower(node.operand), self.lower(node.condition)))
            case tree.Or():
                return Or(scope, tuple([self.lower(part) for part in node.operands]))
            case tree.Not():
                return Not(scope, self.lower(node.operand))
            case tree.Exists():
                return Exists(scope, self.lower(node.operand))
            case tree.In():
                return In(scope, self.lower(node.event), self._state(node.state), node.negated)
            case tree.Let():
                return self.whole(node, self.to.use(node))
            case tree.Start() | tree.End():
                state, is_end = self._state(node.operand), isinstance(node, tree.End)
                return Boundary(scope, state, is_end, self.to.program.has_calendar(node))
            case (
                tree.Calendar()
                | tree.MaximalRange()
                | tree.Repeat()
                | tree.Union()
                | tree.Intersection()
                | tree.Complement()
                | tree.Lasting()
                | tree.Then()
                | tree.Counting()
                | tree.Relation()
            ):
                raise AssertionError(f"no event: {type(node).__name__}")

    def _scope(self, node: tree.Formula) -> Scope:
        scopes = self.to.scopes
        is_condition = scopes.is_condition(node)
        return Scope(
            self.to.order(node),
            scopes.bound(node),
            is_condition,
            is_dense(node, scopes),
            is_guarded(node, scopes),
            None if is_condition else self.to.find_origin(node),
            self.to.program.find_repeated(node),
        )

    def whole(self, node: tree.Formula, operand: Operand) -> Leaf:
        self.operands.append(operand)
        names = tuple([name for name in operand.names if name])
        return Leaf(self._scope(node), "", operand.meaning, len(self.operands) - 1, names)

    def _state(self, node: tree.Formula) -> Leaf:
        if isinstance(node, tree.Atom):
            leaf, operand = self._atom(node)
            if None not in operand.names:
                self.operands.append(operand)
                return leaf
        return self.whole(node, self.to.use(node))

    def _leaf(self, node: tree.Atom) -> Leaf:
        leaf, operand = self._atom(node)
        self.operands.append(operand)
        return leaf

    def _atom(self, node: tree.Atom) -> tuple[Leaf, Operand]:
        """A phenomenon and what is asked of it; the leaf is for the operand that comes next.

        A column that is only tested gets a name that no variable has: `=1`, or `X=1` where it must
        be equal to X.
        """
        program = self.to.program
        phenomenon = program.phenomena[node.name.text]
        producer = program.get(phenomenon.id)
        terms = dict(zip(phenomenon.arguments, node.arguments, strict=True))
        names: list[str | None] = []
        tests: list[tuple[str, Constant | str]] = []
        for at, column in enumerate(producer.variables):
            match terms[column]:
                case tree.Wildcard() | tree.Word():
                    names.append(None)
                case tree.Variable(name=name):
                    if name in names:
                        names.append(f"{name}={at}")
                        tests.append((f"{name}={at}", name))
                    else:
                        names.append(name)
                case constant:
                    names.append(f"={at}")
                    tests.append((f"={at}", self.constant(constant, producer.types[column])))
        extras = [(one, terms[one]) for one in producer.extras]
        kept = [(old, new.name) for old, new in extras if isinstance(new, tree.Variable)]
        meaning = self._find_meaning(phenomenon, producer, node)
        origin = self.to.find_origin(node)
        operand = Operand(phenomenon.id, tuple(names), tuple(kept), meaning, origin)
        chosen = tuple([name for name in names if name and "=" not in name])
        # With an argument that nobody looks at it may be, but that depends on what else is asked.
        is_whole = not tests and None not in meaning.terms
        key = "" if is_whole else find_id(meaning, frozenset(self.to.types))
        leaf = Leaf(
            self._scope(node),
            key,
            meaning,
            len(self.operands),
            chosen,
            tuple(tests),
            is_whole,
        )
        return leaf, operand

    def _find_meaning(
        self, phenomenon: Phenomenon, producer: Source | Operator, node: tree.Atom
    ) -> Meaning:
        """In the order of the producer's columns: a definition may have them in another."""
        types = self.to.program.signatures[node.name.text].types
        terms = self._list_terms(node, types)
        placed = dict(zip(phenomenon.arguments, terms, strict=True))
        if isinstance(producer, Operator):
            terms = [placed[column] for column in producer.variables]
        elif node.name.text != producer.signature.name:
            # No more than another name of an input; of its own arguments some may have no column.
            terms = [placed[column] for column in producer.signature.arguments]
        return Meaning(phenomenon.id, tuple(terms))

    def _known(self, node: tree.Atom, scope: Scope) -> Known:
        types = self.to.program.signatures[node.name.text].types
        return Known(scope, node.name.text, tuple(self._list_terms(node, types)))

    def _list_terms(
        self, node: tree.Atom, types: tuple[ValueType, ...]
    ) -> list[str | Constant | None]:
        """Of each argument the variable, the constant, or None for any value."""
        found: list[str | Constant | None] = []
        for term, declared in zip(node.arguments, types, strict=True):
            match term:
                case tree.Wildcard() | tree.Word():
                    found.append(None)
                case tree.Variable():
                    found.append(term.name)
                case _:
                    found.append(self.constant(term, declared))
        return found

    # Values

    def constant(self, node: tree.Value, wanted: ValueType | None = None) -> Constant:
        """With a wanted type as an argument of that type."""
        value = self._read(node)
        if wanted is not None:
            return Constant(float(value) if wanted == "float" else value, wanted)
        return Constant(value, _TYPES[type(value)])

    def _read(self, node: tree.Value) -> Scalar:
        match node:
            case tree.IntLiteral() | tree.FloatLiteral() | tree.StrLiteral() | tree.BoolLiteral():
                return node.value
            case tree.DurationLiteral():
                return self.to.count(node)
            case tree.ParameterRef():
                return self.to.program.parameters[node.name]
            case _:
                raise AssertionError(f"no constant: {type(node).__name__}")

    def value(self, node: tree.Value) -> Value:
        match node:
            case tree.Variable():
                return Column(node.name)
            case tree.Previous():
                return Column(node.variable.name, is_previous=True)
            case tree.Negate():
                return Negative(self.value(node.operand))
            case tree.Arithmetic():
                return Arithmetic(node.operator, self.value(node.left), self.value(node.right))
            case tree.Call(function="time" | "start_time" | "end_time" | "duration" as moment):
                return Moment(moment)
            case tree.Aggregate():
                # Few programs have one.
                from phenesthe.plan.lower_aggregates import measure

                return measure(self, node)
            case tree.Call():
                return Call(node.function, tuple([self.value(part) for part in node.arguments]))
            case (
                tree.IntLiteral()
                | tree.FloatLiteral()
                | tree.StrLiteral()
                | tree.BoolLiteral()
                | tree.DurationLiteral()
                | tree.ParameterRef()
            ):
                return self.constant(node)
            case tree.Wildcard() | tree.Word():
                raise AssertionError("a checked condition has neither")
            case _:
                assert_never(node)


_TYPES: dict[type, ValueType] = {int: "int", float: "float", str: "str", bool: "bool"}
