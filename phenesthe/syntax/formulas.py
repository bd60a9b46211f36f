"""From flat tokens to a tree: the table of binding strengths of the language reference as code.

Each level is a method that reads the next tighter one. Nesting is counted and limited, so that no
text can exhaust the stack of this or of any later pass.
"""

from dataclasses import replace
from typing import Any, cast

from phenesthe.diagnostics.model import Label
from phenesthe.diagnostics.report import error
from phenesthe.syntax.aggregates import as_rows, check_variables
from phenesthe.syntax.clauses import list_clauses
from phenesthe.syntax.countings import CountingParser
from phenesthe.syntax.cursor import Group, needs_parentheses
from phenesthe.syntax.mistaken_operators import (
    before_arrow,
    fixed_duration,
    missing_comparison,
    no_duration,
    not_a_duration,
    unexpected,
)
from phenesthe.syntax.mistaken_values import after_let, no_assignment, no_new_variable
from phenesthe.syntax.mistakes import single_equals
from phenesthe.syntax.problem import SyntaxProblem
from phenesthe.syntax.source import Span
from phenesthe.syntax.tokens import COMPARISONS, MODES, RELATIONS, RESERVED, TokenKind
from phenesthe.syntax.tree import (
    Aggregate,
    Assignment,
    ComparisonOperator,
    Complement,
    Duration,
    DurationLiteral,
    Formula,
    Intersection,
    IntLiteral,
    Lasting,
    Let,
    MaximalRange,
    Mode,
    Relation,
    RelationName,
    Repeat,
    Then,
    Union,
    Value,
    Variable,
    Where,
    Word,
)  # fmt: skip
from phenesthe.syntax.values import is_formula
from phenesthe.vocabulary import BORDERS, SPANS, Difference

_DIFFERENCES = ("complement", "without")
_SET_OPERATORS = ("union", "intersection", *_DIFFERENCES)

#: What makes a range of what stands before it.
_LIMITING = frozenset(("~>", *[clause.word for clause in list_clauses(MaximalRange)]))


