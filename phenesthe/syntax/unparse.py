"""Take an expression apart into words, with no parentheses more than reading it back takes.

The level of each node and what each operand needs are the parser's table of binding strengths,
read the other way round.
"""

import json
from collections.abc import Iterable, Iterator
from typing import assert_never

from phenesthe.syntax.anonymous import is_anonymous
from phenesthe.syntax.clauses import list_durations
from phenesthe.syntax.layout import Lexeme
from phenesthe.syntax.tokens import TokenKind
from phenesthe.syntax.tree import (
    Aggregate,
    And,
    Arithmetic,
    Atom,
    BoolLiteral,
    Calendar,
    Call,
    Comparison,
    Complement,
    Counting,
    DurationLiteral,
    End,
    Exists,
    FloatLiteral,
    Formula,
    In,
    Intersection,
    IntLiteral,
    Lasting,
    Let,
    Literal_,
    MaximalRange,
    Negate,
    Not,
    Or,
    ParameterRef,
    Previous,
    Relation,
    Repeat,
    Start,
    StrLiteral,
    Then,
    Union,
    Value,
    Variable,
    Where,
    Wildcard,
    Word,
)  # fmt: skip
from phenesthe.syntax.tree.walk import Expression

FILTER, _RELATION, _SEQUENCE, _SET, _LASTING, RANGE = range(6)
_OR, _AND, _NOT, _IN, _COMPARISON, SUM, _PRODUCT, _MINUS, _PRIMARY = range(6, 15)


def word(text: str) -> Lexeme:
    return Lexeme(TokenKind.WORD, text)


def sign(text: str) -> Lexeme:
    return Lexeme(TokenKind.SYMBOL, text)


_OPEN, _CLOSE, _COMMA = (sign(text) for text in "(),")


def listed(items: Iterable[Iterable[Lexeme]]) -> Iterator[Lexeme]:
    yield _OPEN
    for index, item in enumerate(items):
        if index:
            yield _COMMA
        yield from item
    yield _CLOSE


def _level(node: Expression) -> int:
    match node:
        case Where() | Let():
            return FILTER
        case Relation():
            return _RELATION
        case Then():
            return _SEQUENCE
        case Union() | Intersection() | Complement():
            return _SET
        case Lasting():
            return _LASTING
        case MaximalRange() | Repeat() | Counting():
            return RANGE
        case Or():
            return _OR
        case And():
            return _AND
        case Not():
            return _NOT
        case In():
            return _IN
        case Comparison():
            return _COMPARISON
        case Arithmetic(operator="+" | "-"):
            return SUM
        case Arithmetic():
            return _PRODUCT
        case Negate():
            return _MINUS
        case _:
            return _PRIMARY


def unparse(node: Expression, needs: int) -> Iterator[Lexeme]:
    """`node` where only what binds as tightly as `needs` may stand bare."""
    if _level(node) < needs:
        yield _OPEN
        yield from _bare(node)
        yield _CLOSE
    else:
        yield from _bare(node)


def _bare(node: Expression) -> Iterator[Lexeme]:
    match node:
        case Where(operand=operand, condition=condition):
            yield from _infix(operand, "where", condition, FILTER, _OR)
        case Let(operand=operand, assignments=assignments):
            yield from unparse(operand, FILTER)
            yield word("let")
            for index, one in enumerate(assignments):
                if index:
                    yield _COMMA
                yield from _infix(one.variable, "=", one.value, SUM, SUM)
        case Relation():
            yield from _relation(node)
        case Then(left=left, right=right):
            yield from _infix(left, "then", right, _SET, _SEQUENCE)
        case Union(operands=operands):
            yield from _chain(operands, "union", _LASTING)
        case Intersection(operands=operands):
            yield from _chain(operands, "intersection", _LASTING)
        case Complement(left=left, right=right, name=name):
            yield from _infix(left, name, right, _LASTING, _LASTING)
        case Lasting(operand=operand, operator=operator, duration=duration):
            yield from unparse(operand, _LASTING)
            yield word("lasting")
            yield sign(operator)
            yield from _bare(duration)
        case MaximalRange(start=start, stop=stop):
            if stop is None:
                yield from unparse(start, _OR)
            else:
                yield from _infix(start, "~>", stop, _OR, _OR)
            yield from _durations(node)
        case Repeat():
            yield from _repeat(node)
        case Counting():
            yield from _counting(node)
        case Or(operands=operands):
            yield from _chain(operands, "or", _AND)
        case And(operands=operands):
            yield from _chain(operands, "and", _NOT)
        case Not(operand=operand):
            yield word("not")
            yield from unparse(operand, _NOT)
        case In(event=event, state=state, negated=negated):
            yield from _infix(event, "not in" if negated else "in", state, _IN, _COMPARISON)
        case Comparison(operator=operator, left=left_value, right=right_value):
            yield from _infix(left_value, operator, right_value, SUM, SUM)
        case Atom(name=name, arguments=arguments):
            yield word(name.text)
            yield from listed(map(_bare, arguments))
        case Calendar(name=calendar, arguments=texts):
            yield word(calendar)
            yield from listed((_string(text),) for text in texts)
        case Start(operand=operand):
            yield word("start")
            yield from listed((unparse(operand, FILTER),))
        case End(operand=operand):
            yield word("end")
            yield from listed((unparse(operand, FILTER),))
        case Exists(variables=variables, operand=operand):
            # No word of the language: only compiled definitions are shown with it.
            yield sign(f"exists {', '.join(variables)}:")
            yield from listed((unparse(operand, FILTER),))
        case _:
            yield from _value(node)


