"""Levels 6 to 10 of the table of binding strengths: connectives, inclusion, comparison."""

from typing import cast

from phenesthe.diagnostics.model import Edit
from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.shorten import shorten
from phenesthe.syntax.problem import SyntaxProblem
from phenesthe.syntax.source import Span
from phenesthe.syntax.tokens import COMPARISONS
from phenesthe.syntax.tree import (
    And,
    Comparison,
    ComparisonOperator,
    Formula,
    In,
    Not,
    Or,
    Value,
)  # fmt: skip
from phenesthe.syntax.values import ValueParser


class ConnectiveParser(ValueParser):
    def disjunction(self) -> Formula:
        return self.as_formula(self._disjunction())

    def _disjunction(self) -> Formula | Value:
        """Level 6: `or`."""
        start = self.cursor.token.start
        first = self._conjunction()
        if self.cursor.word != "or":
            return first
        operands = [self.as_formula(first)]
        while self.cursor.accept("or"):
            operands.append(self.as_formula(self._conjunction()))
        return self._node(Or(span=self.cursor.since(start), operands=tuple(operands)))

    def _conjunction(self) -> Formula | Value:
        """Level 7: `and`."""
        start = self.cursor.token.start
        first = self._negation()
        if self.cursor.word != "and":
            return first
        operands = [self.as_formula(first)]
        while self.cursor.accept("and"):
            operands.append(self.as_formula(self._negation()))
        return self._node(And(span=self.cursor.since(start), operands=tuple(operands)))

    def _negation(self) -> Formula | Value:
        """Level 8: `not`, over the inclusion to its right."""
        starts: list[int] = []
        while self.cursor.word == "not":
            starts.append(self.cursor.take().start)
        operand = self._inclusion()
        for start in reversed(starts):
            formula = self.as_formula(operand)
            operand = self._node(Not(span=self.cursor.since(start), operand=formula))
        return operand

    def _inclusion(self) -> Formula | Value:
        """Level 9: `in` and `not in`."""
        start = self.cursor.token.start
        left = self._comparison()
        while True:
            if self.cursor.word == "in":
                negated = False
            elif self.cursor.word == "not in":
                negated = True
            elif self.cursor.word == "not" and self.cursor.word_after() in ("in", "∈"):
                self.cursor.take()
                negated = True
            else:
                return left
            event = self.as_formula(left)
            self.cursor.take()
            state = self.as_formula(self._comparison())
            left = self._node(
                In(span=self.cursor.since(start), event=event, state=state, negated=negated)
            )

    def _comparison(self) -> Formula | Value:
        """Level 10: comparisons do not chain."""
        start = self.cursor.token.start
        left = self.sum()
        if self.cursor.word not in COMPARISONS:
            return left
        operator = cast(ComparisonOperator, self.cursor.word)
        sign = self.cursor.span(self.cursor.take())
        first = self.as_value(left, f"`{operator}`", sign)
        second = self.as_value(self.sum(), f"`{operator}`", sign)
        if self.cursor.word in COMPARISONS:
            raise self._chained(start, second)
        span = self.cursor.since(start)
        return self._node(Comparison(span=span, operator=operator, left=first, right=second))

    def _chained(self, start: int, middle: Value) -> SyntaxProblem:
        """`a < b < c`; the fix says b twice. At the second sign."""
        sign = self.cursor.span(self.cursor.take())
        self.sum()
        end = self.cursor.since(start).end
        source = sign.source
        joined = f" and {shorten(middle.span.text)}"
        parted = source.text[start : middle.span.end] + joined + source.text[middle.span.end : end]
        return SyntaxProblem(
            error(
                "S011",
                "comparisons cannot be chained",
                sign,
                label="a second comparison",
                hint=f"join two comparisons with `and`: `{shorten(parted)}`",
                fix=None
                if self.cursor.word in COMPARISONS or "…" in joined
                else (
                    Edit(span=Span(source, start, start), text="("),
                    Edit(span=Span(source, middle.span.end, middle.span.end), text=joined),
                    Edit(span=Span(source, end, end), text=")"),
                ),
            )
        )