class FormulaParser(CountingParser):
    """One formula, from the position of the cursor as far as it goes."""

    def body(self) -> Formula:
        """A whole body: a formula with its trailing `where`, and nothing after it."""
        return self.as_formula(self.whole())

    def whole(self) -> Formula | Value:
        """All of the cursor's tokens as one formula or value."""
        start = self.cursor.token.start
        of = self._before_of()
        found = self.nested()
        if of or (self.cursor.word in SPANS and is_formula(found)):
            found = self._rows(start, of, found)
        if self.cursor.word == "=":
            self.as_formula(found)
        if self.cursor.word:
            raise unexpected(self.cursor, found)
        return found

    def _before_of(self) -> tuple[Variable, ...]:
        """The variables of `X of φ`, in the parentheses of an aggregate."""
        after = self._look_ahead(1)
        if after is None or after.text != "of" or self.cursor.word_after() != "of":
            return ()
        token, place = self.cursor.token, self.cursor.here()
        found: tuple[Formula | Value, ...] = ()
        if isinstance(token, Group):
            found = token.elements
        elif token.kind is TokenKind.VARIABLE and token.text != "_":
            found = (Variable(span=place, name=token.text),)
        self.cursor.take()
        self.cursor.take()
        return check_variables(found, place)

    def _rows(self, start: int, of: tuple[Variable, ...], found: Formula | Value) -> Value:
        rows = as_rows(self.as_formula(found), of)
        durations = self._durations(Aggregate)
        return self._node(
            replace(rows, span=self.cursor.since(start), **cast(dict[str, Any], durations))
        )

    def nested(self) -> Formula | Value:
        """What parentheses hold: anything, a value too."""
        start = self.cursor.token.start
        inner = self._relation()
        while self.cursor.word in ("where", "let"):
            operand = self.as_formula(inner)
            if self.cursor.accept("where"):
                condition = self.disjunction()
                found = Where(span=self.cursor.since(start), operand=operand, condition=condition)
                inner = self._node(found)
            else:
                inner = self._let(start, operand)
        return inner

    def _let(self, start: int, operand: Formula) -> Formula:
        word = self.cursor.span(self.cursor.take())
        assignments = [self._assignment(word)]
        while self.cursor.accept(","):
            assignments.append(self._assignment(word))
        let = Let(span=self.cursor.since(start), operand=operand, assignments=tuple(assignments))
        if self.cursor.word and self.cursor.word not in ("where", "let", *SPANS):
            raise after_let(self.cursor, let)
        return self._node(let)

    def _assignment(self, word: Span) -> Assignment:
        token, place = self.cursor.token, self.cursor.here()
        if token.kind is not TokenKind.VARIABLE or token.text == "_":
            raise no_new_variable(self.cursor)
        self.cursor.take()
        if self.cursor.word != "=":
            raise no_assignment(self.cursor, token.text)
        self.cursor.take()
        value = self.as_value(self.sum(), "`let`", word)
        variable = Variable(span=place, name=token.text)
        return Assignment(span=self.cursor.since(token.start), variable=variable, value=value)

    def _relation(self) -> Formula | Value:
        """Level 1: relations. A chain of one relation groups to the right."""
        starts = [self.cursor.token.start]
        first = self._sequence()
        if self.cursor.word not in RELATIONS:
            return first
        operands = [self.as_formula(first)]
        operators: list[tuple[str, Span]] = []
        durations: dict[str, Duration] = {}
        mode: Mode | None = None
        suffix: Span | None = None
        while (name := self.cursor.word) in RELATIONS:
            before = self.cursor.since(starts[0])
            operator = self.cursor.span(self.cursor.take())
            if suffix is not None:
                raise self._ambiguous_chain(starts, operators, suffix)
            if operators and operators[-1][0] != name:
                raise needs_parentheses(
                    f"`{operators[-1][0]}` and `{name}` stand side by side without parentheses",
                    operator,
                    before,
                    related=(Label(span=operators[-1][1], message="the other relation"),),
                    hint="different relations have no precedence: put one of them in parentheses",
                )
            operators.append((name, operator))
            starts.append(self.cursor.token.start)
            operands.append(self.as_formula(self._sequence()))
            start = self.cursor.token.start
            durations = self._durations(Relation)
            if durations:
                suffix = self.cursor.since(start)
            if self.cursor.accept("as"):
                mode = self._mode()
                suffix = self.cursor.since(start)
        if suffix is not None and len(operators) > 1:
            raise self._ambiguous_chain(starts, operators, suffix)
        relation = cast(RelationName, operators[0][0])
        result = operands.pop()
        for left, begin in zip(reversed(operands), reversed(starts[:-1]), strict=True):
            result = self._node(
                Relation(
                    span=self.cursor.since(begin),
                    name=relation,
                    left=left,
                    right=result,
                    mode=mode,
                    **durations,
                )
            )
        return result

    def _ambiguous_chain(
        self, starts: list[int], operators: list[tuple[str, Span]], suffix: Span
    ) -> SyntaxProblem:
        word = suffix.text.split()[0]
        return needs_parentheses(
            f"it is not clear which `{operators[-1][0]}` this `{word}` belongs to",
            suffix,
            Span(suffix.source, starts[-2], suffix.end),
            hint=f"put the relation that `{word}` is about in parentheses",
        )

    def _mode(self) -> Mode:
        if self.cursor.word in MODES:
            mode = cast(Mode, self.cursor.word)
            self.cursor.take()
            return mode
        raise SyntaxProblem(
            error(
                "S007",
                f"expected a mode after `as`, found {self.cursor.describe()}",
                self.cursor.here(),
                label="a mode is expected here",
                hint="the modes are " + ", ".join(f"`{mode}`" for mode in MODES),
            )
        )

    def _sequence(self) -> Formula | Value:
        """Level 2: `then` chains to the right."""
        starts = [self.cursor.token.start]
        first = self._set_operation()
        if self.cursor.word != "then":
            return first
        operands = [self.as_formula(first)]
        while self.cursor.accept("then"):
            starts.append(self.cursor.token.start)
            operands.append(self.as_formula(self._set_operation()))
        result = operands.pop()
        for left, begin in zip(reversed(operands), reversed(starts[:-1]), strict=True):
            result = self._node(Then(span=self.cursor.since(begin), left=left, right=result))
        return result

    def _set_operation(self) -> Formula | Value:
        """Level 3: `union` and `intersection` chain, nothing else does."""
        start = self.cursor.token.start
        first = self._lasting()
        name = self.cursor.word
        if name not in _SET_OPERATORS:
            return first
        operands = [self.as_formula(first)]
        previous: Span | None = None
        while (found := self.cursor.word) in _SET_OPERATORS:
            before = self.cursor.since(start)
            operator = self.cursor.span(self.cursor.take())
            if found != name or (name in _DIFFERENCES and previous is not None):
                assert previous is not None
                what = (
                    f"`{name}` and `{found}` stand" if found != name else f"`{name}` stands twice"
                )
                raise needs_parentheses(
                    f"{what} side by side without parentheses",
                    operator,
                    before,
                    related=(Label(span=previous, message="the other operation"),),
                    hint="these operations have no precedence: put one of them in parentheses"
                    + (f"; {BORDERS}" if {name, found} <= {*_DIFFERENCES} else ""),
                )
            previous = operator
            operands.append(self.as_formula(self._lasting()))
        span = self.cursor.since(start)
        match name:
            case "union":
                return self._node(Union(span=span, operands=tuple(operands)))
            case "intersection":
                return self._node(Intersection(span=span, operands=tuple(operands)))
            case _:
                left, right = operands
                word = cast(Difference, name)
                return self._node(Complement(span=span, left=left, right=right, name=word))

    def _lasting(self) -> Formula | Value:
        """Level 4: `lasting OP D`, repeatable, over all of level 5."""
        start = self.cursor.token.start
        operand = self._range()
        while self.cursor.word == "lasting":
            formula = self.as_formula(operand)
            self.cursor.take()
            operator = self._comparison_operator("lasting")
            duration = self.duration("lasting")
            operand = self._node(
                Lasting(
                    span=self.cursor.since(start),
                    operand=formula,
                    operator=operator,
                    duration=duration,
                )
            )
        return operand

    def _range(self) -> Formula | Value:
        """Level 5: `φ [~> ψ] [expires D] [limit D]`, `repeat`, `at least` and `count`."""
        if self.cursor.word == "repeat":
            return self._repeat()
        if self.begins_counting():
            return self.counting()
        begin = self.cursor.token.start
        left = self._disjunction()
        if self.cursor.word not in _LIMITING:
            return left
        start = self.as_formula(left)
        left_end = self.cursor.since(begin).end
        stop = self.disjunction() if self.cursor.accept("~>") else None
        durations = self._durations(MaximalRange)
        if self.cursor.word == "~>" and stop is None:
            raise before_arrow(self.cursor, left_end, self.disjunction)
        if self.cursor.word == "~>":
            raise needs_parentheses(
                "`~>` stands twice without parentheses",
                self.cursor.here(),
                self.cursor.since(begin),
                hint="a range begins and ends with events: use `start(…)` or `end(…)` of a state",
            )
        return self._node(
            replace(
                MaximalRange(span=self.cursor.since(begin), start=start, stop=stop),
                **cast(dict[str, Any], durations),
            )
        )

    def _repeat(self) -> Formula:
        start = self.cursor.take().start
        event = self.disjunction()
        self.cursor.expect("while", "after the event of `repeat`")
        self.cursor.expect("gap", "after `while`")
        operator = self._comparison_operator("gap")
        gap = self.duration("gap")
        condition: Formula | None = None
        if self.cursor.accept("and"):
            first = self.cursor.token.start
            condition = self.as_formula(self._conjunction())
            if self.cursor.word == "or":
                place = self.cursor.here()
                while self.cursor.accept("or"):
                    self._conjunction()
                raise needs_parentheses(
                    "`or` in the condition of `repeat` needs parentheses",
                    place,
                    self.cursor.since(first),
                    hint="write `while gap < 10m and (A or B)`",
                )
        elif self.cursor.word == "or":
            raise SyntaxProblem(
                error(
                    "S011",
                    "`or` cannot follow the gap of `repeat`",
                    self.cursor.here(),
                    label="the gap is always limited",
                    hint="a further condition follows `and`: `while gap < 10m and (A or B)`",
                )
            )
        return self._node(
            Repeat(
                span=self.cursor.since(start),
                event=event,
                operator=operator,
                gap=gap,
                condition=condition,
            )
        )

    def _comparison_operator(self, context: str) -> ComparisonOperator:
        if self.cursor.word in COMPARISONS:
            operator = self.cursor.word
            self.cursor.take()
            return cast(ComparisonOperator, operator)
        if self.cursor.word == "=":
            raise single_equals(self.cursor)
        raise missing_comparison(self.cursor, context)

    def _durations(self, kind: type) -> dict[str, Duration]:
        """What limits an operator after its right side, by the fields of its node, in any order."""
        found: dict[str, Duration] = {}
        clauses = {clause.word: clause for clause in list_clauses(kind)}
        while clause := clauses.pop(self.cursor.word, None):
            self.cursor.take()
            found[clause.field] = self.duration(
                clause.word, fixed="S025" if kind is Aggregate else None
            )
        return found

    def duration(self, context: str, *, fixed: str | None = None) -> Duration:
        word = self.cursor.word
        if word in ("", ")"):
            raise no_duration(self.cursor, context)
        if word in RESERVED or word in COMPARISONS:
            span = self.cursor.here()
        else:
            value = self.unary()
            if isinstance(value, DurationLiteral | IntLiteral | Word):
                return value
            if isinstance(value, Variable):
                if fixed is None:
                    return value
                raise fixed_duration(value, context, fixed)
            span = value.span
        raise not_a_duration(span, context)
