"""`count(φ)`, `sum(X of φ over D)`: what stands in the parentheses of an aggregate."""

from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.shorten import shorten
from phenesthe.syntax.problem import SyntaxProblem
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import Aggregate, Formula, Name, Value, Variable
from phenesthe.syntax.tree.walk import Expression
from phenesthe.vocabulary import AggregateName

_EXAMPLES: dict[AggregateName, str] = {
    "count": "count(X of pay(C, X))",
    "sum": "sum(A of pay(C, A))",
    "avg": "avg(S of ais(V, S))",
    "min": "min(S of ais(V, S))",
    "max": "max(S of ais(V, S))",
    "first": "first(S of ais(V, S))",
    "last": "last(S of ais(V, S))",
    "total": "total(stopped(V))",
}


class AggregateProblem(SyntaxProblem):
    """One of its shape, whose remedy is the whole of it as it would be written."""


def as_rows(operand: Formula, of: tuple[Variable, ...] = ()) -> Aggregate:
    """The rows of a formula, before it is known what is made of them: `name` is empty."""
    name = Name(span=operand.span, text="")
    return Aggregate(span=operand.span, function="count", name=name, of=of, operand=operand)


def no_aggregate(node: Aggregate) -> SyntaxProblem:
    """Rows where a value stands."""
    return AggregateProblem(
        error(
            "S025",
            "rows are no value: something has to be computed of them",
            node.span,
            label="no aggregate around it",
            hint=f"write a name before the parentheses: `count({shorten(node.span.text, 60)})`, or "
            f"another of {_list_names()}",
        )
    )


def check_aggregate(
    function: AggregateName, rows: Aggregate, elements: tuple[Expression, ...], group: Span
) -> None:
    """Whether the right number of variables stands before `of`."""
    example = _EXAMPLES[function]
    if len(elements) != 1:
        message, place = f"`{function}` is computed of the rows of one formula", group
        label, hint = "several things are in here", f"write `{example}`"
    elif function == "total" and rows.of:
        message, place = "`total` measures a state, and takes no variable", rows.of[0].span
        label, hint = "not here", f"leave it out: `{example}`"
    elif function not in ("count", "total") and len(rows.of) != 1:
        message, place = f"`{function}` is computed of the values of one variable", rows.span
        label = "of which variable?" if not rows.of else "several variables"
        hint = f"say of which: `{example}`"
    else:
        return
    raise AggregateProblem(error("S025", message, place, label=label, hint=hint))


def check_variables(found: tuple[Formula | Value, ...], place: Span) -> tuple[Variable, ...]:
    variables = tuple([one for one in found if isinstance(one, Variable)])
    if not variables or len(variables) < len(found):
        raise AggregateProblem(
            error(
                "S025",
                "before `of` stand variables, and here is something else",
                place,
                label="a variable, or several in parentheses, is expected here",
                hint="write `sum(A of pay(C, A))`, or `count((X, Y) of met(X, Y))` for pairs",
            )
        )
    return variables


def _list_names() -> str:
    return ", ".join(f"`{name}`" for name in _EXAMPLES)
