"""The tight end of the grammar: arithmetic, atoms, calls, literals and parentheses."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeGuard, TypeVar, cast

from phenesthe.diagnostics.model import Diagnostic
from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.shorten import shorten
from phenesthe.syntax.aggregates import as_rows, check_aggregate, no_aggregate
from phenesthe.syntax.cursor import Cursor, Group
from phenesthe.syntax.foreign_marks import PARTED_BY_COLON
from phenesthe.syntax.literals import read_number, read_string
from phenesthe.syntax.mistakes import (
    MAX_NESTING,
    capital_name,
    missing_operand,
    misspelt,
    moment_of,
    no_value,
    not_a_value,
    not_an_argument,
    single_equals,
    too_deep,
)  # fmt: skip
from phenesthe.syntax.problem import SyntaxProblem
from phenesthe.syntax.source import Span
from phenesthe.syntax.tokens import FUNCTIONS, RESERVED, Token, TokenKind
from phenesthe.syntax.tree import (
    Aggregate,
    Arithmetic,
    ArithmeticOperator,
    Atom,
    BoolLiteral,
    Call,
    Comparison,
    DurationLiteral,
    End,
    FloatLiteral,
    Formula,
    Function,
    IntLiteral,
    Name,
    Negate,
    ParameterRef,
    Previous,
    Start,
    StrLiteral,
    Term,
    Value,
    Variable,
    Wildcard,
    Word,
)  # fmt: skip
from phenesthe.syntax.tree.walk import Expression, children
from phenesthe.vocabulary import AGGREGATES, MOMENTS, PREDICATES, AggregateName

_VALUES = (
    Variable, Wildcard, Word, ParameterRef, IntLiteral, FloatLiteral, StrLiteral, BoolLiteral,
    DurationLiteral, Negate, Arithmetic, Call, Aggregate, Previous,
)  # fmt: skip
_TERMS = (Variable, Wildcard, Word, IntLiteral, FloatLiteral, StrLiteral, BoolLiteral)
N = TypeVar("N", bound=Expression)


def as_condition(call: Call) -> Comparison:
    """`starts_with(X, "a")` where a condition stands."""
    true = BoolLiteral(span=call.span, value=True)
    return Comparison(span=call.span, operator="==", left=call, right=true)


def is_formula(node: Expression) -> TypeGuard[Formula]:
    return not isinstance(node, _VALUES)


class ValueParser:
    """Reads values from a cursor. `depths` is shared by all the groups of one formula."""

    def __init__(self, cursor: Cursor, depths: dict[int, int]) -> None:
        self.cursor = cursor
        self._depths = depths

    def _node(self, node: N) -> N:
        """Note how deep a node is, and refuse what later passes could not walk through."""
        depths = self._depths
        depth = 1
        for child in children(node):
            below = depths.get(id(child), 1)
            if below >= depth:
                depth = below + 1
        if depth > MAX_NESTING:
            raise SyntaxProblem(too_deep(node.span))
        depths[id(node)] = depth
        return node

    def as_formula(self, node: Formula | Value) -> Formula:
        if is_formula(node):
            return node
        if isinstance(node, Call) and node.function in PREDICATES:
            return self._node(as_condition(node))
        if self.cursor.word == "=":
            raise single_equals(self.cursor)
        # What explains mistakes is loaded when there is one.
        from phenesthe.syntax.mistaken_words import explain_value

        raise SyntaxProblem(explain_value(self.cursor, cast(Value, node)))

    def as_value(self, node: Expression, needer: str, sign: Span) -> Value:
        """`node` as an operand of arithmetic or a comparison."""
        if isinstance(node, Atom) and node.name.text in FUNCTIONS:
            # A phenomenon may have the name of a function, but no phenomenon is a value.
            arguments = tuple([self.as_value(one, needer, sign) for one in node.arguments])
            function = cast(Function, node.name.text)
            return self._node(
                Call(span=node.span, function=function, name=node.name, arguments=arguments)
            )
        if is_formula(node):
            raise SyntaxProblem(not_a_value(needer, node.span, sign))
        if isinstance(node, Wildcard):
            raise SyntaxProblem(no_value(needer, node.span))
        if isinstance(node, Aggregate) and not node.name.text:
            raise no_aggregate(node)
        return cast(Value, node)

    def sum(self) -> Formula | Value:
        """Level 11: `+` and `-`."""
        start = self.cursor.token.start
        left = self._product()
        while self.cursor.word in ("+", "-"):
            left = self._arithmetic(start, left, self._product)
        return left

    def _product(self) -> Formula | Value:
        """Level 12: `*`, `/` and `%`."""
        start = self.cursor.token.start
        left = self.unary()
        while self.cursor.word in ("*", "/", "%"):
            left = self._arithmetic(start, left, self.unary)
        return left

    def _arithmetic(
        self, start: int, left: Formula | Value, operand: Callable[[], Formula | Value]
    ) -> Value:
        operator = cast(ArithmeticOperator, self.cursor.word)
        sign = self.cursor.span(self.cursor.take())
        if operator == "-" and is_formula(left) and self.cursor.word == ">":
            arrow = sign.to(self.cursor.here())
            raise SyntaxProblem(
                misspelt("a state from one event to another is written `~>`", arrow, "~>")
            )
        first = self.as_value(left, f"`{operator}`", sign)
        second = self.as_value(operand(), f"`{operator}`", sign)
        return self._node(
            Arithmetic(span=self.cursor.since(start), operator=operator, left=first, right=second)
        )

    def unary(self) -> Formula | Value:
        """Level 13: a leading minus; right before a number it is part of the number."""
        signs: list[Token] = []
        while self.cursor.word == "-":
            signs.append(self._take_token())
        following = self.cursor.token
        operand: Formula | Value
        if signs and following.kind is TokenKind.NUMBER and following.start == signs[-1].end:
            self.cursor.take()
            sign = signs.pop()
            span = Span(self.cursor.source, sign.start, following.end)
            operand = self._literal(read_number("-" + following.text, span))
        else:
            operand = self.primary()
        if signs and is_formula(operand) and self._follows_colon(signs[0]):
            colon = Span(self.cursor.source, signs[0].start - 1, signs[0].end)
            raise SyntaxProblem(misspelt(PARTED_BY_COLON, colon, ":"))
        for sign in reversed(signs):
            value = self.as_value(operand, "`-`", self.cursor.span(sign))
            operand = self._node(Negate(span=self.cursor.since(sign.start), operand=value))
        return operand

    def _follows_colon(self, sign: Token) -> bool:
        return self.cursor.source.text[sign.start - 1 : sign.start] == ":"

    def _take_token(self) -> Token:
        token = self.cursor.take()
        assert isinstance(token, Token)
        return token

    def _literal(self, read: "N | Diagnostic") -> N:
        if isinstance(read, Diagnostic):
            raise SyntaxProblem(read)
        return read

    def primary(self) -> Formula | Value:
        token = self.cursor.token
        span = self.cursor.here()
        if isinstance(token, Group):
            return self._parenthesised(token)
        match token.kind:
            case TokenKind.NUMBER:
                self.cursor.take()
                return self._literal(read_number(token.text, span))
            case TokenKind.STRING:
                self.cursor.take()
                return self._literal(read_string(token.text, span))
            case TokenKind.VARIABLE:
                self.cursor.take()
                if self.cursor.word == "(":
                    raise SyntaxProblem(capital_name(token.text, span))
                if token.text == "_":
                    return Wildcard(span=span)
                return Variable(span=span, name=token.text)
            case TokenKind.WORD:
                return self._word(token, span)
            case _:
                raise SyntaxProblem(missing_operand(self.cursor))

    def _word(self, token: Token, span: Span) -> Formula | Value:
        text = token.text
        if text in ("true", "false"):
            self.cursor.take()
            return BoolLiteral(span=span, value=text == "true")
        if self.cursor.word_after() == "(":
            if text in ("start", "end"):
                return self._boundary(token)
            if text == "prev":
                return self._previous(token)
            if text in AGGREGATES and (found := self._aggregate(token)) is not None:
                return found
            if text in FUNCTIONS and (text in RESERVED or self._computes()):
                return self._call(token)
            if text not in RESERVED:
                return self._atom(token)
        if text in RESERVED:
            raise SyntaxProblem(missing_operand(self.cursor))
        self.cursor.take()
        return Word(span=span, name=text)

    def _computes(self) -> bool:
        """Whether what follows in parentheses can be no arguments of a phenomenon."""
        group = self.cursor.tokens[self.cursor.at + 1]
        assert isinstance(group, Group)
        return not all(isinstance(one, _TERMS) for one in group.elements)

    def _parenthesised(self, group: Group) -> Formula | Value:
        self.cursor.take()
        hint = "join them with an operator such as `and`" if group.elements else "remove them"
        return self._only(group, "parentheses hold one formula or value", hint)

    def _only(self, group: Group, message: str, hint: str) -> Formula | Value:
        """The one thing in a group."""
        if len(group.elements) == 1:
            return group.elements[0]
        count = len(group.elements) or "nothing"
        raise SyntaxProblem(
            error(
                "S008",
                f"{message}, found {count}",
                self.cursor.span(group),
                label="exactly one is expected in here",
                hint=hint,
            )
        )

    def _boundary(self, token: Token) -> Formula:
        self.cursor.take()
        inside = self._only(
            self._take_group(),
            f"`{token.text}` takes one state",
            f"write one state; several make one with `union`: `{token.text}(A union B)`",
        )
        operand = self.as_formula(inside)
        span = self.cursor.since(token.start)
        if token.text == "start":
            return self._node(Start(span=span, operand=operand))
        return self._node(End(span=span, operand=operand))

    def _previous(self, token: Token) -> Value:
        self.cursor.take()
        inside = self._only(
            self._take_group(), "`prev` takes one variable", "write a variable: `prev(S)`"
        )
        span = self.cursor.since(token.start)
        if not isinstance(inside, Variable):
            raise SyntaxProblem(
                error(
                    "S015",
                    f"`prev` takes a variable, not `{shorten(inside.span.text, 40)}`",
                    inside.span,
                    label="not a variable",
                    hint="write `prev(S)` and compute with it outside: `prev(S) + 1`",
                )
            )
        return Previous(span=span, variable=inside)

    def _call(self, token: Token) -> Value:
        name = Name(span=self.cursor.here(), text=token.text)
        self.cursor.take()
        if name.text in MOMENTS:
            for argument in self._peek_group().elements:
                if is_formula(argument):
                    raise SyntaxProblem(moment_of(name.text, argument.span))
        arguments = tuple(
            self.as_value(argument, f"`{token.text}`", name.span)
            for argument in self._take_group().elements
        )
        function = cast(Function, token.text)
        return self._node(
            Call(
                span=self.cursor.since(token.start),
                function=function,
                name=name,
                arguments=arguments,
            )
        )

    def _atom(self, token: Token) -> Formula:
        name = Name(span=self.cursor.here(), text=token.text)
        self.cursor.take()
        arguments = tuple(self._term(name, argument) for argument in self._take_group().elements)
        return self._node(Atom(span=self.cursor.since(token.start), name=name, arguments=arguments))

    def _aggregate(self, token: Token) -> Value | None:
        """`count(φ)`, `sum(X of φ)`: what is in the parentheses tells."""
        group = self.cursor.tokens[self.cursor.at + 1]
        assert isinstance(group, Group)
        function = cast(AggregateName, token.text)
        name = Name(span=self.cursor.here(), text=token.text)
        for element in group.elements:
            rows: Aggregate | None = None
            if isinstance(element, Aggregate) and not element.name.text:
                rows = element
            elif is_formula(element) and function not in RESERVED:
                rows = as_rows(element)
            if rows is not None:
                check_aggregate(function, rows, group.elements, self.cursor.span(group))
                self.cursor.take()
                self.cursor.take()
                span = self.cursor.since(token.start)
                return self._node(replace(rows, span=span, function=function, name=name))
        return None

    def _peek_group(self) -> Group:
        group = self.cursor.token
        assert isinstance(group, Group)
        return group

    def _take_group(self) -> Group:
        group = self.cursor.take()
        assert isinstance(group, Group)
        return group

    def _term(self, name: Name, argument: Formula | Value) -> Term:
        if isinstance(argument, _TERMS):
            return argument
        what = "a duration" if isinstance(argument, DurationLiteral) else "computed"
        what = "a formula" if is_formula(argument) else what
        raise SyntaxProblem(not_an_argument(name.text, argument.span, what))