def _infix(
    left: Expression, operator: str, right: Expression, left_needs: int, right_needs: int
) -> Iterator[Lexeme]:
    yield from unparse(left, left_needs)
    yield word(operator) if operator[0].isalpha() else sign(operator)
    yield from unparse(right, right_needs)


def _chain(operands: tuple[Formula, ...], operator: str, needs: int) -> Iterator[Lexeme]:
    for index, operand in enumerate(operands):
        if index:
            yield word(operator)
        yield from unparse(operand, needs)


def _relation(node: Relation) -> Iterator[Lexeme]:
    right = node.right
    chains = (
        isinstance(right, Relation)
        and right.name == node.name
        and not any(one.mode or any(list_durations(one)) for one in (node, right))
    )
    yield from _infix(node.left, node.name, right, _SEQUENCE, _RELATION if chains else _SEQUENCE)
    yield from _durations(node)
    if node.mode is not None:
        yield word("as")
        yield word(node.mode)


def _durations(node: Relation | MaximalRange | Aggregate) -> Iterator[Lexeme]:
    for clause, duration in list_durations(node):
        yield word(clause.word)
        yield from _bare(duration)


def _repeat(node: Repeat) -> Iterator[Lexeme]:
    yield word("repeat")
    yield from unparse(node.event, _OR)
    yield word("while")
    yield word("gap")
    yield sign(node.operator)
    yield from _bare(node.gap)
    if node.condition is not None:
        yield word("and")
        yield from unparse(node.condition, _AND)


def _counting(node: Counting) -> Iterator[Lexeme]:
    yield from map(word, node.word.split())
    if node.least is not None:
        yield from _bare(node.least)
    if len(node.counted) == 1:
        yield from _bare(node.counted[0])
    else:
        yield from listed(map(_bare, node.counted))
    yield word("of")
    yield from unparse(node.operand, _PRIMARY)
    if node.number is not None:
        yield word("as")
        yield from _bare(node.number)


# Values


def _value(value: Value) -> Iterator[Lexeme]:
    match value:
        case Variable():
            yield unparse_variable(value)
        case Wildcard():
            yield Lexeme(TokenKind.VARIABLE, "_")
        case Word(name=name) | ParameterRef(name=name):
            yield word(name)
        case IntLiteral() | FloatLiteral() | StrLiteral() | BoolLiteral() | DurationLiteral():
            yield unparse_literal(value)
        case Negate(operand=operand):
            yield sign("-")
            # `-5` would be read as one number.
            literal = isinstance(operand, IntLiteral | FloatLiteral | DurationLiteral)
            yield from listed((_bare(operand),)) if literal else unparse(operand, _MINUS)
        case Arithmetic(operator=operator, left=left, right=right):
            level = _level(value)
            yield from _infix(left, operator, right, level, level + 1)
        case Call(function=function, arguments=arguments):
            yield word(function)
            yield from listed(unparse(argument, SUM) for argument in arguments)
        case Aggregate():
            yield word(value.function)
            yield from listed((_aggregated(value),))
        case Previous(variable=variable):
            yield word("prev")
            yield from listed(((unparse_variable(variable),),))
        case _:
            assert_never(value)


def _aggregated(node: Aggregate) -> Iterator[Lexeme]:
    if len(node.of) == 1:
        yield from _bare(node.of[0])
    elif node.of:
        yield from listed(map(_bare, node.of))
    if node.of:
        yield word("of")
    yield from unparse(node.operand, FILTER)
    yield from _durations(node)


def unparse_variable(variable: Variable) -> Lexeme:
    return Lexeme(TokenKind.VARIABLE, "_" if is_anonymous(variable.name) else variable.name)


def _string(text: str) -> Lexeme:
    return Lexeme(TokenKind.STRING, json.dumps(text, ensure_ascii=False))


def unparse_literal(literal: Literal_) -> Lexeme:
    match literal:
        case IntLiteral(value=number):
            return Lexeme(TokenKind.NUMBER, str(number))
        case FloatLiteral(value=real, text=text):
            return Lexeme(TokenKind.NUMBER, text or repr(real))
        case DurationLiteral(text=text):
            return Lexeme(TokenKind.NUMBER, text)
        case BoolLiteral(value=truth):
            return word("true" if truth else "false")
        case StrLiteral(value=string):
            return _string(string)
        case _:
            assert_never(literal)
