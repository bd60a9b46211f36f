"""Short constructors of checked trees, for tests that must not depend on the parser or checker.

They say nothing of where variables end: the reference sees that for itself.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from phenesthe.check.program import (
    Checked,
    CheckedDefinition,
    CheckedExclusive,
    CheckedParameter,
    Signature,
)
from phenesthe.check.program import CheckedProgram as Program
from phenesthe.syntax import tree
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.tree import ComparisonOperator, Formula, Kind, Mode, RelationName, Unit

SPAN = Span(Source("built", ""), 0, 0)

#: "X" is a variable, "_" a wildcard, "$p" a parameter, any other text a string.
Short: TypeAlias = str | int | float | bool | tree.Value


def value(short: Short) -> tree.Value:
    return term(short) if isinstance(short, str | int | float) else short


def term(short: str | int | float | bool) -> tree.Term:
    match short:
        case bool():
            return tree.BoolLiteral(value=short, span=SPAN)
        case int():
            return tree.IntLiteral(value=short, span=SPAN)
        case float():
            return tree.FloatLiteral(value=short, text=str(short), span=SPAN)
        case "_":
            return tree.Wildcard(span=SPAN)
    if short.startswith("$"):
        return tree.ParameterRef(name=short[1:], span=SPAN)
    if short[:1].isupper():
        return tree.Variable(name=short, span=SPAN)
    return tree.StrLiteral(value=short, span=SPAN)


def duration(short: int | str | Fraction) -> tree.Duration:
    """Ticks, the name of a parameter, or microseconds."""
    match short:
        case int():
            return tree.IntLiteral(value=short, span=SPAN)
        case str():
            return tree.ParameterRef(name=short, span=SPAN)
        case _:
            return tree.DurationLiteral(microseconds=short, text=f"{short}us", span=SPAN)


def name(text: str) -> tree.Name:
    return tree.Name(text=text, span=SPAN)


def atom(text: str, *arguments: str | int | float | bool) -> Formula:
    return tree.Atom(name=name(text), arguments=tuple(map(term, arguments)), span=SPAN)


def comparison(left: Short, operator: ComparisonOperator, right: Short) -> Formula:
    return tree.Comparison(operator=operator, left=value(left), right=value(right), span=SPAN)


def arithmetic(left: Short, operator: tree.ArithmeticOperator, right: Short) -> tree.Value:
    return tree.Arithmetic(operator=operator, left=value(left), right=value(right), span=SPAN)


def call(function: tree.Function, *arguments: Short) -> tree.Value:
    values = tuple(map(value, arguments))
    return tree.Call(function=function, name=name(function), arguments=values, span=SPAN)


def previous(variable: str) -> tree.Value:
    return tree.Previous(variable=tree.Variable(name=variable, span=SPAN), span=SPAN)


def conjunction(*operands: Formula) -> Formula:
    return tree.And(operands=operands, span=SPAN)


def disjunction(*operands: Formula) -> Formula:
    return tree.Or(operands=operands, span=SPAN)


def negation(operand: Formula) -> Formula:
    return tree.Not(operand=operand, span=SPAN)


def inclusion(event: Formula, state: Formula, *, negated: bool = False) -> Formula:
    return tree.In(event=event, state=state, negated=negated, span=SPAN)


def start(operand: Formula) -> Formula:
    return tree.Start(operand=operand, span=SPAN)


def end(operand: Formula) -> Formula:
    return tree.End(operand=operand, span=SPAN)


def maximal_range(
    first: Formula, stop: Formula, expires: int | str | Fraction | None = None
) -> tree.MaximalRange:
    limit = None if expires is None else duration(expires)
    return tree.MaximalRange(start=first, stop=stop, expires=limit, span=SPAN)


def repeat(
    event: Formula,
    operator: ComparisonOperator,
    gap: int | str,
    condition: Formula | None = None,
) -> Formula:
    return tree.Repeat(
        event=event, operator=operator, gap=duration(gap), condition=condition, span=SPAN
    )


def union(*operands: Formula) -> Formula:
    return tree.Union(operands=operands, span=SPAN)


def intersection(*operands: Formula) -> Formula:
    return tree.Intersection(operands=operands, span=SPAN)


def complement(left: Formula, right: Formula) -> Formula:
    return tree.Complement(left=left, right=right, span=SPAN)


def lasting(operand: Formula, operator: ComparisonOperator, ticks: int | str | Fraction) -> Formula:
    return tree.Lasting(operand=operand, operator=operator, duration=duration(ticks), span=SPAN)


def at_least(least: int | str, counted: str, operand: Formula) -> Formula:
    """One letter for each variable."""
    variables = tuple(tree.Variable(name=one, span=SPAN) for one in counted)
    return tree.Counting(counted=variables, operand=operand, least=duration(least), span=SPAN)


def count(counted: str, operand: Formula, number: str) -> Formula:
    variables = tuple(tree.Variable(name=one, span=SPAN) for one in counted)
    named = tree.Variable(name=number, span=SPAN)
    return tree.Counting(counted=variables, operand=operand, number=named, span=SPAN)


def then(left: Formula, right: Formula) -> Formula:
    return tree.Then(left=left, right=right, span=SPAN)


def relation(
    left: Formula,
    text: RelationName,
    right: Formula,
    within: int | str | None = None,
    mode: Mode | None = None,
    apart: int | str | None = None,
) -> Formula:
    return tree.Relation(
        name=text,
        left=left,
        right=right,
        apart=None if apart is None else duration(apart),
        within=None if within is None else duration(within),
        mode=mode,
        span=SPAN,
    )


def where(operand: Formula, condition: Formula) -> Formula:
    return tree.Where(operand=operand, condition=condition, span=SPAN)


def signature(text: str, kind: Kind | None, arguments: tuple[str, ...]) -> Signature:
    """The reference looks at no types, so they are not told."""
    return Signature(
        name=text, kind=kind, arguments=arguments, types=(), level=0, doc=None, span=SPAN
    )


def definition(text: str, kind: Kind, variables: str, body: Formula) -> Checked:
    return CheckedDefinition(signature=signature(text, kind, tuple(variables)), body=body, uses=())


def exclusive(text: str, variables: str, *branches: tuple[str, tree.MaximalRange]) -> Checked:
    return CheckedExclusive(
        signature=signature(text, "state", tuple(variables)),
        branches=tuple(
            tree.Branch(label=tree.StrLiteral(value=label, span=SPAN), body=body, span=SPAN)
            for label, body in branches
        ),
        uses=(),
    )


def program(
    *definitions: Checked,
    inputs: Mapping[str, Kind],
    facts: tuple[str, ...] = (),
    parameters: Mapping[str, int | float | str | bool] | None = None,
    unit: Unit = "second",
) -> Program:
    return Program(
        unit=unit,
        parameters=tuple(
            CheckedParameter(name=text, type="int", value=given, doc=None, span=SPAN)
            for text, given in (parameters or {}).items()
        ),
        inputs=tuple(signature(text, kind, ()) for text, kind in inputs.items()),
        facts=tuple(signature(text, None, ()) for text in facts),
        definitions=definitions,
        reported=tuple(one.signature.name for one in definitions),
    )
